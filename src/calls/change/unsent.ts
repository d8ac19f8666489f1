/** Why a change of a set that was agreed to was not sent. */
import type { OwnError } from '../../tool/failure.ts';

type Unsent = 'set_stopped' | 'cancelled' | 'record_changed' | 'record_unseen';

const unsentError = (code: Unsent, message: string): OwnError => ({
  status: null,
  code,
  message,
  changed: false,
  hint: 'Send the same set again if the person still wants it: they are asked about what is left.',
});

export const changedError = unsentError(
  'record_changed',
  'Its record changed since this was asked, so it was left out.',
);
export const unseenError = unsentError(
  'record_unseen',
  'The service did not show its record again before it was sent, so it was left out.',
);
export const cancelledError = unsentError('cancelled', 'The call was cancelled before this change was sent.');

/** `number`: of the change that was not carried out. */
export const stoppedError = (number: number): OwnError =>
  unsentError('set_stopped', `It was not sent, because change ${number} was not carried out.`);
