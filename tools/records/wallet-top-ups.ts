/** What is on its way into wallets: bought top-ups that are not paid yet, and the zones in which rules run (docs/lookups.md §5). */

import type { Wallet, WalletTransaction } from '../../src/contract/shown.ts';
import type { Api } from '../../src/definition/api.ts';
import { reasonOf } from '../../src/definition/failure.ts';
import { zoneOfCustomer } from './one-record.ts';

/** Wallets of one answer whose top-ups are read. */
const mostWallets = 10;

export interface PendingTopUps {
  readonly topUps: readonly { readonly wallet: Wallet; readonly transaction: WalletTransaction }[];
  /** Why top-ups may be missing; null where all were read. */
  readonly unread: string | null;
}

/**
 * The bought top-ups of these wallets that are pending: of all wallets of one customer, or of at most ten, with one read a
 * wallet. Null for a caller who may not see them.
 */
export async function pendingTopUps(
  api: Api,
  wallets: readonly Wallet[],
  { ofOneCustomer }: { ofOneCustomer: boolean },
): Promise<PendingTopUps | null> {
  if (!api.mayUse('list_wallet_transactions')) return null;
  if (!ofOneCustomer && wallets.length > mostWallets)
    return { topUps: [], unread: `name a customer, or list at most ${mostWallets}` };
  const first = wallets.slice(0, mostWallets);
  const query = { status: 'pending', transaction_status: 'purchased' } as const;
  const lists = await Promise.all(
    first.map(async wallet => {
      const { svc_id } = wallet;
      if (!svc_id) return null;
      const get = { key: 'wallet_transactions' as const, path: { svc_id }, query };
      return api.list('/wallets/{svc_id}/wallet_transactions', get, { per_page: 100 });
    }),
  );
  const topUps = lists.flatMap((list, index) =>
    list?.ok ? list.rows.filter(isPending).map(transaction => ({ wallet: first[index] ?? {}, transaction })) : [],
  );
  const failed = lists.find(list => list !== null && !list.ok);
  const isPartial = lists.some(list => list?.ok && list.nextPage !== null) || lists.includes(null);
  const unread =
    failed !== undefined && failed !== null && !failed.ok
      ? reasonOf(failed.error)
      : wallets.length > first.length
        ? `only the first ${first.length} wallets were looked at`
        : isPartial
          ? 'some could not be read'
          : null;
  return { topUps, unread };
}

/** A service that knows no such filters lists every movement. */
const isPending = ({ status, transaction_status }: WalletTransaction) =>
  status === 'pending' && transaction_status === 'purchased';

/** The zones in which the customers of these wallets are billed, as far as the call has reads left. */
export async function zonesOfCustomers(
  api: Api,
  wallets: readonly Pick<Wallet, 'external_customer_id'>[],
): Promise<Readonly<Record<string, string | null>>> {
  const customers = [...new Set(wallets.flatMap(wallet => wallet.external_customer_id || []))];
  const read = customers.slice(0, Math.max(0, api.left()));
  return Object.fromEntries(
    await Promise.all(read.map(async customer => [customer, await zoneOfCustomer(api, customer)] as const)),
  );
}
