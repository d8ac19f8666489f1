/** Judges the sums of an invoice: its own arithmetic, coupons, taxes and credits. */

import { decimal, toCents } from '../../src/contract/pricing/money.ts';
import type { Fee, Invoice } from '../../src/contract/shown.ts';
import type { Totals } from '../../src/engine/totals.ts';
import { money } from '../../src/words/summary.ts';
import { type CheckRecords, type JudgedLine, openSum, sum } from './check-records.ts';
import { centsOf } from './engine-records.ts';

/** Sums of the invoice: its own arithmetic, then coupons, taxes and credits as they should be. */
export function judgedSums(records: CheckRecords, expected: Totals, lines: readonly JudgedLine[]): JudgedLine[] {
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
  add('fees_amount_cents', sumOf(invoice.fees ?? []), 'Sum of the lines', 'sum', other('lines'));
  add('coupons_amount_cents', sumOf(couponCredits), 'Coupons', 'coupons_sum', other('coupons'));
  add('credit_notes_amount_cents', sumOf(notes), 'Credit notes', 'credit_notes_sum', other('credit notes'));
  const [before, after] = ['It must be the lines minus coupons.', 'It must be the subtotal plus tax.'];
  add('sub_total_excluding_taxes_amount_cents', untaxed, 'Subtotal before tax', 'sub_total', before);
  add('sub_total_including_taxes_amount_cents', taxed, 'Subtotal with tax', 'sub_total', after);
  add('total_amount_cents', total, 'Total', 'total', 'It must be the subtotal minus credits.');
  sums.push(...judgedCredits(records, expected));
  const couponLine = judgedCoupons(records, expected, lines);
  if (couponLine !== null) sums.push(couponLine);
  const baseAgrees = lines.every(({ verdict }) => verdict !== 'differs') && couponLine === null && coupons !== null;
  if (baseAgrees) add('taxes_amount_cents', expected.taxes_amount_cents, 'Taxes', 'taxes', other('taxes of the lines'));
  return sums;
}

function other(what: string): string {
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
  const codes = new Set((invoice.credits ?? []).flatMap(({ item }) => (item?.type === 'coupon' && item.code) || []));
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
