/** Writes that would change nothing. */

import { fieldOf, isObject, membersOf } from '../../lib/json.ts';
import type { WriteCall } from '../../tool/write-call.ts';
import { isFilled, isNothing } from '../../words/default-fields.ts';
import { compareRequest, earlierFields, requestedFields } from './receipt.ts';

/** The requested fields, when the record has every value already and the write would lose nothing; else null. */
export function idleFields(call: Pick<WriteCall, 'tool' | 'args' | 'request' | 'known' | 'sight'>): string[] | null {
  const { tool, args, request, known, sight } = call;
  if (sight !== 'seen' || known === null || tool.effect !== 'write' || tool.endpoint.startsWith('POST ')) return null;
  if ((tool.change.drops?.(args, known) ?? []).length > 0) return null;
  const { applied, not_applied, not_shown } = compareRequest(tool, request, known, 'idle');
  if (not_applied.length + not_shown.length > 0) return null;
  // What is replaced as a whole must not hold more than is sent.
  const earlier = earlierFields(tool, request, known);
  const requested = requestedFields(tool, request);
  const holds = (field: string): boolean => replacesAll(fieldOf(requested, field), fieldOf(earlier, field));
  return applied.every(holds) ? applied : null;
}

/** Does the value, which compares as equal, hold every part of the earlier one? */
function replacesAll(value: unknown, earlier: unknown): boolean {
  if (Array.isArray(earlier)) return Array.isArray(value) && earlier.every((entry, at) => holdsEntry(value, entry, at));
  if (!isObject(earlier)) return true;
  return (
    isObject(value) &&
    // An entry's id counts only where it is sent: without one, the same entry is stored anew.
    Object.keys(earlier).every(key =>
      Object.hasOwn(value, key) ? replacesAll(fieldOf(value, key), fieldOf(earlier, key)) : key === 'id',
    )
  );
}

/** An entry that is sent with an id keeps what it does not name; one without is stored anew, with nothing else. */
function holdsEntry(values: readonly unknown[], entry: unknown, at: number): boolean {
  if (!isObject(entry)) return values.includes(entry);
  const sent = values[at];
  if (!isObject(sent)) return false;
  const { id, svc_id } = membersOf<'id' | 'svc_id'>(sent);
  if (id !== undefined || svc_id !== undefined) return true;
  return Object.keys(entry).every(
    key =>
      Object.hasOwn(sent, key) ||
      storedOnly.test(key) ||
      !isFilled(fieldOf(entry, key)) ||
      isNothing(fieldOf(entry, key)),
  );
}

/** Fields of a stored entry that no write sets. */
const storedOnly = /^(?:id|status|created_at|updated_at|svc_.+)$/;
