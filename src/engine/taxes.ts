/** Taxes (§11.2): which apply, and their amounts on a fee and on an invoice. */
import type Big from 'big.js';
import { minorUnits } from '../contract/currencies.ts';
import { decimal, decimalText, round, throughFloat, ZERO } from '../contract/pricing/money.ts';
import { byText } from '../lib/text.ts';
import { type BillableFee, majorText, taxableCents } from './fees.ts';
import type { AppliedTax, FeeRecord, TaxRecord } from './records/index.ts';

/**
 * All taxes of the first level that has any (§11.2). Levels of codes: of the charge, fixed charge, add-on or commitment itself;
 * of its plan; of the customer; of the customer's own billing entity, also when the invoice is another entity's. Codes that no
 * longer exist are ignored.
 */
export function applicableTaxes(
  levels: readonly (readonly string[])[],
  taxes: ReadonlyMap<string, TaxRecord>,
): TaxRecord[] {
  const taxesByLevel = levels.map(codes => codes.map(code => taxes.get(code)).filter(tax => tax !== undefined));
  return taxesByLevel.find(({ length }) => length > 0) ?? [];
}

/**
 * The fee with its taxes: base = amount_cents − its coupons; each line base × rate ÷ 100, shown rounded;
 * `taxes_amount_cents` rounds the sum of the unrounded lines; `taxes_rate` is the sum of the rates. The exact figures
 * start from the unrounded amount, and the totals do not take the coupons off.
 */
export function taxFee(fee: BillableFee): FeeRecord {
  const { record, taxes } = fee;
  const currency = record.amount_currency;
  const base = taxableCents(record);
  const lines = taxes.map(tax => ({ tax, cents: taxOn(base, tax) }));
  const taxesCents = Number(round(sum(lines.map(line => line.cents))).toFixed());
  const preciseAmount = decimal(record.precise_amount).times(minorUnits(currency));
  const preciseBase = preciseAmount.minus(decimal(record.precise_coupons_amount_cents));
  const plus = (sum: Big, cents: Big) => throughFloat(sum.plus(throughFloat(cents)));
  const preciseTaxes = taxes.map(tax => taxOn(preciseBase, tax)).reduce(plus, ZERO);
  return {
    ...record,
    sub_total_excluding_taxes_amount_cents: Number(round(base).toFixed()),
    sub_total_excluding_taxes_precise_amount_cents: decimalText(preciseBase),
    taxes_amount_cents: taxesCents,
    taxes_precise_amount: majorText(preciseTaxes, currency, 20),
    taxes_rate: decimalText(sum(taxes.map(tax => decimal(tax.rate)))),
    total_amount_cents: record.amount_cents + taxesCents,
    precise_total_amount: majorText(throughFloat(preciseAmount.plus(preciseTaxes)), currency),
    applied_taxes: lines.map(line => appliedTax(line.tax, line.cents, currency, null)),
  };
}

/**
 * Taxes of an invoice: per tax, the bases of its fees are added before its rate is applied, so that the result may differ by
 * cents from the sum of the fees' taxes (§11.2). `taxes_rate`, in percent with 5 decimals, weighs each rate by the part of the
 * sub-total it applies to, or by the number of fees when the sub-total is 0. The lines come in the order of the taxes'
 * creation (§4).
 */
export function taxInvoice(fees: readonly BillableFee[], currency: string) {
  const byTax = new Map<string, { tax: TaxRecord; base: Big; fees: number }>();
  for (const fee of fees) {
    for (const tax of fee.taxes) {
      const line = byTax.get(tax.id) ?? { tax, base: ZERO, fees: 0 };
      byTax.set(tax.id, { tax, base: line.base.plus(taxableCents(fee.record)), fees: line.fees + 1 });
    }
  }
  const lines = [...byTax.values()].sort((a, b) => byText(a.tax.created_at, b.tax.created_at));
  const subTotal = sum(fees.map(fee => taxableCents(fee.record)));
  const share = (line: { base: Big; fees: number }) =>
    subTotal.eq(0) ? decimal(line.fees).div(fees.length) : line.base.div(subTotal);
  return {
    applied_taxes: lines.map(line => appliedTax(line.tax, taxOn(line.base, line.tax), currency, line.base)),
    taxes_amount_cents: Number(round(sum(lines.map(line => taxOn(line.base, line.tax)))).toFixed()),
    taxes_rate: decimalText(sum(lines.map(line => decimal(line.tax.rate).times(share(line)))), 5),
  };
}

function taxOn(base: Big, tax: TaxRecord): Big {
  return base.times(decimal(tax.rate)).div(100);
}

function appliedTax(tax: TaxRecord, cents: Big, currency: string, base: Big | null): AppliedTax {
  return {
    id: null,
    tax_id: tax.id,
    tax_name: tax.name,
    tax_code: tax.code,
    tax_description: tax.description,
    tax_rate: tax.rate,
    amount_cents: Number(round(cents).toFixed()),
    amount_currency: currency,
    base_amount_cents: base ? Number(base.round(0, 0).toFixed()) : null, // cut, not rounded
    created_at: null,
  };
}

function sum(values: readonly Big[]): Big {
  return values.reduce((total, value) => total.plus(value), ZERO);
}
