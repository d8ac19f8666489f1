import { describe, expect, it } from 'vitest';
import type { AlertType } from '../../src/contract/enums.ts';
import { subscriptionAlertValue, walletAlertValue } from '../../src/engine/alerts.ts';
import { ongoingBalance } from '../../src/engine/ongoing.ts';
import { storedFee, walletRecord } from './world.ts';

describe('what subscription alerts watch (§14)', () => {
  const item = { ...storedFee(0).item, type: 'charge' } as const;
  const fees = [
    storedFee(300, { units: '3.0', item: { ...item, item_id: 'units' } }),
    storedFee(500, { units: '2.0', item: { ...item, item_id: 'units' } }),
    storedFee(900, { units: '9.0', item: { ...item, item_id: 'seats' } }),
  ];
  const lifetime = ['2', '7.5'].map(units => storedFee(0, { units, item: { ...item, item_id: 'units' } }));
  const usage = { current: fees, lifetime, lifetime_amount_cents: 12_345 };

  it.each<[AlertType, string | null, string, string]>([
    ['current_usage_amount', null, '1700', 'Σ of all fees: 300 + 500 + 900'],
    ['billable_metric_current_usage_amount', 'units', '500', 'the largest fee of the metric, not 800'],
    ['billable_metric_current_usage_units', 'units', '3', 'the most units of one fee, not 5'],
    ['billable_metric_current_usage_amount', 'other', '0', 'no fee of the metric'],
    ['lifetime_usage_amount', null, '12345', 'since the beginning'],
    ['billable_metric_lifetime_usage_units', 'units', '7.5', 'since the beginning'],
  ])('%s of %s is %s: %s', (alert_type, billable_metric_id, value) => {
    expect(subscriptionAlertValue({ alert_type, billable_metric_id }, usage).toFixed()).toBe(value);
  });
});

it.each<[AlertType, string]>([
  ['wallet_balance_amount', '1000'],
  ['wallet_credits_balance', '20'],
  ['wallet_ongoing_balance_amount', '700'],
  ['wallet_credits_ongoing_balance', '14'],
])('a wallet alert of type %s reads the balance: %s', (type, value) => {
  const wallet = walletRecord('w', { rate_amount: '0.5', credits_balance: '20' });
  expect(walletAlertValue(type, wallet, ongoingBalance(wallet, 300)).toFixed()).toBe(value);
});
