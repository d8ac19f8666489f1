/** Compares an invoice with what it should be, line by line and on three levels, and finds the right totals. */

import { priceCharge } from '../../src/contract/pricing/models/index.ts';
import { decimal, decimalText, round, toCents } from '../../src/contract/pricing/money.ts';
import type { Fee, Invoice } from '../../src/contract/shown.ts';
import type { BillableFee } from '../../src/engine/fees.ts';
import type { ChargeRecord } from '../../src/engine/records/index.ts';
import { type Totals, totalsOf } from '../../src/engine/totals.ts';
import { creditsOf } from '../../src/words/credits.ts';
import { money } from '../../src/words/summary.ts';
import {
  type CheckedLine,
  type CheckRecords,
  type JudgedLine,
  type Judgement,
  openSum,
  type Reason,
  reason,
  sum,
} from './check-records.ts';
import { centsOf, decimalOf } from './engine-records.ts';
import { expectedBill } from './expected-bill.ts';

export function judgeInvoice(records: CheckRecords): Judgement {
  const first = judgedBill(records, expectedBill(records));
  const open = new Map(
    first.lines.flatMap(({ line, reasons }) => {
      const isOpen = line?.doubt && reasons.some(({ level }) => level !== 'arithmetic');
      const id = line && idOfOpen(line);
      return isOpen && line?.doubt && id ? [[id, line.doubt] as const] : [];
    }),
  );
  // What is open in itself is not expected either, and what depends on it is open too.
  return open.size === 0 ? first : judgedBill(records, expectedBill({ ...records, open }));
}

/** What is open: a charge, a line of an add-on, or the commitment of a subscription. */
function idOfOpen({ billed, expected, charge }: CheckedLine): string | null | undefined {
  if (charge !== null) return charge.id;
  if (billed?.item?.type === 'add_on') return billed.svc_id;
  return billed?.svc_subscription_id ?? expected?.record.subscription_id;
}

function judgedBill(records: CheckRecords, { lines: checked, parts }: ReturnType<typeof expectedBill>): Judgement {
  const { invoice, coupons } = records;
  const currency = invoice.currency ?? '';
  const fees = checked.flatMap(({ expected }) => expected ?? []);
  const expected = totalsOf({ currency, fees, coupons: coupons ?? [], creditNotes: [], wallets: [] });
  // The engine returns the fees in their order, with coupons and taxes.
  const taxed = new Map(fees.map((fee, i) => [fee, expected.fees[i] ?? fee]));
  const lines = checked.map(line =>
    judgedLine({ ...line, expected: (line.expected && taxed.get(line.expected)) ?? null }, currency),
  );
  const sums = judgedSums(records, expected, lines);
  const isOpen = [...lines, ...sums].some(({ verdict }) => verdict === 'cannot_judge');
  const isUnknown = sums.some(({ verdict }) => verdict === 'cannot_judge');
  const billed = centsOf(invoice.total_amount_cents);
  const right = rightTotal(invoice, expected, sums);
  const differs = (billed !== right && !isOpen) || [...lines, ...sums].some(({ verdict }) => verdict === 'differs');
  return {
    lines,
    sums,
    right,
    parts,
    total: {
      billed,
      expected: isUnknown || (isOpen && !differs) ? null : right,
      verdict: differs ? 'differs' : isOpen ? 'cannot_judge' : 'agrees',
    },
  };
}

/** What is left to pay: credit notes and prepaid credits take what they took, at most what there is. */
function rightTotal(invoice: Invoice, expected: Totals, sums: readonly JudgedLine[]): number {
  const right = (fee: string, cents: Invoice['total_amount_cents']) =>
    sums.find(each => each.fee === fee)?.expected_amount_cents ?? centsOf(cents);
  const taken = [
    centsOf(invoice.progressive_billing_credit_amount_cents),
    right('Credit notes', invoice.credit_notes_amount_cents),
    right('Prepaid credits', invoice.prepaid_credit_amount_cents),
  ];
  const { sub_total_including_taxes_amount_cents: whole } = expected;
  return taken.reduce((left, cents) => left - Math.min(left, cents), whole);
}

