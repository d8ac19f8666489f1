import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkAmounts } from '../../../src/calls/change/fields/amounts.ts';
import { demoIds } from '../../../src/contract/demo-ids.ts';
import type { KnownRecord, WriteTool } from '../../../src/definition/define.ts';
import type { WriteCall } from '../../../src/definition/write-call.ts';
import type { JsonRecord } from '../../../src/lib/json.ts';
import { largestAmounts } from '../../../src/server/settings/amount-setting.ts';
import { ConfigError } from '../../../src/server/settings/settings.ts';
import { toolByName } from '../../../tools/all-tools.ts';
import { KEY, sharedService } from '../../service/routes/service.ts';
import { connectClient, startRuntime, type TestClient } from '../../support/clients.ts';

const largest = largestAmounts('USD:1000,EUR:500.50,JPY:100000,KWD:300');
const limits = { largest, statedBy: 'BILLING_MAX_AMOUNT' };

/** `reading`: was the record read for this call? */
const check = (tool: string, args: JsonRecord, known: KnownRecord = null, reading: WriteCall['reading'] = 'read') => {
  const verdict = checkAmounts({ tool: toolByName.get(tool) as WriteTool, args, known, reading }, limits);
  return verdict === true ? true : verdict.message;
};

describe('the largest amount of an add-on', () => {
  const addOn = (args: JsonRecord, seen: KnownRecord = null) =>
    check('update_add_on', { code: 'setup', ...args }, seen);

  it.each([
    ['USD', 100_000],
    ['EUR', 50_050],
    ['JPY', 100_000],
    ['KWD', 300_000],
  ])('counts %s in its own minor unit: %i is the last that passes', (amount_currency, most) => {
    expect(addOn({ amount_cents: most, amount_currency })).toBe(true);
    expect(addOn({ amount_cents: most + 1, amount_currency })).toContain('BILLING_MAX_AMOUNT');
    expect(addOn({ amount_cents: -most - 1, amount_currency })).toContain('BILLING_MAX_AMOUNT');
  });

  it('is refused with argument, amount and limit', () => {
    expect(addOn({ amount_cents: 125_000, amount_currency: 'USD' })).toBe(
      'update_add_on was refused before anything was sent: amount_cents: $1,250.00 is over the limit of $1,000.00 (BILLING_MAX_AMOUNT).',
    );
  });

  it('is 0 in a currency that is not listed', () => {
    expect(addOn({ amount_cents: 1, amount_currency: 'GBP' })).toContain('GBP, has no limit');
  });

  it('needs the record where only the price or only the currency is sent', () => {
    const seen = { amount_cents: 90_000, amount_currency: 'USD' };
    expect(addOn({ amount_cents: 100_000 }, seen)).toBe(true);
    expect(addOn({ amount_cents: 100_001 }, seen)).toContain('$1,000.01');
    expect(addOn({ amount_currency: 'EUR' }, seen)).toMatch(/€900\.00 .*€500\.50/);
    expect(addOn({ amount_currency: 'GBP' }, seen)).toContain('GBP, has no limit');
    expect(addOn({ amount_currency: 'USD' }, seen)).toBe(true);
    expect(addOn({ name: 'x', amount_currency: null, amount_cents: null })).toBe(true);
    expect(addOn({ amount_cents: 1, amount_currency: 'USD' })).toBe(true);
  });

  it('is unknown where the add-on could not be seen, and the write is then refused', () => {
    for (const args of [{ amount_cents: 1 }, { amount_currency: 'USD' }]) {
      const said = check('update_add_on', { code: 'setup', ...args }, null, 'unreadable');
      expect(said).toContain('the record could not be read');
    }
  });

  it('is unknown where the add-on that was seen has no currency', () => {
    expect(addOn({ amount_cents: 1 }, { amount_cents: 1 })).toContain('its currency is unknown');
    expect(addOn({ amount_currency: 'USD' }, { amount_currency: 'USD' })).toContain('the current amount is unknown');
  });
});

