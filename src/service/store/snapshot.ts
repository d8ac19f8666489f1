/** All records of one account at one moment, to be compared with another moment or another account. */
import type { TableName, Tables } from '../../engine/records/index.ts';
import { columns } from './columns.ts';
import type { AccountStore } from './store.ts';

/** All stored records by table and id. Values are as the store holds them: money in minor units, times as text. */
export type Snapshot = { [Table in TableName]?: Readonly<Record<string, Partial<Tables[Table]>>> };

/** Written with every invoice, from the fees in it; and with every write, from the record. */
const DERIVED: readonly TableName[] = ['fees', 'activity_logs'];
const SECRETS: readonly string[] = ['hmac_key'];

/**
 * Reads every table of the account in one transaction. API keys are no part of an account's records; the secret that signs
 * portal links is left out, and so are the list of fees and the log of changes, which repeat what other records hold.
 */
export function snapshotOf(account: AccountStore): Promise<Snapshot> {
  return account.transaction(async () => {
    const snapshot: Snapshot = {};
    for (const table of Object.keys(columns) as TableName[]) {
      if (DERIVED.includes(table)) continue;
      const rows = await account.find(table, {}, { order: 'oldest' });
      const shown = (row: object) =>
        Object.fromEntries(Object.entries(row).filter(([name]) => !SECRETS.includes(name)));
      Object.assign(snapshot, { [table]: Object.fromEntries(rows.map(row => [row.id, shown(row)])) });
    }
    return snapshot;
  });
}
