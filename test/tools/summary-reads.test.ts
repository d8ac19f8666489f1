/** What a read asks for beside its record, so that its sentence needs no other call: a currency, a wallet's name. */
import { describe, expect, it } from 'vitest';
import { factsOf } from '../support/facts.ts';
import { meta, refusal, type Script, sharedWorld } from './lookup-upstream.ts';

const world = await sharedWorld();

const wallet = '5eb02857-a71e-4ea2-bcf9-000000000001';
const alertPath = '/customers/acme/wallets/main/alerts/low';
const alertArgs = { external_customer_id: 'acme', wallet_code: 'main', code: 'low' };
const low = (fields: object = {}) => ({
  alert: {
    ...{ code: 'low', name: 'Low', alert_type: 'wallet_balance_amount', direction: 'decreasing', wallet_code: 'main' },
    ...{ svc_wallet_id: wallet, previous_value: '20000.0', last_processed_at: null },
    thresholds: [{ value: '10000.0', recurring: false }],
    ...fields,
  },
});
const yen = { wallet: { svc_id: wallet, code: 'main', name: 'Main', currency: 'JPY', external_customer_id: 'acme' } };

async function ask(tool: string, args: object, script: Script, env: Record<string, string> = {}) {
  await world.renew(env);
  world.script(script);
  const { summary } = await world.call(tool, args);
  return { summary, asked: world.asked };
}

describe('an alert on a wallet', () => {
  it('is told in the currency of its wallet', async () => {
    const script = { [alertPath]: low(), [`/wallets/${wallet}`]: yen };
    const { summary, asked } = await ask('get_wallet_alert', alertArgs, script);
    expect(asked).toEqual([alertPath, `/wallets/${wallet}`]);
    expect(summary).toContain('¥20,000 when created, next at ¥10,000.');
  });

  it('is told in minor units where the wallet cannot be read', async () => {
    const script = { [alertPath]: low(), [`/wallets/${wallet}`]: refusal(500, 'internal_server_error') };
    const { summary } = await ask('get_wallet_alert', alertArgs, script);
    expect(factsOf(summary)).toContain('20,000 · 10,000');
  });

  it.each<[string, object, Record<string, string>]>([
    ['of credits', { alert_type: 'wallet_credits_balance' }, {}],
    ['without lookups', {}, { BILLING_LOOKUPS: 'false' }],
    ['where list_wallets is excluded', {}, { BILLING_EXCLUDE_TOOLS: 'list_wallets' }],
  ])('asks for nothing else: %s', async (_, fields, env) => {
    const script = { [alertPath]: low(fields), [`/wallets/${wallet}`]: yen };
    expect((await ask('get_wallet_alert', alertArgs, script, env)).asked).toEqual([alertPath]);
  });

  it('is told the same where this caller has listed the wallet before, as it was then', async () => {
    await world.renew();
    const listed = { wallets: [{ ...yen.wallet, currency: 'USD', status: 'active', balance_cents: 5 }], meta: meta(1) };
    world.script({ '/wallets': listed, [alertPath]: low(), [`/wallets/${wallet}`]: yen });
    await world.call('list_wallets', {});
    const seen = world.asked.length;
    expect((await world.call('get_wallet_alert', alertArgs)).summary).toContain('¥20,000');
    expect(world.asked.slice(seen)).toEqual([alertPath, `/wallets/${wallet}`]);
  });
});

describe('the alerts of a subscription', () => {
  const path = '/subscriptions/main/alerts';
  const alerts = (alert_type: string) => ({
    alerts: [
      {
        ...{ code: 'spend', alert_type, external_subscription_id: 'main', previous_value: '0.0' },
        last_processed_at: null,
        thresholds: [{ value: '5000.0' }],
      },
    ],
    meta: meta(1),
  });
  const subscription = { subscription: { external_id: 'main', status: 'terminated', plan_amount_currency: 'KWD' } };

  it('are told in its currency, in the state that was asked for', async () => {
    const script = { [path]: alerts('current_usage_amount'), '/subscriptions/main': subscription };
    const args = { external_id: 'main', subscription_status: 'terminated' };
    const { summary, asked } = await ask('list_subscription_alerts', args, script);
    expect(asked).toEqual([`${path}?subscription_status=terminated`, '/subscriptions/main?status=terminated']);
    expect(summary).toContain('first at KD 5.000');
  });

  it('in units ask for nothing else', async () => {
    const script = { [path]: alerts('billable_metric_current_usage_units') };
    expect((await ask('list_subscription_alerts', { external_id: 'main' }, script)).asked).toEqual([path]);
  });
});

