/** How the real service shows its records: the shapes that a recorded installation has, each with its number. */
import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/engine/records/index.ts';
import { type AccountFileError, readAccount } from '../../src/service/account-file/load.ts';
import { type Case, type Entry, type Service, serve } from '../engine/file-service.ts';

const now = '2026-03-10T12:00:00Z';
const day = { from_date: '2026-03-01T00:00:00Z', to_date: '2026-03-31T23:59:59Z' };
const storage = { code: 'storage', aggregation_type: 'sum_agg', field_name: 'gb' };
const addOns = [
  { code: 'setup', name: 'Setup', amount_cents: 6669, amount_currency: 'EUR' },
  { code: 'seat', name: 'Seat', description: 'An extra', invoice_display_name: 'A seat', amount_currency: 'EUR' },
].map(addOn => ({ amount_cents: 7442, ...addOn }));
const oneOff = (fee: Entry, invoice: Entry = {}): Entry => ({
  invoices: [
    {
      number: 'ONE-1',
      external_customer_id: 'acme',
      invoice_type: 'one_off',
      currency: 'EUR',
      issuing_date: '2026-03-05',
      fees: [{ type: 'add_on', units: '1', unit_amount: '66.69', ...fee }],
      ...invoice,
    },
  ],
});

const asked = async (given: Omit<Case, 'now'>, path: string) => (await (await serve({ now, ...given })).get(path)).body;
const previewed = async (given: Omit<Case, 'now'>, body: object = { subscriptions: { external_ids: ['sub'] } }) => {
  const service = await serve({ now, ...given });
  const answer = await service.post('/invoices/preview', { customer: { external_id: 'acme' }, ...body });
  expect(answer.status).toBe(200);
  return answer.body.invoice;
};
/** The one invoice of the account, as its endpoint shows it. */
const onlyInvoice = async (service: Service) => {
  const { invoices } = (await service.get('/invoices')).body;
  return { id: invoices[0].svc_id, ...(await service.get(`/invoices/${invoices[0].svc_id}`)).body.invoice };
};

describe('correction 43: the parts for display of a fee', () => {
  const team = { value: 'team' };
  const shown = { options: { display_in_invoice: true } };
  it.each<[string, Entry[], unknown[]]>([
    ['none by a key that invoices do not show', [team], []],
    [
      'those by the keys that invoices show, added up',
      [team, { value: 'site', ...shown }],
      [
        { presentation_by: { site: 'x' }, units: '3.0' },
        { presentation_by: { site: 'y' }, units: '4.0' },
      ],
    ],
    ['none by a key whose option is off', [{ value: 'site', options: { display_in_invoice: false } }], []],
  ])('are %s', async (_what, presentation_group_keys, expected) => {
    const properties = { amount: '1', presentation_group_keys };
    const events = [
      { gb: '1', team: 'a', site: 'x' },
      { gb: '2', team: 'b', site: 'x' },
      { gb: '4', team: 'b', site: 'y' },
    ].map(each => ({ code: 'storage', timestamp: '2026-03-02', properties: each }));
    const charges = [{ billable_metric_code: 'storage', charge_model: 'standard', properties }];
    const given = { metrics: [storage], plan: { charges }, events };
    const invoice = await previewed(given);
    const fee = invoice.fees.find((each: { item: { type: string } }) => each.item.type === 'charge');
    expect(fee.presentation_breakdowns).toEqual(expected);
    const { customer_usage } = await asked(given, '/customers/acme/current_usage?external_subscription_id=sub');
    expect(customer_usage.charges_usage[0].presentation_breakdowns).not.toEqual([]);
  });
});

describe('correction 54 and 40: a fee of an add-on', () => {
  it.each<[string, Entry, Entry]>([
    ['the add-on’s description and the moment of the invoice', { add_on_code: 'seat' }, { description: 'An extra' }],
    ['its own description', { add_on_code: 'seat', description: 'Two desks' }, { description: 'Two desks' }],
    ['no description', { add_on_code: 'setup' }, { description: null }],
    ['the span that was sent', { add_on_code: 'setup', ...day }, { ...day }],
  ])('has no events, and %s', async (_what, sent, expected) => {
    const rest = { add_ons: addOns, ...oneOff(sent) };
    const { fees } = await onlyInvoice(await serve({ now, rest }));
    const moment = { from_date: '2026-03-05T00:00:00Z', to_date: '2026-03-05T00:00:00Z' };
    expect(fees[0]).toMatchObject({ events_count: null, ...moment, ...expected });
  });
});

