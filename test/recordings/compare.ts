/** How an answer of the embedded service differs from the recorded one: every difference, with its place and its kind. */

import { isDeepStrictEqual } from 'node:util';

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into field by field
export type Value = any;

export const categories = ['status', 'money', 'date', 'words', 'shape', 'format', 'text', 'order'] as const;
export type Category = (typeof categories)[number];

export interface Difference {
  /** `invoice.fees[subscription plan0].amount_cents`; entries of lists by what names them. */
  path: string;
  category: Category;
  /** Undefined: absent. */
  real: Value;
  ours: Value;
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/;
const zoned = /(Z|[+-]\d\d:\d\d)$/;
/** When something was stored or computed. */
const stored =
  /(^|\.)(created_at|updated_at|deleted_at|last_processed_at|last_balance_sync_at|last_ongoing_balance_sync_at|last_consumed_credit_at|settled_at|failed_at|finalized_at|voided_at)$/;
/** What is drawn, or contains parts of IDs. */
const drawn =
  /(^|\.)(number|portal_url|slug|sequential_id|document_number_prefix|hmac_key|file_url|xml_url|logo_url|event_transaction_id|invoice_number|version_number)$/;
const money =
  /(cents|amount|balance|credit|units|rate|price|precise|quantity|value|total|fee|percentage|trial_period|count)/i;
const dated = /(_at|_date|datetime|from|to|period|issuing|_on)$/i;
/** A fee of a one-off invoice dates from the second in which it was stored. An account file states the day of issue only. */
const oneOff = /\bfees\[add_on .*\]\.(from|to)_date$/;
const named = /^(name|description|invoice_display_name|details|display_name)$/;

/** What may differ between two installations becomes a mark, as in the recordings. */
export function marked(value: Value, path = ''): Value {
  if (value === null || value === undefined) return value;
  if (Array.isArray(value)) return value.map((each, i) => marked(each, `${path}[${i}]`));
  if (typeof value === 'object')
    return mapObject(value, (key, each) => marked(each, path === '' ? key : `${path}.${key}`));
  if (typeof value === 'number') return drawn.test(path) ? '<drawn>' : value;
  if (typeof value !== 'string') return value;
  if (drawn.test(path)) return value === '' ? '' : '<drawn>';
  if (uuid.test(value)) return '<id>';
  if (stored.test(path) && instant.test(value)) return `<moment${/\.\d+/.test(value) ? ' with fraction' : ''}>`;
  return value;
}

export function mapObject(value: Record<string, Value>, map: (key: string, each: Value) => Value): Value {
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, map(key, each)]));
}

/** JSON with the keys of objects in one order. */
export function stable(value: Value): string {
  const ordered = (_: string, each: Value) =>
    each && typeof each === 'object' && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
      : each;
  return JSON.stringify(value, ordered) ?? 'undefined';
}

export function differences(real: Value, ours: Value, path = ''): Difference[] {
  if (isDeepStrictEqual(real, ours)) return [];
  const one = (category: Category): Difference[] => [{ path: path || '(answer)', category, real, ours }];
  const [a, b] = [typeOf(real), typeOf(ours)];
  if (a === 'object' && b === 'object') return objectDifferences(real, ours, path);
  if (a === 'list' && b === 'list') return listDifferences(real, ours, path);
  if (isNumber(real) && isNumber(ours)) return one(sameNumber(real, ours) ? 'format' : categoryOf(path, real, ours));
  if (oneOff.test(path) && storedOn(real, ours)) return [];
  if (sameInstant(real, ours)) return one('format');
  if (a !== b && a !== 'null' && b !== 'null') return one('shape');
  return one(categoryOf(path, real, ours));
}

function objectDifferences(real: Value, ours: Value, path: string): Difference[] {
  const keys = [...new Set([...Object.keys(real), ...Object.keys(ours)])];
  return keys.flatMap(key => {
    const place = path === '' ? key : `${path}.${key}`;
    if (key in real && key in ours) return differences(real[key], ours[key], place);
    return [{ path: place, category: 'shape' as const, real: real[key], ours: ours[key] }];
  });
}

