/** The coupons that a preview was to use: their names where it uses them, else why it does not. */

import type { Coupon } from '../contract/answers.ts';
import type { CreditItem, Invoice, Listed } from '../contract/shown.ts';
import { isGiven } from '../lib/json.ts';
import { endOf, limitsOf } from './coupon.ts';
import { creditsOf } from './credits.ts';
import { escapeForSummary } from './safe-text.ts';
import { clip, code, listed, say } from './summary.ts';

const MAX_NOTICE = 1000;

/** Requested coupons by code, as the account has them; null for one that it does not have. */
export type StoredCoupons = ReadonlyMap<string, Coupon | null>;

interface CouponsBeside {
  readonly stored: StoredCoupons;
  readonly now: Date;
}

/**
 * The preview with the names of its requested coupons: the service leaves them out of the credits (§12.6). Unchanged
 * where there are not as many such credits as coupons that could be meant.
 */
export function withRequestedCoupons(invoice: Invoice, requested: Listed<Coupon>): Invoice {
  const unnamed = unnamedCoupons(invoice);
  const meant = (requested ?? []).filter(coupon => coupon.code && !isNamed(invoice, coupon));
  if (unnamed.length === 0 || unnamed.length !== meant.length) return invoice;
  const credits = (invoice.credits ?? []).map(credit => {
    const coupon = credit.item ? meant[unnamed.indexOf(credit.item)] : undefined;
    return coupon ? { ...credit, item: { ...credit.item, code: coupon.code, name: coupon.name } } : credit;
  });
  return { ...invoice, credits };
}

/**
 * The requested coupons that a preview does not use, with the reason: the service's notice, else what the request, the
 * credits and the stored coupons show. Null when every one is used.
 */
export function explainUnusedCoupons(
  preview: Invoice,
  requested: Listed<Coupon>,
  notice: string | undefined,
  beside: CouponsBeside | null = null,
): string | null {
  if (notice) return clip(escapeForSummary(notice), MAX_NOTICE);
  const unused = unusedCoupons(preview, requested);
  const unnamed = unnamedCoupons(withRequestedCoupons(preview, requested)).length;
  if (unnamed > 0) {
    const codes = listed(unused.flatMap(coupon => code(coupon.code) ?? []));
    return unused.length === 0
      ? null
      : `only ${unnamed} of ${codes} took something off; the preview does not say which`;
  }
  const isRequested = (item: CreditItem) => (requested ?? []).some(coupon => coupon.code === item.code);
  const usesOthers = couponItems(withRequestedCoupons(preview, requested)).some(item => !isRequested(item));
  const sentences = unused.map(coupon => {
    const reason = usesOthers ? "the customer's own coupons are used instead" : whyUnused(coupon, preview, beside);
    return `coupon ${code(coupon.code)} was not applied: ${reason}`;
  });
  return sentences.length === 0 ? null : clip(sentences.join('; '), MAX_NOTICE);
}

/** Those with a code that no credit of the preview is known to be of. */
export function unusedCoupons(preview: Invoice, requested: Listed<Coupon>): Coupon[] {
  const invoice = withRequestedCoupons(preview, requested);
  return (requested ?? []).filter(coupon => coupon.code && !isNamed(invoice, coupon));
}

function couponItems(invoice: Invoice): CreditItem[] {
  return creditsOf(invoice, 'coupon').map(({ item }) => item);
}

function unnamedCoupons(invoice: Invoice): CreditItem[] {
  return couponItems(invoice).filter(item => !item.code);
}

function isNamed(invoice: Invoice, coupon: Coupon): boolean {
  return couponItems(invoice).some(item => item.code === coupon.code);
}

function whyUnused(coupon: Coupon, invoice: Invoice, beside: CouponsBeside | null): string {
  const stored = beside?.stored.get(coupon.code ?? '');
  const known = stored ?? coupon;
  const isFixed = known.coupon_type !== 'percentage' && isGiven(known.amount_cents);
  const couponCurrency = known.amount_currency || null;
  if (isFixed && couponCurrency === null) return 'it has a fixed amount but no amount_currency';
  if (isFixed && couponCurrency !== invoice.currency)
    return `its amount is in ${code(couponCurrency)}, the invoice in ${code(invoice.currency) ?? 'another currency'}`;
  if (stored === null) return 'the account has no such coupon';
  if (stored === undefined || beside === null)
    return 'it is unknown, ended, limited to other plans or to metrics, or nothing was left to discount';
  return say`it ${endOf(stored, beside.now)}` ?? say`it is ${limitsOf(stored)}` ?? 'the preview does not show why';
}