function judgedLine(line: CheckedLine, currency: string): JudgedLine {
  const { billed, expected, blocked } = line;
  const amount = centsOf(billed?.amount_cents);
  const base = { fee: nameOfLine(line), svc_id: billed?.svc_id ?? null, billed_amount_cents: amount, line };
  if (billed === null) {
    const cents = expected?.record.amount_cents ?? 0;
    const level = expected?.record.item.type === 'charge' ? 'usage' : 'contract';
    const missing = reason(level, 'missing_line', 'This line is missing from the invoice.', -cents);
    return { ...base, verdict: 'differs', expected_amount_cents: cents, reasons: [missing] };
  }
  const arithmetic = arithmeticReasons(billed, currency);
  if (blocked !== null) {
    const open = { ...blocked, difference_cents: 0 };
    const verdict = arithmetic.length > 0 ? 'differs' : 'cannot_judge';
    return { ...base, verdict, expected_amount_cents: null, reasons: [...arithmetic, open] };
  }
  const right = expected?.record.amount_cents ?? 0;
  const reasons = [
    ...arithmetic,
    ...amountReasons(line, currency),
    ...taxReasons(billed, expected),
    ...(line.other_price ? [reason('contract', 'add_on_price', line.other_price, 0)] : []),
  ];
  const verdict = reasons.length > 0 ? 'differs' : 'agrees';
  return { ...base, verdict, expected_amount_cents: right, reasons };
}

/** What the line says of itself does not add up. */
function arithmeticReasons(fee: Fee, currency: string): Reason[] {
  const reasons: Reason[] = [];
  const amount = centsOf(fee.amount_cents);
  const precise = decimal(decimalOf(fee.precise_amount));
  const { type } = fee.item ?? {};
  const isRest = type === 'commitment' || Boolean(fee.svc_true_up_parent_fee_id);
  const rounded = toCents(precise, currency);
  if (!isRest && rounded !== amount)
    reasons.push(reason('arithmetic', 'rounding', `Its exact amount is ${decimalText(precise)}.`, amount - rounded));
  const isProduct =
    type === 'add_on' || (type === 'fixed_charge' && Object.keys(fee.amount_details ?? {}).length === 0);
  const product = decimal(decimalOf(fee.units)).times(decimalOf(fee.precise_unit_amount));
  if (isProduct && product.minus(precise).abs().gt('0.0051')) {
    const text = `${decimalOf(fee.units)} × ${decimalOf(fee.precise_unit_amount)} is ${decimalText(product)}.`;
    reasons.push(reason('arithmetic', 'units_times_price', text, rounded - toCents(product, currency)));
  }
  const excess = centsOf(fee.taxes_amount_cents) - taxAt(fee, decimalOf(fee.taxes_rate));
  if (fee.taxes_rate != null && excess !== 0)
    reasons.push(reason('arithmetic', 'tax_amount', `${fee.taxes_rate}% of it is a different tax.`, excess));
  return reasons;
}

/** Cents of tax on what coupons leave of the line. `rate` in percent. */
function taxAt(fee: Fee, rate: string): number {
  const base = decimal(centsOf(fee.amount_cents)).minus(decimalOf(fee.precise_coupons_amount_cents));
  return Number(round(base.times(rate).div(100)).toFixed());
}

/** The difference in amount, first what the price makes, then what the units make. */
function amountReasons(line: CheckedLine, currency: string): Reason[] {
  const { billed, expected, misplaced } = line;
  if (billed === null) return [];
  const amount = centsOf(billed.amount_cents);
  const right = expected?.record.amount_cents ?? 0;
  const units = decimal(decimalOf(billed.units));
  if (expected === null)
    return amount === 0 ? [] : [reason('usage', 'nothing_to_bill', 'There is nothing to bill on this line.', amount)];
  const { record } = expected;
  if (misplaced === true && (record.item.type === 'charge' || amount !== right))
    return [reason('usage', 'wrong_group', `Its usage belongs to ${placeOf(expected)}.`, amount - right)];
  const hasUnits = record.item.type === 'charge' || record.item.type === 'fixed_charge';
  const otherUnits = hasUnits && !units.minus(record.units).abs().lt('0.00001');
  if (amount === right && !otherUnits) return [];
  if (!otherUnits) return [reason('contract', codeOf(billed), contractText(billed, expected), amount - right)];
  const level = record.item.type === 'charge' ? 'usage' : 'contract';
  const atContract = line.charge && costOf(line.charge, expected, decimalOf(billed.units), currency);
  const text = `${decimalText(decimal(record.units))} units, not ${decimalText(units)}.`;
  const byUnits = reason(level, 'units', text, (atContract ?? amount) - right);
  if (atContract === null || atContract === amount) return [byUnits];
  return [reason('contract', 'price', contractText(billed, expected), amount - atContract), byUnits];
}

