/** Compares the account after a run with the account that the reference solution leads to, field by field. */
import type { Fields } from '../../contract/shown.ts';
import { fieldOf, isObject, isText } from '../../lib/json.ts';
import type { Snapshot } from '../types.ts';
import { canonical, comparedFields } from './canonical.ts';
import { withIdsOf } from './new-ids.ts';

const LONGEST_VALUE = 120;

interface States {
  before: Snapshot;
  after: Snapshot;
  expected: Snapshot;
}

/**
 * One sentence for each difference between `after` and `expected`; empty when every record is as expected, whatever ids the
 * new ones have. `free`: `table.field`, or the path of a field inside it; it may hold anything in the records that the
 * solution writes, and nothing else than before in all others.
 */
export function stateDifferences({ before, after, expected }: States, free: readonly string[]): string[] {
  const isFree = (path: readonly string[]) => free.some(each => `${path.join('.')}.`.startsWith(`${each}.`));
  const states = { before, expected, after: withIdsOf(expected, after, before, isFree) };
  const comparison = { names: recordNames([before, expected, states.after]), isFree };
  const tables = [...new Set([...Object.keys(before), ...Object.keys(after), ...Object.keys(expected)])];
  return tables.flatMap(table => {
    const ids = new Set(Object.values(states).flatMap(snapshot => Object.keys(snapshot[table] ?? {})));
    return [...ids].flatMap(id => recordDifferences(table, id, states, comparison));
  });
}

interface Comparison {
  names: ReturnType<typeof recordNames>;
  isFree(path: readonly string[]): boolean;
}

function recordDifferences(table: string, id: string, states: States, comparison: Comparison): string[] {
  const [was, is, wanted] = [states.before[table]?.[id], states.after[table]?.[id], states.expected[table]?.[id]];
  const name = (record: object) => comparison.names.of(table, record);
  if (JSON.stringify(is) === JSON.stringify(wanted)) return [];
  if (is === undefined) return [was ? `${name(was)} was removed` : `missing: a new ${name(wanted ?? {})}`];
  if (wanted === undefined) {
    return [was ? `${name(was)} was not removed, as expected` : `not expected: a new ${name(is)}`];
  }
  // A record that the solution leaves alone has no free fields.
  const isWritten = was === undefined || canonical(was, [table]) !== canonical(wanted, [table]);
  const isFree = isWritten ? comparison.isFree : () => false;
  return fieldDifferences({ is, wanted, was: was ?? {} }, [table], { ...comparison, isFree }).map(
    ({ expected, text }) => `${name(was ?? wanted)}${expected ? ': ' : ' was not expected to change: '}${text}`,
  );
}

interface Difference {
  /** Did the solution change the field? Otherwise it should be as before. */
  expected: boolean;
  text: string;
}

interface Values<T = unknown> {
  is: T;
  wanted: T;
  was: unknown;
}

function fieldDifferences(values: Values<object>, path: readonly string[], comparison: Comparison): Difference[] {
  const { is, wanted } = values;
  const was = isObject(values.was) ? values.was : {};
  const names = new Set([is, wanted].flatMap(record => comparedFields(record, path).map(([name]) => name)));
  return [...names].flatMap(name => {
    const inside = { is: fieldOf(is, name), wanted: fieldOf(wanted, name), was: fieldOf(was, name) };
    return valueDifferences(inside, [...path, name], comparison);
  });
}

function valueDifferences({ is, wanted, was }: Values, path: readonly string[], comparison: Comparison): Difference[] {
  const reading = { skips: comparison.isFree };
  const text = (value: unknown) => canonical(value, path, reading);
  if (comparison.isFree(path) || text(is) === text(wanted)) return [];
  if (isObject(is) && isObject(wanted)) return fieldDifferences({ is, wanted, was }, path, comparison);
  if (Array.isArray(is) && Array.isArray(wanted)) return listDifferences({ is, wanted, was }, path, comparison, text);
  const field = path.slice(1).join('.');
  const expected = text(was) !== text(wanted);
  const other = expected ? `expected ${shown(wanted, comparison)}` : `it was ${shown(was, comparison)}`;
  const still = expected && text(is) === text(was) ? 'still ' : '';
  return [{ expected, text: `${field} is ${still}${shown(is, comparison)}, ${other}` }];
}

