/** Fees and invoices explained: units × price, the arithmetic of tiers, discounts, taxes, credits, due date. */
import type { JsonRecord } from '../lib/json.ts';
import { formatPeriod } from './dates.ts';
import {
  asRecord,
  asRecords,
  asText,
  code,
  count,
  day,
  listed,
  major,
  money,
  quantity,
  quoted,
  say,
  sign,
} from './summary.ts';

const MAX_TIERS = 4;

/** The largest fees first, each as one sentence, then how many are left out. `part` says what a fee is a part of. */
export function explainFees(
  fees: readonly JsonRecord[],
  currency: unknown,
  max: number,
  part: (fee: JsonRecord) => string | null = () => null,
): string[] {
  const bySize = [...fees].sort((a, b) => size(b) - size(a));
  // When every line has a share of the coupons, the invoice's coupon sentence is enough.
  const everyLine = fees.every(fee => size(fee) === 0 || hasCouponShare(fee));
  const shown = bySize
    .slice(0, max)
    .map(fee => explainFee(fee, currency, { trueUp: isTrueUp(fee, fees), couponShare: !everyLine, part: part(fee) }));
  const rest = bySize.length - shown.length;
  if (rest > 0) shown.push(`${count(rest, 'smaller line')} not told here`);
  return shown;
}

interface Telling {
  /** The fee raises a charge to its minimum. */
  trueUp?: boolean;
  /** Say where coupons lower the fee further; default true. */
  couponShare?: boolean;
  /** What comes before the amount where it is for a part of a period. */
  part?: string | null;
}

/** `“API calls”: 1,200 × $0.02 = $24.00`, with tiers, a discount and the group or filter where present. */
export function explainFee(
  fee: JsonRecord,
  fallbackCurrency?: unknown,
  { trueUp = false, couponShare = true, part = null }: Telling = {},
): string {
  const currency = fee.amount_currency ?? fallbackCurrency;
  const item = asRecord(fee.item);
  const amount = money(fee.amount_cents, currency) ?? 'an unknown amount';
  const label = labelOf(fee, item);
  const discount = couponShare && hasCouponShare(fee) ? ', before its share of coupons' : '';
  if (trueUp) return `${label}: ${amount} more, up to the charge's minimum${discount}`;
  const body = part ?? plainLine(item) ?? tierLine(asRecord(fee.amount_details), currency) ?? unitLine(fee, currency);
  return `${label}: ${body === null ? '' : `${body} = `}${amount}${discount}`;
}

/**
 * `Taxes $10.40: VAT 20% on $52.00`; of several the amount of each, and the base once where it is the same. Null when there
 * are none.
 */
export function explainTaxes(invoice: JsonRecord): string | null {
  const { currency } = invoice;
  const taxes = asRecords(invoice.applied_taxes);
  const bases = taxes.map(tax => money(tax.fees_amount_cents ?? tax.base_amount_cents, currency));
  const common = bases.length > 1 && bases.every(base => base === bases[0]) ? (bases[0] ?? null) : null;
  const total = money(invoice.taxes_amount_cents, currency);
  const lines = taxes.map((tax, index) => {
    const name = quoted(tax.tax_name) ?? code(tax.tax_code);
    const amount = money(tax.amount_cents, currency);
    const base = common === null ? say` on ${bases[index] ?? null}` : null;
    const equals = taxes.length === 1 && amount === total ? '' : say` = ${amount}`;
    return say`${name} ${quantity(tax.tax_rate)}%${base ?? ''}${equals}`;
  });
  const detail = listed(
    lines.filter(line => line !== null),
    4,
  );
  if (sign(invoice.taxes_amount_cents) === 0 && detail === null) return null;
  return say`Taxes ${total}${say` on ${common}` ?? ''}${say`: ${detail}` ?? ''}`;
}

/**
 * `Period 1 – 31 Jan 2026 (UTC)` from the invoice's billing periods, else from its fees: where the plan is billed for other
 * days than the usage, `Plan for 10 Dec 2026 – 9 Jan 2027 (UTC); usage of 10 Nov – 9 Dec 2026 (UTC)`. Null when unknown.
 */