describe('the largest amount of a wallet', () => {
  const wallet = { svc_id: 'w1', currency: 'EUR', rate_amount: '2.5' };
  const update = (args: JsonRecord, known: KnownRecord = null, reading?: WriteCall['reading']) =>
    check('update_wallet', { svc_id: 'w1', ...args }, known, reading);
  const rule = (fields: JsonRecord) => ({ recurring_transaction_rules: [fields] });

  it('is in the wallet’s currency', () => {
    expect(update({ paid_top_up_max_amount_cents: 50_050 }, wallet)).toBe(true);
    expect(update({ paid_top_up_max_amount_cents: 50_051 }, wallet)).toContain('€500.51');
    const sterling = { ...wallet, currency: 'GBP' };
    expect(update({ paid_top_up_max_amount_cents: 1 }, sterling)).toContain('GBP, has no limit');
  });

  it.each(['paid_credits', 'granted_credits', 'target_ongoing_balance', 'threshold_credits'])(
    'counts %s at the wallet’s rate',
    field => {
      expect(update(rule({ [field]: '200.2' }), wallet)).toBe(true);
      const refused = update(rule({ [field]: '200.204' }), wallet);
      expect(refused).toContain(`[0].${field}: 200.204 credits at €2.50`);
      expect(refused).toContain('€500.51, over the limit of €500.50');
    },
  );

  it('counts the target of a rule that begins to grant, which the write does not name', () => {
    const grants = { svc_id: 'r1', grants_target_top_up: true };
    const withRule = (stored: JsonRecord) => ({ ...wallet, ...rule({ svc_id: 'r1', ...stored }) });
    expect(update(rule(grants), withRule({ target_ongoing_balance: '200.2' }))).toBe(true);
    expect(update(rule(grants), withRule({ target_ongoing_balance: '200.204' }))).toMatch(
      /\[0\]\.grants_target_top_up: 200\.204 .*€500\.51/,
    );
    const granted = { target_ongoing_balance: '200.204', grants_target_top_up: true };
    expect(update(rule(grants), withRule(granted))).toBe(true);
    expect(update(rule({ ...grants, target_ongoing_balance: '1' }), withRule(granted))).toBe(true);
    expect(update(rule(grants), null, 'unreadable')).toContain('the current target is unknown');
  });

  it('is not known without a rate', () => {
    const rateless = { svc_id: 'w1', currency: 'EUR', rate_amount: null };
    expect(update(rule({ paid_credits: '0.1' }), rateless)).toContain("wallet's price per credit");
    expect(update(rule({ paid_credits: '0.1' }), null, 'unreadable')).toContain('the record could not be read');
  });

  it('ignores nulls, and numbers that are not money', () => {
    expect(update({ paid_top_up_max_amount_cents: null, priority: 999_999_999, name: '999999999' })).toBe(true);
    expect(update(rule({ trigger: 'interval', started_at: '2030-01-01' }))).toBe(true);
  });

  it.each(['a lot', '9'.repeat(200), '1e9999', {}])('is not %j', value => {
    expect(update(rule({ paid_credits: value }), wallet)).toContain('not a number that can');
  });
});

