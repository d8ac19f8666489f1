/** What a set answers: what became of each change, and the set that takes back what was made. */
import { accountTime } from '../../server/settings/clock.ts';
import type { SetReceipt } from '../../tool/change-set.ts';
import { cleanDeep } from '../../words/hidden-characters.ts';
import { presentRecord } from '../../words/present-record.ts';
import { redactDeep } from '../../words/redact.ts';
import type { Call, Outcome } from '../context.ts';
import { type AnswerSettings, done, prefixed } from '../outcome.ts';
import type { Confirmed } from '../policy/question.ts';
import { errorAnswer } from '../result.ts';
import type { Made } from './made.ts';
import type { Proposed } from './question.ts';

/** `confirmed`: absent where there was nothing to send. */
export function presentSet(settings: AnswerSettings, call: Call, all: readonly Made[], confirmed?: Confirmed): Outcome {
  const changes = cleanDeep(redactDeep(all.map(({ made }) => made))) as Made['made'][];
  const receipt = confirmed && receiptOf(settings, call, all, confirmed);
  const isMade = all.some(({ made }) => made.outcome === 'done');
  const fields = isMade ? { changes, ...(receipt && { receipt }) } : { changed: false, changes };
  const failure = isMade ? undefined : (all.find(({ failed }) => failed) ?? all.find(({ error }) => error));
  const { summary } = presentRecord(call.tool, { changes }, { args: call.args, config: settings, fields });
  if (failure?.error === undefined) return done(call, { summary, fields }, 'ok', confirmed?.by);
  // Nothing was made: a failure as that of a write alone, with all its changes.
  const { error } = failure;
  const whole = errorAnswer(call.tool.effect, error);
  const outcome = failure.tried ? 'error' : 'refused';
  const answer = { ...whole, summary, fields: { ...whole.fields, changes } };
  return { kind: 'result', answer, record: { outcome, code: error.code, attempts: call.attempts } };
}

/** Nobody is asked, and nothing is sent. */
export function presentDryRunOf(
  settings: AnswerSettings,
  call: Call,
  question: string,
  changes: readonly Proposed[],
): Outcome {
  const requests = changes.map(({ plan: { method, path, body } }) => ({ method, path, body }));
  const summary = prefixed(settings, `Dry run: nothing was changed. ${question}`);
  return done(call, { summary, fields: { dry_run: { question, requests } } }, 'dry_run');
}

function receiptOf(settings: AnswerSettings, call: Call, all: readonly Made[], { by }: Confirmed): SetReceipt {
  const made = all.filter(({ made }) => made.outcome === 'done');
  const back = made.flatMap(({ receipt, line }) => {
    const revert = receipt?.revert;
    return revert === undefined || 'impossible' in revert
      ? []
      : [{ tool: revert.tool ?? line.call.tool.name, arguments: revert.arguments }];
  });
  const lost = made.flatMap(({ made: { number }, receipt }) => {
    const revert = receipt?.revert;
    if (revert === undefined) return [{ number, why: 'its record was not seen before' }];
    return 'impossible' in revert ? [{ number, why: revert.impossible }] : [];
  });
  const warnings = [...new Set(made.flatMap(({ receipt }) => receipt?.warnings ?? []))];
  const revert = wayBack(call, back.reverse());
  return {
    ...(revert && { revert }),
    ...(lost.length > 0 && { no_way_back: lost }),
    confirmed_by: by,
    ...(warnings.length > 0 && { warnings }),
    request_id: call.requestId,
    at: accountTime(settings).toISOString(),
  };
}

/** The last change is taken back first. One alone is a call of its tool. */
function wayBack({ tool }: Call, back: readonly { tool: string; arguments: object }[]): SetReceipt['revert'] {
  const [first, ...others] = back;
  if (first === undefined || others.length === 0) return first;
  const changes = back.map(change => ({ tool: change.tool, arguments: JSON.stringify(change.arguments) }));
  return { tool: tool.name, arguments: { changes } };
}
