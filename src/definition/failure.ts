/** How a call fails: one shape for every failure, whether this server or the billing API refused. */
import type { Changed, Said } from './refusals/refusal.ts';
import { type ErrorCode, type Facts, refusals } from './refusals.ts';

declare const fromService: unique symbol;
/** A code of the billing API, which may be any text that looks like one: words/redact.ts lets it through. */
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
