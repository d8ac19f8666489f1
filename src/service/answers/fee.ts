import { decimal, UNIT_DIGITS } from '../../contract/pricing/money.ts';
import type { FeeRecord } from '../../engine/records/index.ts';
import { amount, fields, instants, svcIds } from './formats.ts';
import { appliedTaxAnswer } from './shared.ts';

/** A fee, stored or computed (ids null), with every field of the specification and the extras of service-behaviour §4. */
export function feeAnswer(fee: FeeRecord) {
  const { item } = fee;
  return {
    svc_id: fee.id,
    ...svcIds(fee, 'charge_id', 'charge_filter_id', 'fixed_charge_id', 'invoice_id'),
    ...svcIds(fee, 'true_up_fee_id', 'true_up_parent_fee_id', 'original_fee_id', 'subscription_id'),
    external_subscription_id: fee.external_subscription_id,
    svc_customer_id: fee.customer_id,
    ...fields(fee, 'external_customer_id', 'event_transaction_id', 'amount_cents'),
    precise_amount: amount(decimal(fee.precise_amount).prec(16, 0).toFixed()),
    precise_total_amount: amount(fee.precise_total_amount),
    ...fields(fee, 'amount_currency', 'taxes_amount_cents'),
    taxes_precise_amount: amount(fee.taxes_precise_amount, 20),
    taxes_rate: Number(fee.taxes_rate),
    total_amount_cents: fee.total_amount_cents,
    total_amount_currency: fee.amount_currency,
    sub_total_excluding_taxes_amount_cents: fee.sub_total_excluding_taxes_amount_cents,
    sub_total_excluding_taxes_precise_amount_cents: amount(fee.sub_total_excluding_taxes_precise_amount_cents),
    precise_coupons_amount_cents: amount(fee.precise_coupons_amount_cents, 5),
    units: amount(fee.units, UNIT_DIGITS),
    total_aggregated_units: amount(fee.total_aggregated_units, UNIT_DIGITS),
    precise_unit_amount: amount(fee.precise_unit_amount),
    ...fields(fee, 'events_count', 'description', 'pay_in_advance', 'invoiceable', 'self_billed', 'payment_status'),
    item: {
      ...fields(item, 'type', 'code', 'name', 'description', 'invoice_display_name'),
      ...fields(item, 'filter_invoice_display_name', 'filters'),
      svc_item_id: item.item_id,
      ...fields(item, 'item_type', 'grouped_by'),
    },
    ...instants(fee, 'from_date', 'to_date', 'created_at', 'succeeded_at', 'failed_at', 'refunded_at'),
    ...fields(fee, 'amount_details', 'pricing_unit_details'),
    presentation_breakdowns: fee.presentation_breakdowns ?? [],
    applied_taxes: fee.applied_taxes.map(tax => ({ ...appliedTaxAnswer(tax), svc_fee_id: fee.id })),
  };
}
