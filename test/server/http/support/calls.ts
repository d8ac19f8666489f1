/** One working call of every tool against the demo account. */
import { demoIds } from '../../../../src/contract/demo-ids.ts';

export interface ToolCall {
  name: string;
  args: Record<string, unknown>;
  writes: boolean;
}

const call = (name: string, args: Record<string, unknown>): ToolCall => ({ name, args, writes: false });
const write = (name: string, args: Record<string, unknown>): ToolCall => ({ name, args, writes: true });

/** `mark` makes records and values distinct, so that the calls can be made twice on one account. */
export function everyTool(mark: string): ToolCall[] {
  const ids = demoIds;
  const customer = ids.external_customer_id;
  const of = { external_customer_id: customer };
  return [
    call('get_customer', of),
    call('get_customer_portal_url', of),
    call('list_plans', { per_page: 2 }),
    call('preview_invoice', {
      customer: { external_id: customer },
      subscriptions: { external_ids: [ids.external_subscription_id] },
    }),
    call('estimate_fees', {
      external_subscription_id: ids.external_subscription_id,
      code: ids.billable_metric_code,
      properties: { tokens: 1000 },
    }),
    call('get_event', { transaction_id: ids.event_transaction_id }),
    write('update_subscription', { external_id: ids.external_subscription_id, name: `Studio ${mark}` }),
    call('list_subscription_alerts', { external_id: ids.external_subscription_id }),
    write('create_subscription_alert', {
      ...{ external_id: ids.external_subscription_id, code: `alert-${mark}`, thresholds: [{ value: 1000 }] },
      ...(mark === 'modern'
        ? { alert_type: 'lifetime_usage_amount' }
        : { alert_type: 'billable_metric_current_usage_units', billable_metric_code: 'api_calls' }),
    }),
    call('get_wallet_alert', { ...of, wallet_code: ids.wallet_code, code: ids.wallet_alert_code }),
    write('update_wallet', { svc_id: ids.wallet_svc_id, name: `Wallet ${mark}` }),
    call('get_wallet_transaction', { svc_id: ids.wallet_transaction_svc_id }),
    write('update_invoice', {
      svc_id: ids.invoice_svc_id,
      payment_status: mark === 'modern' ? 'succeeded' : 'pending',
    }),
    write('update_credit_note', { svc_id: ids.credit_note_svc_id, metadata: { note: mark } }),
    call('get_payment', { svc_id: ids.payment_svc_id }),
    write('update_add_on', { code: ids.add_on_code, name: `Onboarding ${mark}` }),
    write('delete_add_on', { code: mark === 'modern' ? 'priority_support' : 'glossary' }),
    write('create_billing_entity', { code: `entity-${mark}`, name: `Entity ${mark}` }),
    call('get_webhook_endpoint', { svc_id: ids.webhook_endpoint_svc_id }),
  ];
}
