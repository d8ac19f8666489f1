/** Looks at the record that a write is about, before anybody is asked and after an answer that was lost. */

import type { Api, ReadAnswer } from '../tool/api.ts';
import { type Arguments, isAboutNoRecord, type WriteTool } from '../tool/define.ts';
import type { Sight } from '../tool/write-call.ts';
import type { Door } from './api/api.ts';
import { isMissingPath } from './api/availability.ts';
import { unknownCode } from './api/meant.ts';
import { type ChangingCall, timeFor, withinTime } from './context.ts';

/** What a look needs beside its call. */
export interface LookNeeds {
  door: Door;
  /** The longest that a look may take, in milliseconds. */
  lookMs: number;
}

/** Never rejects but for a bug of the tool. Each call reads anew: what an earlier call saw may be over. */
export async function lookBefore({ lookMs, door }: LookNeeds, call: ChangingCall): Promise<Sight> {
  const { tool, args, context, access } = call;
  // Half of the time is left for the write itself, whatever the look takes.
  const mostMs = Math.min(lookMs, timeFor(Number.POSITIVE_INFINITY, call) / 2);
  return await withinTime(mostMs, context.signal, async signal => {
    const named = access.mayRead('list_catalogue') ? (tool.change.names?.(args) ?? {}) : {};
    const api = door.of(call, { signal, look: true, keeps: true });
    const [sight, unknown] = await Promise.all([
      look(tool, args, api, () => context.signal?.aborted === true),
      unknownCode(named, api),
    ]);
    return sight.kind !== 'refused' && unknown !== null ? { kind: 'refused', error: unknown } : sight;
  });
}

/**
 * The same after a write whose outcome is not known, with time of its own, and also for a call that was cancelled:
 * what became of it is put on record.
 */
export async function lookAfter({ lookMs, door }: LookNeeds, call: ChangingCall): Promise<Sight> {
  const { tool, args } = call;
  return await withinTime(lookMs, undefined, async signal => {
    const api = door.of(call, { signal, deadline: performance.now() + lookMs, look: true });
    const sight = await look(tool, args, api, () => false);
    const renamed = sight.kind === 'refused' ? (tool.change.look.renamed?.(args) ?? null) : null;
    return renamed === null ? sight : await look(tool, renamed, api, () => false);
  });
}

async function look(tool: WriteTool, args: Arguments, api: Api, cancelled: () => boolean): Promise<Sight> {
  const { look: definition } = tool.change;
  if (!api.mayUse(definition.tool)) return { kind: 'unseen' };
  const answer = await definition.read(args, api);
  return sightOf(answer, cancelled(), isAboutNoRecord(tool));
}

function sightOf(answer: ReadAnswer, cancelled: boolean, room: boolean): Sight {
  if (answer.ok) return { kind: 'seen', record: answer.body };
  const { error } = answer;
  if (cancelled || error.code === 'no_match' || error.status === 401) return { kind: 'refused', error };
  // A path that is missing came back as `lookup_unavailable`, with the same status.
  const itsOwn = !room && error.status === 404 && error.code !== 'lookup_unavailable' && !isMissingPath(error);
  return itsOwn ? { kind: 'refused', error } : { kind: 'unseen' };
}
