/**
 * Why one invoice is higher or lower than another: the difference of what is to be paid, line by line by quantity and
 * price, then by coupons, taxes and credits (service-behaviour §9, §11). The parts add up to the difference to the cent;
 * what cannot be divided exactly stays whole.
 */
import type Big from 'big.js';
import { minorUnits } from '../contract/currencies.ts';
import { termsOfDetails } from '../contract/pricing/models/index.ts';
import type { Fee, Free, Invoice } from '../contract/shown.ts';
import { feeLabel } from './explain.ts';
import { isPlanned, type PlanPrice, planPriceOf } from './fee-price.ts';
import { big, centsOf } from './money.ts';
import { isTrueUp } from './true-up.ts';

/**
 * Why a line differs: by quantity or price alone or both, by both undivided, or because only one invoice has it;
 * `by_event`: a preview leaves it out, because each event is billed at once.
 */
export type LineChange = 'divided' | 'undivided' | 'new' | 'gone' | 'by_event';

/** One line of either invoice, in cents; the parts add up to `cents`. */
export interface LineDifference {
  name: string;
  change: LineChange;
  from_cents: number;
  to_cents: number;
  cents: number;
  quantity_cents: number;
  price_cents: number;
  /** Decimal texts; null where the line has no quantity, or consists of several. */
  units: readonly [string, string] | null;
  /** Decimal texts in major units; null where neither is one price. */
  prices: readonly [string, string] | null;
}

/** In cents; the causes add up to `difference_cents`. */
export type InvoiceDifference = NonNullable<ReturnType<typeof invoiceDifference>>;

/**
 * Of two invoices in the same currency, from the earlier to the later; null where one has no total. `isRunning`: the later
 * is a preview of the running period. `prices`: what plans charge, for lines that do not say how they are priced.
 */
export function invoiceDifference(from: Invoice, to: Invoice, isRunning = false, prices: readonly PlanPrice[] = []) {
  const [before, after] = [centsOf(from.total_amount_cents), centsOf(to.total_amount_cents)];
  if (before === null || after === null) return null;
  const changeOf = (field: keyof Invoice & `${string}_cents`) =>
    (centsOf(to[field]) ?? 0) - (centsOf(from[field]) ?? 0);
  const pairs = hasEveryLine(from) && hasEveryLine(to) ? pairsOf(from.fees ?? [], to.fees ?? []) : [];
  const pricing = { perMajor: minorUnits(to.currency ?? ''), prices };
  const { lines, unchanged } = withoutUnchanged(pairs.map(pair => differenceOf(pair, pricing, isRunning)));
  const sum = (part: (line: LineDifference) => number) => lines.reduce((total, line) => total + part(line), 0);
  const ofChange = (...changes: LineChange[]) => sum(line => (changes.includes(line.change) ? line.cents : 0));
  const causes = {
    quantity_cents: sum(line => line.quantity_cents),
    price_cents: sum(line => line.price_cents),
    // Lines that only one invoice has.
    new_or_gone_cents: ofChange('new', 'gone', 'by_event'),
    // Lines whose quantity and price could not be divided.
    undivided_cents: ofChange('undivided') + changeOf('fees_amount_cents') - sum(line => line.cents),
    coupons_cents: 0 - changeOf('coupons_amount_cents'),
    taxes_cents: changeOf('taxes_amount_cents'),
    already_billed_cents: 0 - changeOf('progressive_billing_credit_amount_cents'),
    credit_notes_cents: 0 - changeOf('credit_notes_amount_cents'),
    prepaid_cents: 0 - changeOf('prepaid_credit_amount_cents'),
  };
  const explained = Object.values(causes).reduce((total, cents) => total + cents, 0);
  const difference_cents = after - before;
  // Unexplained is what the amounts of the invoices leave open.
  return { difference_cents, ...causes, unexplained_cents: difference_cents - explained, lines, unchanged };
}

/** Do the lines add up to the charges? Else some are missing, and would be taken for new or gone. */
export function hasEveryLine(invoice: Invoice): boolean {
  return sumOf(invoice.fees ?? []) === invoice.fees_amount_cents;
}

