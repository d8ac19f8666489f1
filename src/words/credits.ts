/**
 * What is taken off an invoice, and why no more (service-behaviour §11.1, §11.3, §11.4); the amounts are in
 * invoice-arithmetic.ts. The body of an invoice holds no balances, but shows whether something was left to pay: if so,
 * all that could be used was used up. Where the body does not show that, the sentence gives no reason.
 */

import Big from 'big.js';
import type { CreditItem, Invoice } from '../contract/shown.ts';
import { exactDecimal } from './money.ts';
import { asInteger, asRecord, asRecords, asText, code, listed, quoted, say, sign } from './summary.ts';

/**
 * The coupons, credit notes and prepaid credits that lower the total, by name, and why no more; null without any.
 * `prepaidEnd`: why prepaid credits pay no more, where their wallet tells it.
 */
export function explainCredits(invoice: Invoice, prepaidEnd: string | null = null): string | null {
  const coupons = namesOf(invoice, 'coupon');
  const notes = creditsOf(invoice, 'credit_note').length;
  const parts = [
    [invoice.coupons_amount_cents, coupons.length > 1 ? 'coupons' : 'coupon', couponsNote(invoice, coupons)],
    [invoice.progressive_billing_credit_amount_cents, 'already billed with', listed(namesOf(invoice, 'invoice'), 3)],
    [invoice.credit_notes_amount_cents, notes === 1 ? 'credit note:' : 'credit notes:', creditNotesNote(invoice)],
    [invoice.prepaid_credit_amount_cents, 'prepaid credits:', prepaidNote(invoice, prepaidEnd)],
  ] as const;
  const phrases = parts.map(([cents, label, note]) => (sign(cents) === 1 ? say`${label} ${note}` : null));
  return phrases.filter(part => part !== null).join('; ') || null;
}

function creditsOf(invoice: Invoice, type: string): CreditItem[] {
  return asRecords(invoice.credits)
    .map(credit => asRecord(credit.item))
    .filter(item => item.type === type);
}

function namesOf(invoice: Invoice, type: string): string[] {
  return creditsOf(invoice, type)
    .map(item => quoted(item.name) ?? code(item.code))
    .filter(name => name !== null);
}

/** If a part of the fees is left, each coupon has taken all that it may. */
function couponsNote(invoice: Invoice, names: readonly string[]): string | null {
  const couponNames = listed(names, 3);
  const left = asInteger(invoice.sub_total_excluding_taxes_amount_cents);
  if (couponNames === null) return null;
  if (left === null) return `used: ${couponNames}`;
  if (left > 0) return `${couponNames} took off all that ${names.length > 1 ? 'they allow' : 'it allows'}`;
  return left === 0 ? `${couponNames}: all that the charges come to` : couponNames;
}

/** If something is left to pay, each credit note has paid all that it had. */
function creditNotesNote(invoice: Invoice): string | null {
  const names = namesOf(invoice, 'credit_note');
  const noteNames = listed(names, 3);
  // The credit for the unused part of a plan that ends has neither id nor number yet (§12.6).
  const unnamed = creditsOf(invoice, 'credit_note').filter(item => asText(item.svc_item_id) === null);
  const unused = unnamed.length === 1 && asText(unnamed[0]?.name) === null ? 'for the unused part of the plan' : null;
  const due = dueAfterCreditNotes(invoice);
  const stored = noteNames !== null && due !== null && due > 0 ? `the rest of ${noteNames}` : noteNames;
  const parts = listed([unused, stored].filter(part => part !== null)) ?? '';
  if (due === 0) return parts === '' ? 'no more was due' : `${parts}, and no more was due`;
  return parts === '' ? null : parts;
}

/** Cents that were left to pay with prepaid credits; null where the body does not show them. */
function dueAfterCreditNotes(invoice: Invoice): number | null {
  const [total, prepaid] = [invoice.total_amount_cents, invoice.prepaid_credit_amount_cents].map(asInteger);
  return total === null || total === undefined ? null : total + (prepaid ?? 0);
}

/** A wallet without limits pays until it is empty or nothing is left; one with limits pays only its fees (§11.4). */
function prepaidNote(invoice: Invoice, end: string | null): string | null {
  const total = asInteger(invoice.total_amount_cents);
  if (total === null || total < 0) return null;
  if (total === 0) return 'no more was due';
  const fees = feesPaid(invoice);
  if (fees === null) return end ?? 'the wallet pays only some of the charges, or was used up';
  return `${fees}; ${end ?? 'the wallet pays nothing else, or was used up'}`;
}

const kinds: Readonly<Record<string, string>> = {
  subscription: 'the plan fee',
  charge: 'usage',
  fixed_charge: 'fixed charges',
  commitment: 'the minimum commitment',
};

/**
 * The kind of fees that, with tax, come to what was prepaid, give or take a cent a fee; null where not exactly one
 * does.
 */
function feesPaid(invoice: Invoice): string | null {
  const paid = asInteger(invoice.prepaid_credit_amount_cents);
  const sums = new Map<string, { cents: Big; fees: number }>();
  for (const fee of asRecords(invoice.fees)) {
    const item = asRecord(fee.item);
    const [cents, rate, coupons] = [fee.amount_cents, fee.taxes_rate, fee.precise_coupons_amount_cents ?? 0].map(
      exactDecimal,
    );
    const kind = kinds[String(item.type)];
    if (!cents || !rate || !coupons || kind === undefined) return null;
    const withTax = cents.minus(coupons).times(rate.div(100).plus(1));
    const metric = item.type === 'charge' ? say`usage of ${code(item.code)}` : null;
    for (const name of [kind, metric]) {
      const sum = name === null ? undefined : (sums.get(name) ?? { cents: new Big(0), fees: 0 });
      if (name !== null && sum) sums.set(name, { cents: sum.cents.plus(withTax), fees: sum.fees + 1 });
    }
  }
  // Whole cents are paid of each fee.
  const fittingSums = [...sums].filter(([, sum]) => paid !== null && sum.cents.minus(paid).abs().lte(sum.fees));
  const [[name, sum] = [], ...others] = fittingSums;
  // Where all usage is of one metric, both fit; where two others fit, it is not known which was paid.
  const same = (other: string, fees: number) => other.startsWith(`${name} of `) && fees === sum?.fees;
  if (name === undefined || !others.every(([other, { fees }]) => same(other, fees))) return null;
  const after = sign(invoice.coupons_amount_cents) === 1 ? ' after coupons' : '';
  return `${name} with tax${after}`;
}
