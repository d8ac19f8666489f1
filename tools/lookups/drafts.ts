/** Draft invoices: the service counts their totals among the usage that wallets have yet to pay (service-behaviour §11.7). */
import type { Invoice } from '../../src/contract/shown.ts';
import type { Api } from '../../src/definition/api.ts';
import { listPath } from '../records/list-pages.ts';

/** The drafts of a customer or of the account, a page of 100; null for a caller who may not see invoices. */
export async function readDrafts(api: Api, customer: string | undefined) {
  const { path, values } = listPath('invoices', customer);
  const get = { key: 'invoices' as const, path: values, query: { status: ['draft'] } };
  return api.mayUse('list_invoices') ? api.list(path, get, { per_page: 100 }) : null;
}

/** Cents of a customer's drafts in a currency. `customer`: whose list it is, where its rows name no customer. */
export function draftsOf(
  drafts: readonly Invoice[],
  owner: string | null,
  currency: string | null | undefined,
  customer?: string,
): number {
  const ownDrafts = drafts.filter(
    row => (row.customer?.external_id ?? customer) === owner && row.currency === currency,
  );
  return ownDrafts.reduce((sum, { total_amount_cents: cents }) => (typeof cents === 'number' ? sum + cents : sum), 0);
}
