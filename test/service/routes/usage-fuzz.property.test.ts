/** No query of usage and analytics fails, whatever its keys and values. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { demoIds } from '../../../src/contract/demo-ids.ts';
import { runs } from '../../support/extent.ts';
import { sharedService } from './service.ts';

const service = sharedService();

const customer = `/customers/${demoIds.external_customer_id}`;
const subscription = `/subscriptions/${demoIds.external_subscription_id}`;
const keys = fc.constantFrom(
  ...['external_subscription_id', 'apply_taxes', 'charge_id', 'charge_code', 'billable_metric_code', 'group'],
  ...[
    'group[project]',
    'group[]',
    'group[[]',
    'group[__proto__]',
    'skip_grouping',
    'full_usage',
    'periods_count',
    'page',
  ],
  ...['per_page', 'months', 'currency', 'external_customer_id', 'billing_entity_code', 'subscription_status'],
);
const values = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.json(),
  fc.constantFrom(
    'true',
    '0',
    '-1',
    '1e9',
    '999999999999999999999',
    'eur',
    '%',
    '\0',
    demoIds.external_subscription_id,
  ),
);

it.each([
  ...['current_usage', 'past_usage', 'projected_usage'].map(name => `${customer}/${name}`),
  ...['lifetime_usage', 'entitlements'].map(name => `${subscription}/${name}`),
  ...['gross_revenue', 'mrr', 'overdue_balance', 'invoiced_usage', 'invoice_collection', 'usage'].map(
    name => `/analytics/${name}`,
  ),
])('%s', async path => {
  const statuses = new Set<number>();
  const known = `external_subscription_id=${demoIds.external_subscription_id}&`;
  const property = fc.asyncProperty(fc.boolean(), fc.array(fc.tuple(keys, values)), async (mayWork, query) => {
    const text = query.map(([key, value]) => `${encodeURIComponent(key)}=${encodeURIComponent(wellFormed(value))}`);
    const { status, body } = await service.get(`${path}?${mayWork ? known : ''}${text.join('&')}`);
    statuses.add(status);
    if (status === 200) return;
    expect([403, 404, 405, 422]).toContain(status);
    expect(body).toMatchObject({ status, error: expect.any(String) });
  });
  // The last line holds for these two; luck alone might meet none.
  const examples: [boolean, [string, string][]][] = [
    [true, []],
    [false, []],
  ];
  await fc.assert(property, { ...runs(100), examples });
  if (!/projected|analytics\/usage/.test(path)) expect([...statuses]).toContain(200);
});

function wellFormed(text: string): string {
  return Buffer.from(text).toString();
}
