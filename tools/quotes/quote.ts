/**
 * What a whole billing period on a plan costs: the fees of its preview, assumed usage, the rest up to the commitment,
 * coupons and taxes (service-behaviour §10.6, §11). Amounts are in minor units.
 */

import type Big from 'big.js';
import { decimal, round, ZERO } from '../../src/contract/pricing/money.ts';
import type { Fee, Invoice, Plan } from '../../src/contract/shown.ts';
import { creditsOf } from '../../src/words/credits.ts';
import { big } from '../../src/words/money.ts';
import {
  type AssumedUse,
  lateFixedFees,
  ownTaxRate,
  type QuotedFee,
  quoteUsage,
  type UsageQuote,
  type UsageTerms,
} from './assumed-usage.ts';
import { couponCents, type KnownCoupon } from './coupon-rules.ts';
import { exactCents } from './exact-cents.ts';

export interface Quote {
  fees_amount_cents: number;
  /** Usage with its minimums; absent when none is assumed. */
  usage_amount_cents?: number;
  coupons_amount_cents: number;
  taxes_amount_cents: number;
  sub_total_including_taxes_amount_cents: number;
  /** What is not in the amounts, and why: `payouts (say how many events)`. */
  left_out: string[];
  /** What else a reader should know of the amounts. */
  notes: string[];
  /** The real total may be lower than the quoted one by so many cents at most; null where no one can tell. */
  lowerBy: number | null;
  /** It may be higher by so many cents at most; null where no one can tell. */
  higherBy: number | null;
}

export interface QuoteInput {
  /** The preview of the whole period. */
  invoice: Invoice;
  /** As `list_plans` shows it; null when it does not. */
  plan: Plan | null;
  /** Usage of one period; null for none at all, without charges' minimums. */
  uses: readonly AssumedUse[] | null;
  /** Null if they cannot be told: then they take as much as from the preview. */
  coupons: readonly KnownCoupon[] | null;
  /** A period after the trial: at the plan's full price, if the preview takes a trial off. */
  afterTrial?: boolean;
  /** Whether metrics recur, as far as that was read. */
  recurring: UsageTerms['recurring'];
}

/** How many times a year a plan is billed, by its interval (§10.4). */
export const periodsPerYear: ReadonlyMap<string, number> = new Map([
  ['weekly', 52],
  ['monthly', 12],
  ['quarterly', 4],
  ['semiannual', 2],
  ['yearly', 1],
]);

export function quotePeriod(input: QuoteInput): Quote {
  const quoted = quoteBound(input, 'least');
  if (quoted.higherBy !== 0 || !quoted.prorated) return quoted;
  const most = quoteBound(input, 'most').sub_total_including_taxes_amount_cents;
  return { ...quoted, higherBy: Math.max(0, most - quoted.sub_total_including_taxes_amount_cents) };
}

function quoteBound(
  { invoice, plan, uses, coupons, afterTrial = false, recurring }: QuoteInput,
  bound: UsageTerms['bound'],
): Quote & { prorated: boolean } {
  const billed = invoice.fees ?? [];
  const planFee = billed.find(fee => fee.item?.type === 'subscription');
  const rate = planFee === undefined ? ownTaxRate(plan?.taxes) : toFee(planFee).taxRate;
  const fixedTimes = monthsOf(plan, 'bill_fixed_charges_monthly');
  const lateFees = lateFixedFees(plan);
  // The commitment is settled again below; the first invoice of a pay-in-advance plan does not have it yet.
  const previewed = billed.filter(fee => fee.item?.type !== 'commitment' || plan === null);
  const fees = previewed
    .filter(fee => fee.item?.type !== 'fixed_charge' || fee.pay_in_advance === true || lateFees.length === 0)
    .flatMap(fee => Array<QuotedFee>(fee.item?.type === 'fixed_charge' ? fixedTimes : 1).fill(toFee(fee)));
  for (let month = 0; month < fixedTimes; month++) fees.push(...lateFees);
  const isWhole =
    fees.length === previewed.length && (coupons?.length !== 0 || couponsAsPreviewed(invoice).length === 0);
  if (afterTrial && planFee !== undefined)
    fees[billed.indexOf(planFee)] = { cents: exactCents(plan?.amount_cents) ?? 0, taxRate: rate };
  const usage =
    plan !== null && uses !== null
      ? usageOf(plan, uses, { recurring, bound })
      : { fees: [], notPriced: [], prorated: [] };
  fees.push(...usage.fees);
  const commitment = plan?.minimum_commitment;
  const rest = (exactCents(commitment?.amount_cents) ?? 0) - centsOf(fees);
  if (rest > 0) fees.push({ cents: rest, taxRate: ownTaxRate(commitment?.taxes) });
  const leftOut = uses !== null && plan === null ? ['usage (the plan is not listed)'] : usage.notPriced;
  const prorated = usage.prorated.length > 0;
  const common = {
    ...(uses !== null && { usage_amount_cents: centsOf(usage.fees) }),
    left_out: leftOut,
    higherBy: leftOut.length > 0 ? null : 0,
    prorated,
    // Where taxes differ, usage that takes the place of the commitment's rest can lower the total.
    lowerBy: (leftOut.length > 0 || prorated) && rest > 0 && hasOtherTaxes(plan, rate) ? null : 0,
  };
  const prorations = usage.prorated.map(metric => `${metric} is prorated by time, between none and all of the period`);
  const isSame = centsOf(fees) === invoice.fees_amount_cents;
  if (isWhole && centsOf(usage.fees) === 0 && isSame) return { ...asPreviewed(invoice), ...common, notes: prorations };
  const taxed = fees.map(fee => ({ ...fee, taxRate: fee.taxRate ?? rate }));
  const known = coupons ?? couponsAsPreviewed(invoice);
  // From the same sum, coupons take the same.
  const isOpen = coupons === null && !isSame;
  const amounts = withTotals(taxed, known, 'least');
  const lowest = withTotals(taxed, known, 'most').sub_total_including_taxes_amount_cents;
  const lowerBy = amounts.sub_total_including_taxes_amount_cents - lowest;
  const certainTaxes = taxesFollow(invoice, billed) && taxed.every(fee => fee.taxRate !== null);
  return {
    ...common,
    ...amounts,
    lowerBy: isOpen || !certainTaxes || common.lowerBy === null ? null : lowerBy,
    higherBy: certainTaxes ? common.higherBy : null,
    notes: [
      ...prorations,
      ...(isOpen ? ['coupons are counted on the plan only; with usage they may take off more'] : []),
      ...(lowerBy > 0 ? ['a coupon rate is only approximate and may take off slightly more'] : []),
      ...(certainTaxes ? [] : ['the preview does not show taxes on usage']),
    ],
  };
}

