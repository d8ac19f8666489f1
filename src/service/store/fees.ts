/**
 * Fees are stored inside their invoices. The table `fees` repeats the fields by which they are filtered, sorted and added
 * up: otherwise a list of fees would read those of every invoice, to count and to sort them.
 */
import { type FeeRecord, type ListedFeeRecord, listedFeeFields } from '../../engine/records/index.ts';
import { pick } from '../../engine/records/table.ts';

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
    fee_type: fee.item.type,
    billable_metric_code: fee.item.type === 'charge' ? fee.item.code : null,
    ...pick(fee, listedFeeFields),
  };
}