describe('the largest amount of plan overrides', () => {
  const charges: JsonRecord[] = [
    {
      svc_id: 'c1',
      code: 'calls',
      charge_model: 'standard',
      min_amount_cents: 40_000,
      properties: { amount: '600' },
      filters: [],
    },
    { svc_id: 'c2', code: 'seats', charge_model: 'graduated', min_amount_cents: 0, properties: {}, filters: [] },
    { svc_id: 'c3', code: 'own', charge_model: 'custom', min_amount_cents: 0, properties: {}, filters: [] },
  ];
  const parent = { amount_currency: 'EUR', parent_id: null, amount_cents: 10_000, charges };
  const own = { ...parent, parent_id: 'p0' };
  const override = (overrides: JsonRecord, plan: JsonRecord = parent) =>
    check('update_subscription', { external_id: 's1', plan_overrides: overrides }, { plan });
  const prices = (id: string, properties: JsonRecord) => override({ charges: [{ id, properties }] });

  it('is that of the plan’s currency, at any depth', () => {
    expect(override({ amount_cents: 50_050 })).toBe(true);
    expect(override({ amount_cents: 50_051 })).toContain('plan_overrides.amount_cents: €500.51');
    expect(override({ charges: [{}, { min_amount_cents: 50_051 }] })).toContain('charges[1].min_amount_cents');
    expect(override({ minimum_commitment: { amount_cents: 50_051 } })).toContain('minimum_commitment');
    expect(override({ usage_thresholds: [{ amount_cents: 50_051 }] })).toContain('usage_thresholds[0]');
    expect(override({ trial_period: 1e9, fixed_charges: [{ id: 'f', units: 1e9 }] })).toBe(true);
  });

  it('does not count thresholds of the subscription itself, which spend nothing', () => {
    const own = { external_id: 's1', usage_thresholds: [{ amount_cents: 9_999_999 }] };
    expect(check('update_subscription', own, { plan: parent })).toBe(true);
    expect(check('update_subscription', own, null, 'unreadable')).toBe(true);
    const both = { ...own, plan_overrides: { amount_cents: 50_051 } };
    expect(check('update_subscription', both, { plan: parent })).toContain('plan_overrides.amount_cents');
  });

  it('takes the keys that divide usage for display in any charge, and nothing else in their place', () => {
    const keys = [{ value: 'region', options: { display_in_invoice: true } }, { value: 'team' }];
    for (const [id, properties] of [
      ['c1', { amount: '1' }],
      ['c2', { graduated_ranges: [] }],
    ] as const) {
      expect(prices(id, { ...properties, presentation_group_keys: keys })).toBe(true);
      for (const odd of [
        'region',
        [{ value: 'a', amount: '9999' }],
        [{ value: 'a', options: { amount: '9999' } }],
        [['9999']],
      ])
        expect(prices(id, { ...properties, presentation_group_keys: odd })).toContain('presentation_group_keys: ');
    }
  });

  it('uses the currency given above a nested amount, not the smallest limit', () => {
    const nested = (amount_currency: string, min_amount_cents: number) =>
      override({ amount_currency, charges: [{ id: 'c1', min_amount_cents }] }, { ...parent, charges: [charges[1]] });
    expect(nested('GBP', 1)).toContain('GBP, has no limit');
    expect(nested('USD', 60_000)).toBe(true);
    expect(nested('EUR', 60_000)).toContain('€600.00');
  });

  it('is in the plan’s currency where the service ignores the currency of an override', () => {
    expect(override({ amount_cents: 60_000, amount_currency: 'USD' }, own)).toContain('€600.00');
    expect(override({ amount_cents: 50_000, amount_currency: 'GBP' }, own)).toBe(true);
    const { parent_id, ...unknown } = parent;
    expect(override({ amount_cents: 1, amount_currency: 'USD' }, unknown)).toContain('the override has');
    expect(override({ amount_cents: 1, amount_currency: 'EUR' }, unknown)).toBe(true);
  });

  it('counts amounts that a first override in another currency does not change', () => {
    expect(override({ amount_currency: 'KWD' })).toMatch(/KD 600\.000 .*KD 300\.000/);
    const sent = [{ id: 'c1', properties: { amount: '300' } }];
    const small = { ...parent, charges: charges.slice(0, 2) };
    expect(override({ amount_currency: 'KWD', charges: sent }, small)).toBe(true);
    expect(override({ amount_currency: 'KWD', charges: sent }, { ...small, amount_cents: 300_001 })).toContain(
      'the current plan.amount_cents: KD 300.001',
    );
  });

  it.each<[string, JsonRecord]>([
    ['standard', { amount: '500.51' }],
    ['standard', { amount: 500.51 }],
    ['package', { amount: '500.51', package_size: 1 }],
    ['graduated', { graduated_ranges: [{ from_value: 0, to_value: null, per_unit_amount: '500.51' }] }],
    ['graduated', { graduated_ranges: [{ flat_amount: '0' }, { flat_amount: '500.51' }] }],
    ['graduated_percentage', { graduated_percentage_ranges: [{ rate: '1', flat_amount: '500.51' }] }],
    ['volume', { volume_ranges: [{ per_unit_amount: '500.51' }] }],
    ['percentage', { rate: '5', fixed_amount: '500.51' }],
    ['percentage', { per_transaction_min_amount: '500.51' }],
    ['percentage', { per_transaction_max_amount: '500.51' }],
  ])('finds the money of a %s charge: %j', (charge_model, properties) => {
    const charge = { svc_id: 'x', charge_model };
    const plan = { ...parent, charges: [charge], fixed_charges: [charge] };
    const beyond = '€500.51 is over the limit';
    expect(override({ charges: [{ id: 'x', properties }] }, plan)).toContain(beyond);
    expect(override({ charges: [{ id: 'x', filters: [{}, { properties }] }] }, plan)).toContain('filters[1]');
    expect(override({ fixed_charges: [{ id: 'x', properties }] }, plan)).toContain(beyond);
    const within = JSON.parse(JSON.stringify(properties).replace(/500\.51/g, '500.5'));
    expect(override({ charges: [{ id: 'x', properties: within }] }, plan)).toBe(true);
  });

  it.each<[string, JsonRecord, string]>([
    ['c1', { amuont: '1' }, 'charges[0].properties.amuont: is not a price'],
    ['c1', { graduated_ranges: [] }, 'not a price field of'],
    ['c1', { amount: null, deep: { amount: '1' } }, 'properties.deep: is not a price field'],
    ['c1', { 'a].b': '1' }, 'properties.a].b: is not a price'],
    ['c2', { graduated_ranges: { flat_amount: '1' } }, 'does not have the form'],
    ['c2', { graduated_ranges: ['9999'] }, 'does not have the form'],
    ['c2', { graduated_ranges: [{ surcharge: '1' }] }, 'surcharge: is not a price field'],
    ['c2', { graduated_ranges: [{ from_value: { flat_amount: '9999' } }] }, 'from_value: does not have the form'],
    ['c2', { graduated_ranges: [{ to_value: ['9999'] }] }, 'to_value: does not have the form'],
    ['c1', { amount: '1', grouped_by: { amount: '9999' } }, 'grouped_by: does not have the form'],
    ['c1', { amount: '1', pricing_group_keys: [{ amount: '9999' }] }, 'pricing_group_keys: does not have the form'],
    ['c3', { amount: '1' }, 'prices of a custom charge'],
    ['c9', { amount: '1' }, 'the price model is unknown'],
  ])('refuses prices of charge %s that it cannot judge: %j', (id, properties, reason) => {
    expect(prices(id, properties)).toContain(reason);
  });

  it('ignores texts that are not prices', () => {
    expect(prices('c1', { amount: '1', grouped_by: ['9999'], pricing_group_keys: ['9999', 'a'] })).toBe(true);
  });

  it('refuses prices in the account’s own pricing units', () => {
    const unit = { ...charges[0], applied_pricing_unit: { code: 'tokens', conversion_rate: '500' } };
    const plan = { ...parent, charges: [unit] };
    expect(override({ charges: [{ id: 'c1', properties: { amount: '2' } }] }, plan)).toContain('pricing units');
    expect(override({ amount_currency: 'USD' }, plan)).toContain('pricing units');
    expect(override({ amount_cents: 1 }, plan)).toBe(true);
    const rate = { charges: [{ id: 'c1', applied_pricing_unit: { conversion_rate: '0.01' } }] };
    for (const known of [plan, parent]) expect(override(rate, known)).toContain('pricing units');
  });

  it('takes metadata of the plan for no money', () => {
    expect(override({ metadata: { budget: '999999' } })).toBe(true);
  });

  it('is in the subscription’s currency where its plan is not shown', () => {
    const seen = { plan_amount_currency: 'EUR' };
    const args = (plan_overrides: JsonRecord) => ({ external_id: 's1', plan_overrides });
    expect(check('update_subscription', args({ amount_cents: 50_050 }), seen)).toBe(true);
    expect(check('update_subscription', args({ amount_cents: 50_051 }), seen)).toContain('€500.51');
    expect(check('update_subscription', args({ amount_cents: 1, amount_currency: 'USD' }), seen)).toContain(
      'the override has',
    );
  });

  it('uses the charge’s own model, and the model of the entry only for a new charge', () => {
    const entry = (fields: JsonRecord, plan = own) =>
      override({ charges: [{ charge_model: 'percentage', properties: { rate: '100' }, ...fields }] }, plan);
    expect(entry({})).toBe(true);
    expect(entry({ id: 'c1' })).toContain('rate: is not a price field');
    const child = { ...own, charges: [{ ...charges[0], svc_parent_id: 'c0' }] };
    expect(entry({ id: 'c0' }, child)).toContain('has standard, this entry has percentage');
  });

  it('is not known where the subscription was not seen', () => {
    const args = { external_id: 's1', plan_overrides: { amount_cents: 1 } };
    expect(check('update_subscription', args, null, 'unreadable')).toContain('price model is unknown');
  });
});

