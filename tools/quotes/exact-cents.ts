/** Amounts that a quote computes with: an absent one is no 0, and a number does not hold one beyond 2^53 exactly. */

import { fromCents, toCents } from '../../src/contract/pricing/money.ts';
import type { Cents, Invoice, Plan, WalletTransaction } from '../../src/contract/shown.ts';
import { isGiven } from '../../src/lib/json.ts';
import { creditsOf } from '../../src/words/credits.ts';
import { big } from '../../src/words/money.ts';

/** Null where the amount is absent, or no number holds it exactly. */
export function exactCents(value: Cents | null | undefined): number | null {
  const cents = isGiven(value) ? Number(value) : null;
  return Number.isSafeInteger(cents) ? cents : null;
}

/** Is every amount of the preview there and exact that its total is made of? */
export function hasExactAmounts(invoice: Invoice): boolean {
  const { fees_amount_cents, taxes_amount_cents, sub_total_including_taxes_amount_cents } = invoice;
  const needed = [
    ...[fees_amount_cents, taxes_amount_cents, sub_total_including_taxes_amount_cents],
    ...(invoice.fees ?? []).map(({ amount_cents }) => amount_cents),
    ...creditsOf(invoice, 'coupon').map(({ cents }) => cents),
  ];
  return needed.every(isExact) && isExactOrAbsent(invoice.coupons_amount_cents);
}

/** The same of the plan; one without a minimum has none. */
export function hasExactPrices({ amount_cents, trial_period, minimum_commitment, charges }: Plan): boolean {
  const needed = [
    ...(Number(trial_period ?? 0) > 0 ? [amount_cents] : []),
    ...(isGiven(minimum_commitment) ? [minimum_commitment.amount_cents] : []),
  ];
  return needed.every(isExact) && (charges ?? []).every(charge => isExactOrAbsent(charge.min_amount_cents));
}

function isExact(value: Cents | null | undefined): boolean {
  return exactCents(value) !== null;
}

function isExactOrAbsent(value: Cents | null | undefined): boolean {
  return !isGiven(value) || isExact(value);
}

/** What moved, in minor units: credits are worth a whole number of them (service-behaviour §6). Null for anything else. */
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
