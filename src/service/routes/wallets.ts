/** Endpoints 1 and 11 (service-behaviour §3.1, §3.11), and the single wallet (lookups §1). */
import { alertAnswer } from '../answers/alert.ts';
import { walletAnswer } from '../answers/wallet.ts';
import { notFound, validation } from '../errors.ts';
import { pathId, pathValue, wrapped } from '../operations/input.ts';
import { ongoingBalances } from '../operations/ongoing.ts';
import type { CustomerRecord, WalletRecord } from '../records/index.ts';
import { loadAccountLists } from '../store/account-lists.ts';
import type { AccountStore } from '../store/store.ts';
import type { Routes } from './context.ts';
import { customerByExternalId, linked } from './lookups.ts';
import { setNotice } from './notice.ts';
import { readWalletChanges } from './wallet-changes.ts';

/** The header `X-Service-Notice` of a wallet update without `applies_to`: the hosted service then drops metric limits. */
const LIMITS_KEPT =
  'applies_to was not sent: the wallet keeps its limits here, but the hosted service removes its metric limits';

export const walletRoutes: Routes = (app, context) => {
  app.get('/wallets/:svc_id', async (request, reply) => {
    const { account } = request;
    const wallet = await account.get('wallets', pathId(request, 'wallet'));
    if (wallet === undefined) throw notFound('wallet');
    const customer = await linked(account, 'customers', wallet.customer_id);
    const { answer, left_out } = await shown(account, wallet, customer, context.now());
    setNotice(reply, left_out);
    return { wallet: answer };
  });

  app.put('/wallets/:svc_id', (request, reply) => {
    const input = wrapped(request, 'wallet');
    return request.account.transaction(async account => {
      const { wallet, customer } = await lockedWallet(account, pathId(request, 'wallet'));
      const now = context.now();
      const changes = await readWalletChanges(account, wallet, input, now);
      const updated: WalletRecord = { ...wallet, ...changes, updated_at: now.toISOString() };
      await account.update('wallets', wallet.id, { ...changes, updated_at: updated.updated_at });
      const limited = wallet.billable_metric_codes.length > 0;
      const kept = limited && changes.billable_metric_codes === undefined ? [LIMITS_KEPT] : [];
      const { answer, left_out } = await shown(account, updated, customer, now);
      setNotice(reply, [...kept, ...left_out]);
      return { wallet: answer };
    });
  });

  app.get('/customers/:external_customer_id/wallets/:wallet_code/alerts/:code', async request => {
    const { account } = request;
    const customer = await customerByExternalId(account, pathValue(request, 'external_customer_id'));
    const wallet = await walletOfCode(account, customer.id, pathValue(request, 'wallet_code'));
    const code = pathValue(request, 'code');
    const alert = await account.first('alerts', { wallet_id: wallet.id, code, deleted_at: null });
    if (alert === undefined) throw notFound('alert');
    const metric =
      alert.billable_metric_id === null ? undefined : await account.get('billable_metrics', alert.billable_metric_id);
    return {
      alert: alertAnswer(alert, {
        organizationId: account.organization.id,
        externalCustomerId: customer.external_id,
        metric: metric ?? null,
        walletCode: wallet.code,
      }),
    };
  });
};

/** The wallet's answer with its ongoing balance (§11.7), and what that leaves out. */
async function shown(account: AccountStore, wallet: WalletRecord, customer: CustomerRecord, now: Date) {
  const lists = await loadAccountLists(account);
  const balances = await ongoingBalances(account, [wallet], lists, now.toISOString());
  return { answer: walletAnswer(wallet, balances.of(wallet), customer, lists), left_out: balances.left_out };
}

/** Locks the wallet and its customer, whose wallets have unique codes. Throws 404; 422 for a terminated wallet. */
async function lockedWallet(account: AccountStore, id: string) {
  const found = await account.get('wallets', id);
  if (found === undefined) throw notFound('wallet');
  await account.get('customers', found.customer_id, { lock: true });
  const wallet = await account.get('wallets', id, { lock: true });
  if (wallet === undefined) throw notFound('wallet');
  if (wallet.status === 'terminated') throw validation({ wallet_id: ['wallet_is_terminated'] });
  return { wallet, customer: await linked(account, 'customers', wallet.customer_id) };
}

/** The customer's wallet with the code, preferably an active one. Throws 404. */
async function walletOfCode(account: AccountStore, customerId: string, code: string): Promise<WalletRecord> {
  const wallets = await account.find('wallets', { customer_id: customerId, code });
  const wallet = wallets.find(candidate => candidate.status === 'active') ?? wallets[0];
  if (wallet === undefined) throw notFound('wallet');
  return wallet;
}
