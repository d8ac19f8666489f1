/**
 * Ids of the demo account, one for each kind of record that tools need. This file has no imports, so it loads quickly.
 * The UUIDs are set in the account file: with one repeated letter, they cost an assistant half the tokens of others.
 */
export const demoIds = {
  external_customer_id: 'acme-podcasts',
  external_subscription_id: 'acme-studio',
  wallet_svc_id: 'aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa',
  wallet_code: 'prepaid',
  wallet_alert_code: 'low_balance',
  wallet_transaction_svc_id: 'bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbbb',
  plan_code: 'studio',
  add_on_code: 'onboarding',
  coupon_code: 'welcome10',
  invoice_svc_id: 'cccccccc-cccc-4ccc-8ccc-cccccccccccc',
  credit_note_svc_id: 'dddddddd-dddd-4ddd-8ddd-dddddddddddd',
  event_transaction_id: 'acme-tokens-001',
  /** A metric with a pay-in-advance charge, for fee estimates. */
  billable_metric_code: 'tokens',
  /** A payment that needs an action of the customer: it has a `next_action`. */
  payment_svc_id: 'eeeeeeee-eeee-4eee-8eee-eeeeeeeeeeee',
  webhook_endpoint_svc_id: 'ffffffff-ffff-4fff-8fff-ffffffffffff',
  billing_entity_code: 'skylark-us',
  tax_code: 'us_sales',
} as const;

/** The demo's credit note whose refund is not paid out yet. */
export const demoRefundId = 'daee99cb-3897-5e4f-8f15-f036b8292657';