describe('alerts', () => {
  it('spend nothing: their thresholds have no limit', () => {
    const args = { external_id: 's1', thresholds: [{ value: 1e15 }] };
    expect(check('create_subscription_alert', args)).toBe(true);
  });
});

describe('BILLING_MAX_AMOUNT', () => {
  it('may be written with more digits than any amount has', () => {
    const long = { largest: largestAmounts(`USD:${'0'.repeat(120)}5`), statedBy: 'BILLING_MAX_AMOUNT' };
    const passes = (amount_cents: number) => {
      const args = { code: 'setup', amount_cents, amount_currency: 'USD' };
      return checkAmounts(
        { tool: toolByName.get('update_add_on') as WriteTool, args, known: null, reading: 'none' },
        long,
      );
    };
    expect([passes(500), passes(501)]).toEqual([true, expect.objectContaining({ code: 'amount_limit' })]);
  });

  it.each([
    ['UDS:1000', 'did you mean'],
    ['EURO:1000', '"EURO" is not a currency code'],
    ['USD:', '"" is not an amount'],
    ['USD:-5', 'not an amount'],
    ['USD:1,000', '"000" is not a currency code'],
    ['USD:1,USD:2', 'appears twice'],
  ])('%s stops the start', (text, reason) => {
    expect(() => largestAmounts(text)).toThrow(ConfigError);
    expect(() => largestAmounts(text)).toThrow(reason);
  });
});

