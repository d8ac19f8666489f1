/** Looks at the record that a write is about, before anybody is asked and after an answer that was lost. */

import { maskKey } from '../contract/masked-fields.ts';
import type { CancelSignal } from '../lib/cancel.ts';
import type { JsonRecord } from '../lib/json.ts';
import type { Sight } from '../tool/call.ts';
import type { AnyTool, ReadAnswer, Reads } from '../tool/define.ts';
import { alteredFields, asRecord } from '../words/summary.ts';
import { isMissingPath } from './availability.ts';
import { type LookupParts, readsOf } from './lookup.ts';
import { type CatalogueCodes, unknownCode } from './named-codes.ts';
import { atMost, type CallUnderWay } from './request.ts';
import { withinTime } from './suggestions.ts';

export interface SeeParts extends LookupParts {
  codes: CatalogueCodes;
}

/**
 * Never rejects but for a bug of the tool. `mayRead`: may this caller see what that tool shows? Each call reads anew: what
 * an earlier call saw may be over.
 */
export async function see(
  { codes, ...around }: SeeParts,
  running: CallUnderWay,
  mayRead: (tool: string) => boolean,
): Promise<Sight> {
  const { tool, args, context, caller } = running;
  // Half of the time is left for the write itself, whatever the look takes.
  const lookMs = Math.min(around.parts.durations.lookMs, atMost(Number.POSITIVE_INFINITY, running) / 2);
  return await withinTime(lookMs, context.signal, async signal => {
    const named = mayRead('list_catalogue') ? (tool.names?.(args) ?? {}) : {};
    // What a bound caller may not list, or what is hidden from a caller, is not kept for it by others.
    const bound = caller.customers ? `\0${caller.id}\0${JSON.stringify(caller.customers)}` : '';
    const account = `${around.baseUrl}\0${caller.apiKey}\0${maskKey(caller.mask)}${bound}`;
    const reads: Reads = {
      ...readsFor(around, running, signal, mayRead),
      kept: (name, read) => codes.kept(`${account}\0${name}`, read),
    };
    const [sight, unknown] = await Promise.all([
      look(tool, args, reads, { mayRead, cancelled: () => context.signal?.aborted === true }),
      unknownCode(named, catalogue => codes.of(account, catalogue, reads), tool.name),
    ]);
    return sight.kind !== 'refused' && unknown !== null ? { kind: 'refused', error: unknown } : sight;
  });
}

/**
 * The same after a write whose outcome is not known, with time of its own, and also for a call that was cancelled:
 * what became of it is put on record.
 */
export async function seeAfter(
  around: LookupParts,
  running: CallUnderWay,
  mayRead: (tool: string) => boolean,
): Promise<Sight> {
  const { tool, args } = running;
  const { lookMs } = around.parts.durations;
  return await withinTime(lookMs, undefined, async signal => {
    const later = { ...running, deadline: performance.now() + lookMs };
    const looking = { mayRead, cancelled: () => false };
    const reads = readsFor(around, later, signal, mayRead);
    const sight = await look(tool, args, reads, looking);
    const moved = sight.kind === 'refused' ? (tool.sees?.moved?.(args) ?? null) : null;
    return moved === null ? sight : await look(tool, moved, reads, looking);
  });
}

/** Reads that are not attempts of the write. */
function readsFor(
  around: LookupParts,
  running: CallUnderWay,
  signal: CancelSignal,
  mayRead: (tool: string) => boolean,
): Reads {
  const looking = { ...running, context: { ...running.context, signal } };
  const plain = readsOf({ ...around, mayUse: mayRead }, looking);
  return { ...plain, get: async (path, get) => withAltered(await plain.get(path, get), get.key) };
}

/** Notes in the record which of its fields are not as they are stored: these cannot be sent back. */
function withAltered(answer: ReadAnswer, key: string): ReadAnswer {
  if (!answer.ok || answer.altered === undefined) return answer;
  const record = { ...asRecord(answer.body[key]), [alteredFields]: answer.altered };
  return { ...answer, body: { ...answer.body, [key]: record } };
}

interface Looking {
  mayRead(tool: string): boolean;
  cancelled(): boolean;
}

async function look(tool: AnyTool, args: JsonRecord, reads: Reads, { mayRead, cancelled }: Looking): Promise<Sight> {
  if (tool.sees === undefined) return { kind: 'off' };
  if (!mayRead(tool.sees.tool)) return { kind: 'unseen' };
  const answer = await tool.sees.read(args, reads);
  return sightOf(answer, cancelled(), tool.sees.room);
}

function sightOf(answer: ReadAnswer, cancelled: boolean, room = false): Sight {
  if (answer.ok) return { kind: 'seen', record: answer.body };
  const { error } = answer;
  if (cancelled || error.code === 'no_match' || error.status === 401) return { kind: 'refused', error };
  // A path that is missing came back as `lookup_unavailable`, with the same status.
  const itsOwn = !room && error.status === 404 && error.code !== 'lookup_unavailable' && !isMissingPath(error);
  return itsOwn ? { kind: 'refused', error } : { kind: 'unseen' };
}
