/** Looks at the record that a write is about before anybody is asked: what it is now, or that it could not be seen. */
import type { JsonRecord } from '../lib/json.ts';
import { maskKey } from '../model/masked-fields.ts';
import { alteredFields, asRecord } from '../present/summary.ts';
import type { AnyTool, ReadAnswer, Reads } from '../tool/define.ts';
import type { ToolError } from '../tool/failure.ts';
import { isMissingPath } from './availability.ts';
import { type LookupParts, readsOf } from './lookup.ts';
import { type CatalogueCodes, unknownCode } from './named-codes.ts';
import { atMost, type CallUnderWay } from './request.ts';

export type Sight =
  | { kind: 'seen'; record: JsonRecord }
  | { kind: 'unseen' | 'off' }
  /** There is no such record, or the key is refused: nobody needs to be asked. */
  | { kind: 'refused'; error: ToolError };

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
  const stop = new AbortController();
  const cancel = (): void => stop.abort();
  const timer = setTimeout(cancel, lookMs);
  context.signal?.addEventListener('abort', cancel);
  try {
    // The reads are not attempts of the write.
    const looking = { ...running, context: { ...context, signal: stop.signal } };
    const named = mayRead('list_catalogue') ? (tool.names?.(args) ?? {}) : {};
    // What a bound caller may not list, or what is hidden from a caller, is not kept for it by others.
    const bound = caller.customers ? `\0${caller.id}\0${JSON.stringify(caller.customers)}` : '';
    const account = `${around.baseUrl}\0${caller.apiKey}\0${maskKey(caller.mask)}${bound}`;
    const plain = readsOf({ ...around, mayUse: mayRead }, looking);
    const reads: Reads = {
      ...plain,
      get: async (path, get) => withAltered(await plain.get(path, get), get.key),
      kept: (name, read) => codes.kept(`${account}\0${name}`, read),
    };
    const [sight, unknown] = await Promise.all([
      look(tool, args, reads, { mayRead, cancelled: () => context.signal?.aborted === true }),
      unknownCode(named, catalogue => codes.of(account, catalogue, reads), tool.name),
    ]);
    return sight.kind !== 'refused' && unknown !== null ? { kind: 'refused', error: unknown } : sight;
  } finally {
    clearTimeout(timer);
    context.signal?.removeEventListener('abort', cancel);
  }
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
  return sightOf(await tool.sees.read(args, reads), cancelled());
}

function sightOf(answer: ReadAnswer, cancelled: boolean): Sight {
  if (answer.ok) return { kind: 'seen', record: answer.body };
  const { error } = answer;
  if (cancelled || error.code === 'no_match' || error.status === 401) return { kind: 'refused', error };
  // A path that is missing came back as `lookup_unavailable`, with the same status.
  const itsOwn = error.status === 404 && error.code !== 'lookup_unavailable' && !isMissingPath(error);
  return itsOwn ? { kind: 'refused', error } : { kind: 'unseen' };
}
