/** Collects the records of an account file, and what is wrong with its entries. */
import * as z from 'zod';
import { ExpressionError } from '../../engine/expression.ts';
import type { BrokenRule } from '../../engine/plan-rules.ts';
import {
  type InstantText,
  type OrganizationRecord,
  type SubscriptionRecord,
  type TableName,
  type Tables,
  tables,
} from '../../engine/records/index.ts';
import { problemAt } from '../../lib/value-problems.ts';
import { idOf } from '../store/ids.ts';
import { keysAt, type Reference } from './references.ts';

type Path = readonly (string | number)[];
/** A place inside the entry that is being built; `[]` is the entry itself. */
export type At = string | Path;

/** What is wrong with an account file: each problem begins with its place in the file, `customers[3].currency: …`. */
export class AccountFileError extends Error {
  override name = 'AccountFileError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    const more = problems.length - 1;
    super(`${problems[0]}${more === 0 ? '' : ` (and ${more} more ${more === 1 ? 'problem' : 'problems'})`}`);
    this.problems = problems;
  }
}

/** An entry is left, because it has a problem, or refers to one that has. */
class Unbuildable extends Error {}

/** The records of each table, in the order of the file. The store makes those of `fees` from the invoices. */
export type AccountRecords = { [T in Exclude<TableName, 'organizations' | 'fees' | 'activity_logs'>]: Tables[T][] };

/** A list of the file. */
export type Section = Exclude<keyof AccountRecords, 'applied_coupons' | 'wallet_transactions'>;
/** The entries of a section that have the right form, by their positions in the file. */
export type Entries<Entry extends z.ZodType = z.ZodType<object>> = ReadonlyMap<number, z.output<Entry>>;

/** A list of the file: the schema of its entries, and how the records of each are built. */
export function listOf<Entry extends z.ZodType>(
  entry: Entry,
  building: (builder: AccountBuilder) => (entry: z.output<Entry>, position: number) => void,
) {
  return { entry, building };
}

/** What is known of the file before its entries are built. */
export interface FileFacts {
  references: { readonly [section: string]: readonly Reference[] };
  /** The keys of each section, also of entries of a wrong form. */
  keys: { readonly [section: string]: ReadonlySet<string> };
  /** The sections with entries of a wrong form. */
  incomplete: ReadonlySet<string>;
  problems: readonly string[];
}

interface Entry {
  id?: string | undefined;
  created_at?: InstantText | undefined;
}

export class AccountBuilder {
  readonly organization: OrganizationRecord;
  readonly records = emptyRecords();
  /** The records are complete only while there are none. */
  readonly problems: string[];
  readonly #facts: FileFacts;
  readonly #incomplete: Set<string>;
  readonly #byKey = new Map<string, unknown>();
  /** How many records of each kind have each time. */
  readonly #createdAt = new Map<string, number>();
  /** The places in the file that each warning is about. */
  readonly #warnings = new Map<string, string[]>();
  #path: Path = [];
  #problemsBefore = 0;
  #lacksPart = false;

  constructor(organization: OrganizationRecord, facts: FileFacts) {
    this.organization = organization;
    this.#facts = facts;
    this.#incomplete = new Set(facts.incomplete);
    this.problems = [...facts.problems];
  }

