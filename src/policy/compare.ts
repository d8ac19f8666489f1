/**
 * Does the service show what was asked for? It writes some values differently from how they are sent (decimals as text,
 * codes in capitals, instants in UTC without fraction, merged metadata): these count as the same.
 */

import Big from 'big.js';
import type { JsonRecord } from '../lib/json.ts';
import { isRecord } from '../lib/json.ts';

/** Paths of fields, grouped by what the answer shows of them. */
export interface Compared {
  applied: string[];
  notApplied: string[];
  notShown: string[];
}

type Verdict = 'applied' | 'not_applied' | 'not_shown';
const severity: readonly Verdict[] = ['applied', 'not_shown', 'not_applied'];

const caseless = /(?:currency|country|locale|prefix|interval|(?:^|_)codes?)$/;
const quantity = /(?:amount|cents|credits|balance|value|rate|units|size|aggregation|threshold)/;
const ownText = /(?:^|_)(?:key|name|description|number|footer|codes?|ids?)$/;
const instantShape = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?$/;
const identities = ['svc_id', 'id', 'code', 'key', 'svc_parent_id'];

/**
 * Compares one requested field with what the answer shows of it (undefined: nothing). Inside objects each inner field
 * is judged by itself; when all agree only the outer name is given, else the paths (`plan_overrides.trial_period`).
 */
export function compareField(field: string, requested: unknown, shown: unknown): Compared {
  const verdicts = new Map<string, Verdict>();
  compare(field, field, requested, shown, verdicts);
  if (verdicts.size === 0) verdicts.set(field, 'applied');
  const kinds = new Set(verdicts.values());
  const paths = (verdict: Verdict): string[] =>
    kinds.size === 1 ? (kinds.has(verdict) ? [field] : []) : pathsOf(verdicts, verdict);
  return { applied: paths('applied'), notApplied: paths('not_applied'), notShown: paths('not_shown') };
}

function compare(path: string, key: string, requested: unknown, shown: unknown, verdicts: Map<string, Verdict>): void {
  if (shown === undefined) {
    note(verdicts, path, isEmpty(requested) && key === 'metadata' ? 'applied' : 'not_shown');
  } else if (isEmpty(requested)) {
    note(verdicts, path, isEmpty(shown) ? 'applied' : 'not_applied');
  } else if (isRecord(requested)) {
    if (!isRecord(shown)) note(verdicts, path, 'not_applied');
    else compareObjects(path, key, requested, shown, verdicts);
  } else if (Array.isArray(requested)) {
    if (!Array.isArray(shown)) note(verdicts, path, 'not_applied');
    else compareLists(path, key, requested, shown, verdicts);
  } else {
    note(verdicts, path, sameValue(key, requested, shown) ? 'applied' : 'not_applied');
  }
}

/** Compares only the requested fields: an object that was merged into a larger one is applied. */
function compareObjects(
  path: string,
  key: string,
  requested: JsonRecord,
  shown: JsonRecord,
  verdicts: Map<string, Verdict>,
): void {
  for (const [inner, value] of Object.entries(requested)) {
    if (value === undefined) continue;
    const open = key === 'metadata';
    const there = Object.hasOwn(shown, inner) ? shown[inner] : innerAlias(inner, shown);
    // The answer shows the whole metadata object, so a key that is missing was removed or not applied.
    if (open) note(verdicts, path, sameMetadata(value, there) ? 'applied' : 'not_applied');
    else compare(`${path}.${inner}`, inner, value, there, verdicts);
  }
}

