/** Fees explained: units × price, the arithmetic of tiers, minimums, discounts, pricing units, parts for display. */
import Big from 'big.js';
import type { Fee, Free } from '../contract/shown.ts';
import { type PlanPrice, planPriceOf, priceOfFee } from './fee-price.ts';
import { big } from './money.ts';
import { code, count, listed, major, money, opt, phrase, quoted, roughly, say, sign } from './summary.ts';
import { isTrueUp } from './true-up.ts';

/**
 * One sentence for each fee, the largest first; then how many are left out, and the names of the fees that cost nothing
 * where others cost something.
 */
export function explainFees(
  fees: readonly Fee[],
  currency: unknown,
  max: number,
  { part = () => null, prices = [] }: FeesBeside = {},
): string[] {
  // When every line has a share of the coupons, the invoice's coupon sentence is enough.
  const everyLine = fees.every(fee => size(fee) === 0 || hasCouponShare(fee));
  const costing = fees.filter(fee => size(fee) > 0).sort((a, b) => size(b) - size(a));
  const explainedFees = costing.length > 0 ? costing : fees;
  const minimums = fees.filter(fee => isTrueUp(fee, fees));
  const several = new Set(fees.map(fee => fee.external_subscription_id || null)).size > 1;
  const labelOf = (fee: Fee) =>
    phrase`${feeLabel(fee)}${several ? say` (${code(fee.external_subscription_id)})` : null}`;
  const lines = explainedFees.slice(0, max).map(fee => {
    const minimum = minimums.includes(fee) ? minimumOf(fee, fees) : null;
    const price = planPriceOf(fee, prices);
    return explainFee(fee, currency, { label: labelOf(fee), minimum, couponShare: !everyLine, part: part(fee), price });
  });
  const freeFees = costing.length === 0 ? [] : fees.filter(fee => size(fee) === 0 && !minimums.some(sameCharge(fee)));
  const rest = explainedFees.length - lines.length;
  if (rest > 0) lines.push(`${count(rest, 'smaller line')} not shown`);
  // A line of the same name may cost something.
  const costingLabels = new Set(explainedFees.map(labelOf));
  const free = new Set(freeFees.map(labelOf).filter(label => !costingLabels.has(label)));
  const freeNames = listed([...free], MAX_FREE);
  return freeNames === null ? lines : [...lines, `No charge for ${freeNames}`];
}

/** What fees do not hold themselves. */
interface FeesBeside {
  /** Of which part of a period a fee is; null where it is for a whole one. */
  part?: (fee: Fee) => string | null;
  /** What the subscriptions' plans charge today. */
  prices?: readonly PlanPrice[];
}

const MAX_FREE = 4;

/** What a charge comes to, in cents; null where the charge is not known. */
interface Minimum {
  /** With the fee that raises it to its minimum. */
  all: Big | null;
  /** Without that fee. */
  usage: Big | null;
}

interface FeeOptions {
  /** Default: that of `feeLabel`. */
  label?: string;
  /** Given for a fee that raises a charge to its minimum. */
  minimum?: Minimum | null;
  /** Whether to say that coupons lower the fee further; default true. */
  couponShare?: boolean;
  /** Said instead of units and price where the fee is for a part of a period. */
  part?: string | null;
  /** The price that the plan has today. */
  price?: PlanPrice | null;
}

/** `“API calls”: 1,200 × $0.02 = $24.00`, with tiers, a discount and the group or filter where present. */
export function explainFee(
  fee: Fee,
  fallbackCurrency?: unknown,
  { label = feeLabel(fee), minimum = null, couponShare = true, part = null, price = null }: FeeOptions = {},
): string {
  const currency = fee.amount_currency ?? fallbackCurrency;
  const amount = money(fee.amount_cents, currency) ?? 'an unknown amount';
  const discount = couponShare && hasCouponShare(fee) ? ', before coupons' : '';
  if (minimum?.usage?.eq(0)) return `${label}: ${amount} (minimum)${discount}`;
  if (minimum)
    return `${label}: ${amount} added to reach ${say`the ${money(minimum.all?.toFixed(), currency)} minimum` ?? 'its minimum'}${discount}`;
  const body = pricedIn(fee, currency) ?? part ?? plainLine(fee, currency) ?? priceOfFee(fee, currency, price);
  return phrase`${label}: ${say`${body} = `}${amount}${discount}${presentedBy(fee)}`;
}

