/** Entries of credit notes and webhook endpoints, as records. */
import type Big from 'big.js';
import { decimal, decimalText, round, ZERO } from '../../contract/pricing/money.ts';
import type { AppliedTax, CreditNoteRecord, FeeRecord, InvoiceRecord } from '../../engine/records/index.ts';
import { idOf } from '../store/ids.ts';
import { type AccountBuilder, AccountFileError, type Path, requireThat } from './account-builder.ts';
import { storedTax } from './build-invoices.ts';
import type { AccountEntries } from './schema.ts';

type CreditNoteEntry = AccountEntries['credit_notes'][number];

export function buildCreditNotes(builder: AccountBuilder, entries: AccountEntries): void {
  builder.each('credit_notes', entries.credit_notes, (entry, path) => {
    const invoice = builder.need('invoices', entry.invoice_number, [...path, 'invoice_number']);
    const earlier = builder.records.credit_notes.filter(note => note.invoice_id === invoice.id).length;
    const number = entry.number ?? `${invoice.number}-CN${String(earlier + 1).padStart(3, '0')}`;
    builder.add('credit_notes', number, creditNote(builder, entry, invoice, number, earlier + 1, path), path);
  });
  linkUsedNotes(builder, entries);
}

function creditNote(
  builder: AccountBuilder,
  entry: CreditNoteEntry,
  invoice: InvoiceRecord,
  number: string,
  position: number,
  path: Path,
): CreditNoteRecord {
  const { invoice_number: _invoice, items, total_amount_cents: statedTotal, ...fields } = entry;
  const base = builder.idAndTimes('credit_note', number, {
    created_at: `${entry.issuing_date}T00:00:00.000Z`,
    ...entry,
  });
  const lines = builder.parts(items, (item, i) => ({
    ...item,
    fee: creditedFee(invoice, item, [...path, 'items', i]),
  }));
  const itemsCents = lines.reduce((sum, line) => sum + line.amount_cents, 0);
  const subTotal = itemsCents - entry.coupons_adjustment_amount_cents;
  const taxes = creditedTaxes(lines, subTotal, itemsCents);
  const total = subTotal + taxes.taxes_amount_cents;
  const credit = entry.credit_amount_cents ?? total - entry.refund_amount_cents - entry.offset_amount_cents;
  const parts = credit + entry.refund_amount_cents + entry.offset_amount_cents;
  const balance = entry.balance_amount_cents ?? credit;
  const rule = (met: boolean, field: keyof CreditNoteEntry, message: string) => () =>
    requireThat(met, [...path, field], message);
  builder.all(
    rule(
      statedTotal === undefined || statedTotal === total,
      'total_amount_cents',
      `is ${statedTotal}, but the items come to ${total}`,
    ),
    rule(credit >= 0 && parts === total, 'credit_amount_cents', `credit, refund and offset must add up to ${total}`),
    rule(credit < 0 || balance <= credit, 'balance_amount_cents', 'is more than was credited'),
  );
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
    error_details: entry.error_details.map((detail, i) => ({
      id: idOf('credit_note_error', `${number} ${i}`),
      ...detail,
    })),
  };
}

function creditedFee(invoice: InvoiceRecord, item: { fee: number; amount_cents: number }, path: Path): FeeRecord {
  const fee = invoice.fees[item.fee];
  if (!fee) throw new AccountFileError([...path, 'fee'], `the invoice ${invoice.number} has no fee ${item.fee}`);
  requireThat(
    item.amount_cents <= fee.amount_cents,
    [...path, 'amount_cents'],
    `is more than the fee's ${fee.amount_cents}`,
  );
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
function linkUsedNotes(builder: AccountBuilder, entries: AccountEntries): void {
  builder.each('invoices', entries.invoices, (entry, path) => {
    const invoice = builder.need('invoices', entry.number, path);
    builder.parts(entry.credit_notes, (used, n) => {
      const note = builder.need('credit_notes', used.number, [...path, 'credit_notes', n, 'number']);
      const source = builder.byId('invoices', note.invoice_id);
      const credit = invoice.credits.find(each => each.item.code === used.number);
      requireThat(credit !== undefined, [...path, 'credit_notes', n], 'has paid nothing');
      credit.item.item_id = note.id;
      credit.invoice = { id: source.id, payment_status: source.payment_status };
    });
  });
}

export function buildWebhookEndpoints(builder: AccountBuilder, entries: AccountEntries['webhook_endpoints']): void {
  builder.each('webhook_endpoints', entries, (entry, path) => {
    const record = { ...entry, ...builder.idAndTimes('webhook_endpoint', entry.webhook_url, entry) };
    builder.add('webhook_endpoints', entry.webhook_url, record, path);
  });
}

/** Links each fee for prepaid credits to the wallet transaction that it paid for. */
export function linkCreditFees(builder: AccountBuilder, entries: AccountEntries['invoices']): void {
  builder.each('invoices', entries, (entry, path) => {
    const invoice = builder.need('invoices', entry.number, path);
    builder.parts(invoice.fees, (fee, n) => {
      if (fee.item.item_type !== 'WalletTransaction') return;
      const transaction = builder.records.wallet_transactions.find(
        each => each.invoice_id === invoice.id && each.transaction_status === 'purchased',
      );
      const at = [...path, 'fees', n];
      const problem = 'is for credits, but no wallet transaction names this invoice';
      if (!transaction) throw builder.missing('wallets', '', at, problem);
      fee.item.item_id = transaction.id;
      fee.item.invoice_display_name = transaction.name ?? fee.item.invoice_display_name;
    });
  });
}
