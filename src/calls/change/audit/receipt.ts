/** What is kept of a write: the receipt in its answer, with the way back, and its lines on the audit log, all redacted. */

import { randomUUID } from 'node:crypto';
import type { ApiRequest, UpstreamAnswer } from '../../../definition/api.ts';
import { inListedForm } from '../../../definition/argument-fields.ts';
import { type ConfirmedBy, confirmationNotes, type NamedAccount } from '../../../definition/asking.ts';
import { checkArguments } from '../../../definition/check.ts';
import { type AnyTool, isAboutNoRecord, isSet, type WriteTool } from '../../../definition/define.ts';
import type { OwnError } from '../../../definition/failure.ts';
import type { Receipt, Revert, WriteCall } from '../../../definition/write-call.ts';
import { fieldOf, isObject, membersOf } from '../../../lib/json.ts';
import { accountInWords, accountTime, unwrap } from '../../../words/present-record.ts';
import { cleanDeep, redactDeep, redactText } from '../../../words/safe-text.ts';
import { asRecords, isAltered } from '../../../words/summary.ts';
import { editInWords } from '../ask/edits.ts';
import { shownTo } from '../ask/signed-state.ts';
import type { DaySum } from '../ask/write-stores.ts';
import { compareRequest, requestedFields } from '../fields/compare.ts';
import type { Finding } from '../fields/lost-answer.ts';
import type { WriteParts } from '../parts.ts';
import type { Plan } from '../set.ts';

/** How a write ended well. */
interface WriteEnded {
  /** The whole answer, with or without the resource's wrapper. */
  body: unknown;
  confirmedBy: ConfirmedBy;
  requestId: string;
  warnings: string[];
  found?: string;
}

export function writeReceipt({ settings }: Pick<WriteParts, 'settings'>, write: WriteCall, ended: WriteEnded): Receipt {
  const { tool, request, edited, control } = write;
  const { confirmedBy } = ended;
  const record = isObject(ended.body) ? unwrap(tool.result, ended.body) : {};
  const receipt: Receipt = {
    tool: tool.name,
    target: targetText(tool, request),
    requested: redactDeep(requestedFields(tool, request)) as object,
    ...compareRequest(tool, request, record),
    confirmed_by: confirmedBy,
    ...confirmationNotes[confirmedBy],
    warnings: ended.warnings,
    request_id: ended.requestId,
    ...accountFields(settings),
    at: accountTime(settings).toISOString(),
  };
  if (ended.found !== undefined) receipt.found = ended.found;
  if (edited?.edits.length) receipt.changed_by_user = edited.edits.map(editInWords);
  if (control.left_out) receipt.left_out = control.left_out;
  const revert = revertOf(write, record);
  if (revert) receipt.revert = shownRevert(tool, revert);
  return receipt;
}

/** How the settings name the account. */
export function accountFields(account: NamedAccount): Pick<Receipt, 'account' | 'account_mode'> {
  const name = accountInWords(account);
  const { accountMode: mode } = account;
  return { ...(name !== undefined && { account: name }), ...(mode && { account_mode: mode }) };
}

/** The call as the tool's schema asks for it; none where the receipt hides a value, because the call would store the hidden form. */
function shownRevert(tool: WriteTool, revert: Revert): Revert {
  const safe = redactDeep(revert) as Revert;
  if ('impossible' in safe) return safe;
  if (JSON.stringify(safe) !== JSON.stringify(revert))
    return { impossible: 'an earlier value looks like a secret or is too long to show in a receipt' };
  return { ...safe, arguments: inListedForm(tool.input, safe.arguments) as object };
}

/** `add_on setup`: the record that the path leads to, by its id; of what belongs to none, what is created, by its code. */
export function targetText({ endpoint, result, effect, change }: AnyTool, { path, body }: ApiRequest): string {
  if (isSet({ effect, change })) return `${asRecords(body && fieldOf(body, result)).length} changes`;
  const [, owner, id = '', below] = /^.*\/(\w+)s\/\{(\w+)\}(.*)$/.exec(endpoint) ?? [];
  if (owner === undefined) return `${result} ${membersOf<'code'>(body && fieldOf(body, result)).code}`;
  return `${below === '' ? result : owner} ${path?.[id]}`;
}

/**
 * The way back: the call that restores what a write changed, or why there is none. It is data for the receipt and runs
 * like any write, with its own question. `record` is the service's answer to the write. Null where the record was not seen before the write: a call that
 * restores guesses would be worse than none.
 */
