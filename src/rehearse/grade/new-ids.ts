/**
 * What a run creates gets random ids. To compare it with what the reference solution created, each new id of the run is
 * paired with the most similar one of the reference, and renamed to it.
 */
import { createHash } from 'node:crypto';
import type { Fields } from '../../contract/shown.ts';
import { fieldOf, isObject, isText } from '../../lib/json.ts';
import type { Snapshot } from '../types.ts';
import { canonical, comparedFields, type Reading } from './canonical.ts';

/** The fields that hold an object's own id. Every other field with an id in it refers to a record. */
const ID_FIELDS: readonly string[] = ['id', 'svc_id'];
/** In each round a label travels from a record to those that refer to it. */
const ROUNDS = 4;
const UNKNOWN = '•';

/**
 * The records of `after` with the ids of `expected` wherever both created what seems to be the same. Neither the order in
 * which records were created nor the ids that they got matter. `skips`: paths whose values do not count.
 */
export function withIdsOf(expected: Snapshot, after: Snapshot, before: Snapshot, skips: Reading['skips']): Snapshot {
  const known = idsOf(before);
  const created = createdIn(writtenIn(after, before), known, skips);
  const wanted = createdIn(writtenIn(expected, before), known, skips);
  const renamed = new Map<string, string>();
  // What an entry contains can be paired only after the entry itself.
  for (const depth of new Set(wanted.map(each => each.depth).sort())) {
    const groups = grouped(created, depth, id => renamed.get(id) ?? id);
    const others = grouped(wanted, depth, id => id);
    for (const [place, members] of groups) pair(members, others.get(place) ?? [], renamed);
  }
  return renamed.size === 0 ? after : withNames(after, renamed);
}

/**
 * A text that the service derived from an id when none was given: a billing entity's `document_number_prefix` ends in its
 * last four characters.
 */
const DERIVED_FIELD = 'document_number_prefix';
const derivedEnd = (id: string) => `-${id.slice(-4).toUpperCase()}`;

interface CreatedObject {
  id: string;
  /** The table, and inside a record the names of the fields that lead to it. */
  path: readonly string[];
  /** How many records and entries with ids contain it. */
  depth: number;
  /** The id of what contains it; null for a record. */
  parent: string | null;
  /** What is known of it, of what it refers to and of what refers to it. */
  facts: readonly string[];
}

interface StoredRecord {
  table: string;
  id: string;
  record: object;
}

/** The records that are not as before: only these can hold new ids. */
function writtenIn(snapshot: Snapshot, before: Snapshot): StoredRecord[] {
  const all = Object.entries(snapshot).flatMap(([table, records]) =>
    Object.entries(records).map(([id, record]) => ({ table, id, record })),
  );
  return all.filter(({ table, id, record }) => JSON.stringify(record) !== JSON.stringify(before[table]?.[id]));
}

function idsOf(snapshot: Snapshot): Set<string> {
  const ids = new Set<string>();
  for (const records of Object.values(snapshot)) {
    for (const record of Object.values(records)) eachObject(record, rootOf(''), ({ id }) => ids.add(id));
  }
  return ids;
}

interface ObjectWithId extends Omit<CreatedObject, 'facts'> {
  object: object;
}

type Place = Omit<CreatedObject, 'id' | 'facts'>;

const rootOf = (table: string): Place => ({ path: [table], depth: 0, parent: null });

function eachObject(value: unknown, place: Place, visit: (object: ObjectWithId) => void): void {
  if (Array.isArray(value)) for (const entry of value) eachObject(entry, place, visit);
  if (!isObject(value)) return;
  const id = ID_FIELDS.map(name => fieldOf(value, name)).find(isText);
  if (id !== undefined) visit({ ...place, id, object: value });
  const inside = id === undefined ? place : { ...place, depth: place.depth + 1, parent: id };
  for (const [name, entry] of Object.entries(value))
    eachObject(entry, { ...inside, path: [...place.path, name] }, visit);
}

/** Everything in these records with an id that is not `known`. */
function createdIn(
  records: readonly StoredRecord[],
  known: ReadonlySet<string>,
  skips: Reading['skips'],
): CreatedObject[] {
  const newObjects: ObjectWithId[] = [];
  for (const { table, record } of records) {
    eachObject(record, rootOf(table), each => known.has(each.id) || newObjects.push(each));
  }
  const ids = new Set(newObjects.map(({ id }) => id));
  const references = records.flatMap(({ table, id, record }) => referencesIn(record, [table], id, ids));
  return withFacts(newObjects, references, skips);
}

interface Reference {
  to: string;
  record: string;
  path: readonly string[];
}

