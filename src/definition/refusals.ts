/**
 * All refusals and failures that this server words itself: one table, of modules by kind. An entry a code has what
 * docs/errors.md and `billing://errors` say of it, and its message and hint for an assistant. Codes of the billing API are
 * an open list and pass through. `refuse()` of failure.ts makes an error of an entry. A starting server loads none of this.
 */
import { ofAccess } from './refusals/access.ts';
import { ofArguments } from './refusals/arguments.ts';
import { ofAsking } from './refusals/asking.ts';
import { ofLimits } from './refusals/limits.ts';
import { ofLookups } from './refusals/lookups.ts';
import { cases, type Refusals, type Tool } from './refusals/refusal.ts';
import { ofService } from './refusals/service.ts';

export const refusals = {
  ...ofArguments,
  ...ofAccess,
  ...ofLimits,
  ...ofAsking,
  ...ofService,
  ...ofLookups,
  internal_error: {
    meaning: 'this server failed while handling the call',
    whatToDo: 'tell the user the request ID; before retrying a write, read the record',
    say: cases({
      call: ({ tool, requestId, writes }: Tool & { requestId: string; writes: boolean }) => ({
        message: `${tool}: this server failed while handling the call`,
        hint: `Tell the user, with the request ID ${requestId}.${writes ? ' Read the record before retrying.' : ''}`,
        changed: writes ? 'unknown' : false,
      }),
      /** After the request may have been sent. `reason` is redacted. */
      sent: ({ tool, reason }: Tool & { reason: string }) => ({
        message: `${tool} ended unexpectedly: ${reason}. The request may have been sent.`,
        hint: 'Read the record before retrying.',
        changed: 'unknown',
      }),
    }),
  },
} satisfies Refusals;

export type ErrorCode = keyof typeof refusals;
export type Facts<Code extends ErrorCode> = Parameters<(typeof refusals)[Code]['say']>[0];
