/** Records as the lists of the billing API answer them, for the tests of lookups (docs/lookups.md §4). */
import type { JsonRecord } from '../../src/lib/json.ts';

/** An svc_id that is the same at each run. */
export function uuidOf(index: number): string {
  return `5eb02857-a71e-4ea2-bcf9-${String(index).padStart(12, '0')}`;
}

/** An invoice of $200.00 in the form of a list, finalized and not paid. */
export function invoiceRow(index: number, fields: JsonRecord = {}): JsonRecord {
  return {
    ...{
      svc_id: uuidOf(index),
      number: `ACM-0001-001-${String(index).padStart(3, '0')}`,
      billing_entity_code: 'default',
    },
    ...{ issuing_date: '2026-02-01', payment_due_date: '2026-03-03', net_payment_term: 30 },
    ...{ invoice_type: 'subscription', status: 'finalized', payment_status: 'pending', payment_overdue: false },
    ...{ payment_dispute_lost_at: null, currency: 'USD', self_billed: false, fees_amount_cents: 20_000 },
    ...{
      taxes_amount_cents: 0,
      total_amount_cents: 20_000,
      total_paid_amount_cents: 0,
      total_due_amount_cents: 20_000,
    },
    customer: { svc_id: uuidOf(9000), external_id: 'acme', name: 'Acme Corp', integration_customers: [] },
    ...{ metadata: [], applied_taxes: [], created_at: '2026-02-01T00:10:00Z' },
    ...fields,
  };
}
