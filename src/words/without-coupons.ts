/**
 * What a preview would come to without its coupons, from its own body (service-behaviour §11). Taxes are on amounts
 * after coupons, so the difference is not the coupons' amount alone. Exact decimals and whole minor units throughout.
 */

import Big from 'big.js';
import type { Cents, Invoice } from '../contract/shown.ts';
import { isGiven } from '../lib/json.ts';
import { big } from './money.ts';
import { money, say, sign } from './summary.ts';

/** The total without coupons and the difference in one sentence, or as much as is certain; null without amounts. */
export function explainWithoutCoupons(invoice: Invoice): string | null {
  const subTotal = big(invoice.fees_amount_cents);
  if (subTotal === null || !isGiven(invoice.coupons_amount_cents)) return null;
  const taxes = taxesWithoutCoupons(invoice, subTotal);
  // After credit notes and prepaid credits.
  const total = taxes && totalOf(invoice, subTotal.plus(taxes));
  const amount = (cents: Big) => money(cents.toFixed(), invoice.currency);
  const differenceTo = (cents: Big, than: Cents | null | undefined) => {
    const now = big(than);
    return now === null ? '' : ` (${amount(cents.minus(now))} more)`;
  };
  if (sign(invoice.coupons_amount_cents) === 0) return 'Without coupons: the same, because no coupon applied';
  if (taxes === null)
    return say`Without coupons: ${amount(subTotal)} before tax${differenceTo(subTotal, invoice.sub_total_excluding_taxes_amount_cents)}; the preview does not show the tax on it`;
  const sums = `with fees of ${amount(subTotal)} and taxes of ${amount(taxes)}`;
  if (total !== null) {
    const credits = total.eq(subTotal.plus(taxes)) ? '' : ', less the same credits';
    return say`Without coupons: ${amount(total)}${differenceTo(total, invoice.total_amount_cents)}, ${sums}${credits}`;
  }
  const due = subTotal.plus(taxes);
  return say`Without coupons, before credits: ${amount(due)}${differenceTo(due, invoice.sub_total_including_taxes_amount_cents)}, ${sums}. For that case, the preview does not show credit notes and prepaid credits`;
}

/**
 * Σ fee × its rates ÷ 100, rounded once (§11.2). The same sum with coupons must give the preview's own taxes. Null
 * where it does not, because something else computed these (a tax provider).
 */
function taxesWithoutCoupons(invoice: Invoice, feesCents: Big): Big | null {
  let fees = new Big(0);
  let taxesBefore = new Big(0);
  let taxesAfter = new Big(0);
  for (const fee of invoice.fees ?? []) {
    const cents = big(fee.amount_cents);
    const rate = big(fee.taxes_rate);
    const coupons = big(fee.precise_coupons_amount_cents ?? 0);
    if (cents === null || rate === null || coupons === null) return null;
    fees = fees.plus(cents);
    taxesBefore = taxesBefore.plus(cents.times(rate).times('0.01'));
    taxesAfter = taxesAfter.plus(cents.minus(coupons).times(rate).times('0.01'));
  }
  const billedTaxes = big(invoice.taxes_amount_cents);
  if (!fees.eq(feesCents) || billedTaxes === null || !wholeCents(taxesAfter).eq(billedTaxes)) return null;
  return wholeCents(taxesBefore);
}

/**
 * The total after credits (§11.3, §11.4). Null where the higher amount might use more of them: where they pay
 * everything, or where a wallet pays, which may be limited to some fees.
 */
function totalOf(invoice: Invoice, includingTaxes: Big): Big | null {
  const notes = big(invoice.credit_notes_amount_cents);
  const billed = big(invoice.progressive_billing_credit_amount_cents) ?? new Big(0);
  const total = big(invoice.total_amount_cents);
  if (notes === null || total === null || sign(invoice.prepaid_credit_amount_cents) !== 0) return null;
  // Only stored customers have credits. Where something of every fee was left to pay, all their credits were used.
  const hasCredits = invoice.customer?.external_id || !notes.eq(0) || !billed.eq(0);
  if (hasCredits && !(total.gt(0) && leavesPartOfEveryFee(invoice))) return null;
  return includingTaxes.minus(notes).minus(billed);
}

function leavesPartOfEveryFee(invoice: Invoice): boolean {
  return (invoice.fees ?? []).every(fee => {
    const cents = big(fee.amount_cents);
    const coupons = big(fee.precise_coupons_amount_cents ?? 0);
    return cents !== null && coupons !== null && (cents.lte(0) || cents.minus(coupons).gte(1));
  });
}

function wholeCents(cents: Big): Big {
  return cents.round(0, Big.roundHalfUp);
}
