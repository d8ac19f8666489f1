/** Which coupons an invoice had, as far as previews tell: what they take from a larger invoice (service-behaviour §11.1, §12.6). */
import type Big from 'big.js';
import { decimal, round } from '../../src/contract/pricing/money.ts';
import type { JsonRecord } from '../../src/lib/json.ts';
import { asInteger, asRecord, asRecords, asText } from '../../src/words/summary.ts';

/** A fixed amount, or a percentage that lies between two rates (the same where it is known). */
export type KnownCoupon = { cents: number } | { least: Big; most: Big };

/** From so many cents, every coupon of half a percent shows. */
const leastShowing = 100;

interface Taken {
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
  invoice: JsonRecord,
  others: readonly JsonRecord[],
  requested: readonly JsonRecord[],
  mayHaveMore: boolean,
): KnownCoupon[] | null {
  const taken = takenFrom(invoice);
  const left = (asInteger(invoice.fees_amount_cents) ?? 0) - taken.reduce((sum, coupon) => sum + coupon.cents, 0);
  // A coupon of which nothing is left to take, or that comes to less than half a cent, does not show.
  if (left < leastShowing && mayHaveMore) return null;
  if (requested.some(coupon => taken.every(({ code }) => code !== coupon.code))) return null;
  const known = taken.map(coupon => asRequested(coupon, requested, asText(invoice.currency)) ?? asSeen(coupon, others));
  return known.every(coupon => coupon !== null) ? known : null;
}

/** Cents that a coupon takes from so many, at least and at most. */
export function couponCents(coupon: KnownCoupon, base: number): { least: number; most: number } {
  if ('cents' in coupon) return { least: Math.min(coupon.cents, base), most: Math.min(coupon.cents, base) };
  const of = (rate: Big) => Math.min(Number(round(rate.times(base).div(100)).toFixed()), base);
  return { least: of(coupon.least), most: of(coupon.most) };
}

function takenFrom(invoice: JsonRecord): Taken[] {
  let base = asInteger(invoice.fees_amount_cents) ?? 0;
  return asRecords(invoice.credits)
    .filter(credit => asRecord(credit.item).type === 'coupon')
    .map(credit => {
      const { code, svc_item_id } = asRecord(credit.item);
      const cents = asInteger(credit.amount_cents) ?? 0;
      base -= cents;
      return { code: asText(code) ?? '', cents, base: base + cents, stored: asText(svc_item_id) !== null };
    });
}

/** A coupon that only the request knows has the request's values. */
function asRequested(taken: Taken, requested: readonly JsonRecord[], currency: string | null): KnownCoupon | null {
  const sent = taken.stored ? undefined : requested.find(coupon => coupon.code === taken.code);
  if (sent === undefined) return null;
  const rate = asText(sent.percentage_rate);
  const inCurrency = (sent.amount_currency ?? currency) === currency;
  const coupon: KnownCoupon | null =
    sent.coupon_type === 'percentage'
      ? rate !== null && /^\d+(\.\d+)?$/.test(rate)
        ? { least: decimal(rate), most: decimal(rate) }
        : null
      : inCurrency
        ? { cents: asInteger(sent.amount_cents) ?? 0 }
        : null;
  return coupon !== null && couponCents(coupon, taken.base).least === taken.cents ? coupon : null;
}

/** What the same coupon took from other invoices tells a fixed amount from a percentage. */
function asSeen(taken: Taken, others: readonly JsonRecord[]): KnownCoupon | null {
  const seen = others.flatMap(other => {
    const coupons = takenFrom(other);
    return coupons.length === 1 && coupons[0]?.code === taken.code && coupons[0].cents < coupons[0].base ? coupons : [];
  });
  if (seen.length === 0 || taken.cents >= taken.base) return null;
  // A percentage took round(base × rate ÷ 100): the rates that fit every invoice.
  const rateOf = (cents: string, base: number) => decimal(cents).times(100).div(base);
  const all = [taken, ...seen];
  const least = all.map(({ cents, base }) => rateOf(`${cents - 1}.5`, base)).reduce((a, b) => (a.gt(b) ? a : b));
  const most = all.map(({ cents, base }) => rateOf(`${cents}.5`, base)).reduce((a, b) => (a.lt(b) ? a : b));
  const isPercentage = least.lt(most);
  const isFixed = all.every(({ cents }) => cents === taken.cents);
  if (isFixed === isPercentage) return null;
  return isFixed ? { cents: taken.cents } : { least, most };
}