function compareLists(
  path: string,
  key: string,
  requested: unknown[],
  shown: unknown[],
  verdicts: Map<string, Verdict>,
): void {
  if (!requested.every(isRecord)) {
    note(verdicts, path, sameSet(key, requested, shown) ? 'applied' : 'not_applied');
    return;
  }
  // The answer shows charges that were not mentioned too; every other list is replaced as a whole.
  const partial = key === 'charges' || key === 'fixed_charges';
  if (!partial && requested.length !== shown.length) {
    note(verdicts, path, 'not_applied');
    return;
  }
  for (const [index, entry] of requested.entries()) {
    const match = matching(entry as JsonRecord, shown) ?? (partial ? undefined : shown[index]);
    if (!isRecord(match)) note(verdicts, path, 'not_applied');
    else compareObjects(`${path}[]`, '', withoutIdentity(entry as JsonRecord), match, verdicts);
  }
}

function matching(entry: JsonRecord, shown: unknown[]): JsonRecord | undefined {
  const id = entry.id ?? entry.svc_id ?? entry.code ?? entry.key;
  if (id === undefined || id === null) return undefined;
  return shown.filter(isRecord).find(candidate => identities.some(name => candidate[name] === id));
}

function withoutIdentity({ id: _id, svc_id: _svcId, ...fields }: JsonRecord): JsonRecord {
  return fields;
}

function innerAlias(key: string, shown: JsonRecord): unknown {
  if (key === 'tax_codes' && Array.isArray(shown.taxes)) {
    return shown.taxes.map(tax => (isRecord(tax) ? tax.code : undefined));
  }
  if (key === 'billable_metric_id') return shown.svc_billable_metric_id;
  return undefined;
}

function sameMetadata(requested: unknown, shown: unknown): boolean {
  if (requested === null) return shown === null || shown === undefined;
  return typeof requested !== 'object' && typeof shown !== 'object' && String(requested) === String(shown);
}

function sameSet(key: string, requested: unknown[], shown: unknown[]): boolean {
  return (
    requested.length === shown.length &&
    requested.every(value => shown.some(candidate => sameValue(key, value, candidate))) &&
    shown.every(candidate => requested.some(value => sameValue(key, value, candidate)))
  );
}

function sameValue(key: string, requested: unknown, shown: unknown): boolean {
  if (requested === shown) return true;
  // Before any value becomes text: a record may hold an object that cannot be converted.
  if (typeof requested === 'object' || typeof shown === 'object') return false;
  if (typeof requested === 'boolean' || typeof shown === 'boolean') return String(requested) === String(shown);
  if (typeof requested === 'number' || typeof shown === 'number' || quantity.test(key)) {
    if (!ownText.test(key) && sameNumber(requested, shown)) return true;
  }
  const [left, right] = [String(requested), String(shown)];
  if (caseless.test(key)) return left.toLowerCase() === right.toLowerCase();
  if (ownText.test(key)) return left === right;
  // A logo comes back as the address where it is stored.
  if (key === 'logo') return right !== '';
  return left === right || sameInstant(left, right);
}

function sameNumber(left: unknown, right: unknown): boolean {
  try {
    return new Big(left as string | number).eq(new Big(right as string | number));
  } catch {
    return false;
  }
}

/** Compared to the second where one side has no fraction: the service removes it. */
function sameInstant(left: string, right: string): boolean {
  if (!instantShape.test(left) || !instantShape.test(right)) return false;
  const [a, b] = [Date.parse(left), Date.parse(right)];
  if (left.includes('.') && right.includes('.')) return a === b;
  return Math.floor(a / 1000) === Math.floor(b / 1000);
}

function note(verdicts: Map<string, Verdict>, path: string, verdict: Verdict): void {
  const earlier = verdicts.get(path);
  // The entries of a list share a path: the worst verdict counts.
  if (earlier === undefined || severity.indexOf(verdict) > severity.indexOf(earlier)) verdicts.set(path, verdict);
}

function pathsOf(verdicts: ReadonlyMap<string, Verdict>, wanted: Verdict): string[] {
  return [...verdicts].filter(([, verdict]) => verdict === wanted).map(([path]) => path);
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === '') return true;
  if (Array.isArray(value)) return value.length === 0;
  return isRecord(value) && Object.keys(value).length === 0;
}
