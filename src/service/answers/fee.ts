import { decimal, UNIT_DIGITS } from '../../contract/pricing/money.ts';
import type { AppliedTax, FeeRecord } from '../../engine/records/index.ts';
import { amount, instant, rate } from './formats.ts';
import { appliedTaxAnswer } from './shared.ts';

/** A fee, stored or computed (ids null), with every field of the specification and the extras of service-behaviour §4. */
export function feeAnswer(fee: FeeRecord) {
  return {
    ...feeLinks(fee),
    ...feeAmounts(fee),
    units: amount(fee.units, UNIT_DIGITS),
    total_aggregated_units: amount(fee.total_aggregated_units, UNIT_DIGITS),
    precise_unit_amount: amount(fee.precise_unit_amount),
    events_count: fee.events_count,
    description: fee.description,
    pay_in_advance: fee.pay_in_advance,
    invoiceable: fee.invoiceable,
    self_billed: fee.self_billed,
    payment_status: fee.payment_status,
    item: feeItem(fee),
    from_date: instant(fee.from_date),
    to_date: instant(fee.to_date),
    created_at: instant(fee.created_at),
    succeeded_at: instant(fee.succeeded_at),
    failed_at: instant(fee.failed_at),
    refunded_at: instant(fee.refunded_at),
    amount_details: fee.amount_details,
    pricing_unit_details: fee.pricing_unit_details,
    presentation_breakdowns: fee.presentation_breakdowns ?? [],
    applied_taxes: fee.applied_taxes.map(tax => feeTax(tax, fee.id)),
  };
}

function feeLinks(fee: FeeRecord) {
  return {
    svc_id: fee.id,
    svc_charge_id: fee.charge_id,
    svc_charge_filter_id: fee.charge_filter_id,
    svc_fixed_charge_id: fee.fixed_charge_id,
    svc_invoice_id: fee.invoice_id,
    svc_true_up_fee_id: fee.true_up_fee_id,
    svc_true_up_parent_fee_id: fee.true_up_parent_fee_id,
    svc_original_fee_id: fee.original_fee_id,
    svc_subscription_id: fee.subscription_id,
    external_subscription_id: fee.external_subscription_id,
    svc_customer_id: fee.customer_id,
    external_customer_id: fee.external_customer_id,
    event_transaction_id: fee.event_transaction_id,
  };
}

function feeAmounts(fee: FeeRecord) {
  return {
    amount_cents: fee.amount_cents,
    precise_amount: amount(decimal(fee.precise_amount).prec(16, 0).toFixed()),
    precise_total_amount: amount(fee.precise_total_amount),
    amount_currency: fee.amount_currency,
    taxes_amount_cents: fee.taxes_amount_cents,
    taxes_precise_amount: amount(fee.taxes_precise_amount, 20),
    taxes_rate: rate(fee.taxes_rate),
    total_amount_cents: fee.total_amount_cents,
    total_amount_currency: fee.amount_currency,
    sub_total_excluding_taxes_amount_cents: fee.sub_total_excluding_taxes_amount_cents,
    sub_total_excluding_taxes_precise_amount_cents: amount(fee.sub_total_excluding_taxes_precise_amount_cents),
    precise_coupons_amount_cents: amount(fee.precise_coupons_amount_cents, 5),
  };
}

function feeItem({ item }: FeeRecord) {
  return {
    type: item.type,
    code: item.code,
    name: item.name,
    description: item.description,
    invoice_display_name: item.invoice_display_name,
    filter_invoice_display_name: item.filter_invoice_display_name,
    filters: item.filters,
    svc_item_id: item.item_id,
    item_type: item.item_type,
    grouped_by: item.grouped_by,
  };
}

function feeTax(tax: AppliedTax, feeId: string | null) {
  return { ...appliedTaxAnswer(tax), svc_fee_id: feeId };
}
