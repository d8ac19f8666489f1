/**
 * English labels: every key that exists. `{name}` is replaced by a value. Of a text with a count, `_one` and `_other` are
 * its forms, chosen by the language's plural rules.
 */
export const en = {
  /** By the script (src/views) that shows them. A key is in one script only of those that a page joins. */
  pages: {
    bridge: {
      waiting: 'Waiting for the result…',
      demo: 'Demo data: nothing here is real.',
      failed: 'The call failed.',
      cancelled: 'The call was cancelled.',
      refused_page: 'The chat host refused this page: {reason}',
    },
    decision: {
      decision: 'Your decision',
      approve: 'Approve',
      decline: 'Decline',
      sending: 'Sending…',
      change: 'A change',
      not_changed_yet: 'not changed yet',
      decide_until: 'You can decide until {time}. Nothing changes before you approve.',
      ten_minutes: 'ten minutes after it was asked',
      declined: 'Declined',
      nothing_changed: 'nothing was changed',
      you_declined: 'You declined this change. The assistant is told that nothing was changed.',
      would_change: 'This would change',
      dry_run: 'dry run: nothing was changed',
      nothing_to_change: 'Nothing to change',
      nothing_sent: 'nothing was sent',
      not_applied: 'Not applied: {fields}',
      the_change: 'The change',
      way_back: 'Way back',
      not_shown: 'Not shown by the service: {fields}',
      confirmed_by: 'Confirmed by {who}.',
      confirmed_person: 'a person, who was asked by the chat host',
      confirmed_page: 'the button on this page',
      confirmed_host: 'the chat host',
      confirmed_token: 'a token that the assistant sent back',
      confirmed_policy: 'the settings of this server, without asking',
      back_unknown: 'Not known: the record was not read before the change.',
      back_impossible: 'It cannot be taken back: {reason}.',
      back_possible: 'It can be taken back: ask the assistant for it.',
    },
  },
};

export type Labels = typeof en;

/** A language's labels; what is missing is shown in English. */
export type Translation = { readonly [Part in keyof Labels]?: Parts<Labels[Part]> };
type Parts<T> = { readonly [K in keyof T]?: T[K] extends string ? string : { readonly [L in keyof T[K]]?: string } };
