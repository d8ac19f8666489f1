import { describe, expect, it } from 'vitest';
import { toolByName } from '../../tools/all-tools.ts';
import { argsOf, requestOf } from '../support/api.ts';

const id = '5eb02857-a71e-4ea2-bcf9-57d3a41bc6ba';

/** An override of quantities, of which the first is this. */
const fixed = (units: unknown) => ({
  external_id: 's',
  plan_overrides: { fixed_charges: [{ id: 'a', units }, { id: 'b', units: 3 }, { id: 'c' }] },
});
const alert = (thresholds: object[]) => ({ code: 'c', alert_type: 'current_usage_amount', thresholds });
const entity = {
  code: 'a',
  name: 'A',
  billing_configuration: { invoice_grace_period: 3 },
  phone: '1',
  einvoicing: false,
};

/** Requests that are not the arguments as they are; those of others are seen by test/words/golden.test.ts. */
describe('the request of each tool', () => {
  it.each([
    ['get_customer', { external_customer_id: 'a/b' }, { path: { external_customer_id: 'a/b' } }],
    ['list_plans', { page: 2, per_page: 5 }, { query: { page: 2, per_page: 5 } }],
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
      fixed('2.50'),
      { path: { external_id: 's' }, body: { subscription: { plan_overrides: fixed(2.5).plan_overrides } } },
    ],
    [
      'list_subscription_alerts',
      { external_id: 's', subscription_status: 'pending', page: 1 },
      { path: { external_id: 's' }, query: { subscription_status: 'pending', page: 1 } },
    ],
    [
      'create_subscription_alert',
      { external_id: 's', subscription_status: 'active', ...alert([{ value: 10 }]) },
      {
        ...{ path: { external_id: 's' }, query: { subscription_status: 'active' } },
        body: { alert: alert([{ value: '10' }]) },
      },
    ],
    [
      'create_subscription_alert',
      {
        external_id: 's',
        ...alert([
          ...[{ value: 0.1, code: 'low' }, { value: '12345678901234567890.12345' }],
          ...[{ value: '5.00', recurring: true }, { value: 1e21 }],
        ]),
      },
      {
        path: { external_id: 's' },
        body: {
          alert: alert([
            ...[{ value: '0.1', code: 'low' }, { value: '12345678901234567890.12345' }],
            ...[{ value: '5', recurring: true }, { value: '1000000000000000000000' }],
          ]),
        },
      },
    ],
    [
      'update_wallet',
      { svc_id: id, name: null, recurring_transaction_rules: [] },
      { path: { svc_id: id }, body: { wallet: { name: null, recurring_transaction_rules: [] } } },
    ],
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
    ['update_add_on', { code: 'old', new_code: 'new' }, { path: { code: 'old' }, body: { add_on: { code: 'new' } } }],
    ['create_billing_entity', entity, { body: { billing_entity: entity } }],
  ])('%s %j', (name, args, request) => {
    expect(requestOf(toolByName.get(name)!, argsOf(name, args))).toEqual(request);
  });
});
