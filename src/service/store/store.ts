/** The interfaces to the embedded service's database: the records of one account, and the store of all accounts. */

import type { OrganizationRecord, TableName, Tables } from '../../engine/records/index.ts';
import type { UsageAnswer, UsageQuery } from '../../engine/types.ts';
import type { Column, Condition, Where } from './conditions.ts';
import type { Reports } from './reports.ts';

export interface FindOptions {
  /** By `created_at`; records with equal times by ascending id. Default `newest` (§1.5). */
  order?: 'newest' | 'oldest';
  limit?: number;
}

/** A column, its direction, and whether its nulls come first or last, which a column that can be null must state. */
export type Ordering<T extends TableName> = readonly [Column<T>, 'asc' | 'desc', ('first' | 'last')?];

export interface ListQuery<T extends TableName> {
  /** Default: all rows of the account. */
  where?: Condition<T>;
  /** The ascending id always comes last. Default: `created_at`, newest first (§1.5). */
  order?: readonly Ordering<T>[];
}

export interface Window {
  limit: number;
  offset: number;
}

/** The records of one account. Gives no access to other accounts. */
export interface AccountStore {
  readonly organization: OrganizationRecord;
  /** `lock` locks the row until the transaction ends. It does nothing on SQLite, where only one writer runs at a time. */
  get<T extends TableName>(table: T, id: string, options?: { lock?: boolean }): Promise<Tables[T] | undefined>;
  find<T extends TableName>(
    table: T,
    where?: Where<Tables[T]> | Condition<T>,
    options?: FindOptions,
  ): Promise<Tables[T][]>;
  first<T extends TableName>(table: T, where: Where<Tables[T]>, options?: FindOptions): Promise<Tables[T] | undefined>;
  count<T extends TableName>(table: T, where?: Where<Tables[T]>): Promise<number>;
  /** The rows of the window, and the exact number of all rows that meet the conditions. */
  list<T extends TableName>(
    table: T,
    query: ListQuery<T>,
    window: Window,
  ): Promise<{ rows: Tables[T][]; total: number }>;
  insert<T extends TableName>(table: T, record: Tables[T]): Promise<void>;
  /** Many records in few statements, all or nothing. */
  insertMany<T extends TableName>(table: T, records: readonly Tables[T][]): Promise<void>;
  /** Sets only the given fields; `updated_at` too is set only when given. Throws when there is no such record. */
  update<T extends TableName>(table: T, id: string, changes: Partial<Tables[T]>): Promise<void>;
  remove<T extends TableName>(table: T, id: string): Promise<void>;
  /** Aggregates usage events in the database (§8). */
  usage(queries: readonly UsageQuery[]): Promise<UsageAnswer>;
  /** Sums over invoices for the analytics (lookups §13). */
  readonly reports: Reports;
  /** All or nothing. Nested calls join the outer transaction. */
  transaction<T>(work: (account: AccountStore) => Promise<T>): Promise<T>;
}

export interface Store {
  readonly dialect: 'sqlite' | 'postgres';
  /** The account that the API key belongs to, or null. */
  accountOfKey(apiKey: string): Promise<AccountStore | null>;
  /** The account of an organization, or null. For requests without an API key, such as signed links. */
  account(organizationId: string): Promise<AccountStore | null>;
  close(): Promise<void>;
}
