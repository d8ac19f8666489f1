/** The embedded service's view of its database: one account's records, and the store that holds accounts. */
import type { UsageAnswer, UsageQuery } from '../engine/types.ts';
import type { OrganizationRecord, TableName, Tables } from '../records/index.ts';

/** Equality on columns; a list means any of its values, null means null. */
type Where<Row> = { [Field in keyof Row]?: Row[Field] | readonly Row[Field][] | null };

export interface FindOptions {
  /** By `created_at`, then id ascending. Default `newest`, as the interface lists records (§1.5). */
  order?: 'newest' | 'oldest';
  limit?: number;
  offset?: number;
}

/** The records of one account. Nothing of another account can be reached through it. */
export interface AccountStore {
  readonly organization: OrganizationRecord;
  /** `lock` holds the row until the transaction ends (a no-op where writers are serialised anyway). */
  get<T extends TableName>(table: T, id: string, options?: { lock?: boolean }): Promise<Tables[T] | undefined>;
  find<T extends TableName>(table: T, where?: Where<Tables[T]>, options?: FindOptions): Promise<Tables[T][]>;
  first<T extends TableName>(table: T, where: Where<Tables[T]>, options?: FindOptions): Promise<Tables[T] | undefined>;
  count<T extends TableName>(table: T, where?: Where<Tables[T]>): Promise<number>;
  insert<T extends TableName>(table: T, record: Tables[T]): Promise<void>;
  /** Many records in few statements, all or nothing. */
  insertMany<T extends TableName>(table: T, records: readonly Tables[T][]): Promise<void>;
  /** Sets exactly these fields (also `updated_at` only when it is among them). Throws when there is no such record. */
  update<T extends TableName>(table: T, id: string, changes: Partial<Tables[T]>): Promise<void>;
  remove<T extends TableName>(table: T, id: string): Promise<void>;
  /** Aggregates usage events in the database (§8). */
  usage(queries: readonly UsageQuery[]): Promise<UsageAnswer>;
  /** All or nothing. Nested calls join the outer transaction. */
  transaction<T>(work: (account: AccountStore) => Promise<T>): Promise<T>;
}

export interface Store {
  readonly dialect: 'sqlite' | 'postgres';
  /** The account whose API key this is, or null. */
  accountOfKey(apiKey: string): Promise<AccountStore | null>;
  /** The account of an organization's id, or null: for links that prove themselves without a key. */
  account(organizationId: string): Promise<AccountStore | null>;
  /** Is the database reachable? */
  ping(): Promise<boolean>;
  close(): Promise<void>;
}