describe('correction 55: the item of an add-on’s fee', () => {
  it('shows the add-on as it is now, in invoices and in the list of fees', async () => {
    const service = await serve({ now, rest: { add_ons: addOns, ...oneOff({ add_on_code: 'setup' }) } });
    await service.put('/add_ons/setup', { add_on: { name: 'Setup anew' } });
    const renamed = { name: 'Setup anew', description: null, invoice_display_name: 'Setup anew' };
    expect((await onlyInvoice(service)).fees[0].item).toMatchObject(renamed);
    const changes = { description: 'All inclusive', invoice_display_name: 'Arrival', amount_cents: 1 };
    await service.put('/add_ons/setup', { add_on: changes });
    const { fees } = (await service.get('/fees')).body;
    expect(fees[0]).toMatchObject({ description: null, amount_cents: 6669 });
    expect(fees[0].item).toMatchObject({
      name: 'Setup anew',
      description: 'All inclusive',
      invoice_display_name: 'Arrival',
    });
  });

  it('keeps the display name that a fixed charge has of its own', async () => {
    const fixed_charges = [
      { add_on_code: 'seat', properties: { amount: '5' }, invoice_display_name: 'Chairs' },
      { add_on_code: 'setup', properties: { amount: '5' } },
    ];
    const fee = (code: string) => ({ type: 'fixed_charge', fixed_charge_code: code, external_subscription_id: 'sub' });
    const fees = ['seat', 'setup'].map(code => ({ ...fee(code), units: '1', unit_amount: '5' }));
    const rest = { add_ons: addOns, ...oneOff({}, { invoice_type: 'subscription', fees }) };
    const service = await serve({ now, plan: { fixed_charges }, rest });
    for (const code of ['seat', 'setup']) await service.put(`/add_ons/${code}`, { add_on: { name: `New ${code}` } });
    const items = (await onlyInvoice(service)).fees.map(({ item }: { item: Entry }) => [
      item.name,
      item.invoice_display_name,
    ]);
    expect(items).toEqual([
      ['New seat', 'Chairs'],
      ['New setup', 'New setup'],
    ]);
  });
});

describe('correction 56: the fees of an invoice that is paid or fails', () => {
  it('have none in an account file either, unless the fee states its own status', async () => {
    const times = async (fee: Entry) => {
      const rest = { add_ons: addOns, ...oneOff({ add_on_code: 'setup', ...fee }, { payment_status: 'succeeded' }) };
      const { fees } = await onlyInvoice(await serve({ now, rest }));
      return [fees[0].payment_status, fees[0].succeeded_at, fees[0].failed_at];
    };
    expect(await times({})).toEqual(['succeeded', null, null]);
    expect(await times({ payment_status: 'failed' })).toEqual(['failed', null, '2026-03-05T00:00:00Z']);
  });
});

describe('correction 59: the taxes of a fee inside an invoice', () => {
  const taxes = [
    { code: 'vat', name: 'VAT', rate: '20' },
    { code: 'city', name: 'City', rate: '2.5' },
  ];
  it.each<[string[], unknown[]]>([
    [
      ['vat', 'city'],
      [
        ['vat', 1334],
        ['city', 167],
      ],
    ],
    [[], []],
  ])('of %j are its own lines', async (tax_codes, expected) => {
    const rest = { taxes, add_ons: addOns, ...oneOff({ add_on_code: 'setup', tax_codes }) };
    const { fees } = await onlyInvoice(await serve({ now, rest }));
    const lines = fees[0].applied_taxes.map((line: Entry) => [line.tax_code, line.amount_cents]);
    expect(lines).toEqual(expected);
    const invoice = await previewed({ customer: { tax_codes }, rest: { taxes } });
    expect(invoice.fees[0].applied_taxes).toHaveLength(tax_codes.length);
  });
});

const percent = (rate: string, fields: Entry = {}) => ({
  name: 'Percent',
  coupon_type: 'percentage',
  percentage_rate: rate,
  frequency: 'forever',
  ...fields,
});
const fixed = (cents: number, fields: Entry = {}) => ({
  name: 'Fixed',
  amount_cents: cents,
  amount_currency: 'EUR',
  frequency: 'forever',
  ...fields,
});

