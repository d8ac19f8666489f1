/** Collects the records of an account file and finds those that later entries refer to. */

import * as z from 'zod';
import { ExpressionError } from '../../engine/expression.ts';
import type { BrokenRule } from '../../engine/plan-rules.ts';
import type {
  InstantText,
  OrganizationRecord,
  SubscriptionRecord,
  TableName,
  Tables,
} from '../../engine/records/index.ts';
import { problemAt } from '../../lib/value-problems.ts';
import { idOf } from '../store/ids.ts';

export type Path = readonly (string | number)[];

/** What is wrong with an account file: each problem begins with its place in the file, `customers[3].currency: …`. */
export class AccountFileError extends Error {
  override name = 'AccountFileError';
  readonly problems: readonly string[];

  constructor(path: Path, message: string) {
    const problem = problemAt(path, message);
    super(problem);
    this.problems = [problem];
  }

  /** All problems in one error. Its message is the first one, and how many more there are. */
  static ofAll(problems: readonly [string, ...string[]]): AccountFileError {
    const [first, ...others] = problems;
    const error = new AccountFileError([], first + moreText(others.length));
    return Object.assign(error, { problems });
  }
}

/** An entry cannot be read because it refers to another one that cannot. Only the other one's problem is reported. */
class FollowsFromAnother extends AccountFileError {}

/** The records of each table, in the order of the file. The store makes those of `fees` from the invoices. */
export type AccountRecords = { [T in Exclude<TableName, 'organizations' | 'fees' | 'activity_logs'>]: Tables[T][] };

/** A list of the file. */
export type Section = Exclude<keyof AccountRecords, 'applied_coupons' | 'wallet_transactions'>;
type EntryWork<Entry> = (entry: Entry, path: Path, position: number) => void;

interface Entry {
  id?: string | undefined;
  created_at?: InstantText | undefined;
}

export class AccountBuilder {
  readonly organization: OrganizationRecord;
  readonly records = emptyRecords();
  readonly #positions: ReadonlyMap<object, number>;
  /** The problems so far. The records are complete only while there are none. */
  readonly problems: string[] = [];
  readonly #byKey = new Map<string, unknown>();
  /** Section and key of each entry that cannot be read; `*` stands for a missing key. */
  readonly #broken = new Set<string>();
  /** How many records of each kind have each time. */
  readonly #createdAt = new Map<string, number>();
  /** The places in the file that each warning is about. */
  readonly #warnings = new Map<string, Path[]>();

  /** `positions`: those of the entries in the lists of the file, where the schema refused others that stood before them. */
  constructor(organization: OrganizationRecord, positions: ReadonlyMap<object, number> = new Map()) {
    this.organization = organization;
    this.#positions = positions;
  }

  /**
   * Does the work for every entry of a section. An entry's problem is noted and the work goes on, so that all problems are
   * found; an entry that refers to a broken one has no problem of its own.
   */
  each<Entry extends object>(section: Section, entries: readonly Entry[], work: EntryWork<Entry>): void {
    for (const [i, entry] of entries.entries()) {
      const position = this.#positions.get(entry) ?? i;
      try {
        work(entry, [section, position], position);
      } catch (error) {
        if (!(error instanceof AccountFileError)) throw error;
        if (!(error instanceof FollowsFromAnother)) this.problems.push(...error.problems);
        this.markBroken(section, entry);
      }
    }
  }

  /** Notes that an entry cannot be read. */
  markBroken(section: Section, entry: unknown): void {
    this.#broken.add(`${section} ${keyOf(entry) ?? '*'}`);
  }

  /** Does the work for every part of an entry; if some have problems, throws after the last one. */
  parts<Part, Result>(parts: readonly Part[], work: (part: Part, position: number) => Result): Result[] {
    const before = this.problems.length;
    let follows = false;
    const results = parts.flatMap((part, i) => {
      try {
        return [work(part, i)];
      } catch (error) {
        if (!(error instanceof AccountFileError)) throw error;
        if (error instanceof FollowsFromAnother) follows = true;
        else this.problems.push(...error.problems);
        return [];
      }
    });
    if (follows || this.problems.length > before) throw new FollowsFromAnother([], 'a part has a problem');
    return results;
  }

  /** Calls every function, and returns their results; if some have problems, throws after the last one. */
  all<Works extends (() => unknown)[]>(...works: Works): { [Place in keyof Works]: ReturnType<Works[Place]> } {
    return this.parts(works, work => work()) as { [Place in keyof Works]: ReturnType<Works[Place]> };
  }

  /** Warns of what is accepted but probably not meant. Equal messages are put together. */
  warn(path: Path, message: string): void {
    const places = this.#warnings.get(message);
    if (places) places.push(path);
    else this.#warnings.set(message, [path]);
  }

