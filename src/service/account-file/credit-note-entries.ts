/** Credit notes, and what links them and prepaid credits to the invoices that they belong to. */
import type Big from 'big.js';
import * as z from 'zod';
import * as enums from '../../contract/enums.ts';
import { decimal, decimalText, round, ZERO } from '../../contract/pricing/money.ts';
import type { AppliedTax, FeeRecord } from '../../engine/records/index.ts';
import { idOf } from '../store/ids.ts';
import { type AccountBuilder, listOf, withIds } from './account-builder.ts';
import { type InvoiceEntries, storedTax } from './invoice-entries.ts';
import * as is from './values.ts';

const creditNoteEntry = z.strictObject({
  ...is.common,
  invoice_number: is.referenceTo('invoices'),
  number: is.optional(is.label, '`<invoice number>-CN001` and counting'),
  issuing_date: is.day,
  status: z.enum(enums.creditNoteStatuses).default('finalized'),
  reason: z.enum(enums.creditNoteReasons).default('other'),
  description: is.text,
  items: z
    .array(
      z.strictObject({
        fee: is.count.describe('position among the invoice’s fees'),
        amount_cents: is.positiveCents,
      }),
    )
    .min(1),
  ...is.fields(is.count.default(0), 'coupons_adjustment_amount_cents', 'refund_amount_cents', 'offset_amount_cents'),
  credit_amount_cents: is.optional(is.count, 'the rest of the total'),
  balance_amount_cents: is.optional(is.count, 'credit_amount_cents'),
  total_amount_cents: is.optional(is.cents, 'computed'),
  credit_status: is.optional(z.enum(enums.creditStatuses).nullable(), 'follows from the balance'),
  refund_status: z.enum(enums.refundStatuses).nullable().default(null),
  ...is.fields(is.text, 'file_url', 'purchase_order_number'),
  metadata: is.metadataObject,
  error_details: is.errorDetails,
});

export const creditNoteList = listOf(creditNoteEntry, (builder: AccountBuilder) => entry => {
  const { invoice_number: invoiceNumber, items, total_amount_cents: statedTotal, ...fields } = entry;
  const invoice = builder.get('invoices', invoiceNumber);
  const position = builder.records.credit_notes.filter(note => note.invoice_id === invoice.id).length + 1;
  const number = entry.number ?? `${invoice.number}-CN${String(position).padStart(3, '0')}`;
  const issued = { created_at: `${entry.issuing_date}T00:00:00.000Z` };
  const base = builder.idAndTimes('credit_note', number, { ...issued, ...entry });
  const lines = builder.parts(items, (item, i) => {
    const fee = invoice.fees[item.fee];
    const at = ['items', i];
    builder.require(fee !== undefined, [...at, 'fee'], `the invoice ${invoice.number} has no fee ${item.fee}`);
    const { amount_cents: most } = fee;
    builder.check(item.amount_cents <= most, [...at, 'amount_cents'], `is more than the fee's ${most}`);
    return { ...item, fee };
  });
  builder.requireParts();
  const itemsCents = lines.reduce((sum, line) => sum + line.amount_cents, 0);
  const subTotal = itemsCents - entry.coupons_adjustment_amount_cents;
  const taxes = creditedTaxes(lines, subTotal, itemsCents);
  const total = subTotal + taxes.taxes_amount_cents;
  const credit = entry.credit_amount_cents ?? total - entry.refund_amount_cents - entry.offset_amount_cents;
  const parts = credit + entry.refund_amount_cents + entry.offset_amount_cents;
  const balance = entry.balance_amount_cents ?? credit;
  const isTotal = statedTotal === undefined || statedTotal === total;
  builder.check(isTotal, 'total_amount_cents', `is ${statedTotal}, but the items come to ${total}`);
  const addsUp = credit >= 0 && parts === total;
  builder.check(addsUp, 'credit_amount_cents', `credit, refund and offset must add up to ${total}`);
  builder.check(credit < 0 || balance <= credit, 'balance_amount_cents', 'is more than was credited');
  builder.add('credit_notes', number, {
    ...fields,
    ...base,
    number,
    invoice_id: invoice.id,
    customer_id: invoice.customer_id,
    sequential_id: position,
    currency: invoice.currency,
    total_amount_cents: total,
    taxes_amount_cents: taxes.taxes_amount_cents,
    taxes_rate: taxes.taxes_rate,
    sub_total_excluding_taxes_amount_cents: subTotal,
    balance_amount_cents: balance,
    credit_amount_cents: credit,
    credit_status: entry.credit_status ?? (credit === 0 ? null : balance > 0 ? 'available' : 'consumed'),
    self_billed: false,
    items: lines.map(({ fee, amount_cents }, i) => ({
      id: idOf('credit_note_item', `${number} ${i}`),
      amount_cents,
      precise_amount_cents: decimalText(decimal(amount_cents)),
      amount_currency: invoice.currency,
      fee_id: fee.id as string,
    })),
    applied_taxes: taxes.applied_taxes.map(tax => storedTax(tax, base.id, base.created_at)),
    error_details: withIds(entry.error_details, 'credit_note_error', number),
  });
});