/** Entries with one id are compared field by field; of all others the list holds or lacks each. */
function listDifferences(
  { is, wanted, was }: Values<unknown[]>,
  path: readonly string[],
  comparison: Comparison,
  text: (value: unknown) => string,
): Difference[] {
  const before = Array.isArray(was) ? was : [];
  const expected = text(before) !== text(wanted);
  const same = (entry: unknown, others: readonly unknown[]) => {
    const id = idOf(entry);
    return id === null ? undefined : others.find(other => idOf(other) === id);
  };
  const both = is.filter(entry => same(entry, wanted) !== undefined);
  const inside = both.flatMap(entry =>
    valueDifferences({ is: entry, wanted: same(entry, wanted), was: same(entry, before) }, path, comparison),
  );
  const field = path.slice(1).join('.');
  const extra = without(is, wanted, entry => (both.includes(entry) ? null : text(entry)));
  const lacking = without(wanted, is, entry => (same(entry, is) === undefined ? text(entry) : null));
  return [
    ...inside,
    ...extra.map(entry => ({ expected, text: `${field} has ${shown(entry, comparison)}, which was not expected` })),
    ...lacking.map(entry => ({ expected, text: `${field} lacks ${shown(entry, comparison)}` })),
  ];
}

function idOf(entry: unknown): string | null {
  const { id, svc_id }: Fields<'id' | 'svc_id'> = isObject(entry) ? entry : {};
  const known = id ?? svc_id;
  return isText(known) ? known : null;
}

/** The entries of a list that another list has not, each counted as often as it is there. Null: does not count. */
function without(list: readonly unknown[], other: readonly unknown[], textOf: (entry: unknown) => string | null) {
  const left = other.map(textOf);
  return list.filter(entry => {
    const text = textOf(entry);
    if (text === null) return false;
    const at = left.indexOf(text);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

function shown(value: unknown, { names }: Comparison): string {
  const text = isText(value) ? (names.ofId(value) ?? `“${value}”`) : (JSON.stringify(value) ?? 'missing');
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text;
}

/** Fields that name a record in the interface. */
const uniqueNames = ['external_id', 'number', 'transaction_id', 'webhook_url'];
/** What a record without such a name belongs to: the table, and the field with its ID. */
const owners = { wallets: 'wallet_id', subscriptions: 'subscription_id', customers: 'customer_id' };

/** `billing_entities` as `billing entity`. */
function kindOf(table: string): string {
  return table
    .replace('add_', 'add-')
    .replace(/ies$/, 'y')
    .replace(/(x)es$|s$/, '$1')
    .replaceAll('_', ' ');
}

/** Names the records of these snapshots; of an id that several have, the first snapshot's record. */
function recordNames(snapshots: readonly Snapshot[]) {
  const nameOfId = (table: string, id: unknown): string => {
    const record = isText(id)
      ? snapshots.map(tables => tables[table]?.[id]).find(each => each !== undefined)
      : undefined;
    return record === undefined ? String(id) : of(table, record);
  };
  const of = (table: string, record: object): string => {
    const firstOf = (...fields: string[]) => fields.map(field => fieldOf(record, field)).find(isText);
    const kind = kindOf(table);
    const unique = firstOf(...uniqueNames);
    const status = table === 'subscriptions' ? firstOf('status') : undefined;
    if (unique !== undefined) return [status === 'active' ? undefined : status, kind, unique].filter(isText).join(' ');
    if (firstOf('parent_id') !== undefined) return `a subscription's own copy of plan ${firstOf('code')}`;
    const coupon = firstOf('coupon_id');
    const name = coupon === undefined ? `${kind} ${firstOf('code', 'id')}` : nameOfId('coupons', coupon);
    const owner = Object.entries(owners).find(([, field]) => firstOf(field) !== undefined);
    return owner ? `${name} of ${nameOfId(owner[0], firstOf(owner[1]))}` : name;
  };
  const tables = new Set(snapshots.flatMap(snapshot => Object.keys(snapshot)));
  /** The name of the record that has this id; undefined for any other value. */
  const ofId = (value: unknown) => {
    if (!isText(value)) return undefined;
    const table = [...tables].find(name => snapshots.some(snapshot => snapshot[name]?.[value] !== undefined));
    return table === undefined ? undefined : nameOfId(table, value);
  };
  return { of, ofId };
}
