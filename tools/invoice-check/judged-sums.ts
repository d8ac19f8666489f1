/** Judges the sums of an invoice: its own arithmetic, coupons, taxes and credits. */

import { decimal, toCents } from '../../src/contract/pricing/money.ts';
import type { Fee, Invoice } from '../../src/contract/shown.ts';
import type { Totals } from '../../src/engine/totals.ts';
import { money } from '../../src/words/summary.ts';
import type { CheckRecords } from './check-records.ts';
import { centsOf } from './engine-records.ts';
import { type JudgedLine, reason, sum } from './judged-line.ts';

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
  const sumsOfInvoice: readonly (readonly [keyof Invoice, number, fee: string, code: string, text: string])[] = [
    ['fees_amount_cents', sumOf(invoice.fees ?? []), 'Sum of the lines', 'sum', other('lines')],
    ['coupons_amount_cents', sumOf(couponCredits), 'Coupons', 'coupons_sum', other('coupons')],
    ['credit_notes_amount_cents', sumOf(notes), 'Credit notes', 'credit_notes_sum', other('credit notes')],
    [
      ...(['sub_total_excluding_taxes_amount_cents', untaxed, 'Subtotal before tax', 'sub_total'] as const),
      'It must be the lines minus coupons.',
    ],
    [
      ...(['sub_total_including_taxes_amount_cents', taxed, 'Subtotal with tax', 'sub_total'] as const),
      'It must be the subtotal plus tax.',
    ],
    ['total_amount_cents', total, 'Total', 'total', 'It must be the subtotal minus credits.'],
  ];
  const sums = sumsOfInvoice.flatMap(([name, right, fee, code, text]) => {
    const difference = cents(name) - right;
    return difference === 0 ? [] : [sum(fee, cents(name), right, reason('arithmetic', code, text, difference))];
  });
  sums.push(...judgedCredits(records, expected));
  const couponLine = judgedCoupons(records, expected, lines);
  if (couponLine !== null) sums.push(couponLine);
  const taxDifference = cents('taxes_amount_cents') - expected.taxes_amount_cents;
  const baseAgrees = lines.every(({ verdict }) => verdict !== 'differs') && couponLine === null && coupons !== null;
  if (baseAgrees && taxDifference !== 0) {
    const text = 'The taxes of the lines add up to a different amount.';
    sums.push(
      sum(
        'Taxes',
        cents('taxes_amount_cents'),
        expected.taxes_amount_cents,
        reason('arithmetic', 'taxes', text, taxDifference),
      ),
    );
  }
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
  const open = Math.min(
    left,
    dropped.reduce((sum, { cents }) => sum + cents, 0),
  );
  if (open > 0) {
    const text = `${dropped.map(({ number }) => number).join(', ')} was not used.`;
    lines.push(sum('Credit notes', notes, notes + open, reason('contract', 'credit_note_missing', text, open)));
  }
  const prepaid = centsOf(invoice.prepaid_credit_amount_cents);
  if (wallet_amount === null) return lines;
  const paid = toCents(decimal(wallet_amount.toFixed(5)), invoice.currency ?? '');
  if (paid === prepaid) return lines;
  const text = `The wallets paid ${money(paid, invoice.currency)} according to their transactions.`;
  const why = reason('contract', 'prepaid', text, paid - prepaid);
  lines.push(
    paid === 0
      ? {
          ...sum('Prepaid credits', prepaid, prepaid, { ...why, code: 'prepaid_not_found', difference_cents: 0 }),
          verdict: 'cannot_judge',
        }
      : sum('Prepaid credits', prepaid, paid, why),
  );
  return lines;
}

function judgedCoupons(records: CheckRecords, expected: Totals, lines: readonly JudgedLine[]): JudgedLine | null {
  const { invoice, coupons } = records;
  const billed = centsOf(invoice.coupons_amount_cents);
  if (coupons === null) {
    const text = 'The coupons of the customer could not be read.';
    const open = reason('contract', 'coupons_not_read', text, 0);
    return { ...sum('Coupons', billed, billed, open), verdict: 'cannot_judge', expected_amount_cents: null };
  }
  const right = expected.coupons_amount_cents;
  if (billed === right) return null;
  const codes = new Set((invoice.credits ?? []).flatMap(({ item }) => (item?.type === 'coupon' && item.code) || []));
  const dropped = expected.credits.filter(({ item }) => item.type === 'coupon' && !codes.has(item.code));
  const names = dropped.map(({ item }) => item.name);
  const text =
    names.length > 0 ? `${names.join(', ')} was not applied.` : 'The customer’s coupons take off a different amount.';
  if (lines.some(({ verdict }) => verdict === 'cannot_judge'))
    return {
      ...sum(
        'Coupons',
        billed,
        right,
        reason('contract', 'coupons_open', 'They depend on lines that cannot be judged.', 0),
      ),
      verdict: 'cannot_judge',
      expected_amount_cents: null,
    };
  // Where lines differ, a percentage of them differs too.
  if (names.length === 0 && lines.some(({ verdict }) => verdict === 'differs')) return null;
  return sum(
    'Coupons',
    billed,
    right,
    reason('contract', names.length > 0 ? 'coupon_missing' : 'coupon', text, right - billed),
  );
}
