/** Endpoint 15 (service-behaviour §3.15), and the list of a wallet's transactions (lookups §5). */
import { transactionStatuses, walletTransactionStatuses } from '../../contract/enums.ts';
import { transactionFilters } from '../../contract/list-filters.ts';
import { listedTransactionAnswer, walletEntityCode, walletTransactionAnswer } from '../answers/wallet.ts';
import { notFound, validation } from '../errors.ts';
import { pathId } from '../operations/input.ts';
import { linked } from '../operations/lookups.ts';
import { loadAccountLists } from '../store/account-lists.ts';
import { every, hasMetadata, is } from '../store/conditions.ts';
import type { Routes } from './context.ts';
import { fieldConditions } from './field-filters.ts';
import { listFilters } from './list-query.ts';
import { listPage } from './lists.ts';

export const walletTransactionRoutes: Routes = app => {
  app.get('/wallet_transactions/:svc_id', async request => {
    const { account } = request;
    const transaction = await account.get('wallet_transactions', pathId(request, 'wallet_transaction'));
    if (transaction === undefined) throw notFound('wallet_transaction');
    const wallet = await linked(account, 'wallets', transaction.wallet_id);
    const customer = await linked(account, 'customers', wallet.customer_id);
    const lists = await loadAccountLists(account);
    return walletTransactionAnswer(transaction, walletEntityCode(wallet, customer, lists), lists);
  });

  app.get('/wallets/:svc_id/wallet_transactions', async (request, reply) => {
    const { account } = request;
    const wallet = await account.get('wallets', pathId(request, 'wallet'));
    if (wallet === undefined) throw notFound('wallet');
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
      const id = pathId(request, 'wallet_transaction');
      if ((await request.account.get('wallet_transactions', id)) === undefined) throw notFound('wallet_transaction');
      throw validation({ wallet: ['not_traceable'] });
    });
  }
};
