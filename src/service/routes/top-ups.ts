/** Applies the payment of a credit invoice to the wallet that it tops up (service-behaviour §3.6). */
import type { InvoicePaymentStatus } from '../../contract/enums.ts';
import { decimal, decimalText, toCents } from '../../contract/pricing/money.ts';
import type { WalletRecord, WalletTransactionRecord } from '../../engine/records/index.ts';
import type { AccountStore } from '../store/store.ts';

/** Settles a paid top-up once and adds its credits to the wallet; marks a failed top-up as failed. */
export async function settleTopUps(
  account: AccountStore,
  invoiceId: string,
  status: InvoicePaymentStatus,
  at: string,
): Promise<void> {
  if (status === 'pending') return;
  const topUps = await account.find('wallet_transactions', { invoice_id: invoiceId, transaction_type: 'inbound' });
  for (const { id, wallet_id } of topUps) {
    const wallet = await account.get('wallets', wallet_id, { lock: true });
    const topUp = await account.get('wallet_transactions', id, { lock: true });
    if (wallet === undefined || topUp === undefined || topUp.status === 'settled') continue;
    if (status === 'failed') {
      await account.update('wallet_transactions', id, { status: 'failed', failed_at: at, updated_at: at });
    } else {
      await account.update('wallet_transactions', id, {
        status: 'settled',
        settled_at: at,
        failed_at: null,
        updated_at: at,
      });
      await account.update('wallets', wallet.id, {
        ...toppedUp(wallet, topUp),
        last_balance_sync_at: at,
        updated_at: at,
      });
    }
  }
}

function toppedUp(wallet: WalletRecord, topUp: WalletTransactionRecord): Partial<WalletRecord> {
  const cents = toCents(decimal(topUp.amount), wallet.currency);
  return {
    credits_balance: decimalText(decimal(wallet.credits_balance).plus(topUp.credit_amount), 5),
    balance_cents: wallet.balance_cents + cents,
  };
}
