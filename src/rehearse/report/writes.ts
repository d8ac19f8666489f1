/** The writes of a run, and who confirmed each. */
import type { ConfirmedBy } from '../../definition/asking.ts';
import type { RecordedCall, RunRecord } from '../types.ts';

type Write = RecordedCall & { confirmedBy: ConfirmedBy };

/** Those that were carried out, in their order. */
export function writesOf({ calls }: Pick<RunRecord, 'calls'>): Write[] {
  return calls.filter((call): call is Write => call.confirmedBy !== undefined);
}

const words: Readonly<Record<ConfirmedBy, string>> = {
  person: 'user (form or page)',
  page: 'click in the chat',
  link: 'click on a page of the server',
  host: 'host (the server sent no prompt)',
  token: 'token (no user was asked)',
  policy: 'setting (no user was asked)',
};

/** Who confirmed it. */
export function agreedBy({ questionAndReply, confirmedBy }: Pick<Write, 'questionAndReply' | 'confirmedBy'>): string {
  return confirmedBy === 'person' && questionAndReply ? 'scripted user (form)' : words[confirmedBy];
}
