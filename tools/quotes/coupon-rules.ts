/** Which coupons an invoice had, and what they would take from a larger one (service-behaviour §11.1, §12.6). */

import type Big from 'big.js';
import type { Coupon } from '../../src/contract/answers.ts';
import { decimal, round } from '../../src/contract/pricing/money.ts';
import type { Invoice } from '../../src/contract/shown.ts';
import { creditsOf } from '../../src/words/credits.ts';
import { unsigned } from '../../src/words/money.ts';
import { exactCents } from './exact-cents.ts';

/** A fixed amount, or a percentage that lies between two rates (the same where it is known). */
export type KnownCoupon = { cents: number } | { least: Big; most: Big };

/** Of so many cents, even a coupon of half a percent takes enough to show. */
const leastShowing = 100;

interface TakenCoupon {
  code: string;
  cents: number;
  /** Cents of the invoice before this coupon. */
  base: number;
  /** The account has this coupon: what the request says of it was not used. */
  stored: boolean;
}

/**
 * The coupons of an invoice in their order; null when the previews do not tell what they would take from more. `others`
 * are previews for the same customer in the same currency.
 */
export function couponsOf(
  invoice: Invoice,
  others: readonly Invoice[],
  requested: readonly Coupon[],
  mayHaveMore: boolean,
): KnownCoupon[] | null {
  const taken = takenFrom(invoice);
  const left = (exactCents(invoice.fees_amount_cents) ?? 0) - taken.reduce((sum, coupon) => sum + coupon.cents, 0);
  // A coupon does not show if nothing is left for it to take, or if it comes to less than half a cent.
  if (left < leastShowing && mayHaveMore) return null;
  if (requested.some(coupon => taken.every(({ code }) => code !== coupon.code))) return null;
  const known = taken.map(
    coupon => couponFromRequest(coupon, requested, invoice.currency) ?? couponFromInvoices(coupon, others),
  );
  return known.every(coupon => coupon !== null) ? known : null;
}

/** Cents that a coupon takes from `base` cents, at least and at most. */
export function couponCents(coupon: KnownCoupon, base: number): { least: number; most: number } {
  if ('cents' in coupon) return { least: Math.min(coupon.cents, base), most: Math.min(coupon.cents, base) };
  const centsAt = (rate: Big) => Math.min(Number(round(rate.times(base).div(100)).toFixed()), base);
  return { least: centsAt(coupon.least), most: centsAt(coupon.most) };
}

function takenFrom(invoice: Invoice): TakenCoupon[] {
  let base = exactCents(invoice.fees_amount_cents) ?? 0;
  return creditsOf(invoice, 'coupon').map(({ item, cents: amount }) => {
    const cents = exactCents(amount) ?? 0;
    base -= cents;
    return { code: item.code ?? '', cents, base: base + cents, stored: Boolean(item.svc_item_id) };
  });
}

/** A coupon that only the request knows has the request's values. */
function couponFromRequest(
  taken: TakenCoupon,
  requested: readonly Coupon[],
  currency: Invoice['currency'],
): KnownCoupon | null {
  const sent = taken.stored ? undefined : requested.find(coupon => coupon.code === taken.code);
  if (sent === undefined) return null;
  const rate = unsigned(sent.percentage_rate);
  const inCurrency = (sent.amount_currency ?? currency) === currency;
  const coupon: KnownCoupon | null =
    sent.coupon_type === 'percentage'
      ? rate && { least: rate, most: rate }
      : inCurrency
        ? { cents: exactCents(sent.amount_cents) ?? 0 }
        : null;
  return coupon !== null && couponCents(coupon, taken.base).least === taken.cents ? coupon : null;
}

/** What the same coupon took from other invoices tells a fixed amount from a percentage. */
function couponFromInvoices(taken: TakenCoupon, others: readonly Invoice[]): KnownCoupon | null {
  const takenElsewhere = others.flatMap(other => {
    const coupons = takenFrom(other);
    return coupons.length === 1 && coupons[0]?.code === taken.code && coupons[0].cents < coupons[0].base ? coupons : [];
  });
  if (takenElsewhere.length === 0 || taken.cents >= taken.base) return null;
  // A percentage took round(base × rate ÷ 100): the rates that fit every invoice.
  const rateOf = (cents: string, base: number) => decimal(cents).times(100).div(base);
  const all = [taken, ...takenElsewhere];
  const least = all.map(({ cents, base }) => rateOf(`${cents - 1}.5`, base)).reduce((a, b) => (a.gt(b) ? a : b));
  const most = all.map(({ cents, base }) => rateOf(`${cents}.5`, base)).reduce((a, b) => (a.lt(b) ? a : b));
  const isPercentage = least.lt(most);
  const isFixed = all.every(({ cents }) => cents === taken.cents);
  if (isFixed === isPercentage) return null;
  return isFixed ? { cents: taken.cents } : { least, most };
}