/** Cents of the billed units at the contract's price, where units alone decide it. */
function costOf(charge: ChargeRecord, { record }: BillableFee, units: string, currency: string): number | null {
  const simple = ['standard', 'graduated', 'volume', 'package', 'graduated_percentage'].includes(charge.charge_model);
  if (!simple || charge.prorated || record.pay_in_advance) return null;
  const filter = charge.filters.find(({ id }) => id === record.charge_filter_id);
  const priced = { ...charge, properties: filter?.properties ?? charge.properties };
  return toCents(priceCharge(priced, { units }, currency).amount, currency);
}

function codeOf({ item, svc_true_up_parent_fee_id }: Fee): string {
  if (svc_true_up_parent_fee_id) return 'minimum';
  const codes: Record<string, string> = { subscription: 'plan_fee', commitment: 'commitment', fixed_charge: 'price' };
  return codes[item?.type ?? ''] ?? 'price';
}

function contractText(billed: Fee, { record }: BillableFee): string {
  const each = decimalText(decimal(record.precise_unit_amount), 5);
  const other = decimalText(decimal(decimalOf(billed.precise_unit_amount)), 5);
  const whole = money(record.amount_cents, billed.amount_currency);
  return each === other ? `The contract comes to ${whole}.` : `The contract price is ${each} per unit, not ${other}.`;
}

function placeOf({ record }: BillableFee): string {
  const { filter_invoice_display_name: filter, grouped_by } = record.item;
  const groups = Object.entries(grouped_by).map(([key, value]) => `${key} ${value ?? 'none'}`);
  return [...(filter ? [filter] : []), ...groups].join(', ') || 'no filter and no group';
}

/** The rate of the line's tax, and its share of coupons. */
function taxReasons(billed: Fee, expected: BillableFee | null): Reason[] {
  if (expected === null || billed.taxes_rate == null) return [];
  const { record } = expected;
  if (billed.amount_cents === 0 || decimal(record.taxes_rate).eq(decimalOf(billed.taxes_rate))) return [];
  const text = `The tax is ${Number(record.taxes_rate)}%, not ${decimalOf(billed.taxes_rate)}%.`;
  const right = taxAt(billed, record.taxes_rate);
  return [reason('contract', 'tax_rate', text, centsOf(billed.taxes_amount_cents) - right)];
}

export function nameOfLine({ billed, expected }: Pick<CheckedLine, 'billed' | 'expected'>): string {
  const item = billed?.item ?? expected?.record.item;
  const name = item?.invoice_display_name || item?.name || item?.code || 'Line';
  const groups = Object.values((item?.grouped_by ?? {}) as object).map(value => String(value ?? 'none'));
  const parts = [item?.filter_invoice_display_name, ...groups].filter(Boolean);
  const isTrueUp = Boolean(billed?.svc_true_up_parent_fee_id);
  return [name, ...(parts.length > 0 ? [`(${parts.join(', ')})`] : []), ...(isTrueUp ? ['minimum'] : [])].join(' ');
}

