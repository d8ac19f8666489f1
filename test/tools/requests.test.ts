import { describe, expect, it } from 'vitest';
import { toolByName } from '../../tools/all-tools.ts';
import { argsOf, requestOf } from '../support/api.ts';

const id = '5eb02857-a71e-4ea2-bcf9-57d3a41bc6ba';

describe('the request of each tool', () => {
  it.each([
    ['get_customer', { external_customer_id: 'a/b' }, { path: { external_customer_id: 'a/b' } }],
    ['get_customer_portal_url', { external_customer_id: 'c' }, { path: { external_customer_id: 'c' } }],
    ['list_plans', { page: 2, per_page: 5 }, { query: { page: 2, per_page: 5 } }],
    ['list_plans', {}, { query: {} }],
    [
      'preview_invoice',
      {
        ...{ plan_code: 'p', customer: { name: 'A', zipcode: '1' }, coupons: [{ code: 'c', frequency: 'once' }] },
        without_coupons: true,
      },
      { body: { plan_code: 'p', customer: { name: 'A', zipcode: '1' }, coupons: [{ code: 'c', frequency: 'once' }] } },
    ],
    [
      'preview_invoice',
      { subscriptions: { external_ids: ['s'], terminated_at: '2026-01-31T00:00:00Z' } },
      { body: { customer: {}, subscriptions: { external_ids: ['s'], terminated_at: '2026-01-31T00:00:00Z' } } },
    ],
    ['preview_invoice', { plan_code: 'p', customer: null }, { body: { customer: {}, plan_code: 'p' } }],
    [
      'estimate_fees',
      { external_subscription_id: 's', code: 'm', properties: { n: 1 } },
      { body: { event: { external_subscription_id: 's', code: 'm', properties: { n: 1 } } } },
    ],
    [
      'estimate_fees',
      { external_subscription_id: 's', code: 'm', precise_total_amount_cents: '1234.56789012345' },
      { body: { event: { external_subscription_id: 's', code: 'm', precise_total_amount_cents: 1234.56789012345 } } },
    ],
    ['get_event', { transaction_id: 't.1' }, { path: { transaction_id: 't.1' } }],
    [
      'update_subscription',
      { external_id: 's', name: 'N' },
      { path: { external_id: 's' }, body: { subscription: { name: 'N' } } },
    ],
    [
      'update_subscription',
      { external_id: 's', status: 'pending', ending_at: null },
      {
        path: { external_id: 's' },
        query: { status: 'pending' },
        body: { subscription: { ending_at: null }, status: 'pending' },
      },
    ],
    [
      'update_subscription',
      {
        external_id: 's',
        plan_overrides: { fixed_charges: [{ id: 'a', units: '2.50' }, { id: 'b', units: 3 }, { id: 'c' }] },
      },
      {
        path: { external_id: 's' },
        body: {
          subscription: {
            plan_overrides: { fixed_charges: [{ id: 'a', units: 2.5 }, { id: 'b', units: 3 }, { id: 'c' }] },
          },
        },
      },
    ],
    [
      'list_subscription_alerts',
      { external_id: 's', subscription_status: 'pending', page: 1 },
      { path: { external_id: 's' }, query: { subscription_status: 'pending', page: 1 } },
    ],
    [
      'create_subscription_alert',
      {
        external_id: 's',
        subscription_status: 'active',
        code: 'c',
        alert_type: 'current_usage_amount',
        thresholds: [{ value: 10 }],
      },
      {
        path: { external_id: 's' },
        query: { subscription_status: 'active' },
        body: { alert: { code: 'c', alert_type: 'current_usage_amount', thresholds: [{ value: '10' }] } },
      },
    ],
    [
      'create_subscription_alert',
      {
        ...{ external_id: 's', code: 'c', alert_type: 'current_usage_amount' },
        thresholds: [
          { value: 0.1, code: 'low' },
          { value: '12345678901234567890.12345' },
          { value: '5.00', recurring: true },
          { value: 1e21 },
        ],
      },
      {
        path: { external_id: 's' },
        body: {
          alert: {
            ...{ code: 'c', alert_type: 'current_usage_amount' },
            thresholds: [
              { value: '0.1', code: 'low' },
              { value: '12345678901234567890.12345' },
              { value: '5', recurring: true },
              { value: '1000000000000000000000' },
            ],
          },
        },
      },
    ],
    [
      'get_wallet_alert',
      { external_customer_id: 'c', wallet_code: 'w', code: 'a' },
      { path: { external_customer_id: 'c', wallet_code: 'w', code: 'a' } },
    ],
    [
      'update_wallet',
      { svc_id: id, name: null, recurring_transaction_rules: [] },
      { path: { svc_id: id }, body: { wallet: { name: null, recurring_transaction_rules: [] } } },
    ],
    ['get_wallet_transaction', { svc_id: id }, { path: { svc_id: id } }],
    [
      'update_invoice',
      { svc_id: id, metadata: [{ id, key: 'k', value: 'v' }] },
      { path: { svc_id: id }, body: { invoice: { metadata: [{ id, key: 'k', value: 'v' }] } } },
    ],
    [
      'update_credit_note',
      { svc_id: id, refund_status: null },
      { path: { svc_id: id }, body: { credit_note: { refund_status: null } } },
    ],
    ['get_payment', { svc_id: id }, { path: { svc_id: id } }],
    ['update_add_on', { code: 'old', new_code: 'new' }, { path: { code: 'old' }, body: { add_on: { code: 'new' } } }],
    [
      'update_add_on',
      { code: 'old', amount_cents: 1 },
      { path: { code: 'old' }, body: { add_on: { amount_cents: 1 } } },
    ],
    ['delete_add_on', { code: 'old' }, { path: { code: 'old' } }],
    [
      'create_billing_entity',
      { code: 'a', name: 'A', billing_configuration: { invoice_grace_period: 3 }, phone: '1', einvoicing: false },
      {
        body: {
          billing_entity: {
            code: 'a',
            name: 'A',
            billing_configuration: { invoice_grace_period: 3 },
            phone: '1',
            einvoicing: false,
          },
        },
      },
    ],
    ['get_webhook_endpoint', { svc_id: id }, { path: { svc_id: id } }],
  ])('%s %j', (name, args, request) => {
    expect(requestOf(toolByName.get(name)!, argsOf(name, args))).toEqual(request);
  });
});