function hasOtherTaxes(plan: Plan | null, rate: Big | null): boolean {
  const taxed = [plan?.minimum_commitment, ...(plan?.charges ?? [])];
  return taxed.some(each => {
    const ownRate = ownTaxRate(each?.taxes);
    return ownRate !== null && !rate?.eq(ownRate);
  });
}

/** How many months a period has for a charge of these that is billed monthly; else 1 (§7.3). */
export function monthsOf(plan: Plan | null, setting: 'bill_charges_monthly' | 'bill_fixed_charges_monthly'): number {
  if (plan?.[setting] !== true) return 1;
  return plan.interval === 'yearly' ? 12 : plan.interval === 'semiannual' ? 6 : 1;
}

/** Usage that is billed monthly is spread evenly over the period's months. */
function usageOf(plan: Plan, uses: readonly AssumedUse[], terms: UsageTerms): UsageQuote {
  const times = monthsOf(plan, 'bill_charges_monthly');
  const { fees, ...rest } = quoteUsage(plan, scaled(uses, 1, times), terms);
  return { ...rest, fees: Array<QuotedFee[]>(times).fill(fees).flat() };
}

/** The usage × `times` ÷ `parts`. A number of events that this does not divide evenly is no longer known. */
export function scaled(uses: readonly AssumedUse[], times: number, parts: number): AssumedUse[] {
  if (times === parts) return [...uses];
  return uses.map(use => {
    const events = use.events === null ? null : (use.events * times) / parts;
    return { ...use, units: use.units.times(times).div(parts), events: Number.isInteger(events) ? events : null };
  });
}

function toFee(fee: Fee): { cents: number; taxRate: Big } {
  return { cents: exactCents(fee.amount_cents) ?? 0, taxRate: big(fee.taxes_rate) ?? ZERO };
}

function centsOf(fees: readonly QuotedFee[]): number {
  return fees.reduce((sum, fee) => sum + fee.cents, 0);
}

function couponsAsPreviewed(invoice: Invoice): KnownCoupon[] {
  return creditsOf(invoice, 'coupon').map(({ cents }) => ({ cents: exactCents(cents) ?? 0 }));
}

type Amounts = Pick<
  Quote,
  'fees_amount_cents' | 'coupons_amount_cents' | 'taxes_amount_cents' | 'sub_total_including_taxes_amount_cents'
>;

function asPreviewed(invoice: Invoice): Amounts {
  return {
    fees_amount_cents: exactCents(invoice.fees_amount_cents) ?? 0,
    coupons_amount_cents: exactCents(invoice.coupons_amount_cents) ?? 0,
    taxes_amount_cents: exactCents(invoice.taxes_amount_cents) ?? 0,
    sub_total_including_taxes_amount_cents: exactCents(invoice.sub_total_including_taxes_amount_cents) ?? 0,
  };
}

/** Fees less coupons, plus taxes (§11.1, §11.2, §11.5). Coupons that are known by bounds take the least or the most. */
function withTotals(fees: readonly QuotedFee[], coupons: readonly KnownCoupon[], bound: 'least' | 'most'): Amounts {
  const feesCents = centsOf(fees);
  let subTotal = feesCents;
  let left = fees.map(fee => decimal(fee.cents));
  for (const coupon of coupons) {
    if (subTotal <= 0) break;
    const base = subTotal;
    const taken = couponCents(coupon, base)[bound];
    left = left.map(cents => cents.minus(round(cents.times(taken).div(base), 5)));
    subTotal -= taken;
  }
  const taxes = left.reduce((sum, cents, i) => sum.plus(taxOn(cents, fees[i]?.taxRate ?? ZERO)), ZERO);
  const taxesCents = Number(round(taxes).toFixed());
  return {
    fees_amount_cents: feesCents,
    coupons_amount_cents: feesCents - subTotal,
    taxes_amount_cents: taxesCents,
    sub_total_including_taxes_amount_cents: subTotal + taxesCents,
  };
}

function taxOn(cents: Big, rate: Big): Big {
  return cents.times(rate).div(100);
}

/** Whether the preview's own taxes follow from its fees: not where a tax provider computes them. */
function taxesFollow(invoice: Invoice, billed: readonly Fee[]): boolean {
  const taxes = billed.reduce((sum, fee) => {
    const coupons = big(fee.precise_coupons_amount_cents) ?? ZERO;
    const { cents, taxRate } = toFee(fee);
    return sum.plus(taxOn(decimal(cents).minus(coupons), taxRate));
  }, ZERO);
  return Number(round(taxes).toFixed()) === (exactCents(invoice.taxes_amount_cents) ?? 0);
}