  warnings(): string[] {
    return [...this.#warnings].map(([message, [first = [], ...others]]) => {
      const more = others.length === 0 ? '' : ` and ${others.length} more`;
      return `${z.core.toDotPath(first)}${more}: ${message}`;
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

  /** Adds a record under the key by which other entries refer to it. Throws when the key or the id is taken. */
  add<T extends keyof AccountRecords>(table: T, key: string, record: Tables[T], path: Path): Tables[T] {
    this.requireNew(table, key, path);
    this.#byKey.set(`${table} ${key}`, record);
    this.claimId(table, record.id, path, record);
    const list: Tables[T][] = this.records[table];
    list.push(record);
    return record;
  }

  /** Throws when the key is taken, also by an entry that cannot be read. */
  requireNew(table: keyof AccountRecords, key: string, path: Path): void {
    const name = `${table} ${key}`;
    const taken = this.#byKey.has(name) || (keyedSections.has(table) && this.#broken.has(name));
    if (taken) throw new AccountFileError(path, `"${key}" is there twice`);
  }

  /** Throws when another record of the kind has the id. */
  claimId(kind: string, id: string, path: Path, record: unknown = null): void {
    const name = `${kind} id ${id}`;
    if (this.#byKey.has(name)) throw new AccountFileError(path, `the id ${id} is there twice`);
    this.#byKey.set(name, record);
  }

  find<T extends keyof AccountRecords>(table: T, key: string): Tables[T] | undefined {
    return this.#byKey.get(`${table} ${key}`) as Tables[T] | undefined;
  }

  /** The record with that key. When there is none, throws an error that names the place of the reference. */
  need<T extends keyof AccountRecords>(table: T, key: string, path: Path): Tables[T] {
    const record = this.find(table, key);
    if (!record) throw this.missing(table, key, path, `there is no "${key}" among the file's ${table}`);
    return record;
  }

  /** The error for a missing record. It reports no problem of its own if the file has the record but it cannot be read. */
  missing(table: string, key: string, path: Path, message: string): AccountFileError {
    const broken = this.#broken.has(`${table} ${key}`) || this.#broken.has(`${table} *`);
    return broken ? new FollowsFromAnother(path, message) : new AccountFileError(path, message);
  }

  /** The record with an id that another record refers to. If there is none, this program is wrong, and it throws. */
  byId<T extends keyof AccountRecords>(table: T, id: string): Tables[T] {
    const record = this.#byKey.get(`${table} id ${id}`);
    if (record === undefined) throw new Error(`there is no record ${id} among ${table}`);
    return record as Tables[T];
  }

  /** Throws when records are missing, with a problem for each. */
  needAll(table: keyof AccountRecords, keys: readonly string[], path: Path): void {
    this.parts(keys, (key, i) => this.need(table, key, [...path, i]));
  }

  /** The billing entity with the code; without a code, the first billing entity. */
  billingEntity(code: string | undefined, path: Path) {
    if (code !== undefined) return this.need('billing_entities', code, [...path, 'billing_entity_code']);
    const [first] = this.records.billing_entities;
    if (first === undefined) throw new FollowsFromAnother(path, 'the file has no billing entity');
    return first;
  }

  /** The subscription with the external id: the active one, else the first. */
  subscription(externalId: string | undefined, path: Path): SubscriptionRecord {
    const at = [...path, 'external_subscription_id'];
    if (externalId === undefined) throw new AccountFileError(at, 'is missing');
    const candidates = this.records.subscriptions.filter(subscription => subscription.external_id === externalId);
    const subscription = candidates.find(each => each.status === 'active') ?? candidates[0];
    if (!subscription) throw this.missing('subscriptions', externalId, at, `there is no subscription "${externalId}"`);
    return subscription;
  }
}

/** Turns an error of an expression into an `AccountFileError` with its place in the file. */
export function atPlace<T>(path: Path, check: () => T): T {
  try {
    return check();
  } catch (error) {
    if (error instanceof ExpressionError) throw new AccountFileError(path, error.message);
    throw error;
  }
}

/** Throws `AccountFileError` with a problem for each rule of plan data (§9). */
export function requireNoBrokenRules(broken: readonly BrokenRule[], at: Path): void {
  const [first, ...others] = broken.map(({ path, message }) => problemAt([...at, ...path], message));
  if (first !== undefined) throw AccountFileError.ofAll([first, ...others]);
}

export function requireThat(condition: boolean, path: Path, message: string): asserts condition {
  if (!condition) throw new AccountFileError(path, message);
}

/** The sections in which no two entries may have the same code, external id or number. */
const keyedSections: ReadonlySet<string> = new Set<Section>([
  ...(['taxes', 'invoice_custom_sections', 'billing_entities', 'billable_metrics', 'add_ons', 'plans'] as const),
  ...(['coupons', 'customers', 'invoices'] as const),
]);

/** The key by which other entries refer to an entry. */
function keyOf(entry: unknown): string | undefined {
  const { code, external_id: externalId, number } = Object(entry);
  const key = code ?? externalId ?? number;
  return typeof key === 'string' ? key : undefined;
}

function moreText(count: number): string {
  return count === 0 ? '' : ` (and ${count} more ${count === 1 ? 'problem' : 'problems'})`;
}

function emptyRecords(): AccountRecords {
  return {
    billing_entities: [],
    taxes: [],
    invoice_custom_sections: [],
    customers: [],
    billable_metrics: [],
    add_ons: [],
    plans: [],
    subscriptions: [],
    wallets: [],
    wallet_transactions: [],
    coupons: [],
    applied_coupons: [],
    invoices: [],
    credit_notes: [],
    payments: [],
    payment_requests: [],
    alerts: [],
    webhook_endpoints: [],
    events: [],
  };
}
