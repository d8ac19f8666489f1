/** Movements of wallets in minor units. The service rounds what credits are worth (service-behaviour §6): no amount has a fraction of one. */
import { fromCents, toCents } from '../../src/contract/pricing/money.ts';
import type { WalletTransaction } from '../../src/contract/shown.ts';
import { big } from '../../src/words/money.ts';

/** Null for what is no whole number of cents. */
export function movedCents({ amount }: WalletTransaction, currency: string): number | null {
  const exact = big(amount);
  const cents = exact === null ? null : toCents(exact, currency);
  return cents !== null && exact?.eq(fromCents(cents, currency)) ? cents : null;
}

/** The same, less than 0 for what left the wallet; null where the direction is unknown. */
export function balanceChange(row: WalletTransaction, currency: string): number | null {
  const cents = movedCents(row, currency);
  if (cents === null || row.transaction_type === 'inbound') return cents;
  return row.transaction_type === 'outbound' ? -cents : null;
}
