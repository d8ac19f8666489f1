/** Endpoints 1 and 11 (service-behaviour §3.1, §3.11), and the lookups of wallets (lookups §5). */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { transactionStatuses, walletTransactionStatuses } from '../../contract/enums.ts';
import { transactionFilters, walletFilters } from '../../contract/list-filters.ts';
import type { WalletRecord } from '../../engine/records/index.ts';
import { isJsonObject } from '../../engine/records/values.ts';
import { isGiven } from '../../lib/json.ts';
import { alertAnswer } from '../answers/subscription.ts';
import { listedTransactionAnswer, walletAnswer, walletEntityCode, walletTransactionAnswer } from '../answers/wallet.ts';
import { orNotFound, validation } from '../errors.ts';
import { logActivity } from '../operations/activity-log.ts';
import { pathId, pathValue, wrappedObject } from '../operations/input.ts';
import { customerByExternalId, linked, linksOf } from '../operations/lookups.ts';
import { ongoingBalances } from '../operations/ongoing.ts';
import { loadAccountLists } from '../store/account-lists.ts';
import { every, hasMetadata, is } from '../store/conditions.ts';
import type { AccountStore } from '../store/store.ts';
import type { Routes } from './context.ts';
import { fieldConditions, listFilters, ofEntities } from './list-query.ts';
import { listPage, reads } from './lists.ts';
import { setNotice } from './notice.ts';
import { readWalletChanges } from './wallet-changes.ts';

export const walletRoutes: Routes = (app, context) => {
  reads('wallets', {
    one: 'wallet',
    ofCustomer: { deleted: false, required: true },
    filter: filters => every(...fieldConditions<'wallets'>(filters, walletFilters)),
    entities: { of: ofEntities },
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
    const { wallet } = await walletOfCode(request, 'code');
    return answerWallet(request.account, wallet, reply, []);
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
      const { wallet: after } = answer;
      const ofCustomer = { external_customer_id: after?.external_customer_id ?? null };
      await logActivity(account, ['wallet.updated', 'Wallet'], [before, after], updated.updated_at, ofCustomer);
      return answer;
    });
  });

  app.get('/customers/:external_customer_id/wallets/:wallet_code/alerts/:code', async request => {
    const { account } = request;
    const { customer, wallet } = await walletOfCode(request, 'wallet_code');
    const ofWallet = { wallet_id: wallet.id, code: pathValue(request, 'code'), deleted_at: null };
    const alert = orNotFound(await account.first('alerts', ofWallet), 'alert');
    const { billable_metric_id: metricId } = alert;
    const metric = metricId === null ? undefined : await account.get('billable_metrics', metricId);
    return { alert: alertAnswer(alert, account.organization.id, customer.external_id, metric, wallet.code) };
  });
};

/**
 * The answers of some wallets, each with its ongoing balance (service-behaviour §11.7), and one sentence for each charge whose
 * usage their balances leave out.
 */
async function answerWallets(account: AccountStore, wallets: readonly WalletRecord[], now: Date) {
  const lists = await loadAccountLists(account);
  const customerOf = await linksOf(account, wallets, 'customer_id');
  const balances = await ongoingBalances(account, wallets, lists, now.toISOString());
  const answers = wallets.map(wallet => walletAnswer(wallet, balances.of(wallet), customerOf(wallet), lists));
  return { answers, left_out: balances.left_out };
}

/** Locks the wallet and its customer, whose wallets have unique codes. Throws 404; 422 for a terminated wallet. */
async function lockedWallet(account: AccountStore, id: string): Promise<WalletRecord> {
  const unlocked = orNotFound(await account.get('wallets', id), 'wallet');
  await account.get('customers', unlocked.customer_id, { lock: true });
  const wallet = orNotFound(await account.get('wallets', id, { lock: true }), 'wallet');
  if (wallet.status === 'terminated') throw validation({ wallet_id: ['wallet_is_terminated'] });
  return wallet;
}

/** The path's customer, and the wallet whose code has this name in the path, preferably an active one. Throws 404. */
async function walletOfCode(request: FastifyRequest, name: string) {
  const { account } = request;
  const customer = await customerByExternalId(account, pathValue(request, 'external_customer_id'));
  const wallets = await account.find('wallets', { customer_id: customer.id, code: pathValue(request, name) });
  return { customer, wallet: orNotFound(wallets.find(each => each.status === 'active') ?? wallets[0], 'wallet') };
}

/** Endpoint 15 (service-behaviour §3.15), and the list of a wallet's transactions (lookups §5). */
export const walletTransactionRoutes: Routes = app => {
  app.get('/wallet_transactions/:svc_id', async request => {
    const { account } = request;
    const transaction = await transactionOf(request);
    const wallet = await linked(account, 'wallets', transaction.wallet_id);
    const customer = await linked(account, 'customers', wallet.customer_id);
    const lists = await loadAccountLists(account);
    return walletTransactionAnswer(transaction, walletEntityCode(wallet, customer, lists), lists);
  });

  app.get('/wallets/:svc_id/wallet_transactions', async (request, reply) => {
    const { account } = request;
    const wallet = orNotFound(await account.get('wallets', pathId(request, 'wallet')), 'wallet');
    const filters = listFilters(request);
    const status = filters.word('status', walletTransactionStatuses, null);
    const transaction_status = filters.word('transaction_status', transactionStatuses, null);
    const fields = fieldConditions<'wallet_transactions'>(filters, transactionFilters);
    const metadata = filters.metadata().filter(({ value }) => value !== '');
    filters.finish(reply);
    const where = every<'wallet_transactions'>(
      is({ wallet_id: wallet.id, status, transaction_status }),
      ...fields,
      ...metadata.map(({ key, value }) => hasMetadata<'wallet_transactions'>(key, value)),
    );
    const { rows, meta } = await listPage(request, 'wallet_transactions', { where });
    const customer = await linked(account, 'customers', wallet.customer_id);
    const entityCode = walletEntityCode(wallet, customer, await loadAccountLists(account));
    return { wallet_transactions: rows.map(each => listedTransactionAnswer(each, entityCode)), meta };
  });

  // No wallet keeps track of which top-up paid for what.
  for (const part of ['consumptions', 'fundings']) {
    app.get(`/wallet_transactions/:svc_id/${part}`, async request => {
      await transactionOf(request);
      throw validation({ wallet: ['not_traceable'] });
    });
  }
};

async function transactionOf(request: FastifyRequest) {
  const id = pathId(request, 'wallet_transaction');
  return orNotFound(await request.account.get('wallet_transactions', id), 'wallet_transaction');
}
