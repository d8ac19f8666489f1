/** One working id per resource of the demo account, as text for instructions and hints to assistants. */
import { demoIds as ids } from './demo-ids.ts';

/** Ids to try where one was not found, by the word before `_not_found` in the service's code. */
export const demoIdsByResource: Readonly<Record<string, string>> = {
  customer: ids.external_customer_id,
  subscription: ids.external_subscription_id,
  wallet: `${ids.wallet_svc_id} (code ${ids.wallet_code})`,
  alert: `${ids.wallet_alert_code} of wallet ${ids.wallet_code}`,
  wallet_transaction: ids.wallet_transaction_svc_id,
  plan: ids.plan_code,
  add_on: ids.add_on_code,
  coupon: ids.coupon_code,
  invoice: ids.invoice_svc_id,
  credit_note: ids.credit_note_svc_id,
  event: ids.event_transaction_id,
  billable_metric: ids.billable_metric_code,
  payment: ids.payment_svc_id,
  webhook_endpoint: ids.webhook_endpoint_svc_id,
  billing_entity: ids.billing_entity_code,
  tax: ids.tax_code,
};

/** `customer acme-podcasts; subscription acme-studio; …` */
export const demoIdList = [
  `customer ${ids.external_customer_id}`,
  `subscription ${ids.external_subscription_id}`,
  `wallet ${ids.wallet_svc_id} (${ids.wallet_code}; alert ${ids.wallet_alert_code})`,
  `wallet transaction ${ids.wallet_transaction_svc_id}`,
  `plan ${ids.plan_code}`,
  `add-on ${ids.add_on_code}`,
  `invoice ${ids.invoice_svc_id}`,
  `credit note ${ids.credit_note_svc_id}`,
  `event ${ids.event_transaction_id} (metric ${ids.billable_metric_code})`,
  `payment ${ids.payment_svc_id}`,
  `webhook ${ids.webhook_endpoint_svc_id}`,
].join('; ');
