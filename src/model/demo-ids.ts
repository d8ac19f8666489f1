/**
 * One id of the demo account that works for every kind of tool. Without imports, so that hints cost nothing to load.
 * The UUIDs are stated in the account: of one letter each they cost an assistant half the tokens of others.
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
  /** A metric with a charge that is paid in advance, for fee estimates. */
  billable_metric_code: 'tokens',
  /** A payment that waits for the customer: it carries a `next_action`. */
  payment_svc_id: 'eeeeeeee-eeee-4eee-8eee-eeeeeeeeeeee',
  webhook_endpoint_svc_id: 'ffffffff-ffff-4fff-8fff-ffffffffffff',
  billing_entity_code: 'skylark-us',
  tax_code: 'us_sales',
} as const;