export function explainPeriod(invoice: JsonRecord, fees: readonly JsonRecord[]): string | null {
  const zone = asRecord(invoice.customer).applicable_timezone;
  const period = asRecords(invoice.billing_periods)[0];
  const fromPeriod = formatPeriod(period?.subscription_from_datetime, period?.subscription_to_datetime, zone);
  if (fromPeriod !== '') return `Period ${fromPeriod}`;
  return fromFees(fees, zone);
}

/** The days of each kind of fee, the zone and a common year once; `Period …` where all kinds have the same days. */
function fromFees(fees: readonly JsonRecord[], zone: unknown): string | null {
  const spans = new Map<string, Set<string>>();
  for (const fee of fees) {
    const span = formatPeriod(fee.from_date, fee.to_date, zone);
    const kind = kinds[String(asRecord(fee.item).type)] ?? 'other fees';
    if (span !== '') spans.set(kind, (spans.get(kind) ?? new Set()).add(span));
  }
  const byDays = new Map<string, string[]>();
  for (const [kind, days] of spans) {
    const told = listed([...days], 3);
    if (told === null) continue;
    byDays.set(told, [...(byDays.get(told) ?? []), kind]);
  }
  const parts = [...byDays].sort(([, [a]], [, [b]]) => Number(b === 'plan') - Number(a === 'plan'));
  if (parts.length <= 1) return say`Period ${parts[0]?.[0] ?? null}`;
  const text = parts.map(([days, of]) => `${listed(of)} ${of[0] === 'usage' ? 'of' : 'for'} ${days}`).join('; ');
  const named = / \([^()]*\)$/.exec(text)?.[0] ?? '';
  const bare = text.replaceAll(named, '');
  const [year = '', ...years] = new Set(bare.match(/ \d{4}\b/g));
  return `${years.length > 0 ? bare : `${bare.replaceAll(year, '')}${year}`}${named}`;
}

const kinds: Readonly<Record<string, string>> = {
  subscription: 'plan',
  charge: 'usage',
  fixed_charge: 'fixed charges',
};

/** `Issued 1 February 2026, due 3 March 2026`. */
export function explainDates(invoice: JsonRecord): string | null {
  const issued = day(invoice.issuing_date);
  const due = day(invoice.payment_due_date);
  if (issued === null) return say`Due ${due}`;
  return due === null
    ? `Issued ${issued}`
    : due === issued
      ? `Issued and due ${issued}`
      : `Issued ${issued}, due ${due}`;
}

function labelOf(fee: JsonRecord, item: JsonRecord): string {
  const name =
    quoted(item.invoice_display_name) ?? quoted(item.name) ?? code(item.code) ?? quoted(fee.description) ?? 'A fee';
  const filter = quoted(item.filter_invoice_display_name) ?? inBrackets(item.filters);
  const group = inBrackets(item.grouped_by);
  return [name, filter, group].filter(part => part !== null).join(', ');
}

function inBrackets(value: unknown): string | null {
  const parts = Object.entries(asRecord(value)).map(([key, entry]) => {
    const shown = Array.isArray(entry)
      ? listed(
          entry.map(one => code(one)).filter(one => one !== null),
          3,
        )
      : code(entry);
    return say`${code(key)} ${shown}`;
  });
  return listed(
    parts.filter(part => part !== null),
    3,
  );
}

function hasCouponShare(fee: JsonRecord): boolean {
  return sign(fee.precise_coupons_amount_cents) === 1;
}

/**
 * Stored true-up fees name their parent. Previewed fees have no ids: there a true-up has one unit and no events, and
 * follows another fee of the same charge, filter and group (service-behaviour §10.2).
 */
function isTrueUp(fee: JsonRecord, fees: readonly JsonRecord[]): boolean {
  if (asText(fee.svc_true_up_parent_fee_id) !== null) return true;
  if (Number(fee.units) !== 1 || fee.events_count !== 0 || Object.keys(asRecord(fee.amount_details)).length > 0)
    return false;
  const earlier = fees.slice(0, fees.indexOf(fee));
  return asText(fee.svc_charge_id) !== null && earlier.some(other => bucket(other) === bucket(fee));
}

function bucket(fee: JsonRecord): string {
  const { grouped_by } = asRecord(fee.item);
  return JSON.stringify([
    fee.svc_subscription_id ?? null,
    fee.svc_charge_id ?? null,
    fee.svc_charge_filter_id ?? null,
    Object.entries(asRecord(grouped_by)),
  ]);
}