describe('correction 82: the order of applied coupons', () => {
  it.each<[string[], number, [string, number][]]>([
    [
      ['rate', 'sum'],
      165_376,
      [
        ['rate', 24_806],
        ['sum', 64_415],
      ],
    ],
    [
      ['sum', 'rate'],
      165_376,
      [
        ['sum', 64_415],
        ['rate', 15_144],
      ],
    ],
    [
      ['sum', 'rate'],
      70_000,
      [
        ['sum', 64_415],
        ['rate', 838],
      ],
    ],
    [
      ['rate', 'sum'],
      70_000,
      [
        ['rate', 10_500],
        ['sum', 59_500],
      ],
    ],
  ])('is that of the account file: %j of %i cents', async (codes, amount_cents, expected) => {
    const coupons = [percent('15', { code: 'rate' }), fixed(64_415, { code: 'sum' })];
    const customer = { applied_coupons: codes.map(code => ({ code })) };
    const { credits } = await previewed({ plan: { amount_cents }, customer, rest: { coupons } });
    const used = credits.map((each: { item: Entry; amount_cents: number }) => [each.item.code, each.amount_cents]);
    expect(used).toEqual(expected);
  });

  it('shows in their list, the newest first, also where the entries state one time', async () => {
    const codes = ['c', 'a', 'd', 'b'];
    const coupons = codes.map(code => percent('1', { code, created_at: '2026-02-01' }));
    const applied_coupons = codes.map(code => ({ code, created_at: '2026-02-02' }));
    const service = await serve({ now, customer: { applied_coupons }, rest: { coupons } });
    const { body } = await service.get('/applied_coupons');
    expect(body.applied_coupons.map((each: Entry) => each.coupon_code)).toEqual([...codes].reverse());
    expect(new Set(body.applied_coupons.map((each: Entry) => each.created_at))).toEqual(
      new Set(['2026-02-02T00:00:00Z']),
    );
    const listed = (await service.get('/coupons')).body.coupons.map((each: Entry) => each.code);
    expect(listed).toEqual([...codes].reverse());
  });
});

const walletOf = (fields: Entry): Entry => ({ external_customer_id: 'acme', currency: 'EUR', ...fields });
const granted = (credit_amount: string, fields: Entry = {}) => ({
  transaction_status: 'granted',
  credit_amount,
  ...fields,
});
const walletsOf = async (wallets: Entry[], given: Omit<Case, 'now'> = {}): Promise<Entry[]> =>
  (await asked({ ...given, rest: { ...given.rest, wallets } }, '/wallets')).wallets;

describe('correction 87: wallets of one priority', () => {
  it.each<[Entry[], string, string, Entry]>([
    [
      [{ code: 'wallet0', credits_balance: '100' }, { code: 'wallet1' }],
      'KWD',
      '412.203',
      { wallet0: '0.0', wallet1: '-312.203' },
    ],
    [
      [{ code: 'wallet1' }, { code: 'wallet0', credits_balance: '100' }],
      'KWD',
      '412.203',
      { wallet0: '-312.203', wallet1: '0.0' },
    ],
    [
      [
        { code: 'z', credits_balance: '100' },
        { code: 'a', credits_balance: '50' },
      ],
      'EUR',
      '130',
      { z: '0.0', a: '20.0' },
    ],
  ])('pay in the order of the account file: %j', async (entries, currency, gb, expected) => {
    const charges = [{ billable_metric_code: 'storage', charge_model: 'standard', properties: { amount: '1' } }];
    const events = [{ code: 'storage', timestamp: '2026-03-02', properties: { gb } }];
    const plan = { amount_currency: currency, charges };
    const wallets = entries.map(entry => walletOf({ currency, ...entry }));
    const shown = await walletsOf(wallets, { metrics: [storage], plan, events });
    expect(Object.fromEntries(shown.map(each => [each.code, each.credits_ongoing_balance]))).toEqual(expected);
    expect(shown.map(each => each.code)).toEqual(entries.map(each => each.code).reverse());
  });
});

