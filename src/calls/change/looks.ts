/** Looks at the records of the changes of a set: which can be made, are made already, or cannot be. */
import { isObject } from '../../lib/json.ts';
import type { Config } from '../../server/settings/settings.ts';
import type { ToolError } from '../../tool/failure.ts';
import type { Sight, WriteCall } from '../../tool/write-call.ts';
import { writeOf } from '../begin-call.ts';
import type { Call, ChangingCall } from '../context.ts';
import { type LookNeeds, lookBefore } from '../look-at-record.ts';
import { compareRequest, requestedFields } from '../policy/receipt.ts';
import { shownTo } from '../policy/signed-state.ts';
import { recordOf } from './lines.ts';
import type { WriteParts } from './parts.ts';
import { type ChangeSet, isOpen, type Judged, type Line, type Seen } from './set.ts';

/** What the looks of a set need. */
export interface SetLookNeeds {
  looks: LookNeeds;
  config: Pick<Config, 'now' | 'timeoutMs'>;
  parts: Pick<WriteParts, 'key'>;
}

/** So many records are read at a time, so that a set leaves places to other calls. */
const atOnce = 5;

/** `set`: the call whose changes these are; of one change that call itself. */
export async function lookAtAll(needs: SetLookNeeds, set: Call, lines: readonly Line[]): Promise<ChangeSet['changes']> {
  const sights: Sight[] = [];
  for (let from = 0; from < lines.length; from += atOnce) {
    const part = lines.slice(from, from + atOnce);
    sights.push(...(await Promise.all(part.map(({ call }) => readRecord(needs, call)))));
  }
  const changes: (Line & { seen: Seen })[] = [];
  for (const [index, line] of lines.entries())
    changes.push({ ...line, seen: await seenAs(needs, set, line, sights[index] as Sight) });
  return changes;
}

/** Looks at the record as it is now. */
export async function lookAt(needs: SetLookNeeds, set: Call, line: Line): Promise<Seen> {
  return seenAs(needs, set, line, await readRecord(needs, line.call));
}

/** Each change has the time of a call for itself. */
function readRecord(needs: SetLookNeeds, call: ChangingCall): Promise<Sight> {
  call.deadline = performance.now() + needs.config.timeoutMs;
  call.request = call.tool.request(call.args);
  return lookBefore(needs.looks, call);
}

/** The change with what was seen; of a set, a creation or a deletion that happened before is so already. */
async function seenAs(needs: SetLookNeeds, set: Call, { call }: Line, sight: Sight): Promise<Seen> {
  const several = call !== set;
  if (sight.kind === 'refused')
    return (
      (several ? await madeAlready(needs, call, sight.error) : null) ?? {
        kind: 'refused',
        error: { ...sight.error, changed: false },
      }
    );
  if (several && sight.kind === 'seen' && isMade(call, sight.record))
    return { kind: 'idle', fields: [], why: 'it is there already' };
  return { kind: 'open', write: writeWith(needs, set, call, sight) };
}

/** The write as it is sent to the record that was seen. */
export function writeWith(
  { config, parts }: Omit<SetLookNeeds, 'looks'>,
  set: Call,
  call: ChangingCall,
  sight: Exclude<Sight, { kind: 'refused' }>,
): WriteCall {
  if (sight.kind === 'seen') call.request = call.tool.request(call.args, sight.record);
  const write = writeOf(call, sight, config);
  if (call === set) return write;
  const { context, control } = set;
  // The audit log names for each change of a set the one question that was shown.
  return { ...write, shown: shownTo({ ...context, confirmation: control.confirmation }, parts) };
}

/**
 * The write on its record with the plain values that the earlier changes give it, such as a currency. A value that the record
 * shows in another form stays as it was read: where a later prompt depends on it, the look before sending finds the difference.
 */
export function foreseen(earlier: readonly Judged[], line: Line, write: WriteCall): WriteCall {
  const { tool, args, known } = write;
  const same = earlier.filter(isOpen).filter(other => recordOf(other.call) === recordOf(line.call));
  if (same.length === 0 || known === null || tool.endpoint.startsWith('POST ')) return write;
  const values = same
    .flatMap(other => Object.entries(requestedFields(other.write.tool, other.write.request)))
    .filter(([, value]) => !isObject(value) && !Array.isArray(value));
  const dropped = same.flatMap(other => other.write.tool.change.drops?.(other.write.args, known) ?? []);
  const record = { ...without(known, dropped), ...Object.fromEntries(values) };
  return { ...write, known: record, request: tool.request(args, record) };
}

/** The record without what a change drops although no argument names it, such as the metrics that a wallet is limited to. */
function without(record: object, dropped: readonly string[]): object {
  if (dropped.length === 0) return record;
  const kept = (value: unknown) => (Array.isArray(value) ? value.filter(each => !dropped.includes(each)) : value);
  const inner = (value: unknown) =>
    isObject(value) ? Object.fromEntries(Object.entries(value).map(([name, each]) => [name, kept(each)])) : value;
  return { ...record, ...Object.fromEntries(Object.entries(record).map(([name, value]) => [name, inner(value)])) };
}

/** Is it so already, where no record answers to the id: deleted before, or under its new code? */
async function madeAlready(needs: SetLookNeeds, call: ChangingCall, error: ToolError): Promise<Seen | null> {
  const { tool, args } = call;
  if (error.code !== `${tool.result}_not_found`) return null;
  if (tool.effect === 'delete') return { kind: 'idle', fields: [], why: 'it is not there' };
  const renamed = tool.change.look.renamed?.(args) ?? null;
  if (renamed === null) return null;
  const sight = await lookBefore(needs.looks, { ...call, args: renamed });
  const isSo = sight.kind === 'seen' && isShown(call, sight.record);
  return isSo ? { kind: 'idle', fields: [], why: 'it has its new code already' } : null;
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
