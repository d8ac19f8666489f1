/** Looks at the record of one change of a set, and says whether it can be made, is made already, or cannot be. */
import { isObject } from '../../lib/json.ts';
import type { Config } from '../../server/settings/settings.ts';
import type { ToolError } from '../../tool/failure.ts';
import type { Sight, WriteCall } from '../../tool/write-call.ts';
import { writeOf } from '../begin-call.ts';
import type { ChangingCall } from '../context.ts';
import { type LookNeeds, lookBefore } from '../look-at-record.ts';
import type { Plan } from '../policy/plan.ts';
import { compareRequest, requestedFields } from '../policy/receipt.ts';
import type { WritePolicy } from '../policy/write.ts';
import { type Line, recordOf } from './lines.ts';

/** A change whose record was looked at. */
export type Looked = Line & { seen: Seen };

export type Seen =
  /** It can be made. */
  | { kind: 'ready'; write: WriteCall; plan: Plan }
  /** It is so already: `why` says how that is known where it is no comparison of fields. */
  | { kind: 'idle'; why?: string }
  | { kind: 'refused'; error: ToolError };

export interface SetLookNeeds {
  policy: WritePolicy;
  looks: LookNeeds;
  config: Pick<Config, 'now' | 'timeoutMs'>;
  /** The digest of the set's question, for the audit log. */
  shown?: string | null;
}

/** So many records are read at a time, so that a set leaves places to other calls. */
const atOnce = 5;

/** Each change is judged against its record as the earlier changes of the set leave it. */
export async function lookAtAll(needs: SetLookNeeds, lines: readonly Line[]): Promise<Looked[]> {
  const sights: Sight[] = [];
  for (let from = 0; from < lines.length; from += atOnce) {
    const part = lines.slice(from, from + atOnce);
    sights.push(...(await Promise.all(part.map(({ call }) => readRecord(needs, call)))));
  }
  const looked: Looked[] = [];
  for (const [index, line] of lines.entries()) {
    const sight = leftBy(looked, line, sights[index] as Sight);
    looked.push({ ...line, seen: await seenAs(needs, line.call, sight) });
  }
  return looked;
}

/** Looks at the record as it is now. */
export async function lookAt(needs: SetLookNeeds, call: ChangingCall): Promise<Seen> {
  return seenAs(needs, call, await readRecord(needs, call));
}

/** Each change has the time of a call for itself. */
function readRecord(needs: SetLookNeeds, call: ChangingCall): Promise<Sight> {
  call.deadline = performance.now() + needs.config.timeoutMs;
  call.request = call.tool.request(call.args);
  return lookBefore(needs.looks, call);
}

/**
 * The record with the plain values that the earlier changes give it, such as a currency. A value that the record shows in
 * another form stays as it was read: where a later prompt depends on it, the look before sending finds the difference.
 */
function leftBy(earlier: readonly Looked[], { call }: Line, sight: Sight): Sight {
  if (sight.kind !== 'seen' || call.tool.endpoint.startsWith('POST ')) return sight;
  const same = earlier.filter(({ call: other, seen }) => seen.kind === 'ready' && recordOf(other) === recordOf(call));
  const values = same
    .flatMap(({ call: other }) => Object.entries(requestedFields(other.tool, other.request)))
    .filter(([, value]) => !isObject(value) && !Array.isArray(value));
  const { record } = sight;
  const dropped = same.flatMap(({ call: { tool, args } }) => tool.change.drops?.(args, record) ?? []);
  return { kind: 'seen', record: { ...without(record, dropped), ...Object.fromEntries(values) } };
}

/** The record without what a change drops although no argument names it, such as the metrics that a wallet is limited to. */
function without(record: object, dropped: readonly string[]): object {
  if (dropped.length === 0) return record;
  const kept = (value: unknown) => (Array.isArray(value) ? value.filter(each => !dropped.includes(each)) : value);
  const inner = (value: unknown) =>
    isObject(value) ? Object.fromEntries(Object.entries(value).map(([name, each]) => [name, kept(each)])) : value;
  return { ...record, ...Object.fromEntries(Object.entries(record).map(([name, value]) => [name, inner(value)])) };
}

async function seenAs(needs: SetLookNeeds, call: ChangingCall, sight: Sight): Promise<Seen> {
  if (sight.kind === 'refused') return (await madeAlready(needs, call, sight.error)) ?? refused(sight.error);
  if (sight.kind === 'seen') {
    if (isMade(call, sight.record)) return { kind: 'idle', why: 'it is there already' };
    call.request = call.tool.request(call.args, sight.record);
  }
  return judge(needs, call, sight);
}

async function judge(
  { policy, config, shown = null }: SetLookNeeds,
  call: ChangingCall,
  sight: Exclude<Sight, { kind: 'refused' }>,
): Promise<Seen> {
  const write = { ...writeOf(call, sight, config), shown };
  const ending = (await policy.refuseValues(write)) ?? policy.endIdle(write) ?? (await policy.limitAmounts(write));
  if (ending?.kind === 'idle') return { kind: 'idle' };
  if (ending !== null && 'error' in ending) return refused(ending.error);
  return { kind: 'ready', write, plan: policy.plan(write) };
}

const refused = (error: ToolError): Seen => ({ kind: 'refused', error: { ...error, changed: false } });

/** Is it so already, where no record answers to the id: deleted before, or under its new code? */
async function madeAlready(needs: SetLookNeeds, call: ChangingCall, error: ToolError): Promise<Seen | null> {
  const { tool, args } = call;
  if (error.code !== `${tool.result}_not_found`) return null;
  if (tool.effect === 'delete') return { kind: 'idle', why: 'it is not there' };
  const renamed = tool.change.look.renamed?.(args) ?? null;
  if (renamed === null) return null;
  const sight = await lookBefore(needs.looks, { ...call, args: renamed });
  const isSo = sight.kind === 'seen' && isShown(call, sight.record);
  return isSo ? { kind: 'idle', why: 'it has its new code already' } : null;
}

/** Has a creation been made before? */
function isMade(call: ChangingCall, seen: object): boolean {
  const made = call.tool.change.look.made?.(call.args, seen);
  return isObject(made) && isShown(call, made);
}

function isShown({ tool, request }: ChangingCall, record: object): boolean {
  const { applied, not_applied } = compareRequest(tool, request, record);
  return applied.length > 0 && not_applied.length === 0;
}