/** A label for fees that are not a quantity times a price. */
function plainLine(item: JsonRecord): string | null {
  if (item.type === 'subscription') return 'plan fee';
  if (item.type === 'commitment') return 'up to the minimum commitment';
  return null;
}

/** The arithmetic of the price model, from `amount_details`; null when it has none. */
function tierLine(details: JsonRecord, currency: unknown): string | null {
  const graduated = asRecords(details.graduated_ranges);
  if (graduated.length > 0)
    return tiers(graduated.map(range => tier(range, major(range.per_unit_amount, currency), currency)));
  const percentages = asRecords(details.graduated_percentage_ranges);
  if (percentages.length > 0)
    return tiers(percentages.map(range => tier(range, say`${quantity(range.rate)}%`, currency)));
  if (Number(details.per_package_size) > 0) {
    const paid = quantity(details.paid_units);
    const packages =
      paid === '0'
        ? ''
        : say` in packages of ${quantity(details.per_package_size)} at ${major(details.per_package_unit_amount, currency)}`;
    return say`${paid} ${paid === '1' ? 'unit' : 'units'} beyond ${quantity(details.free_units)} free${packages}`;
  }
  if ('rate' in details) return percentage(details, currency);
  if ('per_unit_amount' in details && 'flat_unit_amount' in details)
    return say`all units at ${major(details.per_unit_amount, currency)} (${major(details.per_unit_total_amount, currency)})${flat(details, currency)}`;
  return null;
}

function tier(range: JsonRecord, price: string | null, currency: unknown): string | null {
  return say`${quantity(range.units)} × ${price}${flat(range, currency)}`;
}

function tiers(parts: (string | null)[]): string | null {
  const told = parts.filter(part => part !== null);
  if (told.length === 0) return null;
  const rest = told.length - MAX_TIERS;
  return `${told.slice(0, MAX_TIERS).join(' + ')}${rest > 0 ? ` + ${rest} more tiers` : ''}`;
}

function flat(range: JsonRecord, currency: unknown): string {
  return sign(range.flat_unit_amount) === 1 ? (say` + ${major(range.flat_unit_amount, currency)} flat` ?? '') : '';
}

function percentage(details: JsonRecord, currency: unknown): string | null {
  const free = sign(details.free_units) === 1 ? (say` (after ${quantity(details.free_units)} free)` ?? '') : '';
  const fixed =
    sign(details.fixed_fee_total_amount) === 1
      ? (say` + ${quantity(details.paid_events)} events × ${major(details.fixed_fee_unit_amount, currency)}` ?? '')
      : '';
  const clamp = sign(details.min_max_adjustment_total_amount);
  const limits =
    clamp === null || clamp === 0
      ? ''
      : (say`, adjusted by ${major(details.min_max_adjustment_total_amount, currency)} to the limits per transaction` ??
        '');
  return say`${quantity(details.rate)}% of ${quantity(details.paid_units)}${free}${fixed}${limits}`;
}

function unitLine(fee: JsonRecord, currency: unknown): string | null {
  const price = unitPrice(fee.precise_unit_amount, currency);
  const units = quantity(fee.units);
  if (units === null) return null;
  return price === null ? `${units} ${units === '1' ? 'unit' : 'units'}` : `${units} × ${price}`;
}

/** A unit price from a division may have endless digits: beyond 8 decimals it is given as about 6. */
function unitPrice(value: unknown, currency: unknown): string | null {
  const [whole = '', fraction = ''] = typeof value === 'string' ? value.split('.') : [];
  if (!/^\d+$/.test(whole) || !/^\d{9,}$/.test(fraction)) return major(value, currency);
  const millionths = BigInt(whole + fraction.slice(0, 6)) + (fraction.charAt(6) >= '5' ? 1n : 0n);
  const text = String(millionths).padStart(7, '0');
  return say`about ${major(`${text.slice(0, -6)}.${text.slice(-6)}`, currency)}`;
}

function size(fee: JsonRecord): number {
  return typeof fee.amount_cents === 'number' ? Math.abs(fee.amount_cents) : 0;
}
