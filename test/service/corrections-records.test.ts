/** How the real service shows its records: the shapes that a recorded installation has, each with its number. */
import { describe, expect, it } from 'vitest';
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
const itemOf = (invoice: { fees: { item: { type: string } }[] }, type: string) =>
  invoice.fees.find(fee => fee.item.type === type)?.item;

describe('correction 41: the display name of a plan fee and of a commitment', () => {
  it.each<[string, Entry, Entry, string]>([
    ['the subscription’s name', { name: 'Plan 2' }, { name: 'Subscription 0.0' }, 'Subscription 0.0'],
    ['the plan’s display name', { name: 'Plan', invoice_display_name: 'Basic' }, {}, 'Basic'],
    ['the plan’s name', { name: 'Plan 9' }, {}, 'Plan 9'],
  ])('is %s', async (_what, plan, subscription, expected) => {
    expect(itemOf(await previewed({ plan, subscription }), 'subscription')).toMatchObject({
      invoice_display_name: expected,
    });
  });

  it.each<[Entry, string]>([
    [{ amount_cents: 9000 }, 'Minimum commitment'],
    [{ amount_cents: 7000, invoice_display_name: 'At least' }, 'At least'],
  ])('of the commitment %j is never the plan’s', async (minimum_commitment, expected) => {
    const invoice = await previewed({ plan: { invoice_display_name: 'Basic', minimum_commitment } });
    expect(itemOf(invoice, 'commitment')).toMatchObject({ invoice_display_name: expected });
  });
});

describe('correction 42: the display name of a filter', () => {
  const metric = {
    ...storage,
    filters: [
      { key: 'region', values: ['us', 'asia', 'eu'] },
      { key: 'tier', values: ['pro', 'free'] },
    ],
  };
  it.each<[Entry, string | null]>([
    [{ values: { tier: ['free', 'pro'], region: ['asia', 'eu', 'us'] } }, 'free, pro, asia, eu, us'],
    [{ values: { region: ['eu'], tier: ['__ALL_FILTER_VALUES__'] } }, 'eu, tier'],
    [{ values: { tier: ['pro'] }, invoice_display_name: 'For pros' }, 'For pros'],
  ])('of %j is %j', async (filter, expected) => {
    const price = { properties: { amount: '2' } };
    const charge = { billable_metric_code: 'storage', charge_model: 'standard', ...price };
    const invoice = await previewed({
      metrics: [metric],
      plan: { charges: [{ ...charge, filters: [{ ...price, ...filter }] }] },
      events: [{ code: 'storage', timestamp: '2026-03-02', properties: { gb: '3', tier: 'pro', region: 'eu' } }],
    });
    expect(itemOf(invoice, 'charge')).toMatchObject({ filter_invoice_display_name: expected });
  });
});

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

describe('correction 50: monthly billing of a plan', () => {
  it.each<[Entry, unknown, unknown]>([
    [{ interval: 'yearly' }, false, false],
    [{ interval: 'semiannual', bill_charges_monthly: true }, true, false],
    [{ interval: 'quarterly', bill_charges_monthly: false }, null, null],
    [{ interval: 'monthly' }, null, null],
  ])('of %j is %j for usage and %j for fixed charges', async (plan, charges, fixed) => {
    const answer = await asked({ plan }, '/plans/plan');
    expect(answer.plan).toMatchObject({ bill_charges_monthly: charges, bill_fixed_charges_monthly: fixed });
  });
});

describe('correction 51: the payment provider of a customer', () => {
  it.each<[Entry, unknown]>([
    [{}, { payment_provider: null, payment_provider_code: null }],
    [
      { payment_provider: 'cashless', payment_provider_code: 'main' },
      { payment_provider: 'cashless', payment_provider_code: 'main', sync: false, provider_customer_id: null },
    ],
  ])('of %j is always shown', async (customer, expected) => {
    const answer = await asked({ customer }, '/customers/acme');
    expect(answer.customer.billing_configuration).toMatchObject(expected as object);
    expect('sync' in answer.customer.billing_configuration).toBe('payment_provider' in customer);
    const invoice = await previewed({ customer });
    expect(invoice.customer.billing_configuration).toMatchObject(expected as object);
  });
});

