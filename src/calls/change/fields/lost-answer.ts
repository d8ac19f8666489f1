/** After a write whose answer was lost: what a look at the record shows of it. */

import { isDeepStrictEqual } from 'node:util';
import type { Alert } from '../../../contract/shown.ts';
import { madeRecord } from '../../../definition/define.ts';
import type { RecordReading, WriteCall } from '../../../definition/write-call.ts';
import { fieldOf, isObject, membersOf } from '../../../lib/json.ts';
import { alteredFields, code, listed } from '../../../words/summary.ts';
import { otherThanSeen } from '../../api/judge.ts';
import { compareRequest, earlierFields, requestedFields } from './compare.ts';

/**
 * `found`: the record shows what was asked for, and did not before. `as_before`: it shows what was there before.
 * `otherwise`: neither. `shown`: it shows what was asked for, and was not seen before the write. `alike`: what it shows is
 * the same whether the write was carried out or not. `unseen`: it could not be read.
 */
export type Finding =
  /** `record`: as the write has left it; of a deletion as it was before. */
  | { kind: 'found'; record: object }
  /** `part`: the codes of those records that are there, where only some are. */
  | { kind: 'as_before' | 'otherwise' | 'shown' | 'alike' | 'unseen'; at: Date; part?: string };

type Call = Pick<WriteCall, 'tool' | 'args' | 'request' | 'known' | 'reading' | 'room'>;

export function findingOf(call: Call, reading: RecordReading, at: Date): Finding {
  const before = call.reading === 'read' ? call.known : (call.room ?? null);
  const { tool } = call;
  if (reading.kind === 'read' && otherThanSeen(before, reading.record) !== null) return { kind: 'otherwise', at };
  if (tool.effect === 'delete') {
    if (reading.kind === 'read') return { kind: 'as_before', at };
    if (reading.kind !== 'refused' || reading.error.code !== `${tool.result}_not_found`) return { kind: 'unseen', at };
    return before === null ? { kind: 'shown', at } : { kind: 'found', record: before };
  }
  const record = reading.kind === 'read' ? writtenIn(call, reading.record) : undefined;
  if (record === undefined) return { kind: 'unseen', at };
  if (record === null) return { kind: 'as_before', at };
  const earlier = before === null ? undefined : writtenIn(call, before);
  const kind = kindOf(call, record, earlier);
  if (kind !== 'found') return { kind, at, ...(kind === 'otherwise' && partOf(call, record)) };
  // A note of the look, which the service's own answer does not have.
  const { [alteredFields]: _, ...shown } = membersOf<typeof alteredFields>(record);
  return { kind, record: shown };
}

/** Of several records that a write makes, those that are there, where some are missing. */
function partOf({ tool, request }: Call, record: object): { part: string } | undefined {
  if (!tool.answer) return undefined;
  const [wanted, made] = [requestedFields(tool, request), record].map(
    each => (fieldOf(each, tool.result) ?? []) as readonly Pick<Alert, 'code'>[],
  );
  const codes = made?.map(each => code(each.code) ?? '') ?? [];
  return codes.length < (wanted?.length ?? 0) ? { part: listed(codes, codes.length) ?? '' } : undefined;
}

/** The record that the write changes or makes: null where it is not there, undefined where it was not read. */
function writtenIn({ tool }: Call, seen: { [madeRecord]?: object | null }): object | null | undefined {
  return tool.endpoint.startsWith('POST ') ? seen[madeRecord] : seen;
}

function kindOf(call: Call, record: object, earlier: object | null | undefined): Finding['kind'] {
  const { tool, request } = call;
  const now = compareRequest(tool, request, record);
  const isAsAsked = now.applied.length > 0 && now.not_applied.length === 0;
  if (earlier === undefined) return isAsAsked ? 'shown' : 'otherwise';
  if (earlier === null) return isAsAsked ? 'found' : 'otherwise';
  const was = compareRequest(tool, request, earlier);
  // Only what was seen to be otherwise before, and is seen as asked for now, has changed.
  const differed = was.not_applied.some(field => !now.not_shown.some(other => overlaps(field, other)));
  const heldMore = was.not_applied.length + was.not_shown.length === 0 && holdsMore(call, earlier);
  if (isAsAsked && (differed || (heldMore && !holdsMore(call, record)))) return 'found';
  if (!isDeepStrictEqual(earlierFields(tool, request, record), earlierFields(tool, request, earlier)))
    return isAsAsked && was.not_shown.length > 0 ? 'shown' : 'otherwise';
  return was.not_applied.length > 0 || heldMore ? 'as_before' : 'alike';
}

/** Is one of these paths the other, or inside it? `plan_overrides` and `plan_overrides.name`. */
function overlaps(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  return long === short || (long.startsWith(short) && /^[.[]/.test(long.slice(short.length)));
}

/** Metadata that is replaced as a whole, unless `merge` is sent: does the record hold keys that the request leaves out? */
function holdsMore({ tool, request }: Call, record: object): boolean {
  const [sent, held] = [requestedFields(tool, request), record].map(each => membersOf<'metadata'>(each).metadata);
  if (!('merge' in tool.input.shape) || !isObject(sent) || !isObject(held)) return false;
  return Object.keys(held).some(key => !Object.hasOwn(sent, key));
}

/** `It was not so at 14:03:22 UTC; it may still happen.` */
export function inWords(
  { kind, at, part }: Exclude<Finding, { kind: 'found' }>,
  { tool }: Pick<WriteCall, 'tool'>,
): string {
  const time = `${at.toISOString().slice(11, 19)} UTC`;
  switch (kind) {
    case 'as_before':
      return `A check of the account at ${time} shows no change. It may still happen.`;
    case 'otherwise':
      if (part) return `A check of the account at ${time} shows only a part of it: ${part}.`;
      return `A check of the account at ${time} shows neither the requested values nor the earlier ones.`;
    case 'shown':
      return `A check of the account at ${time} shows the requested values. They may have been there before, since the record was not read then.`;
    case 'alike':
      return `A check of the account at ${time} is inconclusive: ${tool.name} requests nothing that differs from before.`;
    case 'unseen':
      return `A check of the account at ${time} could not read the record.`;
  }
}