/** The taxes on the credited part of each fee, after the credited fees' share of the invoice's coupons. */
function creditedTaxes(lines: { fee: FeeRecord; amount_cents: number }[], subTotal: number, itemsCents: number) {
  const byCode = new Map<string, { tax: AppliedTax; base: Big }>();
  for (const { fee, amount_cents } of lines) {
    const base = decimal(amount_cents).times(subTotal).div(itemsCents);
    for (const tax of fee.applied_taxes) {
      const line = byCode.get(tax.tax_code) ?? { tax, base: ZERO };
      byCode.set(tax.tax_code, { tax, base: line.base.plus(base) });
    }
  }
  const cents = ({ tax, base }: { tax: AppliedTax; base: Big }) => base.times(decimal(tax.tax_rate)).div(100);
  const all = [...byCode.values()];
  const weighted = all.map(({ tax, base }) => decimal(tax.tax_rate).times(base));
  const rate = weighted.reduce((sum, each) => sum.plus(each.div(subTotal || 1)), ZERO);
  return {
    taxes_amount_cents: whole(all.reduce((sum, line) => sum.plus(cents(line)), ZERO)),
    taxes_rate: decimalText(rate, 5),
    applied_taxes: all.map(line => ({
      ...line.tax,
      amount_cents: whole(cents(line)),
      base_amount_cents: whole(line.base),
    })),
  };
}

function whole(value: Big): number {
  return Number(round(value).toFixed());
}

/** Adds each credit note's id and source invoice to the credits that used it: invoices are built before credit notes. */
export function linkUsedNotes(builder: AccountBuilder, entries: InvoiceEntries): void {
  builder.each('invoices', entries, entry => {
    const invoice = builder.get('invoices', entry.number);
    builder.parts(entry.credit_notes, (used, n) => {
      const note = builder.lookUp('credit_notes', used.number, ['credit_notes', n, 'number']);
      const source = builder.byId('invoices', note.invoice_id);
      const credit = invoice.credits.find(each => each.item.code === used.number);
      builder.require(credit !== undefined, ['credit_notes', n], 'has paid nothing');
      credit.item.item_id = note.id;
      credit.invoice = { id: source.id, payment_status: source.payment_status };
    });
  });
}

/** Links each fee for prepaid credits to the wallet transaction that it paid for. */
export function linkCreditFees(builder: AccountBuilder, entries: InvoiceEntries): void {
  builder.each('invoices', entries, entry => {
    const invoice = builder.get('invoices', entry.number);
    builder.parts(invoice.fees, ({ item }, n) => {
      if (item.item_type !== 'WalletTransaction') return;
      const transaction = builder.records.wallet_transactions.find(
        each => each.invoice_id === invoice.id && each.transaction_status === 'purchased',
      );
      const problem = 'is for credits, but no wallet transaction names this invoice';
      const { id, name } = builder.present('wallets', transaction, ['fees', n], problem);
      item.item_id = id;
      item.invoice_display_name = name ?? item.invoice_display_name;
    });
  });
}