describe('correction 88: credits that enter a wallet', () => {
  it.each([
    ['25.5', '2.25', 'EUR', '25.50222', '57.38'],
    ['10', '2.25', 'ISK', '10.22222', '23.0'],
    ['1034', '0.001', 'EUR', '1030.0', '1.03'],
    ['7.333', '0.5', 'KWD', '7.334', '3.667'],
  ])('%s at %s %s are whole minor units: %s, worth %s', async (credits, rate_amount, currency, whole, money) => {
    const transactions = [granted(credits), { ...granted(credits), transaction_status: 'purchased' }];
    const wallet = walletOf({ currency, rate_amount, credits_balance: credits, transactions });
    const service = await serve({ now, plan: { amount_currency: currency }, rest: { wallets: [wallet] } });
    const [shown] = (await service.get('/wallets')).body.wallets;
    expect(shown.credits_balance).toBe(whole);
    const { body } = await service.get(`/wallets/${shown.svc_id}/wallet_transactions`);
    for (const each of body.wallet_transactions) expect(each).toMatchObject({ credit_amount: whole, amount: money });
  });

  it('are rounded with a warning that names the place, but not what was voided', () => {
    const file = (fields: Entry) => ({
      organization: { name: 'Account' },
      billing_entities: [{ code: 'main', name: 'Main' }],
      customers: [{ external_id: 'acme' }],
      wallets: [walletOf({ rate_amount: '2.25', ...fields })],
    });
    const warningsOf = (fields: Entry) => readAccount(file(fields) as Json, new Date(now)).warnings;
    expect(warningsOf({ transactions: [granted('25.5')] })).toEqual([
      expect.stringMatching(/credit_amount: 25\.5 .*25\.50222/),
    ]);
    expect(warningsOf({ credits_balance: '25.5' })).toEqual([
      expect.stringMatching(/credits_balance: 25\.5 .*25\.50222/),
    ]);
    expect(warningsOf({ credits_balance: '25.50222', transactions: [granted('25.50222')] })).toEqual([]);
    const voided = { transaction_status: 'voided', credit_amount: '0.3' };
    expect(warningsOf({ credits_balance: '3.7', transactions: [granted('4'), voided] })).toEqual([]);
  });
});

describe('correction 89: when the balance of a wallet last changed', () => {
  const settled = (at: string) => granted('10', { created_at: at });
  it.each<[string, Entry, string | null]>([
    ['it never had credits', {}, null],
    ['it was made with credits', { credits_balance: '5', created_at: '2026-01-05' }, '2026-01-05T00:00:00Z'],
    [
      'it was topped up twice',
      { transactions: [settled('2026-02-07'), settled('2026-02-05')] },
      '2026-02-07T00:00:00Z',
    ],
    [
      'an invoice used it later',
      {
        transactions: [
          settled('2026-02-05'),
          { transaction_status: 'invoiced', credit_amount: '4', settled_at: '2026-03-01T10:00:00Z' },
        ],
      },
      '2026-03-01T10:00:00Z',
    ],
    ['a top-up is pending', { transactions: [granted('10', { status: 'pending' })] }, null],
    ['the file states it', { credits_balance: '5', last_balance_sync_at: '2026-03-02' }, '2026-03-02T00:00:00Z'],
  ])('where %s', async (_when, fields, expected) => {
    const [shown] = await walletsOf([walletOf(fields)]);
    expect(shown?.last_balance_sync_at).toBe(expected);
  });

  it('is when its top-up was paid', async () => {
    const topUp = { transaction_status: 'purchased', credit_amount: '10', status: 'pending', invoice_number: 'ONE-1' };
    const credit = oneOff({ type: 'credit', unit_amount: '10' }, { invoice_type: 'credit' });
    const service = await serve({ now, rest: { ...credit, wallets: [walletOf({ transactions: [topUp] })] } });
    const { id } = await onlyInvoice(service);
    await service.put(`/invoices/${id}`, { invoice: { payment_status: 'succeeded' } });
    const [shown] = (await service.get('/wallets')).body.wallets;
    expect(shown).toMatchObject({ credits_balance: '10.0', last_balance_sync_at: now });
  });
});

