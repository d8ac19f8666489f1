/** The ongoing balance of wallets (§11.7): the balance less the usage that no finalized invoice has billed yet. */

import { decimal, decimalText, fromCents, round, ZERO } from '../contract/pricing/money.ts';
import { activeWallets, type FeeGroup, groupFees, mayPay } from './credits.ts';
import type { CurrentUsageFee } from './current-usage.ts';
import { billable, type TaxSources } from './preview-fees.ts';
import type { DecimalText, InstantText, InvoiceRecord, PlanRecord, WalletRecord } from './records/index.ts';
import { taxFee } from './taxes.ts';

/** The usage of one fee that wallets will have to pay. */
export interface OngoingUsage extends FeeGroup {
  currency: string;
}

/** What a wallet's answer shows of its ongoing balance: cents of its currency, and credits. */
export interface OngoingBalance {
  ongoing_usage_balance_cents: number;
  /** Below 0 when the usage is more than the balance. */
  ongoing_balance_cents: number;
  credits_ongoing_usage_balance: DecimalText;
  credits_ongoing_balance: DecimalText;
}

/** Current usage: each fee with its rounded tax, without coupons. Pay-in-advance charges are left out: they are billed. */
export function usageOfPeriod(fees: readonly CurrentUsageFee[], plan: PlanRecord, taxes: TaxSources): OngoingUsage[] {
  return fees
    .filter(({ charge }) => !charge.pay_in_advance)
    .map(({ fee, charge, metric }) => ({
      fee_type: fee.item.type,
      metric_code: metric.code,
      currency: fee.amount_currency,
      cents: decimal(taxFee(billable(fee, plan, charge.tax_codes, metric.code, taxes)).total_amount_cents),
    }));
}

/** The fees of draft invoices whose total is not 0: amount + tax − coupons, which may have a fraction. */
export function usageOfDrafts(invoices: readonly InvoiceRecord[]): OngoingUsage[] {
  return invoices
    .filter(invoice => invoice.status === 'draft' && invoice.total_amount_cents !== 0)
    .flatMap(invoice => invoice.fees)
    .map(fee => ({
      fee_type: fee.item.type,
      metric_code: fee.item.type === 'charge' ? fee.item.code : null,
      currency: fee.amount_currency,
      cents: decimal(fee.amount_cents).plus(fee.taxes_amount_cents).minus(decimal(fee.precise_coupons_amount_cents)),
    }));
}

/**
 * Cents of a customer's usage that each of its wallets takes, by wallet id; a wallet that is not in the result takes none.
 * The fees are grouped by type, metric and currency, and each group is rounded to cents. The largest group goes first. The
 * active wallets that may pay it take it in the order of priority and age: each up to its balance, but the last one, and
 * one with an active threshold rule, all that is left.
 */
export function ongoingUsage(
  usage: readonly OngoingUsage[],
  wallets: readonly WalletRecord[],
  now: InstantText,
): Map<string, number> {
  const takenByWallet = new Map<string, number>();
  for (const currency of new Set(usage.map(part => part.currency))) {
    const candidates = activeWallets(wallets, currency, now);
    for (const group of groupFees(usage.filter(part => part.currency === currency))) {
      const payers = candidates.filter(wallet => mayPay(wallet, group));
      let left = Number(round(group.cents).toFixed());
      for (const [i, wallet] of payers.entries()) {
        const before = takenByWallet.get(wallet.id) ?? 0;
        const rules = wallet.recurring_transaction_rules.filter(({ status }) => status === 'active');
        const takesAll = i === payers.length - 1 || rules.some(({ trigger }) => trigger === 'threshold');
        const cents = takesAll ? left : Math.min(left, Math.max(wallet.balance_cents - before, 0));
        takenByWallet.set(wallet.id, before + cents);
        left -= cents;
      }
    }
  }
  return takenByWallet;
}

/** The balances of a wallet that takes so many cents of usage. */
export function ongoingBalance(wallet: WalletRecord, usageCents: number): OngoingBalance {
  const rate = decimal(wallet.rate_amount);
  // An account file may have wallets whose credits are worth nothing.
  const credits = (cents: number) => (rate.eq(0) ? ZERO : fromCents(cents, wallet.currency).div(rate));
  const balanceCents = wallet.balance_cents - usageCents;
  return {
    ongoing_usage_balance_cents: usageCents,
    ongoing_balance_cents: balanceCents,
    credits_ongoing_usage_balance: decimalText(credits(usageCents), 5),
    credits_ongoing_balance: decimalText(credits(balanceCents), 5),
  };
}
