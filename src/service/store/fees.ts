/**
 * Fees are stored inside their invoices. The table `fees` repeats the fields by which they are filtered, sorted and added
 * up: otherwise a list of fees would read those of every invoice, to count and to sort them.
 */
import type { FeeRecord, ListedFeeRecord } from '../records/index.ts';

/** The rows of `fees` for the fees of an invoice. Fees that were only computed have no id and no row. */
export function listedFees(invoice: { id: string; fees: readonly FeeRecord[] }): ListedFeeRecord[] {
  return invoice.fees.flatMap(fee => {
    const { id, created_at } = fee;
    return id === null || created_at === null ? [] : [listedFee({ ...fee, id, created_at }, invoice.id)];
  });
}

function listedFee(fee: FeeRecord & { id: string; created_at: string }, invoiceId: string): ListedFeeRecord {
  return {
    id: fee.id,
    created_at: fee.created_at,
    invoice_id: invoiceId,
    customer_id: fee.customer_id,
    subscription_id: fee.subscription_id,
    external_subscription_id: fee.external_subscription_id,
    fee_type: fee.item.type,
    billable_metric_code: fee.item.type === 'charge' ? fee.item.code : null,
    payment_status: fee.payment_status,
    amount_currency: fee.amount_currency,
    amount_cents: fee.amount_cents,
    taxes_amount_cents: fee.taxes_amount_cents,
    precise_coupons_amount_cents: fee.precise_coupons_amount_cents,
    from_date: fee.from_date,
    to_date: fee.to_date,
    event_transaction_id: fee.event_transaction_id,
    succeeded_at: fee.succeeded_at,
    failed_at: fee.failed_at,
    refunded_at: fee.refunded_at,
  };
}