/** Sums of the invoice: its own arithmetic, then coupons, taxes and credits as they should be. */
function judgedSums(records: CheckRecords, expected: Totals, lines: readonly JudgedLine[]): JudgedLine[] {
  const { invoice, coupons } = records;
  const cents = (name: keyof Invoice) => centsOf(invoice[name] as number | null | undefined);
  const credits = invoice.credits ?? [];
  const sumOf = (rows: readonly Pick<Fee, 'amount_cents'>[]) =>
    rows.reduce((total, { amount_cents }) => total + centsOf(amount_cents), 0);
  const couponCredits = credits.filter(({ item, before_taxes }) => item?.type === 'coupon' || before_taxes === true);
  const notes = credits.filter(({ item }) => item?.type === 'credit_note');
  const untaxed = cents('fees_amount_cents') - cents('coupons_amount_cents');
  const taxed = cents('sub_total_excluding_taxes_amount_cents') + cents('taxes_amount_cents');
  const total =
    cents('sub_total_including_taxes_amount_cents') -
    cents('progressive_billing_credit_amount_cents') -
    cents('credit_notes_amount_cents') -
    cents('prepaid_credit_amount_cents');
  const sums: JudgedLine[] = [];
  const add = (name: keyof Invoice, right: number, fee: string, code: string, text: string) => {
    if (cents(name) !== right) sums.push(sum(fee, cents(name), right, 'arithmetic', code, text));
  };
  add('fees_amount_cents', sumOf(invoice.fees ?? []), 'Sum of the lines', 'sum', addsUpDifferently('lines'));
  add('coupons_amount_cents', sumOf(couponCredits), 'Coupons', 'coupons_sum', addsUpDifferently('coupons'));
  add('credit_notes_amount_cents', sumOf(notes), 'Credit notes', 'credit_notes_sum', addsUpDifferently('credit notes'));
  const [before, after] = ['It must be the lines minus coupons.', 'It must be the subtotal plus tax.'];
  add('sub_total_excluding_taxes_amount_cents', untaxed, 'Subtotal before tax', 'sub_total', before);
  add('sub_total_including_taxes_amount_cents', taxed, 'Subtotal with tax', 'sub_total', after);
  add('total_amount_cents', total, 'Total', 'total', 'It must be the subtotal minus credits.');
  sums.push(...judgedCredits(records, expected));
  const couponLine = judgedCoupons(records, expected, lines);
  if (couponLine !== null) sums.push(couponLine);
  const baseAgrees = lines.every(({ verdict }) => verdict !== 'differs') && couponLine === null && coupons !== null;
  if (baseAgrees)
    add('taxes_amount_cents', expected.taxes_amount_cents, 'Taxes', 'taxes', addsUpDifferently('taxes of the lines'));
  return sums;
}

function addsUpDifferently(what: string): string {
  return `The ${what} add up to a different amount.`;
}

/** Credit notes that were left out, and what the wallets say they paid. */
function judgedCredits({ invoice, wallet_amount, open_notes }: CheckRecords, expected: Totals): JudgedLine[] {
  const lines: JudgedLine[] = [];
  const notes = centsOf(invoice.credit_notes_amount_cents);
  const left = expected.sub_total_including_taxes_amount_cents - notes;
  const dropped = open_notes ?? [];
  const whole = dropped.reduce((total, { cents }) => total + cents, 0);
  const open = Math.min(left, whole);
  if (open > 0) {
    const text = `${dropped.map(({ number }) => number).join(', ')} was not used.`;
    lines.push(sum('Credit notes', notes, notes + open, 'contract', 'credit_note_missing', text, open));
  }
  const prepaid = centsOf(invoice.prepaid_credit_amount_cents);
  if (wallet_amount === null) return lines;
  const paid = toCents(decimal(wallet_amount.toFixed(5)), invoice.currency ?? '');
  if (paid === prepaid) return lines;
  const text = `The wallets paid ${money(paid, invoice.currency)} according to their transactions.`;
  return [
    ...lines,
    paid === 0
      ? openSum('Prepaid credits', prepaid, 'prepaid_not_found', text, prepaid)
      : sum('Prepaid credits', prepaid, paid, 'contract', 'prepaid', text, paid - prepaid),
  ];
}

function judgedCoupons(records: CheckRecords, expected: Totals, lines: readonly JudgedLine[]): JudgedLine | null {
  const { invoice, coupons } = records;
  const billed = centsOf(invoice.coupons_amount_cents);
  if (coupons === null)
    return openSum('Coupons', billed, 'coupons_not_read', 'The coupons of the customer could not be read.');
  const right = expected.coupons_amount_cents;
  if (billed === right) return null;
  const codes = new Set(creditsOf(invoice, 'coupon').map(({ item }) => item.code));
  const dropped = expected.credits.filter(({ item }) => item.type === 'coupon' && !codes.has(item.code));
  const names = dropped.map(({ item }) => item.name);
  const text =
    names.length > 0 ? `${names.join(', ')} was not applied.` : 'The customer’s coupons take off a different amount.';
  if (lines.some(({ verdict }) => verdict === 'cannot_judge'))
    return openSum('Coupons', billed, 'coupons_open', 'They depend on lines that cannot be judged.');
  // Where lines differ, a percentage of them differs too.
  if (names.length === 0 && lines.some(({ verdict }) => verdict === 'differs')) return null;
  const why = names.length > 0 ? 'coupon_missing' : 'coupon';
  return sum('Coupons', billed, right, 'contract', why, text, right - billed);
}
