/** Answers of wallets, for those endpoints that show them: each with its ongoing balance (service-behaviour §11.7). */

import type { WalletRecord } from '../../engine/records/index.ts';
import { walletAnswer } from '../answers/wallet.ts';
import { linkedById } from '../operations/lookups.ts';
import { ongoingBalances } from '../operations/ongoing.ts';
import { loadAccountLists } from '../store/account-lists.ts';
import type { AccountStore } from '../store/store.ts';

/** The answers of some wallets, and one sentence for each charge whose usage their balances leave out. */
export async function answerWallets(account: AccountStore, wallets: readonly WalletRecord[], now: Date) {
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
