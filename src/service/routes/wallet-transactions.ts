/** Endpoint 15 (service-behaviour §3.15). */

import { walletEntityCode } from '../answers/wallet.ts';
import { walletTransactionAnswer } from '../answers/wallet-transaction.ts';
import { notFound } from '../errors.ts';
import { pathId } from '../operations/input.ts';
import { loadAccountLists } from '../store/account-lists.ts';
import type { Routes } from './context.ts';
import { linked } from './lookups.ts';

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
};