describe('correction 52: the filters of a metric', () => {
  const metrics = [
    {
      ...storage,
      filters: [
        { key: 'region', values: ['eu', 'us', 'asia'] },
        { key: 'cpu', values: ['m2', 'm10'] },
      ],
    },
  ];
  const sorted = [
    { key: 'cpu', values: ['m10', 'm2'] },
    { key: 'region', values: ['asia', 'eu', 'us'] },
  ];

  it('come by key, with their values sorted', async () => {
    expect((await asked({ metrics }, '/billable_metrics/storage')).billable_metric.filters).toEqual(sorted);
    expect((await asked({ metrics }, '/billable_metrics')).billable_metrics[0].filters).toEqual(sorted);
  });

  it('come so inside an alert too', async () => {
    const charges = [{ billable_metric_code: 'storage', charge_model: 'standard', properties: { amount: '1' } }];
    const of = { external_subscription_id: 'sub', billable_metric_code: 'storage', thresholds: [{ value: '5' }] };
    const alerts = [{ ...of, code: 'much', alert_type: 'billable_metric_current_usage_units' }];
    const answer = await asked({ metrics, plan: { charges }, rest: { alerts } }, '/subscriptions/sub/alerts');
    expect(answer.alerts[0].billable_metric.filters).toEqual(sorted);
  });
});

describe('correction 53: the precise amount of an event', () => {
  it.each<[Entry, string | null]>([
    [{}, null],
    [{ precise_total_amount_cents: '0' }, '0.0'],
    [{ precise_total_amount_cents: '12.5' }, '12.5'],
  ])('sent as %j is %j', async (sent, expected) => {
    const events = [{ transaction_id: 'tx14', code: 'storage', timestamp: '2026-03-02', properties: {}, ...sent }];
    const given = { metrics: [storage], events };
    expect((await asked(given, '/events/tx14')).event.precise_total_amount_cents).toBe(expected);
    expect((await asked(given, '/events')).events[0].precise_total_amount_cents).toBe(expected);
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
  it.each(['succeeded', 'failed'])('%s: have its status and no time of it', async payment_status => {
    const service = await serve({ now, rest: { add_ons: addOns, ...oneOff({ add_on_code: 'setup' }) } });
    const { id } = await onlyInvoice(service);
    const { body } = await service.put(`/invoices/${id}`, { invoice: { payment_status } });
    expect(body.invoice.fees[0]).toMatchObject({ payment_status, succeeded_at: null, failed_at: null });
  });

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

describe('correction 57: the taxes of an invoice', () => {
  const tax = (code: string, created_at: string) => ({ code, name: code, rate: '10', created_at });
  it.each<[string[], Entry[]]>([
    [
      ['tax0', 'tax1'],
      [tax('tax0', '2026-01-01'), tax('tax1', '2026-01-02')],
    ],
    [
      ['b', 'a', 'c'],
      [tax('c', '2026-01-03'), tax('b', '2026-01-01'), tax('a', '2026-01-02')],
    ],
  ])('come as they were created: %j', async (expected, taxes) => {
    const tax_codes = [...expected].reverse();
    const invoice = await previewed({ customer: { tax_codes }, rest: { taxes } });
    expect(invoice.applied_taxes.map((each: { tax_code: string }) => each.tax_code)).toEqual(expected);
  });
});

describe('correction 58: the item of a credit', () => {
  const coupon = { code: 'ten', name: 'Ten', amount_cents: 1000, amount_currency: 'EUR' };
  it.each([
    [{ coupons: [coupon] }, { applied_coupons: [{ code: 'ten' }] }],
    [{ coupons: [{ ...coupon, amount_cents: 25 }] }, { applied_coupons: [{ code: 'ten' }] }],
  ])('has a description, null in a preview', async (rest, customer) => {
    const { credits } = await previewed({ rest, customer });
    expect(credits[0].item).toMatchObject({ name: 'Ten', description: null });
  });
});

describe('correction 59: the taxes of a fee inside an invoice', () => {
  const taxes = [
    { code: 'vat', name: 'VAT', rate: '20' },
    { code: 'city', name: 'City', rate: '2.5' },
  ];
  it.each<[string[], unknown[]]>([
    [['vat'], [['vat', 1334]]],
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