/** `“Transcription”, “Accurate model”, project daily-show`. */
export function feeLabel(fee: Fee): string {
  const item = fee.item ?? {};
  const name =
    quoted(item.invoice_display_name) ?? quoted(item.name) ?? code(item.code) ?? quoted(fee.description) ?? 'A fee';
  const filter = quoted(item.filter_invoice_display_name) ?? inBrackets(item.filters);
  const group = inBrackets(item.grouped_by);
  return [name, filter, group].filter(part => part !== null).join(', ');
}

function inBrackets(value: Free | null | undefined): string | null {
  const parts = Object.entries(value ?? {}).map(([key, entry]) => {
    const shown = Array.isArray(entry) ? listed(entry.map(code), 3) : code(entry);
    return say`${code(key)} ${shown}`;
  });
  return listed(parts, 3);
}

function hasCouponShare(fee: Fee): boolean {
  return sign(fee.precise_coupons_amount_cents) === 1;
}

/** What the charge of a true-up fee comes to over all its filters and groups (§10.2). */
function minimumOf(fee: Fee, fees: readonly Fee[]): Minimum {
  const feeCents = big(fee.amount_cents);
  if (!fee.svc_charge_id || feeCents === null) return { all: null, usage: null };
  const all = fees.filter(sameCharge(fee)).reduce((sum, other) => sum.plus(big(other.amount_cents) ?? 0), new Big(0));
  return { all, usage: all.minus(feeCents) };
}

function sameCharge({ svc_subscription_id: subscription, svc_charge_id: charge }: Fee) {
  return (other: Fee): boolean =>
    Boolean(charge) && other.svc_charge_id === charge && other.svc_subscription_id === subscription;
}

/** What stands instead of units and price for fees that have none. */
function plainLine(fee: Fee, currency: unknown): string | null {
  const { type } = fee.item ?? {};
  const whole = fee.amount_details?.plan_amount_cents;
  const isPart = big(whole)?.gt(big(fee.amount_cents) ?? big(whole) ?? 0);
  if (type === 'commitment') return 'to reach the minimum commitment';
  if (type !== 'subscription') return null;
  return (isPart && say`plan fee for part of the period (${money(whole, currency)} for a full one)`) || 'plan fee';
}

function size(fee: Fee): number {
  return typeof fee.amount_cents === 'number' ? Math.abs(fee.amount_cents) : 0;
}

/**
 * `1,200 units priced in “credits” (CR, $0.50 each)`; null for a fee that is priced in money. Amounts of the pricing unit
 * are in its own subunits, and prices of its tiers in the unit: none of them is told, because they would be read as money.
 */
function pricedIn(fee: Fee, currency: unknown): string | null {
  const unit = fee.pricing_unit_details;
  const short = code(unit?.short_name);
  const name = quoted(unit?.pricing_unit_code) ?? short;
  if (name === null) return null;
  const rate = say`${major(unit?.conversion_rate, currency)} each`;
  const terms = [short === name ? null : short, rate].filter(term => term !== null);
  const units = roughly(fee.units);
  const priced = phrase`priced in ${name}${terms.length === 0 ? null : ` (${terms.join(', ')})`}`;
  return units === null ? priced : `${units} ${units === '1' ? 'unit' : 'units'} ${priced}`;
}

const mostParts = 3;

/** `; of these units 12 in eu and 3 in us`, the largest parts first; empty where the units have no parts. */
function presentedBy(fee: Fee): string {
  const parts = [...(fee.presentation_breakdowns ?? [])]
    .sort((a, b) => Number(b.units) - Number(a.units))
    .map(({ presentation_by, units }) => {
      const values = Object.entries(presentation_by ?? {}).map(
        ([key, value]) => code(value) ?? `no ${code(key) ?? 'value'}`,
      );
      return values.length === 0 ? null : say`${roughly(units)} in ${values.join(' / ')}`;
    })
    .filter(part => part !== null);
  const rest = parts.length - mostParts;
  const shown = rest > 0 ? [...parts.slice(0, mostParts), count(rest, 'smaller part')] : parts;
  return opt`; of these units ${listed(shown)}`;
}
