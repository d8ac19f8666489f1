/** The way from an invoice's fees to its total, in the order of the arithmetic (service-behaviour §11). */
import type { JsonRecord } from '../lib/json.ts';
import { asInteger, asRecord, asRecords, code, listed, money, quantity, quoted, say, sign } from './summary.ts';

/**
 * `Charges $435.35 − coupon $10.00 + tax $37.75 (“VAT” 8.875%) = $463.10; credit note −$157.75, prepaid −$198.24`. Null
 * where the charges are the total. Amounts that do not add up are listed without signs.
 */
export function explainPath(invoice: JsonRecord): string | null {
  const { currency } = invoice;
  const fees = asInteger(invoice.fees_amount_cents);
  const told = (cents: unknown) => money(cents, currency);
  const coupons = above(invoice.coupons_amount_cents);
  const taxes = above(invoice.taxes_amount_cents);
  const taxed = say`${count(invoice) > 1 ? 'taxes' : 'tax'} ${told(taxes)}${inBrackets(taxesOf(invoice))}`;
  const off = [
    ['already billed', above(invoice.progressive_billing_credit_amount_cents)],
    [many(invoice, 'credit_note', 'credit note'), above(invoice.credit_notes_amount_cents)],
    ['prepaid', above(invoice.prepaid_credit_amount_cents)],
  ] as const;
  const credits = off.filter(([, cents]) => cents !== null);
  if (fees === null || (coupons === null && taxes === null && credits.length === 0)) return null;
  const coupon = many(invoice, 'coupon', 'coupon');
  const due = fees - (coupons ?? 0) + (taxes ?? 0);
  const total = credits.reduce((rest, [, cents]) => rest - (cents ?? 0), due);
  if (total !== (asInteger(invoice.total_amount_cents) ?? total)) {
    const parts = [
      say`${coupon} ${told(coupons)}`,
      taxed,
      ...credits.map(([name, cents]) => say`${name} ${told(cents)}`),
    ];
    return [`Charges ${told(fees)}`, ...parts.filter(part => part !== null)].join(', ');
  }
  const sum = [`Charges ${told(fees)}`, say`− ${coupon} ${told(coupons)}`, say`+ ${taxed}`, say`= ${told(due)}`];
  const taken = credits.map(([name, cents]) => say`${name} −${told(cents)}`).join(', ');
  // Of one amount alone there is no sum.
  const way = coupons === null && taxes === null ? sum.slice(0, 1) : sum;
  return `${way.filter(part => part !== null).join(' ')}${taken === '' ? '' : `; ${taken}`}`;
}

/** `No tax (“Exempt”)`; null where there is one, or nothing to tax. */
export function explainNoTax(invoice: JsonRecord): string | null {
  if (sign(invoice.taxes_amount_cents) !== 0 || sign(invoice.fees_amount_cents) !== 1) return null;
  const rates = asRecords(invoice.applied_taxes);
  if (rates.some(({ tax_rate }) => sign(tax_rate) === 1)) return null;
  return `No tax${inBrackets(
    listed(
      rates.flatMap(tax => quoted(tax.tax_name) ?? code(tax.tax_code) ?? []),
      3,
    ),
  )}`;
}

/** `coupon`, or `coupons` where there is not exactly one. */
function many(invoice: JsonRecord, type: string, word: string): string {
  const found = asRecords(invoice.credits).filter(credit => asRecord(credit.item).type === type);
  return found.length === 1 ? word : `${word}s`;
}

const MAX_TAXES = 4;

/** `“VAT” 20%`; of several each one's amount, and what it is on where that is not the whole sub-total. */
function taxesOf(invoice: JsonRecord): string | null {
  const { currency } = invoice;
  const several = count(invoice) > 1;
  const lines = asRecords(invoice.applied_taxes).map(tax => {
    const base = tax.fees_amount_cents ?? tax.base_amount_cents;
    const isWhole = base === subTotal(invoice);
    const on = isWhole ? null : say` of ${money(base, currency)}`;
    const name = say`${quoted(tax.tax_name) ?? code(tax.tax_code)} ${quantity(tax.tax_rate)}%${on ?? ''}`;
    return several ? (say`${name} ${on === null ? '' : '= '}${money(tax.amount_cents, currency)}` ?? name) : name;
  });
  return listed(
    lines.filter(line => line !== null),
    MAX_TAXES,
  );
}

function count(invoice: JsonRecord): number {
  return asRecords(invoice.applied_taxes).length;
}

/** Cents after coupons, on which the taxes are where all fees have them. */
function subTotal(invoice: JsonRecord): number | null {
  const fees = asInteger(invoice.fees_amount_cents);
  return (
    asInteger(invoice.sub_total_excluding_taxes_amount_cents) ??
    (fees && fees - (above(invoice.coupons_amount_cents) ?? 0))
  );
}

function above(cents: unknown): number | null {
  return sign(cents) === 1 ? asInteger(cents) : null;
}

function inBrackets(text: string | null): string {
  return text === null ? '' : ` (${text})`;
}