export function revertOf(call: WriteCall, record: object): Revert | null {
  const { tool, args, reading } = call;
  // What a tool creates did not exist before.
  const known = isAboutNoRecord(tool) ? {} : reading === 'read' ? call.known : null;
  const way = known && tool.change.revert(args, known, record);
  if (way === null) return null;
  if ('impossible' in way) return way;
  const altered = Object.keys(way.arguments).find(field => isAltered(call.known ?? {}, recordField[field] ?? field));
  if (altered !== undefined)
    return {
      impossible: `the earlier ${altered.replaceAll('_', ' ')} contains hidden characters that no call can restore`,
    };
  const back = cleanDeep({ tool: tool.name, arguments: way.arguments }) as Extract<Revert, { arguments: object }>;
  const checked = checkArguments(tool, back.arguments);
  if (checked.ok) return back;
  const [problem] = checked.problems;
  return { impossible: `the earlier value cannot be sent again (${problem?.argument ?? 'arguments'})` };
}

/** The record's names of arguments that are called otherwise there. */
const recordField: Readonly<Record<string, string>> = { plan_overrides: 'plan', tax_codes: 'taxes', new_code: 'code' };

/** False when the outcome could not be recorded. */
export type Completion = (answer: UpstreamAnswer, looked?: Finding['kind']) => Promise<boolean>;

/** What must not stand in an error, nor on the audit log. */
export function secretsOf(write: WriteCall, { accountOf }: Pick<WriteParts, 'accountOf'>): string[] {
  return [accountOf(write).apiKey, write.caller.apiKey];
}

type WriteNames = ReturnType<typeof namesOf>;

/** Tool, caller and target as the log names them, redacted, and the digest of the question that was shown. */
export function namesOf(parts: Pick<WriteParts, 'key' | 'accountOf'>, write: WriteCall) {
  const secrets = secretsOf(write, parts);
  return {
    tool: write.tool.name,
    caller: redactText(write.caller.id, secrets),
    target: redactText(targetText(write.tool, write.request), secrets),
    question: shownTo(write, parts),
  };
}

/** Records that someone agreed to the question `id`, before anything is sent. Never rejects. */
export async function recordAgreed(parts: WriteParts, id: string, named: WriteNames, decision: ConfirmedBy) {
  await parts.audit?.append({ ...entryOf(parts, id, named), event: 'agreed', decision }).catch(() => {});
}

/**
 * Records a write that was not sent; `id`: of its earlier lines. Never rejects: a log that cannot be written does not
 * change a refusal.
 */
export async function recordRefused(parts: WriteParts, write: WriteCall, error: OwnError, id: string = randomUUID()) {
  if (parts.audit === null) return;
  const line = { arguments: redactDeep(write.args, secretsOf(write, parts)), decision: error.code };
  await parts.audit.append({ ...entryOf(parts, id, namesOf(parts, write)), event: 'refused', ...line }).catch(() => {});
}

/** A write that is about to be sent. */
interface Begun {
  plan: Plan;
  decision: ConfirmedBy;
  /** The write's on all its lines: that of the question that was agreed to, if any. */
  id: string;
  /** What the day's limit counts. */
  counted: DaySum | undefined;
}

/** Resolves when the line is on disk; rejects when the log cannot be written. Call the result with the answer. */
export async function recordBegun(
  parts: WriteParts,
  write: WriteCall,
  { plan, decision, id, counted }: Begun,
): Promise<Completion> {
  const { audit } = parts;
  if (audit === null) return async () => true;
  const secrets = secretsOf(write, parts);
  const { edits } = write.edited ?? {};
  await audit.append({
    ...entryOf(parts, id, namesOf(parts, write)),
    event: 'begun',
    method: plan.method,
    path: redactText(plan.path, secrets),
    arguments: redactDeep(write.args, secrets),
    decision,
    ...confirmationNotes[decision],
    request_id: write.requestId,
    ...(edits?.length && { changed_by_user: edits.map(({ path, from, to }) => ({ argument: path, from, to })) }),
    ...(counted && { counted }),
  });
  const started = performance.now();
  return async (answer, looked) => {
    const line = {
      ...entryOf(parts, id, namesOf(parts, write)),
      ...outcomeOf(answer, looked),
      duration_ms: Math.round(performance.now() - started),
    };
    return audit.append({ event: 'completed', ...line }).then(
      () => true,
      () => false,
    );
  };
}

function entryOf({ settings, settingsDigest }: WriteParts, id: string, named: WriteNames) {
  return {
    time: new Date().toISOString(),
    ...(settings.now !== undefined && { account_time: accountTime(settings).toISOString() }),
    id,
    ...named,
    ...accountFields(settings),
    settings: settingsDigest,
  };
}

function outcomeOf(answer: UpstreamAnswer, looked: Finding['kind'] | undefined) {
  const outcome = answer.ok || looked === 'found' ? 'done' : answer.error.changed === 'unknown' ? 'unknown' : 'failed';
  return {
    outcome: outcome as 'done' | 'failed' | 'unknown',
    status: answer.ok ? answer.status : answer.error.status,
    code: answer.ok ? null : answer.error.code,
    upstream_request_id: answer.requestId,
    attempts: answer.attempts,
    ...(looked && { looked }),
  };
}