/** Where in a record one of the ids refers to another object; an object's own id does not count. */
function referencesIn(value: unknown, path: readonly string[], record: string, ids: ReadonlySet<string>): Reference[] {
  if (isText(value))
    return ids.has(value) && !ID_FIELDS.includes(path.at(-1) ?? '') ? [{ to: value, record, path }] : [];
  if (Array.isArray(value)) return value.flatMap(entry => referencesIn(entry, path, record, ids));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, entry]) => {
    const named = ids.has(name) ? [{ to: name, record, path }] : [];
    return [...named, ...referencesIn(entry, [...path, name], record, ids)];
  });
}

/**
 * Gives each id a label made of what is known of it, in rounds: first without the other new ids, then with their labels.
 * Objects that are alike in every respect get equal labels and may be exchanged for each other.
 */
function withFacts(
  newObjects: readonly ObjectWithId[],
  references: readonly Reference[],
  skips: Reading['skips'],
): CreatedObject[] {
  let labels = new Map(newObjects.map(({ id }) => [id, UNKNOWN]));
  let facts = new Map<string, string[]>();
  for (let round = 0; round < ROUNDS; round++) {
    const label = (id: string) => labels.get(id) ?? id;
    const next = new Map(newObjects.map(({ id }) => [id, [] as string[]]));
    for (const each of newObjects) next.get(each.id)?.push(...factsOf(each, label, skips));
    for (const { to, record, path } of references) {
      next.get(to)?.push(`in ${path.join('.')}`, `in ${path.join('.')} of ${label(record)}`);
    }
    facts = next;
    labels = new Map([...next].map(([id, texts]) => [id, digest(texts)]));
  }
  return newObjects.map(each => ({ ...each, facts: [...(facts.get(each.id) ?? []), `label ${labels.get(each.id)}`] }));
}

function factsOf(
  { object, id, path, parent }: ObjectWithId,
  label: (id: string) => string,
  skips: Reading['skips'],
): string[] {
  const reading = { text: (value: string) => (value === id ? UNKNOWN : label(value)), ...(skips && { skips }) };
  const facts = comparedFields(object, path, reading).map(([name, value]) => {
    const shown = name === DERIVED_FIELD && isText(value) ? value.replace(derivedEnd(id), UNKNOWN) : value;
    return `${name}: ${canonical(shown, [...path, name], reading)}`;
  });
  return parent === null ? facts : [...facts, `stands in ${label(parent)}`];
}

function digest(texts: readonly string[]): string {
  return createHash('sha256')
    .update([...texts].sort().join('\n'))
    .digest('base64url');
}

function grouped(
  all: readonly CreatedObject[],
  depth: number,
  nameOf: (id: string) => string,
): Map<string, CreatedObject[]> {
  const groups = new Map<string, CreatedObject[]>();
  for (const each of all.filter(one => one.depth === depth)) {
    const place = each.parent === null ? each.path.join('.') : `${each.path.join('.')} of ${nameOf(each.parent)}`;
    groups.set(place, [...(groups.get(place) ?? []), each]);
  }
  return groups;
}

/** Pairs the most similar first. */
function pair(created: readonly CreatedObject[], wanted: readonly CreatedObject[], renamed: Map<string, string>): void {
  const pairs = created.flatMap(one =>
    wanted.map(other => ({ one, other, distance: distance(one.facts, other.facts) })),
  );
  pairs.sort((left, right) => left.distance - right.distance);
  const used = new Set<string>();
  for (const { one, other } of pairs) {
    if (renamed.has(one.id) || used.has(other.id)) continue;
    renamed.set(one.id, other.id);
    used.add(other.id);
  }
}

/** How many facts only one of the two has. */
function distance(one: readonly string[], other: readonly string[]): number {
  const left = [...one];
  let apart = 0;
  for (const fact of other) {
    const at = left.indexOf(fact);
    if (at < 0) apart++;
    else left.splice(at, 1);
  }
  return apart + left.length;
}

function withNames(snapshot: Snapshot, renamed: ReadonlyMap<string, string>): Snapshot {
  const rename = (value: unknown): unknown => {
    if (isText(value)) return renamed.get(value) ?? value;
    if (Array.isArray(value)) return value.map(rename);
    if (!isObject(value)) return value;
    const fields = Object.entries(value).map(([name, entry]) => [renamed.get(name) ?? name, rename(entry)]);
    return withDerived(Object.fromEntries(fields), fieldOf(value, 'id'));
  };
  return rename(snapshot) as Snapshot;
}

/** The text that the service derived from the record's own id, as it derives it from the id that the record has now. */
function withDerived(record: object, was: unknown): object {
  const { [DERIVED_FIELD]: prefix, id }: Fields<typeof DERIVED_FIELD | 'id'> = record;
  if (!isText(prefix) || !isText(was) || !isText(id) || !prefix.endsWith(derivedEnd(was))) return record;
  return { ...record, [DERIVED_FIELD]: prefix.slice(0, -derivedEnd(was).length) + derivedEnd(id) };
}
