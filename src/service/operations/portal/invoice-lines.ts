/** The lines of an invoice and the amounts that lead from them to its total, in the order of the arithmetic. */

import { decimal } from '../../../contract/pricing/money.ts';
import type { AmountDetails, EntryIn } from '../../../contract/shown.ts';
import type { FeeRecord, InvoiceRecord } from '../../../engine/records/index.ts';
import type { JsonOf } from '../../../lib/json.ts';
import { type Html, html, joined } from './html.ts';
import type { Reader } from './reader.ts';

/** An invoice, what credit notes settled of it, and what is left to pay. */
export interface BilledInvoice {
  invoice: InvoiceRecord;
  offsetCents: number;
  dueCents: number;
}

export function lineTable(content: BilledInvoice, reader: Reader): Html {
  const { say } = reader;
  const { fees, currency } = content.invoice;
  const lines = byAmount(fees).map(fee => lineRow(fee, content.invoice, reader));
  const empty = html`<tr role="row"><td role="cell" colspan="2" class="soft">${say('no_lines')}</td></tr>`;
  const sums = totals(content, reader).map(
    ([name, cents, kind]) =>
      html`<tr role="row" class="${kind ?? ''}"><th scope="row" role="rowheader">${name}</th><td role="cell" class="amount">${reader.money(cents, currency)}</td></tr>`,
  );
  return html`<table role="table"><thead role="rowgroup"><tr role="row"><th scope="col" role="columnheader">${say('item')}</th><th scope="col" role="columnheader" class="amount">${say('amount')}</th></tr></thead>
<tbody role="rowgroup">${lines.length > 0 ? lines : empty}</tbody><tfoot role="rowgroup">${sums}</tfoot></table>`;
}

/** The largest first; what raises a charge to its minimum stays behind the charge. */
function byAmount(fees: readonly FeeRecord[]): FeeRecord[] {
  const charges = new Set(fees.flatMap(fee => (fee.true_up_parent_fee_id === null ? fee.id : [])));
  const raises = fees.filter(({ true_up_parent_fee_id: charge }) => charge !== null && charges.has(charge));
  const others = fees.filter(fee => !raises.includes(fee)).sort((a, b) => b.amount_cents - a.amount_cents);
  return others.flatMap(fee => [fee, ...raises.filter(each => each.true_up_parent_fee_id === fee.id)]);
}

function lineRow(fee: FeeRecord, invoice: InvoiceRecord, reader: Reader): Html {
  const { item } = fee;
  const { say } = reader;
  const [period] = invoice.billing_periods;
  const groups = Object.entries(item.grouped_by).map(([key, value]) => `${key}: ${value ?? '–'}`);
  const isUsualPeriod = fee.from_date === period?.charges_from_datetime && fee.to_date === period?.charges_to_datetime;
  const details = [
    item.filter_invoice_display_name,
    ...groups,
    fee.true_up_parent_fee_id === null ? null : say('minimum'),
    fee.description,
    fee.from_date && fee.to_date && fee.from_date !== fee.to_date && !isUsualPeriod
      ? reader.period(fee.from_date, fee.to_date)
      : null,
    quantityOf(fee, reader),
  ];
  const text = joined(details, ' · ');
  const name = item.invoice_display_name || item.name || (item.type === 'credit' ? say('prepaid_item') : item.code);
  const detail = text.html !== '' && html`<span class="soft">${text}</span>`;
  const tiers = tiersOf(fee, reader).map(tier => html`<span class="soft">${tier}</span>`);
  return html`<tr role="row"><th scope="row" role="rowheader"><b>${name}</b>${detail}${tiers}</th><td role="cell" class="amount">${reader.money(fee.amount_cents, fee.amount_currency)}</td></tr>`;
}