/** The lines whose amounts differ, the largest difference first. Usage and its minimum that cancel out are no difference. */
function withoutUnchanged(all: readonly LineDifference[]) {
  const minimumOf = (line: LineDifference) =>
    line.cents === 0
      ? undefined
      : all.find(other => other.name === `${line.name}${minimumMark}` && other.cents === -line.cents);
  const minimums = new Map(all.flatMap(line => [[line, minimumOf(line)] as const].filter(([, other]) => other)));
  const merged = new Set<LineDifference | undefined>([...minimums.keys(), ...minimums.values()]);
  const isBilled = ({ from_cents, to_cents }: LineDifference) => from_cents !== 0 || to_cents !== 0;
  return {
    lines: all
      .filter(line => line.cents !== 0 && !merged.has(line))
      .sort((a, b) => Math.abs(b.cents) - Math.abs(a.cents)),
    // The names of lines that both invoices have with the same amount; of a line and its minimum, with the same sum.
    unchanged: [
      ...all.filter(line => line.cents === 0 && isBilled(line)).map(({ name }) => name),
      ...[...minimums.keys()].map(({ name }) => `${name} with its minimum`),
    ],
  };
}

const minimumMark = ' (minimum)';

/** What both invoices bill for the same thing; one side may be empty, and have several fees. */
interface Pair {
  before: Fee[];
  after: Fee[];
  minimum: boolean;
}

/**
 * First by the charge itself; the rest by what is measured, because a subscription that gets prices of its own gets
 * charges of its own, too.
 */
function pairsOf(from: readonly Fee[], to: readonly Fee[]): Pair[] {
  const byCharge = groupPairs(from, to, chargeOf);
  const isWhole = ({ before, after }: Pair) => before.length > 0 && after.length > 0;
  const rest = byCharge.filter(pair => !isWhole(pair));
  return [
    ...byCharge.filter(isWhole),
    ...groupPairs(
      rest.flatMap(pair => pair.before),
      rest.flatMap(pair => pair.after),
      ({ item }) => item?.code ?? '',
      { from, to },
    ),
  ];
}

function groupPairs(from: readonly Fee[], to: readonly Fee[], idOf: (fee: Fee) => string, all = { from, to }): Pair[] {
  const pairs = new Map<string, Pair>();
  const add = (fee: Fee, side: 'before' | 'after', fees: readonly Fee[]) => {
    const minimum = isTrueUp(fee, fees);
    const key = JSON.stringify([idOf(fee), minimum, ...bucketOf(fee)]);
    const pair = pairs.get(key) ?? { before: [], after: [], minimum };
    pair[side].push(fee);
    pairs.set(key, pair);
  };
  for (const fee of from) add(fee, 'before', all.from);
  for (const fee of to) add(fee, 'after', all.to);
  return [...pairs.values()];
}

/** A plan fee is the same line after a change of plan. */
function chargeOf(fee: Fee): string {
  const { type, code } = fee.item ?? {};
  if (type === 'subscription') return '';
  return fee.svc_charge_id || fee.svc_fixed_charge_id || code || '';
}

function bucketOf(fee: Fee): unknown[] {
  const { type, filters, grouped_by } = fee.item ?? {};
  const subscription = fee.external_subscription_id || fee.svc_subscription_id;
  return [subscription, type ?? null, sorted(filters), sorted(grouped_by)];
}

