import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { demoIds } from '../../../src/contract/demo-ids.ts';
import type { JsonObject } from '../../../src/engine/records/index.ts';
import { expectMissing, expectOk, expectRefused, sharedService } from './service.ts';

const service = sharedService();
let path: string;
beforeEach(async () => {
  const external_id = demoIds.external_subscription_id;
  const source = (await service.account.first('subscriptions', { external_id }))!;
  const id = randomUUID();
  await service.account.insert('subscriptions', { ...source, id, external_id: id });
  path = `/subscriptions/${id}/alerts`;
});

const good = { code: 'c', alert_type: 'current_usage_amount', thresholds: [{ value: 10 }] };
const post = (alert: unknown) => service.post(path, { alert });

describe('an alert', () => {
  // In the order of the checks: each request also contains all later offences.
  const offences: [JsonObject, JsonObject][] = [
    [{ alert_type: null }, { alert_type: ['value_is_mandatory', 'value_is_invalid'] }],
    [{ alert_type: 'wallet_balance_amount' }, { alert_type: ['invalid_type'] }],
    [{ thresholds: [] }, { thresholds: ['value_is_mandatory'] }],
    [{ thresholds: 'many' }, { thresholds: ['value_is_mandatory'] }],
    [{ thresholds: [10] }, { thresholds: ['value_is_mandatory'] }],
    [{ thresholds: Array.from({ length: 21 }, () => ({ value: 1 })) }, { thresholds: ['too_many_thresholds'] }],
    [{ thresholds: [{ value: 1 }, { value: '1.0' }, { value: null }] }, { thresholds: ['duplicate_threshold_values'] }],
    [{ thresholds: [{ value: null }] }, { 'thresholds:value': ['value_is_mandatory'] }],
    [{ thresholds: [{ value: 'many' }] }, { 'thresholds:value': ['value_is_invalid'] }],
    [{ thresholds: [{ value: 0, recurring: true }] }, { 'thresholds:value': ['recurring_value_is_negative'] }],
  ];

  it.each(offences.map(([offence, details], index) => [index, offence, details] as const))(
    'is refused %i: %j',
    async (_, offence, details) => {
      expectRefused(await post({ ...offence, billable_metric_code: 'nope', code: null, ...pick(offence) }), details);
    },
  );

  /** An offence about thresholds needs a valid type. */
  function pick(offence: JsonObject): JsonObject {
    return 'alert_type' in offence ? offence : { ...offence, alert_type: 'current_usage_amount' };
  }

  it('needs a metric that exists, a code, and a metric where its type says so', async () => {
    expectMissing(await post({ ...good, code: '', billable_metric_code: 'nope' }), 'billable_metric');
    const metric = demoIds.billable_metric_code;
    expectRefused(await post({ ...good, code: '', billable_metric_code: metric }), {
      code: ['value_is_mandatory'],
      billable_metric: ['value_must_be_blank'],
    });
    expectRefused(await post({ ...good, billable_metric_code: metric }), { billable_metric: ['value_must_be_blank'] });
    const units = { ...good, alert_type: 'billable_metric_current_usage_units' };
    expectRefused(await post(units), { billable_metric: ['value_is_mandatory'] });
  });

  it('is made once per code and once per type', async () => {
    const alert = expectOk(
      await post({
        ...good,
        thresholds: [{ value: '10.50', code: 't' }, { value: -3 }, { value: 1000, recurring: true }],
      }),
    ).alert;
    expect(alert).toMatchObject({
      previous_value: 0,
      direction: 'increasing',
      billable_metric: null,
      name: null,
      thresholds: [
        { code: 't', value: '10.5', recurring: false },
        { code: null, value: '-3.0', recurring: false },
        { code: null, value: '1000.0', recurring: true },
      ],
    });
    expectRefused(await post(good), { code: ['value_already_exist'] });
    expectRefused(await post({ ...good, code: 'd' }), { base: ['alert_already_exists'] });
    const twice = [
      { value: 1, recurring: true },
      { value: 2, recurring: true },
    ];
    expectRefused(await post({ ...good, code: 'd', alert_type: 'lifetime_usage_amount', thresholds: twice }), {
      base: ['alert_already_exists'],
    });
  });

  it('is measured by the next read', async () => {
    expectOk(await post(good));
    const { alerts } = expectOk(await service.get(path)) as { alerts: JsonObject[] };
    expect(alerts[0]!.last_processed_at).toBe('2026-03-15T12:00:00Z');
  });

  it('is found by the subscription’s status', async () => {
    expectMissing(await service.post(`${path}?subscription_status=terminated`, { alert: good }), 'subscription');
    expectMissing(await service.get(`${path}?subscription_status=pending`), 'subscription');
    expectMissing(await service.get('/subscriptions/nobody/alerts'), 'subscription');
  });

  it('gets a code only once when two requests ask for it at the same time', async () => {
    const other = { ...good, alert_type: 'lifetime_usage_amount' };
    const replies = await Promise.all([post(good), post(other)]);
    expect(replies.map(reply => reply.status).sort()).toEqual([200, 422]);
  });
});

describe('a batch of alerts', () => {
  const batch = (alerts: unknown) => service.post(path, { alerts });

  it('is made as a whole', async () => {
    const made = expectOk(await batch([good, { ...good, code: 'd', alert_type: 'lifetime_usage_amount' }]));
    expect((made.alerts as JsonObject[]).map(alert => alert.code)).toEqual(['c', 'd']);
    expect(expectOk(await service.get(path)).meta).toMatchObject({ total_count: 2 });
  });

  it('is refused as a whole, with each bad entry under its index', async () => {
    const bad = { ...good, alert_type: 'none' };
    const reply = await batch([good, bad, good]);
    expectRefused(reply, {
      1: { params: bad, errors: 'Validation errors: {"alert_type":["invalid_type"]}' },
      2: { params: good, errors: 'Validation errors: {"code":["value_already_exist"]}' },
    });
    expect(expectOk(await service.get(path)).alerts).toEqual([]);
  });

  it('must not be empty', async () => {
    const message = 'BadRequest: param is missing or the value is empty or invalid: alert';
    expect((await batch([])).body).toEqual({ status: 400, error: message });
  });
});

describe('a wallet’s alert', () => {
  it('gets a 404 for the first missing record', async () => {
    const alertOf = (...parts: [string, string, string]) =>
      service.get(`/customers/${parts[0]}/wallets/${parts[1]}/alerts/${parts[2]}`);
    const { external_customer_id: customer, wallet_code: wallet, wallet_alert_code: code } = demoIds;
    expectMissing(await alertOf('x', 'x', 'x'), 'customer');
    expectMissing(await alertOf(customer, 'x', 'x'), 'wallet');
    expectMissing(await alertOf(customer, wallet, 'x'), 'alert');
    expectOk(await alertOf(customer, wallet, code));
  });
});
