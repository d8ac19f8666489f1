/** All records of one account at one moment, to be compared with another moment or another account. */
import type { JsonRecord } from '../../lib/json.ts';
import type { TableName } from '../records/index.ts';
import { columns } from './columns.ts';
import type { AccountStore } from './store.ts';

/** All stored records by table and id. Values are as the store holds them: money in minor units, times as text. */
export type Snapshot = Readonly<Record<string, Readonly<Record<string, JsonRecord>>>>;

/** Written with every invoice, from the fees in it. */
const DERIVED: TableName = 'fees';
const SECRETS: readonly string[] = ['hmac_key'];

/**
 * Reads every table of the account in one transaction. API keys are no part of an account's records; the secret that signs
 * portal links is left out, and so is the list of fees, which repeats what invoices hold.
 */
export function snapshotOf(account: AccountStore): Promise<Snapshot> {
  return account.transaction(async () => {
    const tables: Record<string, Record<string, JsonRecord>> = {};
    for (const table of Object.keys(columns) as TableName[]) {
      if (table !== DERIVED) tables[table] = byId(await account.find(table, {}, { order: 'oldest' }));
    }
    return tables;
  });
}

function byId(rows: readonly { id: string }[]): Record<string, JsonRecord> {
  return Object.fromEntries(rows.map(row => [row.id, withoutSecrets(row)]));
}

function withoutSecrets(row: object): JsonRecord {
  return Object.fromEntries(Object.entries(row).filter(([field]) => !SECRETS.includes(field)));
}