function sorted(value: Free | null | undefined): [string, unknown][] {
  return Object.entries(value ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
}

interface Pricing {
  readonly perMajor: number;
  readonly prices: readonly PlanPrice[];
}

function differenceOf({ before, after, minimum }: Pair, pricing: Pricing, isRunning: boolean): LineDifference {
  const [from_cents, to_cents] = [before, after].map(sumOf) as [number, number];
  const cents = to_cents - from_cents;
  const [first] = before;
  const [last] = after;
  const name = nameOf(first, last) + (minimum ? minimumMark : '');
  const whole = { name, from_cents, to_cents, cents, ...undivided };
  if (first === undefined) return { ...whole, change: 'new' };
  const byEvent = isRunning && before.every(fee => fee.pay_in_advance === true && fee.item?.type === 'charge');
  if (last === undefined) return { ...whole, change: byEvent ? 'by_event' : 'gone' };
  if (before.length > 1 || after.length > 1 || minimum) return whole;
  return { ...whole, ...divided(first, last, cents, pricing) };
}

function nameOf(first: Fee | undefined, last: Fee | undefined): string {
  const [before, after] = [first, last].map(fee => (fee === undefined ? null : feeLabel(fee)));
  if (!before || !after) return after ?? before ?? '';
  return before === after || last?.item?.type !== 'subscription' ? after : `${before} → ${after}`;
}

function sumOf(fees: readonly Fee[]): number {
  return fees.reduce((sum, fee) => sum + (centsOf(fee.amount_cents) ?? 0), 0);
}

type Division = Pick<LineDifference, 'change' | 'quantity_cents' | 'price_cents' | 'units' | 'prices'>;
const undivided: Division = { quantity_cents: 0, price_cents: 0, units: null, prices: null, change: 'undivided' };

/**
 * Of one price a unit on both sides, the units that are more count at the earlier price, and the rest is by price. Where
 * the terms of tiers or packages are the same, all is by quantity. Nothing else is divided.
 */
function divided(first: Fee, last: Fee, cents: number, { perMajor, prices: planPrices }: Pricing): Division {
  if (last.item?.type === 'subscription') return planFee(first, last, cents) ?? undivided;
  const [before, after] = [big(first.units), big(last.units)];
  if (before === null || after === null) return undivided;
  const units = before.eq(after) ? null : ([before.toFixed(), after.toFixed()] as const);
  const byQuantity: Division = { ...undivided, change: 'divided', quantity_cents: cents, units };
  const [priceBefore, priceAfter] = [unitPriceOf(first, perMajor), unitPriceOf(last, perMajor)];
  if (priceBefore && priceAfter) {
    const quantity_cents = Number(after.minus(before).times(priceBefore).times(perMajor).round(0).toFixed());
    const isSame = priceBefore.eq(priceAfter);
    // The price of a unit may be an average: of part of a period, or of what events say.
    if (!isSame && ![first, last].every(fee => isPriceOfUnit(fee, planPrices))) return { ...undivided, units };
    const prices = isSame ? null : ([priceBefore.toFixed(), priceAfter.toFixed()] as const);
    // A cent between equal prices comes from rounding.
    if (prices === null && units !== null) return byQuantity;
    return { change: 'divided', quantity_cents, price_cents: cents - quantity_cents, units, prices };
  }
  if (units === null) return undivided;
  const isUnused = (count: Big, { amount_cents }: Fee) => count.eq(0) && amount_cents === 0;
  if (isUnused(before, first) || isUnused(after, last) || hasSameTerms(first, last)) return byQuantity;
  return { ...undivided, units };
}

/** A plan fee has no quantity but the days of its period: with the same price, they alone differ. */
function planFee(first: Fee, last: Fee, cents: number): Division | null {
  const [before, after] = [first, last].map(fee => centsOf(fee.amount_details?.plan_amount_cents));
  if (before === null || after === null) return null;
  if (before === after) return { ...undivided, change: 'divided', quantity_cents: cents };
  const whole = before === first.amount_cents && after === last.amount_cents;
  return whole ? { ...undivided, change: 'divided', price_cents: cents } : null;
}

/** In major units; null where the fee is not its units times one price. */
function unitPriceOf(fee: Fee, perMajor: number): Big | null {
  const details = fee.amount_details ?? {};
  const hasTerms = Object.keys(details).length > 0;
  if (Object.keys(fee.pricing_unit_details ?? {}).length > 0) return null;
  if (hasTerms && !('per_unit_amount' in details)) return null;
  const price = big(hasTerms ? details.per_unit_amount : fee.precise_unit_amount);
  const [units, amount] = [big(fee.units), big(fee.amount_cents)];
  // A price with endless digits is an average.
  if (price === null || units === null || amount === null || !price.eq(price.round(8))) return null;
  return price.times(units).times(perMajor).round(0).eq(amount) ? price : null;
}

/** Is its `precise_unit_amount` what a unit costs, and no average? A fee that no plan prices holds a price of its own. */
function isPriceOfUnit(fee: Fee, prices: readonly PlanPrice[]): boolean {
  if (Object.keys(fee.amount_details ?? {}).length > 0 || !isPlanned(fee)) return true;
  const price = planPriceOf(fee, prices);
  const isEvent = fee.item?.type === 'charge' && fee.pay_in_advance === true;
  return price?.charge_model === 'standard' && price.prorated !== true && !isEvent;
}

/** Are both priced by the same tiers, packages or percentages, as far as both reach? */
function hasSameTerms(first: Fee, last: Fee): boolean {
  if ([first, last].some(fee => Object.keys(fee.pricing_unit_details ?? {}).length > 0)) return false;
  const [before, after] = [first, last].map(fee => termsOfDetails(fee.amount_details ?? {}));
  if (before === undefined || after === undefined || before.length === 0 || after.length === 0) return false;
  const reached = Math.min(before.length, after.length);
  return JSON.stringify(before.slice(0, reached)) === JSON.stringify(after.slice(0, reached));
}