describe('a write whose currency or amount comes from the record that the server read', () => {
  const service = sharedService();
  let client: TestClient;
  let close: () => Promise<void>;
  beforeAll(async () => {
    const runtime = startRuntime(service.url, { BILLING_MAX_AMOUNT: 'USD:100,JPY:100', BILLING_API_KEY: KEY });
    client = await connectClient(runtime, '2026-07-28', false);
    close = async () => {
      await client.close();
      await runtime.close();
    };
  });
  afterAll(() => close());

  const code = demoIds.add_on_code;
  const rule = (paid_credits: string) => ({
    ...{ svc_id: demoIds.wallet_svc_id, applies_to: {} },
    recurring_transaction_rules: [{ trigger: 'interval', interval: 'monthly', method: 'fixed', paid_credits }],
  });
  it.each<[string, JsonRecord, RegExp | true]>([
    ['update_wallet', rule('100.01'), /100\.01 credits at \$1\.00 .*\$100\.01/],
    ['update_wallet', rule('100'), true],
    ['update_add_on', { code, amount_currency: 'JPY' }, /is over the limit of ¥100/],
    ['update_add_on', { code, amount_currency: 'USD' }, true],
    ['update_add_on', { code, amount_cents: 10_000 }, true],
    [
      'update_subscription',
      { external_id: demoIds.external_subscription_id, plan_overrides: { amount_cents: 10_000 } },
      true,
    ],
  ])('passes up to the limit, and not beyond it: %s %j', async (tool, args, expected) => {
    const { isError, text } = await client.call(tool, args);
    expect(isError).toBe(expected !== true);
    if (expected !== true) expect(text).toMatch(expected);
  });
});