describe('correction 91: what is left of inbound transactions', () => {
  const used = { transaction_status: 'invoiced', credit_amount: '175.025' };
  it.each<[string, Entry, [string, unknown, unknown][]]>([
    [
      'all at first',
      { rate_amount: '10', credits_balance: '1000', transactions: [granted('1000')] },
      [['1000.0', 1_000_000, '1000.0']],
    ],
    [
      'all but what was used',
      { rate_amount: '10', credits_balance: '824.975', transactions: [granted('1000'), used] },
      [
        ['1000.0', 824_975, '824.975'],
        ['175.025', null, null],
      ],
    ],
    [
      'the lowest priority is used first, then the oldest',
      {
        credits_balance: '130',
        transactions: [granted('50'), granted('100'), granted('20', { priority: 3 }), { ...used, credit_amount: '40' }],
      },
      [
        ['50.0', 3000, '30.0'],
        ['100.0', 10_000, '100.0'],
        ['20.0', 0, '0.0'],
        ['40.0', null, null],
      ],
    ],
    [
      'in credits that are not rounded',
      { rate_amount: '2.25', credits_balance: '25.5', transactions: [granted('25.5')] },
      [['25.50222', 5738, `25.50${'2'.repeat(28)}`]],
    ],
    [
      'as stated',
      { credits_balance: '60', transactions: [granted('50'), granted('30', { remaining_credit_amount: '20.5' })] },
      [
        ['50.0', 3950, '39.5'],
        ['30.0', 2050, '20.5'],
      ],
    ],
  ])('%s', async (_what, fields, expected) => {
    const service = await serve({ now, rest: { wallets: [walletOf(fields)] } });
    const [{ svc_id }] = (await service.get('/wallets')).body.wallets;
    const { wallet_transactions } = (await service.get(`/wallets/${svc_id}/wallet_transactions`)).body;
    const left = wallet_transactions.map((each: Entry) => [
      each.credit_amount,
      each.remaining_amount_cents,
      each.remaining_credit_amount,
    ]);
    expect(left.reverse()).toEqual(expected);
  });
});

const inAdvance = { pay_in_advance: true };
const changed = async (given: Omit<Case, 'now'>, ...changes: object[]) => {
  const service = await serve({ now, ...given });
  for (const subscription of changes) {
    const { status } = await service.put('/subscriptions/sub', { subscription });
    expect(status).toBe(200);
  }
  return (await service.get('/subscriptions/sub')).body.subscription;
};

describe('correction 44: the credit note at the end of a subscription', () => {
  it.each<[Entry, Entry, object[], string | null]>([
    [inAdvance, {}, [], null],
    [inAdvance, { on_termination_credit_note: 'skip' }, [], 'skip'],
    [inAdvance, {}, [{ on_termination_credit_note: 'refund' }], 'refund'],
    [inAdvance, { on_termination_credit_note: 'skip' }, [{ on_termination_credit_note: null }], null],
    [inAdvance, {}, [{ on_termination_credit_note: 'offset' }, { on_termination_credit_note: '' }], null],
    [{}, {}, [{ on_termination_credit_note: 'credit' }], null],
  ])('of %j, %j after %j is %j', async (plan, subscription, changes, expected) => {
    const shown = await changed({ plan, subscription }, ...changes);
    expect(shown.on_termination_credit_note).toBe(expected);
  });

  it('is null in proposals, and still credits the unused part', async () => {
    const proposed = await previewed({ plan: inAdvance }, { plan_code: 'plan', subscriptions: undefined });
    expect(proposed.subscriptions[0].on_termination_credit_note).toBeNull();
    const fee = { type: 'subscription', external_subscription_id: 'sub', unit_amount: '31' };
    const period = { from_date: '2026-03-01', to_date: '2026-03-31T23:59:59Z', pay_in_advance: true };
    const fees = [{ ...fee, ...period, amount_details: { plan_amount_cents: 3100 } }];
    const rest = oneOff({}, { invoice_type: 'subscription', issuing_date: '2026-03-01', fees });
    const ends = { external_ids: ['sub'], terminated_at: '2026-03-20T12:00:00Z' };
    const ended = await previewed(
      { plan: { ...inAdvance, minimum_commitment: { amount_cents: 9000 } }, rest },
      { subscriptions: ends },
    );
    expect(ended.credit_notes_amount_cents).toBe(1100);
  });
});

const threshold = (amount_cents: number, fields: Entry = {}) => ({ amount_cents, ...fields });
const applicable = (amount_cents: number, fields: Entry = {}) => ({
  threshold_display_name: null,
  recurring: false,
  amount_cents,
  ...fields,
});