  /** Builds every entry of a section. A problem of one does not hide those of the others. */
  each<Entry>(section: Section, entries: ReadonlyMap<number, Entry>, build: (entry: Entry, at: number) => void): void {
    for (const [position, entry] of entries) {
      this.#path = [section, position];
      this.#problemsBefore = this.problems.length;
      this.#lacksPart = false;
      this.#checkReferences(section, entry);
      const [isBuilt] = attempt(() => build(entry, position));
      if (!isBuilt || this.#hasProblem()) this.#incomplete.add(section);
    }
  }

  /** Builds every part of an entry. If one cannot be built, the others are all the same; the entry is not added. */
  parts<Part, Result>(parts: readonly Part[], build: (part: Part, position: number) => Result): Result[] {
    return parts.flatMap((part, i) => {
      const [isBuilt, result] = attempt(() => build(part, i));
      this.#lacksPart ||= !isBuilt;
      return isBuilt ? [result as Result] : [];
    });
  }

  /** Leaves an entry of which a part could not be built: what follows needs them all. */
  requireParts(): void {
    if (this.#lacksPart) throw new Unbuildable();
  }

  /** A condition that is not met is a problem of the entry; its other rules are still checked. */
  check(condition: boolean, at: At, message: string): void {
    if (!condition) this.problems.push(problemAt(this.#placeOf(at), message));
  }

  /** As `check`, for what the rest of the work needs: leaves the entry. */
  require(condition: boolean, at: At, message: string): asserts condition {
    this.check(condition, at, message);
    if (!condition) throw new Unbuildable();
  }

  /** Each broken rule of plan data (§9) is a problem. */
  checkRules(broken: readonly BrokenRule[], at: Path = []): void {
    for (const { path, message } of broken) this.check(false, [...at, ...path], message);
  }

  /** What is computed, unless its expression is wrong. */
  evaluate<T>(at: At, compute: () => T): T {
    try {
      return compute();
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      this.check(false, at, error.message);
      throw new Unbuildable();
    }
  }

  /** Warns of what is accepted but probably not meant. Equal messages are put together. */
  warn(at: At, message: string): void {
    const place = z.core.toDotPath(this.#placeOf(at));
    this.#warnings.set(message, [...(this.#warnings.get(message) ?? []), place]);
  }

  warnings(): string[] {
    return [...this.#warnings].map(([message, [first, ...others]]) => {
      const more = others.length === 0 ? '' : ` and ${others.length} more`;
      return `${first}${more}: ${message}`;
    });
  }

  /**
   * Id and times of a record: from the entry; else an id derived from the key, and the account's creation time. Records of
   * one kind and time are created in the order of the file: each a millisecond, which no answer shows, after the one before.
   */
  idAndTimes(kind: string, key: string, entry: Entry) {
    const stated = entry.created_at ?? this.organization.created_at;
    const before = this.#createdAt.get(`${kind} ${stated}`) ?? 0;
    this.#createdAt.set(`${kind} ${stated}`, before + 1);
    const created = before === 0 ? stated : new Date(Date.parse(stated) + before).toISOString();
    return { id: entry.id ?? idOf(kind, key), created_at: created, updated_at: created };
  }

  /** Adds a record under the key by which other entries refer to it. Leaves an entry that has a problem. */
  add<T extends keyof AccountRecords>(table: T, key: string, record: Tables[T], at: At = []): Tables[T] {
    this.require(!this.#byKey.has(`${table} ${key}`), at, `"${key}" is there twice`);
    this.claimId(table, record.id, at, record);
    if (this.#hasProblem()) throw new Unbuildable();
    this.#byKey.set(`${table} ${key}`, record);
    const list: Tables[T][] = this.records[table];
    list.push(record);
    return record;
  }

  /** Checks that no other record of the kind has the id. */
  claimId(kind: string, id: string, at: At, record: unknown = null): void {
    const name = `${kind} id ${id}`;
    this.check(!this.#byKey.has(name), at, `the id ${id} is there twice`);
    this.#byKey.set(name, record);
  }

  find<T extends keyof AccountRecords>(table: T, key: string): Tables[T] | undefined {
    return this.#byKey.get(`${table} ${key}`) as Tables[T] | undefined;
  }

  /** The record that a reference names. If it could not be built, the entry is left without a problem of its own. */
  get<T extends Section>(table: T, key: string): Tables[T] {
    const record = this.find(table, key);
    if (record === undefined) throw new Unbuildable();
    return record;
  }

  /** As `get`, for a key that `referenceTo` does not declare. */
  lookUp<T extends Section>(table: T, key: string, at: At): Tables[T] {
    return this.present(table, this.find(table, key), at, `there is no "${key}" among the file's ${table}`);
  }

  /** A record that was looked for. That it is missing is no problem if entries of its section could not be built. */
  present<Found>(section: Section, record: Found | undefined, at: At, message: string): Found {
    if (record !== undefined) return record;
    this.check(this.#incomplete.has(section), at, message);
    throw new Unbuildable();
  }

  /** The record with an id that another record refers to. If there is none, this program is wrong, and it throws. */
  byId<T extends keyof AccountRecords>(table: T, id: string): Tables[T] {
    const record = this.#byKey.get(`${table} id ${id}`);
    if (record === undefined) throw new Error(`there is no record ${id} among ${table}`);
    return record as Tables[T];
  }

  /** The subscription with the external id: the active one, else the first. */
  subscription(externalId: string | undefined, at: Path): SubscriptionRecord {
    const place = [...at, 'external_subscription_id'];
    this.require(externalId !== undefined, place, 'is missing');
    const candidates = this.records.subscriptions.filter(each => each.external_id === externalId);
    const subscription = candidates.find(each => each.status === 'active') ?? candidates[0];
    if (subscription !== undefined) return subscription;
    this.check(this.#isKey('subscriptions', externalId), place, `there is no subscription "${externalId}"`);
    throw new Unbuildable();
  }

  #checkReferences(section: Section, entry: unknown): void {
    for (const { section: other, steps } of this.#facts.references[section] ?? [])
      for (const [at, key] of keysAt(entry, steps))
        this.check(this.#isKey(other, key), at, `there is no "${key}" among the file's ${other}`);
  }

  /** Whether an entry of the section has the key, or has none that can be read. */
  #isKey(section: string, key: string): boolean {
    const keys = this.#facts.keys[section];
    return keys !== undefined && (keys.has(key) || keys.has('*'));
  }

  #hasProblem(): boolean {
    return this.#lacksPart || this.problems.length > this.#problemsBefore;
  }

  #placeOf(at: At): Path {
    return [...this.#path, ...(typeof at === 'string' ? [at] : at)];
  }
}

function emptyRecords(): AccountRecords {
  const { organizations: _organizations, fees: _fees, activity_logs: _logs, ...others } = tables;
  return Object.fromEntries(Object.keys(others).map(name => [name, []])) as unknown as AccountRecords;
}

/** Parts that have no key, with ids that follow from the key of the whole. */
export function withIds<Part>(parts: readonly Part[], kind: string, key: string): (Part & { id: string })[] {
  return parts.map((part, i) => ({ id: idOf(kind, `${key} ${i}`), ...part }));
}

function attempt<Result>(build: () => Result): readonly [isBuilt: boolean, result?: Result] {
  try {
    return [true, build()];
  } catch (error) {
    if (!(error instanceof Unbuildable)) throw error;
    return [false];
  }
}
