/** The coupons that a preview was to use and does not. */
import type { Coupon } from '../contract/answers.ts';
import type { Invoice, Listed } from '../contract/shown.ts';
import { escapeForSummary } from './hidden-characters.ts';
import { asRecord, asRecords, asText, clip, code } from './summary.ts';

const MAX_NOTICE = 1000;

/**
 * The requested coupons that a preview does not use, with the reason: the service's notice, else what the request and
 * the credits show. Null when every one is used.
 */
export function explainUnusedCoupons(invoice: Invoice, requested: Listed<Coupon>, notice: unknown): string | null {
  const said = asText(notice);
  if (said !== null) return clip(escapeForSummary(said), MAX_NOTICE);
  const used = asRecords(invoice.credits).map(credit => asRecord(credit.item));
  const usedCodes = new Set(used.filter(item => item.type === 'coupon').map(item => item.code));
  const requestedCoupons = asRecords(requested).filter(coupon => asText(coupon.code) !== null);
  const usesOthers = [...usedCodes].some(other => !requestedCoupons.some(coupon => coupon.code === other));
  const unused = requestedCoupons.filter(coupon => !usedCodes.has(coupon.code));
  const sentences = unused.map(coupon => {
    const reason = usesOthers ? "the customer's own coupons are used instead" : whyUnused(coupon, invoice.currency);
    return `coupon ${code(coupon.code)} was not applied: ${reason}`;
  });
  return sentences.length === 0 ? null : clip(sentences.join('; '), MAX_NOTICE);
}

function whyUnused(coupon: Coupon, currency: unknown): string {
  const isFixed = coupon.coupon_type !== 'percentage' && coupon.amount_cents !== undefined;
  const couponCurrency = asText(coupon.amount_currency);
  if (isFixed && couponCurrency === null) return 'it has a fixed amount and no amount_currency';
  if (isFixed && couponCurrency !== currency)
    return `its amount is in ${code(couponCurrency)}, the invoice in ${code(currency) ?? 'another currency'}`;
  return 'it is unknown, has ended, is limited to other plans or to metrics, or nothing was left to take it from';
}