describe('correction 49: the thresholds and the metadata of a copied plan', () => {
  const plan = { usage_thresholds: [threshold(5_000_000, { recurring: true })], metadata: { team: 'a' } };
  const inherited = [applicable(5_000_000, { recurring: true })];
  const override = (fields: Entry = {}) => ({ plan_overrides: { amount_cents: 900, ...fields } });
  const sent = [threshold(700, { threshold_display_name: null, recurring: false })];
  it.each<[string, object[], unknown[], unknown[]]>([
    ['are not copied', [override()], [], inherited],
    ['are those that are sent', [override({ usage_thresholds: sent })], sent, sent],
    ['are those that are sent later', [override(), override({ usage_thresholds: sent })], sent, sent],
    [
      'are none after an empty list',
      [override({ usage_thresholds: sent }), override({ usage_thresholds: [] })],
      [],
      inherited,
    ],
    [
      'are none after own ones',
      [override({ usage_thresholds: sent }), { usage_thresholds: [threshold(50)] }],
      [],
      [applicable(50)],
    ],
  ])('%s', async (_what, changes, ofCopy, effective) => {
    const shown = await changed({ plan }, ...changes);
    expect(shown.plan.usage_thresholds).toMatchObject(ofCopy);
    expect(shown.plan.usage_thresholds).toHaveLength(ofCopy.length);
    expect(shown.plan.applicable_usage_thresholds).toEqual(inherited);
    expect(shown.applicable_usage_thresholds).toEqual(effective);
    expect(shown.plan).not.toHaveProperty('metadata');
  });

  it('are as little copied in an account file', async () => {
    const shown = await changed({ plan, subscription: override() });
    expect(shown.plan).toMatchObject({ usage_thresholds: [], applicable_usage_thresholds: inherited });
    expect(shown.applicable_usage_thresholds).toEqual(inherited);
    expect(shown.plan).not.toHaveProperty('metadata');
  });
});

describe('an account file', () => {
  it('is stored in its order: lists begin with its last entries', async () => {
    const codes = ['m', 'c', 'x', 'a'];
    const named = codes.map(code => ({ code, name: code }));
    const plans = named.map(each => ({ ...each, amount_currency: 'EUR', interval: 'monthly', amount_cents: 1 }));
    const rest = { add_ons: named.map(each => ({ ...each, amount_cents: 5, amount_currency: 'EUR' })) };
    const service = await serve({ now, plans, metrics: codes.map(code => ({ ...storage, code })), rest });
    for (const [path, list] of [
      ['/plans', 'plans'],
      ['/add_ons', 'add_ons'],
      ['/billable_metrics', 'billable_metrics'],
    ] as const) {
      const listed = (await service.get(path)).body[list].map((each: Entry) => each.code);
      expect(listed.filter((code: string) => code !== 'plan')).toEqual([...codes].reverse());
    }
  });

  it.each<[Entry, string[]]>([
    [{ charge_model: 'graduated', prorated: true, pay_in_advance: true }, ['prorated']],
    [{ charge_model: 'graduated', prorated: true }, []],
    [{ charge_model: 'volume', pay_in_advance: true }, ['pay_in_advance']],
  ])('with a fixed charge %j is refused at the places %j', (fields, expected) => {
    const range = { from_value: 0, to_value: null, per_unit_amount: '1', flat_amount: '0' };
    const properties = { [`${fields.charge_model}_ranges`]: [range] };
    const plan = { code: 'p', name: 'P', interval: 'monthly', amount_cents: 1, amount_currency: 'EUR' };
    const file = {
      organization: { name: 'Account' },
      billing_entities: [{ code: 'main', name: 'Main' }],
      add_ons: addOns,
      plans: [{ ...plan, fixed_charges: [{ add_on_code: 'setup', properties, ...fields }] }],
    };
    const problemsOf = () => {
      try {
        readAccount(file as Json, new Date(now));
        return [];
      } catch (error) {
        return (error as AccountFileError).problems;
      }
    };
    expect(problemsOf().map(problem => problem.split(':')[0])).toEqual(
      expected.map(field => `plans[0].fixed_charges[0].${field}`),
    );
  });
});
