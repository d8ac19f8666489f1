/** The way from an invoice's fees to its total, in the order of the arithmetic (service-behaviour §11). */
import Big from 'big.js';
import type { Cents, EntryIn, Invoice } from '../contract/shown.ts';
import { creditsOf, isUnusedPlan } from './credits.ts';
import { big } from './money.ts';
import { code, listed, money, opt, phrase, quantity, quoted, say, sign } from './summary.ts';

/**
 * `Charges $435.35 − coupon $10.00 + tax $37.75 (“VAT” 8.875%) = $463.10; credit note −$157.75, prepaid −$198.24`. Null
 * where the charges are the total. Where the amounts do not add up, it lists them without signs.
 */
export function explainPath(invoice: Invoice): string | null {
  const { currency } = invoice;
  const fees = big(invoice.fees_amount_cents);
  const amount = (cents: Big | null) => money(cents?.toFixed(), currency);
  const coupons = positiveCents(invoice.coupons_amount_cents);
  const taxes = positiveCents(invoice.taxes_amount_cents);
  const taxText = say`${taxesOnSomething(invoice).length > 1 ? 'taxes' : 'tax'} ${amount(taxes)}${opt` (${taxesOf(invoice)})`}`;
  const deductions = [
    ['already billed', positiveCents(invoice.progressive_billing_credit_amount_cents)],
    ...creditNoteParts(invoice),
    ['prepaid', positiveCents(invoice.prepaid_credit_amount_cents)],
  ] as const;
  const credits = deductions.filter(([, cents]) => cents !== null);
  if (fees === null || (coupons === null && taxes === null && credits.length === 0)) return null;
  const coupon = creditsOf(invoice, 'coupon').length === 1 ? 'coupon' : 'coupons';
  const due = fees.minus(coupons ?? 0).plus(taxes ?? 0);
  const total = credits.reduce((rest, [, cents]) => rest.minus(cents ?? 0), due);
  if (!total.eq(big(invoice.total_amount_cents) ?? total)) {
    const parts = [
      say`${coupon} ${amount(coupons)}`,
      taxText,
      ...credits.map(([name, cents]) => say`${name} ${amount(cents)}`),
    ];
    return [`Charges ${amount(fees)}`, ...parts.filter(part => part !== null)].join(', ');
  }
  const sum = [
    `Charges ${amount(fees)}`,
    say`− ${coupon} ${amount(coupons)}`,
    say`+ ${taxText}`,
    say`= ${amount(due)}`,
  ];
  const creditTexts = credits.map(([name, cents]) => say`${name} −${amount(cents)}`).join(', ');
  // One amount alone is no sum.
  const path = coupons === null && taxes === null ? sum.slice(0, 1) : sum;
  return phrase`${path.filter(part => part !== null).join(' ')}${creditTexts === '' ? null : `; ${creditTexts}`}`;
}

/** The credits for the unused part of a plan apart from stored credit notes, where they add up. */
function creditNoteParts(invoice: Invoice): (readonly [string, Big | null])[] {
  const all = positiveCents(invoice.credit_notes_amount_cents);
  const credits = (invoice.credits ?? []).filter(credit => credit.item?.type === 'credit_note');
  const sumOf = (some: typeof credits) =>
    some.reduce((sum, { amount_cents }) => sum.plus(big(amount_cents) ?? 0), new Big(0));
  const unused = credits.filter(({ item }) => item && isUnusedPlan(item));
  const notes = credits.filter(credit => !unused.includes(credit));
  const wordFor = (some: typeof credits) => (some.length === 1 ? 'credit note' : 'credit notes');
  if (unused.length === 0 || all === null || !sumOf(credits).eq(all)) return [[wordFor(credits), all]];
  const part = ['credit for the unused part of the plan', sumOf(unused)] as const;
  return [part, [wordFor(notes), positiveCents(sumOf(notes).toFixed())]];
}

/** `No tax (“Exempt”)`; null where there is one, or nothing to tax. */
export function explainNoTax(invoice: Invoice): string | null {
  if (sign(invoice.taxes_amount_cents) !== 0 || sign(invoice.fees_amount_cents) !== 1) return null;
  const rates = invoice.applied_taxes ?? [];
  if (rates.some(({ tax_rate }) => sign(tax_rate) === 1)) return null;
  return phrase`No tax${say` (${listed(rates.map(rateOf), 3)})`}`;
}

const MAX_TAXES = 4;

/** `“VAT” 20%`; of several taxes each with its amount, and of a tax on a part of the sub-total what it is on. */
function taxesOf(invoice: Invoice): string | null {
  const { currency } = invoice;
  const taxes = taxesOnSomething(invoice);
  const lines = taxes.map(tax => {
    const base = big(tax.fees_amount_cents);
    // The service cuts the base to whole cents: shares of coupons may leave it a cent short.
    const short = base === null ? null : subTotal(invoice)?.minus(base);
    const isWhole = short?.eq(0) || (short?.eq(1) && positiveCents(invoice.coupons_amount_cents) !== null);
    const on = isWhole ? null : say` of ${money(base?.toFixed(), currency)}`;
    const name = say`${rateOf(tax)}${on ?? ''}`;
    return taxes.length > 1
      ? (say`${name} ${on === null ? '' : '= '}${money(tax.amount_cents, currency)}` ?? name)
      : name;
  });
  return listed(lines, MAX_TAXES);
}

/** `“VAT” 20%`; null where one of both is missing. */
export function rateOf({ tax_name, tax_code, tax_rate }: EntryIn<Invoice['applied_taxes']>): string | null {
  return say`${quoted(tax_name) ?? code(tax_code)} ${quantity(tax_rate)}%`;
}

function taxesOnSomething(invoice: Invoice) {
  return (invoice.applied_taxes ?? []).filter(tax => sign(tax.fees_amount_cents) !== 0);
}

/** Cents after coupons: what a tax is on where all fees have it. */
function subTotal(invoice: Invoice): Big | null {
  const fees = big(invoice.fees_amount_cents);
  return (
    big(invoice.sub_total_excluding_taxes_amount_cents) ??
    fees?.minus(positiveCents(invoice.coupons_amount_cents) ?? 0) ??
    null
  );
}

function positiveCents(cents: Cents | null | undefined): Big | null {
  const exact = big(cents);
  return exact?.gt(0) ? exact : null;
}
