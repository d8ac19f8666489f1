/** Looks at the record that a write is about, before anybody is asked and after an answer that was lost. */

import type { Body } from '../contract/answers.ts';
import { type Arguments, isAboutNoRecord, type WriteTool } from '../tool/define.ts';
import type { Get, ReadAnswer, Reads } from '../tool/reads.ts';
import type { Sight } from '../tool/write-call.ts';
import { alteredFields, asRecord } from '../words/summary.ts';
import { isMissingPath } from './availability.ts';
import { type ChangingCall, timeFor, withinTime } from './context.ts';
import { type CatalogueCodes, unknownCode } from './named-codes.ts';
import type { ReadsOf } from './reads.ts';

/** What a look needs beside its call. */
export interface LookNeeds {
  readsOf: ReadsOf;
  codes: CatalogueCodes;
  /** The longest that a look may take, in milliseconds. */
  lookMs: number;
}

/** Never rejects but for a bug of the tool. Each call reads anew: what an earlier call saw may be over. */
export async function lookBefore({ codes, lookMs, readsOf }: LookNeeds, call: ChangingCall): Promise<Sight> {
  const { tool, args, context, caller, access } = call;
  // Half of the time is left for the write itself, whatever the look takes.
  const mostMs = Math.min(lookMs, timeFor(Number.POSITIVE_INFINITY, call) / 2);
  return await withinTime(mostMs, context.signal, async signal => {
    const named = access.mayRead('list_catalogue') ? (tool.write.names?.(args) ?? {}) : {};
    const account = `${call.baseUrl}\0${caller.apiKey}\0${access.view}`;
    const reads: Reads = {
      ...noting(readsOf(call, { signal, look: true })),
      kept: (name, read) => codes.kept(`${account}\0${name}`, read),
    };
    const [sight, unknown] = await Promise.all([
      look(tool, args, reads, () => context.signal?.aborted === true),
      unknownCode(named, catalogue => codes.of(account, catalogue, reads), tool.name),
    ]);
    return sight.kind !== 'refused' && unknown !== null ? { kind: 'refused', error: unknown } : sight;
  });
}

/**
 * The same after a write whose outcome is not known, with time of its own, and also for a call that was cancelled:
 * what became of it is put on record.
 */
export async function lookAfter({ lookMs, readsOf }: Omit<LookNeeds, 'codes'>, call: ChangingCall): Promise<Sight> {
  const { tool, args } = call;
  return await withinTime(lookMs, undefined, async signal => {
    const reads = noting(readsOf(call, { signal, deadline: performance.now() + lookMs, look: true }));
    const sight = await look(tool, args, reads, () => false);
    const renamed = sight.kind === 'refused' ? (tool.write.look.renamed?.(args) ?? null) : null;
    return renamed === null ? sight : await look(tool, renamed, reads, () => false);
  });
}

/** The same reads, which note in each record the fields that are not as they are stored. */
function noting(reads: Reads): Reads {
  return { ...reads, get: async (path, get) => withAltered(await reads.get(path, get), get.key) };
}

/** The noted fields cannot be sent back. */
function withAltered(answer: ReadAnswer<Body>, key: Get['key']): ReadAnswer<Body> {
  if (!answer.ok || answer.altered === undefined) return answer;
  const record = { ...asRecord(answer.body[key]), [alteredFields]: answer.altered };
  return { ...answer, body: { ...answer.body, [key]: record } };
}

async function look(tool: WriteTool, args: Arguments, reads: Reads, cancelled: () => boolean): Promise<Sight> {
  const { look: definition } = tool.write;
  if (!reads.mayUse(definition.tool)) return { kind: 'unseen' };
  const answer = await definition.read(args, reads);
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
