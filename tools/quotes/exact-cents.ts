/** Amounts that a quote computes with: an absent one is no 0, and a number does not hold one beyond 2^53 exactly. */
import type { Cents, Invoice, Plan } from '../../src/contract/shown.ts';
import { isGiven } from '../../src/lib/json.ts';

/** Null where the amount is absent, or no number holds it exactly. */
export function exactCents(value: Cents | null | undefined): number | null {
  const cents = isGiven(value) ? Number(value) : null;
  return Number.isSafeInteger(cents) ? cents : null;
}

/** Is every amount of the preview there and exact that its total is made of? */
export function hasExactAmounts(invoice: Invoice): boolean {
  const { fees_amount_cents, taxes_amount_cents, sub_total_including_taxes_amount_cents } = invoice;
  const coupons = (invoice.credits ?? []).filter(({ item }) => item?.type === 'coupon');
  const needed = [
    ...[fees_amount_cents, taxes_amount_cents, sub_total_including_taxes_amount_cents],
    ...[...(invoice.fees ?? []), ...coupons].map(({ amount_cents }) => amount_cents),
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