function listDifferences(real: Value[], ours: Value[], path: string): Difference[] {
  const nameOf = namerOf(real, ours);
  if (nameOf) return namedDifferences(real, ours, path, nameOf);
  const order: Difference = { path, category: 'order', real, ours };
  if ([...real, ...ours].every(each => !isBranch(each))) {
    const same = real.map(String).sort().join('\n') === ours.map(String).sort().join('\n');
    return [{ ...order, category: same ? 'order' : 'words' }];
  }
  // Equal entries leave first; the others are compared by position.
  const [restOurs, restReal] = [[...ours], [] as Value[]];
  for (const each of real) {
    const at = restOurs.findIndex(other => isDeepStrictEqual(other, each));
    if (at >= 0) restOurs.splice(at, 1);
    else restReal.push(each);
  }
  const length = Math.max(restReal.length, restOurs.length);
  if (length === 0) return [{ ...order, real: real.length, ours: ours.length }];
  return Array.from({ length }, (_, i) => entryDifferences(restReal, restOurs, i, i, `${path}[#]`)).flat();
}

/** Of the entries at two positions, of which one may be missing. */
function entryDifferences(real: Value[], ours: Value[], i: number, j: number, path: string): Difference[] {
  if (i in real && j in ours) return differences(real[i], ours[j], path);
  const only = i in real ? real[i] : ours[j];
  return [{ path, category: isWorth(only) ? 'money' : 'shape', real: real[i], ours: ours[j] }];
}

function namedDifferences(real: Value[], ours: Value[], path: string, nameOf: Namer): Difference[] {
  const [realNames, ourNames] = [real.map(nameOf), ours.map(nameOf)];
  const missing = realNames.filter(name => !ourNames.includes(name));
  const extra = ourNames.filter(name => !realNames.includes(name));
  const common = realNames.filter(name => ourNames.includes(name));
  // One entry left over on each side is the same thing with another name.
  const renamed = missing.length === 1 && extra.length === 1;
  const pairs = renamed
    ? [[missing[0]!, extra[0]!] as const]
    : [...missing, ...extra].map(name => [name, name] as const);
  const out = [...pairs, ...common.map(name => [name, name] as const)].flatMap(([a, b]) =>
    entryDifferences(real, ours, realNames.indexOf(a), ourNames.indexOf(b), `${path}[${shortName(a)}]`),
  );
  const ourOrder = ourNames.filter(name => realNames.includes(name));
  if (common.join('\n') === ourOrder.join('\n')) return out;
  return [...out, { path, category: 'order', real: common.map(shortName), ours: ourOrder.map(shortName) }];
}

type Namer = (entry: Value) => string;

const feeNames: ((fee: Value) => Value[])[] = [
  fee => [fee.external_subscription_id, fee.description],
  fee => [fee.from_date, fee.pay_in_advance, fee.external_subscription_id, fee.description],
  fee => [fee.external_subscription_id, Number(fee.units), fee.events_count],
  fee => [fee.external_subscription_id, Number(fee.units), fee.events_count, Number(fee.precise_amount)],
];

/** What may name the entries of a list, the likeliest first; undefined where it does not apply. */
const namers: ((entry: Value) => Value)[] = [
  ...feeNames.map(more => (fee: Value) => fee.item && [...feeName(fee), ...more(fee)]),
  each =>
    each.billable_metric && [each.billable_metric.code, each.charge?.charge_model, each.charge?.invoice_display_name],
  each => each.external_id,
  each => each.code,
  each => each.tax_code,
  each => each.transaction_id,
  each => each.webhook_url,
  each => each.key && [each.key, each.value],
  each => each.values,
  each => each.grouped_by,
  each => each.presentation_by,
  each => each.item && [each.item.type, each.item.code],
  each => each.threshold_display_name !== undefined && [each.amount_cents, each.recurring],
  each => each.value !== undefined && [each.code, each.value, each.recurring],
  each => each.name,
];