/** `3,240 units × $0.0025`; without the price where it is only an average. Null for a single unit, which says nothing new. */
function quantityOf(fee: FeeRecord, reader: Reader): Html | null {
  if (fee.true_up_parent_fee_id !== null || decimal(fee.units).eq(1)) return null;
  const units = fee.item.type === 'credit' ? reader.credits(fee.units) : reader.units(fee.units);
  const price = decimal(fee.precise_unit_amount);
  const isPrice = price.times(decimal(fee.units)).eq(decimal(fee.precise_amount)) && rangesOf(fee).length === 0;
  return isPrice ? html`${units} × ${reader.major(price.toFixed(), fee.amount_currency)}` : units;
}

/** `0 – 1,000: 1,000 × $0.03`, for each tier that was used. */
function tiersOf(fee: FeeRecord, reader: Reader): Html[] {
  const { tell, quantity, major } = reader;
  const currency = fee.amount_currency;
  return rangesOf(fee).flatMap(range => {
    const text = (key: keyof UsedRange): string => String(range[key] ?? '0');
    const [from, units, flat] = [quantity(text('from_value')), text('units'), text('flat_unit_amount')];
    if (decimal(units).eq(0)) return [];
    const span = range.to_value === null ? tell('and_more', { from }) : html`${from} – ${quantity(text('to_value'))}`;
    const price = range.rate === undefined ? major(text('per_unit_amount'), currency) : reader.percent(text('rate'));
    const fixed = !decimal(flat).eq(0) && html` + ${tell('flat', { amount: major(flat, currency) })}`;
    return [html`${span}: ${quantity(units)} × ${price}${fixed}`];
  });
}

type UsedRange = JsonOf<
  EntryIn<AmountDetails['graduated_ranges']> & EntryIn<AmountDetails['graduated_percentage_ranges']>
>;

function rangesOf({ amount_details: details }: FeeRecord): UsedRange[] {
  return (details.graduated_ranges ?? details.graduated_percentage_ranges ?? []) as UsedRange[];
}

/** The name, cents and style of each row. Rows of zero are left out, except the total. */
function totals({ invoice, offsetCents, dueCents }: BilledInvoice, reader: Reader): [Html | string, number, string?][] {
  const { say, tell, percent } = reader;
  const coupons = invoice.credits.filter(credit => credit.item.type === 'coupon');
  const taxRows = invoice.applied_taxes.map((tax): [Html, number] => [
    tell('tax', { name: html`${tax.tax_name}`, rate: percent(tax.tax_rate) }),
    tax.amount_cents,
  ]);
  const couponRows = coupons.map((credit): [string, number] => [
    say('coupon', { name: credit.item.name || credit.item.code }),
    -credit.amount_cents,
  ]);
  const steps: [Html | string, number][] = [
    // Without coupons the subtotal says the same.
    [say('sum'), invoice.coupons_amount_cents === 0 ? 0 : invoice.fees_amount_cents],
    ...(couponRows.length > 0 ? couponRows : [[say('coupons'), -invoice.coupons_amount_cents] as [string, number]]),
    [say('subtotal'), invoice.sub_total_excluding_taxes_amount_cents],
    ...(taxRows.length > 0 ? taxRows : [[say('taxes'), invoice.taxes_amount_cents] as [string, number]]),
    [say('progressive'), -invoice.progressive_billing_credit_amount_cents],
    [say('credit_notes'), -invoice.credit_notes_amount_cents],
    [say('prepaid'), -invoice.prepaid_credit_amount_cents],
  ];
  const paid: [string, number][] = [
    [say('already_paid'), -invoice.total_paid_amount_cents],
    [say('settled'), -offsetCents],
  ];
  const shownPaid = paid.filter(([, cents]) => cents !== 0);
  const toPay: [string, number, string][] =
    shownPaid.length > 0 && invoice.status === 'finalized' ? [[say('to_pay'), dueCents, 'total']] : [];
  return [
    ...steps.filter(([, cents]) => cents !== 0),
    [say('total'), invoice.total_amount_cents, 'total'],
    ...shownPaid,
    ...toPay,
  ];
}
