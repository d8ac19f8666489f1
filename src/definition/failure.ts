/** How a call fails: one shape for every failure, and all those that this server words itself, in modules by kind. */
import { ofAccess } from './refusals/access.ts';
import { ofArguments } from './refusals/arguments.ts';
import { ofAsking } from './refusals/asking.ts';
import { ofLimits } from './refusals/limits.ts';
import { ofLookups } from './refusals/lookups.ts';
import { type Changed, cases, type Refusals, type Said, type Tool } from './refusals/refusal.ts';
import { ofService } from './refusals/service.ts';

/**
 * One entry for each code: what docs/errors.md and `billing://errors` say of it, and its message and hint for an assistant. Codes
 * of the billing API are an open list and pass through. A starting server loads none of this.
 */
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
type Facts<Code extends ErrorCode> = Parameters<(typeof refusals)[Code]['say']>[0];

declare const fromService: unique symbol;
/** A code of the billing API, which may be any text that looks like one: words/safe-text.ts lets it through. */
export type ServiceCode = string & { readonly [fromService]: true };

/**
 * A code of the billing API, one of this server, or the HTTP status when the API's answer has no code that can be
 * shown.
 */
export type FailureCode = ErrorCode | ServiceCode | `http_${number | 'error'}`;

/** Every failure, in one shape (design: "What an error looks like"). */
export interface ToolError {
  /** HTTP status of the service; null when the failure is ours or the network's. */
  status: number | null;
  code: FailureCode;
  /** One sentence: what was tried and what was answered. Never a key, a stack or raw HTML. */
  message: string;
  /** The service's `error_details`, or the arguments that are wrong. */
  details?: unknown;
  /** What to do next. */
  hint: string;
  changed: Changed;
}

/** A failure that this server found itself. */
export interface OwnError extends ToolError {
  code: ErrorCode;
}

/** A refusal without its words, for modules that a starting server loads: `wordsOf` makes the error. */
export type Refused = { [Code in ErrorCode]: { code: Code; facts: Facts<Code> } }[ErrorCode];

/** The error of this entry of the table. */
export function refuse<Code extends ErrorCode>(code: Code, facts: Facts<Code>): OwnError {
  const say = refusals[code].say as (facts: Facts<Code>) => Said;
  const { status = null, message, details, hint, changed = false } = say(facts);
  return { status, code, message, ...(details !== undefined && { details }), hint, changed };
}

export function wordsOf({ code, facts }: Refused): OwnError {
  return refuse(code, facts);
}

/** The refusal as one text, where there is no tool result. */
export function refusalText({ message, hint }: OwnError): string {
  return `${message} ${hint}`;
}

/** The message without the name of the tool. */
export function reasonOf({ message }: ToolError): string {
  return message.replace(/^\w+: /, '');
}