function feeName({ item, charge_model, svc_true_up_parent_fee_id }: Value): Value[] {
  const { type, code, filters, filter_invoice_display_name, grouped_by } = item;
  const trueUp = svc_true_up_parent_fee_id ? 'true-up' : '';
  return [type, code, charge_model, filters, filter_invoice_display_name, grouped_by, trueUp];
}

/** The first that tells the entries of each list apart, or null where only their position does. */
function namerOf(...lists: Value[][]): Namer | null {
  for (const namer of namers) {
    const nameOf = (each: Value) => {
      const name = typeOf(each) === 'object' ? namer(each) : undefined;
      return name === undefined || name === null || name === false
        ? ''
        : typeof name === 'string'
          ? name
          : stable(name);
    };
    const tells = (list: Value[]) => {
      const names = list.map(nameOf);
      return !names.includes('') && new Set(names).size === names.length;
    };
    if (lists.every(tells)) return nameOf;
  }
  return null;
}

function shortName(name: string): string {
  if (!name.startsWith('[')) return name;
  const parts = (JSON.parse(name) as Value[]).filter(part => part !== null && part !== '' && stable(part) !== '{}');
  return parts.map(part => (isBranch(part) ? stable(part) : part)).join(' ');
}

function categoryOf(path: string, real: Value, ours: Value): Category {
  const last = pattern(path).split('.').at(-1)!;
  if (isNumber(real) || isNumber(ours))
    return money.test(path) || (isNumber(real) && isNumber(ours)) ? 'money' : 'words';
  if ([real, ours].some(each => typeof each === 'string' && instant.test(each)) || dated.test(last)) return 'date';
  return named.test(last) ? 'text' : 'words';
}

/** A path without the names of entries. */
export function pattern(path: string): string {
  return path.replace(/\[(?:[^[\]]|\[[^\]]*\])*\]/g, '[]');
}

function typeOf(value: Value): string {
  return value === null || value === undefined ? 'null' : Array.isArray(value) ? 'list' : typeof value;
}

function isBranch(value: Value): boolean {
  return typeof value === 'object' && value !== null;
}

function isWorth(entry: Value): boolean {
  return isBranch(entry) && ['amount_cents', 'units', 'total_amount_cents'].some(key => Number(entry[key] ?? 0) !== 0);
}

function isNumber(value: Value): boolean {
  return typeof value === 'number' || (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value));
}

/** The real service shows some decimals with the 16 digits of a binary float. */
function sameNumber(real: Value, ours: Value): boolean {
  if (exact(real) === exact(ours)) return true;
  const [a, b] = [Number(real), Number(ours)];
  return /\.\d{9,}/.test(`${real}${ours}`) && Math.abs(a - b) <= 2e-12 * Math.max(Math.abs(a), Math.abs(b));
}

function exact(value: Value): string {
  const text = String(value);
  if (/e/i.test(text)) return String(Number(value));
  const [, sign, whole, fraction = ''] = /^(-?)0*(\d+?)(?:\.(\d*?)0*)?$/.exec(text) ?? [text, '', text];
  const digits = fraction === '' ? whole! : `${whole}.${fraction}`;
  return digits === '0' ? '0' : `${sign}${digits}`;
}

function sameInstant(real: Value, ours: Value): boolean {
  const both = [real, ours].every(each => typeof each === 'string' && instant.test(each) && zoned.test(each));
  return both && Date.parse(real) === Date.parse(ours);
}

/** Whether ours is the start of the day, in whatever zone, of the recorded moment. */
function storedOn(real: Value, ours: Value): boolean {
  const hours = (Date.parse(real) - Date.parse(ours)) / 3_600_000;
  return /\dT00:00:00Z$/.test(ours) && hours >= -14 && hours < 36;
}
