/** Makes the outcome of a call: the presented answer, or the error. */

import type { ConfirmedBy } from '../../definition/asking.ts';
import type { AnyTool } from '../../definition/define.ts';
import type { OwnError, ToolError } from '../../definition/failure.ts';
import type { Receipt } from '../../definition/write-call.ts';
import type { Config } from '../../server/settings/settings.ts';
import { presentRecord } from '../../words/present-record.ts';
import { viewMeta } from '../../words/views/views.ts';
import type { Call, Outcome } from './context.ts';
import { errorAnswer, type ToolAnswer } from './result.ts';

/** The settings that answers depend on. */
export type AnswerSettings = Pick<Config, 'demo' | 'maxResultTokens' | 'now'>;

/** What the words of an answer may use besides its body. */
interface BesideBody {
  /** The body needs no cleaning. */
  plain?: boolean | undefined;
  notice?: string | undefined;
  /** Of a write: its receipt, and the record as it was before. */
  receipt?: Receipt | undefined;
  before?: object | undefined;
  /** What only the summary needs. */
  beside?: object | undefined;
}

/** Presents the service's answer. */
export function presented(settings: AnswerSettings, call: Call, body: unknown, more: BesideBody): ToolAnswer {
  const { plain, notice, receipt, before, beside } = more;
  return presentRecord(call.tool, body, {
    args: call.args,
    detail: call.control.detail,
    page: showsPage(call),
    config: settings,
    plain,
    ...(notice !== undefined && { notice }),
    ...(receipt && { receipt }),
    ...(before && { before }),
    ...(beside && { beside }),
  });
}

/** A call that was answered. */
export function done(
  { attempts }: Call,
  answer: ToolAnswer,
  outcome: 'ok' | 'dry_run' | 'needs_token',
  confirmedBy?: ConfirmedBy,
): Outcome {
  return { kind: 'result', answer, record: { outcome, code: null, attempts, ...(confirmedBy && { confirmedBy }) } };
}

/** A call that sent something, or looked, and failed. */
export function failed({ tool, attempts }: Call, error: ToolError, outcome: 'error' | 'refused' | 'declined'): Outcome {
  return { kind: 'result', answer: errorAnswer(tool.effect, error), record: { outcome, code: error.code, attempts } };
}

/** A call that was refused before anything was sent. */
export function refused({ effect }: AnyTool, error: OwnError): Outcome {
  return {
    kind: 'result',
    answer: errorAnswer(effect, error),
    record: { outcome: 'refused', code: error.code, attempts: 0 },
  };
}

/** The summary with the words that every answer of the demo begins with. */
export function prefixed({ demo }: AnswerSettings, summary: string): string {
  return demo ? `Demo data: ${summary}` : summary;
}

/** Does the chat draw a page beside the answer? */
export function showsPage({ tool, control, context }: Call): boolean {
  return context.client.shows('buttons') && control.detail !== 'full' && viewMeta(tool.name) !== undefined;
}

/** Adds fields to the page alone: they go into `_meta`, which no model reads. */
export function withOnPage(answer: ToolAnswer, more: object): ToolAnswer {
  return Object.keys(more).length === 0 ? answer : { ...answer, page: { ...answer.page, ...more } };
}
