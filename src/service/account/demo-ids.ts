/** One id of the demo account that works for every kind of tool. Without imports, so that hints cost nothing to load. */
export const demoIds = {
  external_customer_id: 'acme-podcasts',
  external_subscription_id: 'acme-studio',
  wallet_svc_id: '9eb06257-f382-5620-9d0d-815112ea5eb4',
  wallet_code: 'prepaid',
  wallet_alert_code: 'low_balance',
  wallet_transaction_svc_id: '279696bc-1131-51c1-89a5-2fc11731389b',
  plan_code: 'studio',
  add_on_code: 'onboarding',
  coupon_code: 'welcome10',
  invoice_svc_id: '8ea0d471-4d5f-518f-aee0-87d59099987f',
  credit_note_svc_id: '6d8d15b2-a9e4-5ec2-bbb6-de401420b145',
  event_transaction_id: 'acme-tokens-001',
  /** A metric with a charge that is paid in advance, for fee estimates. */
  billable_metric_code: 'tokens',
  /** A payment that waits for the customer: it carries a `next_action`. */
  payment_svc_id: 'bc2cad3e-40f6-586e-b541-683666128845',
  webhook_endpoint_svc_id: '925412f8-2e93-50c8-893e-ffc6fe2a65d1',
  billing_entity_code: 'skylark-us',
  tax_code: 'us_sales',
} as const;
