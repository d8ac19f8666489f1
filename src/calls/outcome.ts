/** Makes the outcome of a call: the presented answer, or the error. */

import type { JsonRecord } from '../lib/json.ts';
import type { ConfirmedBy, Receipt } from '../tool/call.ts';
import type { AnyTool } from '../tool/define.ts';
import type { OwnError, ToolError } from '../tool/failure.ts';
import { presentRecord } from '../words/present-record.ts';
import { showsPage } from './chat-page.ts';
import type { Outcome, PipelineParts } from './context.ts';
import type { CallUnderWay } from './request.ts';
import { errorAnswer, type ToolAnswer } from './result.ts';

/** Presents the service's answer. */
export function presented(
  parts: PipelineParts,
  running: CallUnderWay,
  body: unknown,
  {
    plain,
    notice,
    receipt,
    before,
    beside,
  }: {
    plain?: boolean | undefined;
    notice?: string | undefined;
    receipt?: Receipt;
    before?: JsonRecord;
    beside?: JsonRecord;
  },
): ToolAnswer {
  const { tool, args, control } = running;
  const presenting = {
    args,
    detail: control.detail,
    page: showsPage(running),
    config: parts.config,
    plain,
    ...(notice !== undefined && { notice }),
    ...(receipt && { receipt }),
    ...(before && { before }),
    ...(beside && { beside }),
  };
  return presentRecord(tool, body, presenting);
}

/** A call that was answered. */
export function done(
  running: CallUnderWay,
  answer: ToolAnswer,
  outcome: 'ok' | 'dry_run' | 'needs_token',
  confirmedBy?: ConfirmedBy,
): Outcome {
  const record = { outcome, code: null, attempts: running.attempts, ...(confirmedBy && { confirmedBy }) };
  return { kind: 'result', answer, record };
}

/** A call that sent something, or looked, and failed. */
export function failed(running: CallUnderWay, error: ToolError, outcome: 'error' | 'refused' | 'declined'): Outcome {
  const answer = errorAnswer(running.tool.effect, error);
  return { kind: 'result', answer, record: { outcome, code: error.code, attempts: running.attempts } };
}

/** A call that was refused before anything was sent. */
export function refused(tool: AnyTool, error: OwnError): Outcome {
  return {
    kind: 'result',
    answer: errorAnswer(tool.effect, error),
    record: { outcome: 'refused', code: error.code, attempts: 0 },
  };
}

/** The summary with the words that every answer of the demo begins with. */
export function prefixed(parts: PipelineParts, summary: string): string {
  return parts.config.demo ? `Demo data: ${summary}` : summary;
}
