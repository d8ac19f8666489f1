/** The writes of a run, and how each was agreed to: what a yes proves is part of what a rehearsal shows. */
import type { ConfirmedBy } from '../../definition/asking.ts';
import type { RecordedCall, RunRecord } from '../types.ts';

type Write = RecordedCall & { confirmedBy: ConfirmedBy };

/** Those that were carried out, in their order. */
export function writesOf({ calls }: Pick<RunRecord, 'calls'>): Write[] {
  return calls.filter((call): call is Write => call.confirmedBy !== undefined);
}

const words: Readonly<Record<ConfirmedBy, string>> = {
  person: 'person (form or page)',
  page: 'page (a click in the chat)',
  host: 'host (the server did not ask)',
  token: 'token (nobody was asked)',
  policy: 'setting (nobody was asked)',
};

/** Whose yes it was. */
export function agreedBy({ questionAndReply, confirmedBy }: Pick<Write, 'questionAndReply' | 'confirmedBy'>): string {
  return confirmedBy === 'person' && questionAndReply ? 'scripted person (form)' : words[confirmedBy];
}
