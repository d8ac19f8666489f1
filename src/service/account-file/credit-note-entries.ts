/** Credit notes, and what links them and prepaid credits to the invoices that they belong to. */
import type Big from 'big.js';
import * as z from 'zod';
import * as enums from '../../contract/enums.ts';
import { decimal, decimalText, round, ZERO } from '../../contract/pricing/money.ts';
import type { AppliedTax, CreditNoteRecord, FeeRecord, InvoiceRecord } from '../../engine/records/index.ts';
import { idOf } from '../store/ids.ts';
import { type AccountBuilder, type Entries, withIds } from './account-builder.ts';
import { type InvoiceEntries, storedTax } from './invoice-entries.ts';
import { referenceTo } from './references.ts';
import * as is from './values.ts';

export const creditNoteEntry = z.strictObject({
  ...is.common,
  invoice_number: referenceTo('invoices'),
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

type CreditNoteEntry = z.output<typeof creditNoteEntry>;

export function buildCreditNotes(builder: AccountBuilder, entries: Entries<typeof creditNoteEntry>): void {
  builder.each('credit_notes', entries, entry => {
    const invoice = builder.get('invoices', entry.invoice_number);
    const position = builder.records.credit_notes.filter(note => note.invoice_id === invoice.id).length + 1;
    const number = entry.number ?? `${invoice.number}-CN${String(position).padStart(3, '0')}`;
    builder.add('credit_notes', number, creditNote(builder, entry, invoice, { number, position }));
  });
}

function creditNote(
  builder: AccountBuilder,
  entry: CreditNoteEntry,
  invoice: InvoiceRecord,
  { number, position }: { number: string; position: number },
): CreditNoteRecord {
  const { invoice_number: _invoice, items, total_amount_cents: statedTotal, ...fields } = entry;
  const issued = { created_at: `${entry.issuing_date}T00:00:00.000Z` };
  const base = builder.idAndTimes('credit_note', number, { ...issued, ...entry });
  const lines = builder.parts(items, (item, i) => ({ ...item, fee: creditedFee(builder, invoice, item, i) }));
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
  return {
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
  };
}

function creditedFee(
  builder: AccountBuilder,
  invoice: InvoiceRecord,
  item: CreditNoteEntry['items'][number],
  position: number,
): FeeRecord {
  const fee = invoice.fees[item.fee];
  const at = ['items', position];
  builder.require(fee !== undefined, [...at, 'fee'], `the invoice ${invoice.number} has no fee ${item.fee}`);
  const { amount_cents: most } = fee;
  builder.check(item.amount_cents <= most, [...at, 'amount_cents'], `is more than the fee's ${most}`);
  return fee;
}

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
  const rate = all.reduce(
    (sum, line) =>
      sum.plus(
        decimal(line.tax.tax_rate)
          .times(line.base)
          .div(subTotal || 1),
      ),
    ZERO,
  );
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
