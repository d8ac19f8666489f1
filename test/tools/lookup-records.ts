/** Records as the lists of the billing API answer them, for the tests of lookups (docs/lookups.md §4). */
import type { JsonRecord } from '../../src/lib/json.ts';

/** An svc_id that is the same at each run. */
export function uuidOf(index: number): string {
  return `5eb02857-a71e-4ea2-bcf9-${String(index).padStart(12, '0')}`;
}

/** An invoice of $200.00 in the form of a list, finalized and not paid. */
export function invoiceRow(index: number, fields: JsonRecord = {}): JsonRecord {
  return {
    svc_id: uuidOf(index),
    number: `ACM-0001-001-${String(index).padStart(3, '0')}`,
    billing_entity_code: 'default',
    ...{ issuing_date: '2026-02-01', payment_due_date: '2026-03-03', net_payment_term: 30 },
    ...{ invoice_type: 'subscription', status: 'finalized', payment_status: 'pending', payment_overdue: false },
    ...{ payment_dispute_lost_at: null, currency: 'USD', self_billed: false, fees_amount_cents: 20_000 },
    taxes_amount_cents: 0,
    total_amount_cents: 20_000,
    total_paid_amount_cents: 0,
    total_due_amount_cents: 20_000,
    customer: { svc_id: uuidOf(9000), external_id: 'acme', name: 'Acme Corp', integration_customers: [] },
    ...{ metadata: [], applied_taxes: [], created_at: '2026-02-01T00:10:00Z' },
    ...fields,
  };
}

/** A credit note over $50.00 of unused credit, in the form of a list (§7). */
export function noteRow(index: number, fields: JsonRecord = {}): JsonRecord {
  return {
    ...{ svc_id: uuidOf(index), number: `ACM-0001-001-${String(index).padStart(3, '0')}-CN001` },
    ...{ svc_invoice_id: uuidOf(100 + index), invoice_number: `ACM-0001-001-${String(index).padStart(3, '0')}` },
    ...{ issuing_date: '2026-02-10', credit_status: 'available', refund_status: null, reason: 'other' },
    ...{ description: null, currency: 'USD', total_amount_cents: 5_000, taxes_amount_cents: 0 },
    ...{ credit_amount_cents: 5_000, balance_amount_cents: 5_000, refund_amount_cents: 0, offset_amount_cents: 0 },
    customer: { svc_id: uuidOf(9000), external_id: 'acme', name: 'Acme Corp', integration_customers: [] },
    ...{ items: [], applied_taxes: [], error_details: [], created_at: '2026-02-10T09:00:00Z' },
    ...fields,
  };
}

/** A payment of $100.00 that succeeded (§8). */
export function paymentRow(index: number, fields: JsonRecord = {}): JsonRecord {
  return {
    ...{ svc_id: uuidOf(index), svc_customer_id: uuidOf(9000), external_customer_id: 'acme' },
    ...{ invoice_ids: [uuidOf(100 + index)], invoice_numbers: [`ACM-0001-001-${String(index).padStart(3, '0')}`] },
    ...{ svc_payable_id: uuidOf(100 + index), payable_type: 'Invoice', amount_cents: 10_000, amount_currency: 'USD' },
    ...{ status: 'succeeded', payment_status: 'succeeded', type: 'provider', reference: '' },
    ...{ payment_provider_code: 'cards', payment_provider_type: 'stripe', external_payment_id: 'pi_1' },
    ...{ provider_payment_id: 'pi_1', provider_customer_id: 'cus_1', payment_method_id: null, next_action: {} },
    created_at: '2026-02-10T09:00:00Z',
    ...fields,
  };
}

/** A customer, with what no row shows (§2). */
export function customerRow(external_id: string, fields: JsonRecord = {}): JsonRecord {
  return {
    ...{ svc_id: `svc-${external_id}`, external_id, name: null, firstname: null, lastname: null, legal_name: null },
    email: null,
    currency: 'USD',
    country: 'US',
    billing_entity_code: 'main',
    taxes: [],
    integration_customers: [],
    ...{ metadata: [{ key: 'tier', value: 'gold' }], billing_configuration: { payment_provider: null } },
    ...fields,
  };
}

/** An active subscription to the plan navigator, $499.00 (§3). */
export function subscriptionRow(external_id: string, fields: JsonRecord = {}): JsonRecord {
  return {
    ...{ svc_id: `svc-${external_id}-${JSON.stringify(fields).length}`, external_id, name: null, status: 'active' },
    ...{ svc_customer_id: uuidOf(9000), external_customer_id: 'northwind-logistics', billing_time: 'calendar' },
    ...{ plan_code: 'navigator', plan_amount_cents: 49_900, plan_amount_currency: 'USD' },
    ...{ subscription_at: '2026-01-01T00:00:00Z', started_at: '2026-01-01T00:00:00Z', ending_at: null },
    ...{ terminated_at: null, canceled_at: null, created_at: '2026-01-01T00:00:00Z' },
    ...{ previous_plan_code: null, next_plan_code: null, downgrade_plan_date: null },
    current_billing_period_started_at: '2026-02-01T00:00:00Z',
    current_billing_period_ending_at: '2026-02-28T23:59:59Z',
    ...fields,
  };
}

/** An active wallet with $120.00, of which usage leaves $85.50 (§5). */
export function walletRow(index: number, fields: JsonRecord = {}): JsonRecord {
  return {
    ...{ svc_id: uuidOf(index), external_customer_id: 'northwind', status: 'active', currency: 'USD' },
    ...{ rate_amount: '1.0', code: `w${index}`, name: `Wallet ${index}`, priority: 50, credits_balance: '120.0' },
    ...{ balance_cents: 12_000, ongoing_balance_cents: 8550, ongoing_usage_balance_cents: 3450 },
    ...{ expiration_at: null, recurring_transaction_rules: [], last_balance_sync_at: '2026-11-22T10:00:00Z' },
    applies_to: { fee_types: [], billable_metric_codes: [] },
    ...fields,
  };
}

/** Ten credits that were granted on a day of November (§5). */
export function transactionRow(day: number, fields: JsonRecord = {}): JsonRecord {
  return {
    ...{ svc_id: uuidOf(100 + day), svc_wallet_id: uuidOf(1), svc_invoice_id: null, status: 'settled' },
    ...{ transaction_status: 'granted', transaction_type: 'inbound', amount: '10.0', credit_amount: '10.0' },
    created_at: `2026-11-${String(day).padStart(2, '0')}T12:00:00Z`,
    ...fields,
  };
}
