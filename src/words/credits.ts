/**
 * What is taken off an invoice, and why no more (service-behaviour §11.1, §11.3, §11.4); the amounts are in
 * invoice-arithmetic.ts. The body of an invoice holds no balances, but shows whether something was left to pay: if so,
 * all that could be used was used up. Where the body does not show that, the sentence gives no reason.
 */

import Big from 'big.js';
import type { CreditItem, Invoice } from '../contract/shown.ts';
import { big } from './money.ts';
import { code, joined, listed, money, quoted, say, sign } from './summary.ts';

/**
 * The coupons, credit notes and prepaid credits that lower the total, by name, and why no more; null without any.
 * `prepaidEnd`: why prepaid credits pay no more, where their wallet tells it.
 */
export function explainCredits(invoice: Invoice, prepaidEnd: string | null = null): string | null {
  const billed = listed(
    creditsOf(invoice, 'invoice').map(({ item }) => nameOf(item)),
    3,
  );
  const parts = [
    [invoice.coupons_amount_cents, couponsNote(invoice)],
    [invoice.progressive_billing_credit_amount_cents, say`already billed on ${billed}`],
    [invoice.credit_notes_amount_cents, creditNotesNote(invoice)],
    [invoice.prepaid_credit_amount_cents, say`prepaid credits: ${prepaidNote(invoice, prepaidEnd)}`],
  ] as const;
  const phrases = parts.map(([cents, note]) => (sign(cents) === 1 ? note : null));
  return joined(phrases, '; ');
}

/** The credits of an invoice that are coupons, credit notes or earlier invoices. */
export function creditsOf(invoice: Invoice, type: string) {
  return (invoice.credits ?? []).flatMap(({ amount_cents: cents, item }) =>
    item?.type === type ? [{ cents, item }] : [],
  );
}

function nameOf({ name, code: key }: CreditItem): string | null {
  return quoted(name) ?? code(key);
}

/** `coupon “a” took off $5.00`. What it might take off more of other fees, the invoice does not show. */
function couponsNote(invoice: Invoice): string | null {
  const coupons = creditsOf(invoice, 'coupon').flatMap(({ cents, item }) => {
    const name = nameOf(item);
    return name === null ? [] : [{ name, amount: money(cents, invoice.currency) }];
  });
  const names = coupons.map(({ name }) => name);
  const word = coupons.length > 1 ? 'coupons' : 'coupon';
  const amounts = coupons.map(({ name, amount }, i) => say`${name}${i === 0 ? ' took off' : ''} ${amount}`);
  const known = amounts.filter(part => part !== null);
  if (known.length < amounts.length) return say`${word} used: ${listed(names, 3)}`;
  const rest = sign(invoice.sub_total_excluding_taxes_amount_cents) === 0 ? ', the full amount of the charges' : '';
  return say`${word} ${listed(known, 3)}${rest}`;
}

/** Credits for the unused part of a plan that ends have neither id nor code, but may name an invoice (§12.6). */
export function isUnusedPlan({ type, svc_item_id, code: key }: CreditItem): boolean {
  return type === 'credit_note' && !svc_item_id && !key;
}

/** If something is left to pay, each credit note has paid all that it had. */
function creditNotesNote(invoice: Invoice): string | null {
  const credits = creditsOf(invoice, 'credit_note').map(({ item }) => item);
  const notes = credits.flatMap(item => (isUnusedPlan(item) ? [] : (code(item.code) ?? quoted(item.name) ?? [])));
  // Cents that were left to pay with prepaid credits.
  const due = big(invoice.total_amount_cents)?.plus(big(invoice.prepaid_credit_amount_cents) ?? 0);
  const unused = credits.some(isUnusedPlan) ? 'credit for the unused part of the plan' : null;
  const stored = say`credit note${notes.length > 1 ? 's' : ''} ${listed(notes, 3)}`;
  if (due?.eq(0)) return `${listed([unused, stored]) ?? 'credit notes'}: nothing more was due`;
  return due?.gt(0) ? say`${stored}: used up` : stored;
}

/** A wallet without limits pays until it is empty or nothing is left; one with limits pays only its fees (§11.4). */
function prepaidNote(invoice: Invoice, end: string | null): string | null {
  const left = sign(invoice.total_amount_cents);
  if (left === null || left === -1) return null;
  if (left === 0) return 'nothing more was due';
  const fees = feesPaid(invoice);
  if (fees === null) return end ?? 'the wallet covers only some charges, or was used up';
  return `${fees}; ${end ?? 'the wallet covers nothing else, or was used up'}`;
}

const kinds: Readonly<Record<string, string>> = {
  subscription: 'the plan fee',
  charge: 'usage',
  fixed_charge: 'fixed charges',
  commitment: 'the minimum commitment',
};

/** The one kind of fees that, with tax, comes to what was prepaid, give or take a cent a fee; null for none or several. */
function feesPaid(invoice: Invoice): string | null {
  const paid = big(invoice.prepaid_credit_amount_cents);
  const sums = new Map<string, { cents: Big; fees: number }>();
  for (const fee of invoice.fees ?? []) {
    const item = fee.item ?? {};
    const [cents, rate, coupons] = [fee.amount_cents, fee.taxes_rate, fee.precise_coupons_amount_cents ?? 0].map(big);
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
  const after = sign(invoice.coupons_amount_cents) === 1 ? ', after coupons' : '';
  return `${name} with tax${after}`;
}
