/** Coupons that a preview's request names and the preview does not use. */
import type { JsonRecord } from '../lib/json.ts';
import { escapeForSummary } from './hidden-characters.ts';
import { asRecord, asRecords, asText, clip, code } from './summary.ts';

const MAX_NOTICE = 1000;

/**
 * The requested coupons that a preview does not use, with the reason: as the service's notice says it, else what can be
 * told from the request and the credits. Null when every one is used.
 */
export function explainUnusedCoupons(invoice: JsonRecord, requested: unknown, notice: unknown): string | null {
  const said = asText(notice);
  if (said !== null) return clip(escapeForSummary(said), MAX_NOTICE);
  const used = asRecords(invoice.credits).map(credit => asRecord(credit.item));
  const usedCodes = new Set(used.filter(item => item.type === 'coupon').map(item => item.code));
  const asked = asRecords(requested).filter(coupon => asText(coupon.code) !== null);
  const hasOwn = [...usedCodes].some(other => !asked.some(coupon => coupon.code === other));
  const unused = asked.filter(coupon => !usedCodes.has(coupon.code));
  const told = unused.map(coupon => {
    const reason = hasOwn ? "the customer's own coupons are used instead" : whyUnused(coupon, invoice.currency);
    return `coupon ${code(coupon.code)} was not applied: ${reason}`;
  });
  return told.length === 0 ? null : clip(told.join('; '), MAX_NOTICE);
}

function whyUnused(coupon: JsonRecord, currency: unknown): string {
  const isFixed = coupon.coupon_type !== 'percentage' && coupon.amount_cents !== undefined;
  const own = asText(coupon.amount_currency);
  if (isFixed && own === null) return 'it has a fixed amount and no amount_currency';
  if (isFixed && own !== currency)
    return `its amount is in ${code(own)}, the invoice in ${code(currency) ?? 'another currency'}`;
  return 'it is unknown, has ended, is limited to other plans or to metrics, or nothing was left to take it from';
}
