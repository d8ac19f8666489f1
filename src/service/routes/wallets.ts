/** Endpoints 1 and 11 (service-behaviour §3.1, §3.11), and the lookups of wallets (lookups §5). */
import type { FastifyReply } from 'fastify';
import { walletFilters } from '../../contract/list-filters.ts';
import type { WalletRecord } from '../../engine/records/index.ts';
import { isJsonObject } from '../../engine/records/values.ts';
import { isGiven } from '../../lib/json.ts';
import { alertAnswer } from '../answers/subscription.ts';
import { walletAnswer } from '../answers/wallet.ts';
import { notFound, validation } from '../errors.ts';
import { logActivity } from '../operations/activity-log.ts';
import { pathId, pathValue, wrappedObject } from '../operations/input.ts';
import { customerByExternalId, linkedById } from '../operations/lookups.ts';
import { ongoingBalances } from '../operations/ongoing.ts';
import { loadAccountLists } from '../store/account-lists.ts';
import { every } from '../store/conditions.ts';
import type { AccountStore } from '../store/store.ts';
import type { Routes } from './context.ts';
import { fieldConditions } from './field-filters.ts';
import { billingEntityIds, ofEntities } from './list-query.ts';
import { reads } from './lists.ts';
import { setNotice } from './notice.ts';
import { readWalletChanges } from './wallet-changes.ts';

export const walletRoutes: Routes = (app, context) => {
  reads('wallets', {
    one: 'wallet',
    ofCustomer: { deleted: false, required: true },
    filter: filters => {
      const conditions = fieldConditions<'wallets'>(filters, walletFilters);
      const codes = filters.texts('billing_entity_codes');
      return async account => every(...conditions, ofEntities(await billingEntityIds(account, codes)));
    },
    answers: async (account, rows, { now, reply }) => {
      const { answers, left_out } = await answerWallets(account, rows, now);
      setNotice(reply, left_out);
      return answers;
    },
  })(app, context);

  const answerWallet = async (account: AccountStore, wallet: WalletRecord, reply: FastifyReply, notices: string[]) => {
    const { answers, left_out } = await answerWallets(account, [wallet], context.now());
    setNotice(reply, [...notices, ...left_out]);
    return { wallet: answers[0] };
  };

  app.get('/customers/:external_customer_id/wallets/:code', async (request, reply) => {
    const { account } = request;
    const customer = await customerByExternalId(account, pathValue(request, 'external_customer_id'));
    const wallet = await walletOfCode(account, customer.id, pathValue(request, 'code'));
    return answerWallet(account, wallet, reply, []);
  });

  app.put('/wallets/:svc_id', (request, reply) => {
    const input = wrappedObject(request, 'wallet');
    return request.account.transaction(async account => {
      const wallet = await lockedWallet(account, pathId(request, 'wallet'));
      const now = context.now();
      const changes = await readWalletChanges(account, wallet, input, now);
      const updated: WalletRecord = { ...wallet, ...changes, updated_at: now.toISOString() };
      await account.update('wallets', wallet.id, { ...changes, updated_at: updated.updated_at });
      const metrics = wallet.billable_metric_codes;
      const keeps = isJsonObject(input.applies_to) && isGiven(input.applies_to.billable_metric_codes);
      const dropped =
        keeps || metrics.length === 0
          ? []
          : [`billable_metric_codes were not sent: the metric limits were dropped (${metrics.join(', ')})`];
      const [before] = (await answerWallets(account, [wallet], now)).answers;
      const answer = await answerWallet(account, updated, reply, dropped);
      const after = answer.wallet;
      await logActivity(account, {
        type: 'wallet.updated',
        resource_type: 'Wallet',
        before: before ?? null,
        after: after ?? null,
        external_customer_id: after?.external_customer_id,
        at: updated.updated_at,
      });
      return answer;
    });
  });

  app.get('/customers/:external_customer_id/wallets/:wallet_code/alerts/:code', async request => {
    const { account } = request;
    const customer = await customerByExternalId(account, pathValue(request, 'external_customer_id'));
    const wallet = await walletOfCode(account, customer.id, pathValue(request, 'wallet_code'));
    const code = pathValue(request, 'code');
    const alert = await account.first('alerts', { wallet_id: wallet.id, code, deleted_at: null });
    if (alert === undefined) throw notFound('alert');
    const { billable_metric_id: metricId } = alert;
    const metric = metricId === null ? undefined : await account.get('billable_metrics', metricId);
    return { alert: alertAnswer(alert, account.organization.id, customer.external_id, metric, wallet.code) };
  });
};

/** The answers of some wallets, each with its ongoing balance (service-behaviour §11.7), and one sentence for each charge whose usage their balances leave out. */
async function answerWallets(account: AccountStore, wallets: readonly WalletRecord[], now: Date) {
  const lists = await loadAccountLists(account);
  const customerOf = await linkedById(
    account,
    'customers',
    wallets.map(wallet => wallet.customer_id),
  );
  const balances = await ongoingBalances(account, wallets, lists, now.toISOString());
  const answers = wallets.map(wallet =>
    walletAnswer(wallet, balances.of(wallet), customerOf(wallet.customer_id), lists),
  );
  return { answers, left_out: balances.left_out };
}

/** Locks the wallet and its customer, whose wallets have unique codes. Throws 404; 422 for a terminated wallet. */
async function lockedWallet(account: AccountStore, id: string): Promise<WalletRecord> {
  const unlocked = await account.get('wallets', id);
  if (unlocked === undefined) throw notFound('wallet');
  await account.get('customers', unlocked.customer_id, { lock: true });
  const wallet = await account.get('wallets', id, { lock: true });
  if (wallet === undefined) throw notFound('wallet');
  if (wallet.status === 'terminated') throw validation({ wallet_id: ['wallet_is_terminated'] });
  return wallet;
}

/** The customer's wallet with the code, preferably an active one. Throws 404. */
async function walletOfCode(account: AccountStore, customerId: string, code: string): Promise<WalletRecord> {
  const wallets = await account.find('wallets', { customer_id: customerId, code });
  const wallet = wallets.find(candidate => candidate.status === 'active') ?? wallets[0];
  if (wallet === undefined) throw notFound('wallet');
  return wallet;
}