describe('an estimate', () => {
  const estimate = '/events/estimate_fees';
  const args = { external_subscription_id: 'main', code: 'tokens', properties: { tokens: 8 } };
  const fee = (fields: object = {}) => ({
    svc_charge_id: 'c1',
    svc_charge_filter_id: null,
    item: { type: 'charge', name: 'Tokens' },
    amount_currency: 'USD',
    ...{ units: '8.0', precise_amount: '0.22', amount_cents: 22, total_amount_cents: 22, amount_details: {} },
    ...fields,
  });
  const graduated_ranges = [
    { from_value: 0, to_value: 1000, per_unit_amount: '0.03', flat_amount: '0' },
    { from_value: 1001, to_value: null, per_unit_amount: '0.02', flat_amount: '0' },
  ];
  const charge = { svc_id: 'c1', charge_model: 'graduated', properties: { graduated_ranges } };
  const plan = { plan: { code: 'p', charges: [{ ...charge, svc_id: 'another' }, charge] } };
  const own = { subscription: { external_id: 'main', status: 'active', ...plan } };

  it.each([
    ['nothing', null],
    ['the plan', { plans: [{ svc_id: 'p', ...plan.plan }], meta: meta(1) }],
    [
      'the plan as it was',
      { plans: [{ svc_id: 'p', charges: [{ ...charge, charge_model: 'standard' }] }], meta: meta(1) },
    ],
  ])('is told with the tiers that the subscription has, where %s was listed before', async (_, plans) => {
    await world.renew();
    world.script({ ...(plans && { '/plans': plans }), [estimate]: { fees: [fee()] }, '/subscriptions/main': own });
    if (plans) await world.call('list_plans', {});
    const seen = world.asked.length;
    const { summary } = await world.call('estimate_fees', args);
    expect(world.asked.slice(seen)).toEqual([estimate, '/subscriptions/main']);
    expect(summary).toContain('“Tokens”: 6 × $0.03 + 2 × $0.02 = $0.22.');
  });

  const nothing = { units: '0.0', precise_amount: '0.0', amount_cents: 0, total_amount_cents: 0 };
  const record = '/subscriptions/main';
  it.each<[string, object, Record<string, string>, string[], string]>([
    ['cannot be read', {}, {}, [record], '8 units = $0.22'],
    ['may not be read', {}, { BILLING_EXCLUDE_TOOLS: 'get_subscription' }, [], '8 units = $0.22'],
    ['is not needed: nothing was used', nothing, {}, [], '$0.00'],
    ['is not needed: no charge is named', { svc_charge_id: null }, {}, [], '8 units = $0.22'],
  ])('has the units, and no average of their price, where the subscription %s', async (_, fields, env, read, told) => {
    const script = { [estimate]: { fees: [fee(fields)] }, [record]: refusal(500, 'error') };
    const { summary, asked } = await ask('estimate_fees', args, script, env);
    expect(asked).toEqual([estimate, ...read]);
    expect(summary).toContain(told);
  });
});

describe('an estimate of a dynamic charge', () => {
  const estimate = '/events/estimate_fees';
  const event = { external_subscription_id: 'main', code: 'tokens' };
  const free = { svc_charge_id: 'c1', amount_currency: 'USD', units: '1.0', amount_cents: 0, total_amount_cents: 0 };
  const charges = [{ svc_id: 'c1', charge_model: 'dynamic', billable_metric_code: 'tokens', properties: {} }];
  const script = {
    [estimate]: { fees: [{ ...free, item: { type: 'charge', name: 'Tokens' } }] },
    '/subscriptions/main': { subscription: { external_id: 'main', status: 'active', plan: { code: 'p', charges } } },
  };

  it('warns where the price of the event is left out', async () => {
    const { summary } = await ask('estimate_fees', event, script);
    expect(summary).toContain('tokens is estimated at 0.00');
  });

  it('does not warn where it is sent', async () => {
    const args = { ...event, precise_total_amount_cents: '0' };
    expect((await ask('estimate_fees', args, script)).summary).not.toContain('Without precise');
  });
});

describe('a wallet transaction', () => {
  const moved = {
    wallet_transaction: {
      ...{ svc_id: wallet, svc_wallet_id: wallet, status: 'settled', transaction_status: 'invoiced', source: 'manual' },
      ...{ transaction_type: 'outbound', amount: '1250.0', credit_amount: '125.0', settled_at: '2026-01-31T10:00:00Z' },
    },
  };
  const path = `/wallet_transactions/${wallet}`;

  it('is told with its wallet, in its currency', async () => {
    const script = { [path]: moved, [`/wallets/${wallet}`]: yen };
    const { summary } = await ask('get_wallet_transaction', { svc_id: wallet }, script);
    expect(factsOf(summary)).toContain('125 · ¥1,250 · “Main” · (main) · 31 Jan');
  });

  it('tells the rest of a top-up in credits and money, and its name on the invoice', async () => {
    const bought = { transaction_status: 'purchased', transaction_type: 'inbound', name: 'Spring top-up' };
    const rest = { remaining_credit_amount: '40.5', remaining_amount_cents: 405 };
    const wallet_transaction = { ...moved.wallet_transaction, ...bought, ...rest };
    const script = { [path]: { wallet_transaction }, [`/wallets/${wallet}`]: yen };
    const { summary } = await ask('get_wallet_transaction', { svc_id: wallet }, script);
    expect(summary).toContain('Name on the invoice: “Spring top-up”.');
    expect(summary).toContain('40.5 credits (¥405) are unused.');
  });

  it('names no amount of money where the wallet cannot be read', async () => {
    const script = { [path]: moved, [`/wallets/${wallet}`]: refusal(403, 'read_action_not_allowed_for_wallet') };
    const { summary } = await ask('get_wallet_transaction', { svc_id: wallet }, script);
    expect(summary).toContain('125 credits used on invoices');
    expect(summary).not.toContain('1,250');
  });
});
