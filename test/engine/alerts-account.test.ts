import { afterEach, expect, it } from 'vitest';
import type { AlertType } from '../../src/contract/enums.ts';
import { type AlertRecord, alerts } from '../../src/engine/records/index.ts';
import { processAllAlerts, processSubscriptionAlerts } from '../../src/service/operations/alerts.ts';
import { type Records, type World, world } from './service-world.ts';
import {
  blank,
  chargeRecord,
  eventRecord,
  metricRecord,
  planRecord,
  subscriptionRecord,
  walletRecord,
} from './world.ts';

const NOW = '2026-03-10T12:00:00.000Z';
let open: World | undefined;
afterEach(() => open?.close());

function alert(type: AlertType, fields: Partial<AlertRecord> = {}): AlertRecord {
  return {
    ...blank(alerts.columns),
    id: type,
    code: type,
    alert_type: type,
    direction: 'increasing',
    subscription_id: 'subscription',
    external_subscription_id: 'sub',
    previous_value: '0.0',
    thresholds: [{ code: 'low', value: '500', recurring: false }],
    ...fields,
  };
}

const event = (n: number, month: string, value: number) =>
  eventRecord(n, { timestamp: `2026-${month}-05T00:00:00.000Z`, properties: { value, region: n % 2 ? 'eu' : 'us' } });
const byRegion = chargeRecord('units', { properties: { amount: '1', pricing_group_keys: ['region'] } });
const base: Records = {
  plans: [planRecord({ charges: [byRegion] })],
  subscriptions: [subscriptionRecord()],
  events: [event(1, '01', 20), event(2, '02', 30), event(3, '03', 4), event(4, '03', 7)],
};

async function processed(alerts: AlertRecord[], records: Records = {}) {
  open = await world({ ...base, ...records, alerts }, NOW);
  await processAllAlerts(open.account, new Date(NOW));
  const stored = await open.account.find('alerts');
  return { values: Object.fromEntries(stored.map(record => [record.id, record.previous_value])), stored };
}

it('follow the usage that the account holds (§14)', async () => {
  const metric = { billable_metric_id: 'units' };
  const { values, stored } = await processed([
    alert('current_usage_amount'),
    alert('billable_metric_current_usage_amount', metric),
    alert('billable_metric_current_usage_units', metric),
    alert('lifetime_usage_amount'),
    alert('billable_metric_lifetime_usage_units', metric),
  ]);
  expect(values).toEqual({
    current_usage_amount: '1100.0', // 4.00 + 7.00
    billable_metric_current_usage_amount: '700.0', // the largest fee
    billable_metric_current_usage_units: '7.0',
    lifetime_usage_amount: '6100.0', // 20 + 30 + 4 + 7
    billable_metric_lifetime_usage_units: '37.0', // region us: 30 + 7
  });
  expect(stored.every(record => record.last_processed_at === NOW)).toBe(true);
});

it('see a pay-in-advance charge at its peak, in current units: sum 10, then −4 at 1.00: 10.00, 6 units (§8)', async () => {
  const metric = { billable_metric_id: 'units' };
  const { values } = await processed(
    [
      alert('current_usage_amount'),
      alert('billable_metric_current_usage_amount', metric),
      alert('billable_metric_current_usage_units', metric),
      alert('lifetime_usage_amount'),
    ],
    {
      plans: [planRecord({ charges: [chargeRecord('units', { pay_in_advance: true })] })],
      events: [event(1, '02', 3), event(2, '03', 10), { ...event(3, '03', -4), timestamp: '2026-03-06T00:00:00.000Z' }],
    },
  );
  expect(values).toEqual({
    current_usage_amount: '1000.0',
    billable_metric_current_usage_amount: '1000.0',
    billable_metric_current_usage_units: '6.0',
    lifetime_usage_amount: '1300.0',
  });
});

it('falls back at a period change', async () => {
  await processed([alert('current_usage_amount')]);
  await processSubscriptionAlerts(open!.account, 'sub', new Date('2026-04-10T00:00:00.000Z'));
  expect(await open!.account.find('alerts')).toMatchObject([{ previous_value: '0.0' }]);
});

it('skip alerts that were deleted, whose subscription is not active, or whose usage is out of scope', async () => {
  const plan = planRecord({ charges: [byRegion, chargeRecord('script')] });
  const metrics = [metricRecord('units'), metricRecord('script', { aggregation_type: 'custom_agg' })];
  const { values } = await processed(
    [
      alert('current_usage_amount'),
      alert('billable_metric_current_usage_amount', { billable_metric_id: 'units' }),
      alert('lifetime_usage_amount', { external_subscription_id: 'ended' }),
      alert('billable_metric_current_usage_units', { deleted_at: NOW }),
    ],
    {
      plans: [plan],
      billable_metrics: metrics,
      subscriptions: [
        subscriptionRecord(),
        subscriptionRecord({ id: 'ended', external_id: 'ended', status: 'terminated' }),
      ],
    },
  );
  expect(values).toEqual({
    current_usage_amount: '0.0',
    billable_metric_current_usage_amount: '700.0',
    lifetime_usage_amount: '0.0',
    billable_metric_current_usage_units: '0.0',
  });
});

it('find no usage of a subscription that starts later', async () => {
  const later = { subscription_id: 'later', external_subscription_id: 'later' };
  const { values } = await processed(
    [
      alert('current_usage_amount'),
      ...(['billable_metric_lifetime_usage_units', 'lifetime_usage_amount'] as const).map(type =>
        alert(type, { ...later, billable_metric_id: 'units' }),
      ),
    ],
    {
      subscriptions: [
        subscriptionRecord(),
        subscriptionRecord({ id: 'later', external_id: 'later', subscription_at: '2026-06-15T00:00:00.000Z' }),
      ],
    },
  );
  expect(values).toEqual({
    current_usage_amount: '1100.0',
    billable_metric_lifetime_usage_units: '0.0',
    lifetime_usage_amount: '0.0',
  });
});

const wallet = {
  wallet_id: 'w',
  external_subscription_id: null,
  subscription_id: null,
  direction: 'decreasing' as const,
};

it('of ongoing balances read the balance less the usage: 1500 − 1100 = 400', async () => {
  const alerts = [
    alert('wallet_ongoing_balance_amount', { ...wallet, previous_value: '1500.0' }),
    alert('wallet_credits_ongoing_balance', wallet),
  ];
  const { values } = await processed(alerts, {
    wallets: [walletRecord('w', { balance_cents: 1500, rate_amount: '0.5' })],
  });
  expect(values).toEqual({ wallet_ongoing_balance_amount: '400.0', wallet_credits_ongoing_balance: '8.0' });
});

it('on wallets read the balance', async () => {
  const { values } = await processed([alert('wallet_balance_amount', { ...wallet, previous_value: '2000.0' })], {
    wallets: [walletRecord('w', { balance_cents: 400 })],
  });
  expect(values).toEqual({ wallet_balance_amount: '400.0' });
});
