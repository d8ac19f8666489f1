/** After a write whose answer was lost: what a look at the record shows of it. */
import { isDeepStrictEqual } from 'node:util';
import type { JsonRecord } from '../../lib/json.ts';
import type { Sight, WriteCall } from '../../tool/call.ts';
import { idleFields } from './idle-write.ts';
import { compareRequest, earlierFields } from './receipt.ts';

/**
 * `found`: the record shows what was asked for, and did not before. `as_before`: it shows what was there before.
 * `otherwise`: neither. `shown`: it shows what was asked for, and was not seen before the write. `alike`: what it shows is
 * the same whether the write was carried out or not. `unseen`: it could not be read.
 */
export interface Finding {
  kind: 'found' | 'as_before' | 'otherwise' | 'shown' | 'alike' | 'unseen';
  at: Date;
  /** Where it is found: the record as the write has left it; of a deletion as it was before. */
  record?: JsonRecord;
}

type Call = Pick<WriteCall, 'tool' | 'args' | 'request' | 'known' | 'sight' | 'room'>;

export function findingOf(call: Call, sight: Sight, at: Date): Finding {
  const before = call.sight === 'seen' ? call.known : (call.room ?? null);
  if (call.tool.effect === 'delete') {
    if (sight.kind === 'seen') return { kind: 'as_before', at };
    if (sight.kind !== 'refused' || sight.error.status !== 404) return { kind: 'unseen', at };
    return before === null ? { kind: 'shown', at } : { kind: 'found', at, record: before };
  }
  const record = sight.kind === 'seen' ? writtenIn(call, sight.record) : undefined;
  if (record === undefined) return { kind: 'unseen', at };
  if (record === null) return { kind: 'as_before', at };
  const earlier = before === null ? undefined : writtenIn(call, before);
  const kind = kindOf(call, record, earlier);
  return kind === 'found' ? { kind, at, record } : { kind, at };
}

/** The record that the write changes or makes: null where it is not there, undefined where it was not read. */
function writtenIn({ tool, args }: Call, seen: JsonRecord): JsonRecord | null | undefined {
  return tool.made ? tool.made(args, seen) : seen;
}

function kindOf(call: Call, record: JsonRecord, earlier: JsonRecord | null | undefined): Finding['kind'] {
  const { tool, request } = call;
  const { applied, not_applied } = compareRequest(tool, request, record);
  const asked = applied.length > 0 && not_applied.length === 0;
  if (earlier === undefined) return asked ? 'shown' : 'otherwise';
  if (earlier === null) return asked ? 'found' : 'otherwise';
  const was = compareRequest(tool, request, earlier);
  // Besides what was asked for, a record may hold what the write takes away, such as further metadata.
  const [idle, wasIdle] = [record, earlier].map(known => idleFields({ ...call, known, sight: 'seen' }) !== null);
  if (asked && ((idle && !wasIdle) || applied.some(field => !was.applied.includes(field)))) return 'found';
  if (!isDeepStrictEqual(earlierFields(tool, request, record), earlierFields(tool, request, earlier)))
    return 'otherwise';
  return wasIdle || was.applied.length + was.not_applied.length === 0 ? 'alike' : 'as_before';
}

/** `It was not so at 14:03:22 UTC; it may still happen.` */
export function inWords({ kind, at }: Finding, { tool }: Pick<WriteCall, 'tool'>): string {
  const time = `${at.toISOString().slice(11, 19)} UTC`;
  switch (kind) {
    case 'found':
      return `It was so at ${time}.`;
    case 'as_before':
      return `A look at the account: it was not so at ${time}; it may still happen.`;
    case 'otherwise':
      return `A look at the account: at ${time} the record showed neither what was asked for nor what was there before.`;
    case 'shown':
      return `A look at the account: it was so at ${time}, and may have been so before, which was not seen.`;
    case 'alike':
      return `A look at the account at ${time} could not tell: what ${tool.name} asks for shows no difference.`;
    case 'unseen':
      return `A look at the account at ${time} could not see the record.`;
  }
}
