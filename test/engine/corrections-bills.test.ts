/** Fees, taxes and credits that were once computed otherwise, through the running service. Each case has a second input. */
import { describe, expect, it } from 'vitest';
import { feesOf, inApril, invoiceOf, recurring, type Shown, vat } from './corrections.ts';
import { chargeEntry, metricEntries, on, standard, type Used, usageFees, usedOn } from './entries.ts';
import { type Entry, serve } from './file-service.ts';
import { ofSubscription } from './service-world.ts';

describe('correction 6: amounts of days are 64-bit floats, a commitment is not', () => {
  const proposal = (subscription_at: string) => ({ plan_code: 'plan', subscription_at });
  it.each<[string, Entry, string, number[]]>([
    ['995 × 15 ÷ 30 = 497.49… → 497', { amount_cents: 995 }, '2026-06-16', [497]],
    ['999 × 25 ÷ 30 = 832.49… → 832', { amount_cents: 999 }, '2026-06-06', [832]],
    ['a quarter, 917 × 45 ÷ 90 = 458.49… → 458', { amount_cents: 917, interval: 'quarterly' }, '2027-02-15', [458]],
    [
      'a commitment takes the ratio of days first: 995 × (15 ÷ 30) = 497.5 → 498',
      { amount_cents: 0, minimum_commitment: { amount_cents: 995 } },
      '2026-06-16',
      [0, 498],
    ],
  ])('%s', async (_name, plan, start, cents) => {
    const given = { now: '2026-06-01T12:00:00Z', plan, subscription: null };
    const { fees } = await invoiceOf(given, proposal(start));
    expect(fees.map((fee: Shown) => fee.amount_cents)).toEqual(cents);
  });

  it.each([
    [995, '2026-06-16', '2026-06-20T12:00:00Z', 497],
    [955, '2026-02-15', '2026-02-20T12:00:00Z', 477],
  ])('a charge minimum of %i from %s without usage', async (min_amount_cents, subscription_at, now, cents) => {
    const plan = { amount_cents: 0, charges: [{ ...standard, min_amount_cents }] };
    const given = { now, metrics: [metricEntries.sum], plan, subscription: { subscription_at } };
    expect((await feesOf(given)).map(fee => fee.amount_cents)).toEqual([0, cents]);
  });
});

describe('correction 13: an override drops the own taxes of fixed charges', () => {
  const seat = { add_on_code: 'seat', code: 'seat', properties: { amount: '5' }, units: '2', tax_codes: ['vat'] };
  const rest = { ...vat('25'), add_ons: [{ code: 'seat', name: 'Seat', amount_cents: 1, amount_currency: 'EUR' }] };
  const rateAfter = async (overrides: (fixedChargeId: string) => Entry) => {
    const service = await serve(inApril({ fixed_charges: [seat] }, { rest }));
    const id = (await service.get('/plans/plan')).body.plan.fixed_charges[0].svc_id;
    await service.put('/subscriptions/sub', { subscription: { plan_overrides: overrides(id) } });
    const { body } = await service.post('/invoices/preview', ofSubscription());
    return body.invoice.fees.find((fee: Shown) => fee.item.type === 'fixed_charge').taxes_rate;
  };
  it('25 % before, none after', async () => {
    const [fee] = await feesOf(inApril({ fixed_charges: [seat] }, { rest }), ofSubscription(), 'fixed_charge');
    expect(fee).toMatchObject({ taxes_rate: 25, taxes_amount_cents: 250 });
    expect(await rateAfter(() => ({ name: 'Own' }))).toBe(0);
  });
  it('and keeps those that it sends', async () => {
    expect(await rateAfter(id => ({ fixed_charges: [{ id, tax_codes: ['vat'] }] }))).toBe(25);
  });
});

describe('corrections 15 and 16: exact figures start from the unrounded amount, totals leave the coupons on', () => {
  const taxed = (amount: string, rate: string, plan: Entry = {}, more: Entry = {}, customer: Entry = {}) =>
    feesOf(
      inApril(
        { charges: [{ ...chargeEntry('standard', { amount }), tax_codes: ['vat'] }], ...plan },
        {
          events: [usedOn('2026-04-02', 1)],
          customer,
          rest: { ...vat(rate), ...more },
        },
      ),
    );
  it('JPY 5.366956 at 35 %', async () => {
    const [fee] = await taxed('5.366956', '35', { amount_currency: 'JPY' });
    expect(fee).toMatchObject({
      amount_cents: 5,
      sub_total_excluding_taxes_precise_amount_cents: '5.366956',
      taxes_precise_amount: '1.8784346',
      precise_total_amount: '7.2453906',
      total_amount_cents: 7,
    });
  });
  it('EUR 1.234567 at 20 % with a coupon of 10 %: 123 − 12 at 20 % = 22.2', async () => {
    const coupon = { code: 'ten', name: 'ten', coupon_type: 'percentage', percentage_rate: '10', frequency: 'forever' };
    const [fee] = await taxed('1.234567', '20', {}, { coupons: [coupon] }, { applied_coupons: [{ code: 'ten' }] });
    expect(fee).toMatchObject({
      amount_cents: 123,
      precise_coupons_amount_cents: '12.0',
      sub_total_excluding_taxes_amount_cents: 111,
      sub_total_excluding_taxes_precise_amount_cents: '111.4567',
      taxes_amount_cents: 22,
      taxes_precise_amount: '0.2229134',
      precise_total_amount: '1.4574804',
      total_amount_cents: 145,
    });
  });
});

describe('corrections 18 to 22: details', () => {
  const detailsOf = async (metric: Entry, charge: Entry, list: Used[]) =>
    (await usageFees(metric, charge, list)).map(fee => fee.amount_details);
  const flat = { from_value: 0, to_value: null, per_unit_amount: '2', flat_amount: '5' };

  it('18: a volume charge shows its total per full unit, 0.0 without units', async () => {
    const prorated = chargeEntry('volume', { volume_ranges: [flat] }, { prorated: true });
    expect(await detailsOf(recurring, prorated, on('16 6'))).toMatchObject([
      { per_unit_amount: '1.0', per_unit_total_amount: '6.0' },
    ]);
    expect(await detailsOf(metricEntries.sum, chargeEntry('volume', { volume_ranges: [flat] }), [])).toMatchObject([
      { flat_unit_amount: '5.0', per_unit_amount: '0.0', per_unit_total_amount: '0.0' },
    ]);
  });

  it('19: a graduated range without units shows 0.0 per unit, one with units its price', async () => {
    const charge = chargeEntry('graduated', { graduated_ranges: [flat] });
    const unitPrices = async (list: Used[]) =>
      (await detailsOf(metricEntries.sum, charge, list)).map(({ graduated_ranges: [first] }) => first.per_unit_amount);
    expect(await unitPrices([])).toEqual(['0.0']);
    expect(await unitPrices(on('02 0.5'))).toEqual(['2.0']);
  });

  it.each([
    [2, '0.0'],
    [1, '0.66'],
  ])('20: a percentage with two events, %i of them free: %s a paid event', async (free_units_per_events, shown) => {
    const charge = chargeEntry('percentage', { rate: '1', fixed_amount: '0.66', free_units_per_events });
    const [details] = await detailsOf(metricEntries.sum, charge, on('01 5, 02 5'));
    expect(details.fixed_fee_unit_amount).toBe(shown);
  });

  it('21: limits show the details of the charge without limits, and the difference', async () => {
    const limited = (more: Entry) => chargeEntry('percentage', { rate: '1', ...more });
    // Nothing is priced: the three values were carried. Without limits: (3 − 2) × 1 %.
    const carried = ['a', 'b', 'c'].map((v): Used => ['2026-03-02T00:00:00Z', v]);
    const onCarried = limited({ free_units_per_events: 2, per_transaction_min_amount: '0.5' });
    expect(await detailsOf({ ...metricEntries.unique, recurring: true }, onCarried, carried)).toMatchObject([
      {
        free_units: '2.0',
        paid_units: '1.0',
        free_events: 2,
        paid_events: 1,
        min_max_adjustment_total_amount: '-0.01',
      },
    ]);
    // 100 free; 300 × 1 % and 50 × 1 %, cut to 2 and raised to 1. Without limits: 3.50 and no difference for the free one.
    const cut = limited({ free_units_per_events: 1, per_transaction_min_amount: '1', per_transaction_max_amount: '2' });
    expect(await detailsOf(metricEntries.sum, cut, on('01 100, 02 300, 03 50'))).toMatchObject([
      {
        free_units: '100.0',
        paid_units: '350.0',
        per_unit_total_amount: '3.5',
        min_max_adjustment_total_amount: '-0.5',
      },
    ]);
  });

  it.each<[Entry, Entry]>([
    [chargeEntry('standard', { amount: '1', pricing_group_keys: ['team'] }), { team: null }],
    [chargeEntry('volume', { volume_ranges: [flat] }), {}],
  ])('22: a true-up repeats details and groups of its fee: %j', async (charge, grouped) => {
    const fees = await usageFees(metricEntries.sum, { ...charge, min_amount_cents: 9000 }, []);
    const [fee, trueUp] = fees;
    expect(fees).toHaveLength(2);
    expect(trueUp.amount_details).toEqual(fee.amount_details);
    expect(trueUp.item.grouped_by).toEqual(grouped);
  });
});

describe('corrections 83 to 86: coupons, unused parts and wallets', () => {
  it.each([
    [350, '35', 122],
    [50, '57', 28],
  ])('83: of %i, %s %% are a float', async (amount_cents, percentage_rate, cents) => {
    const coupon = { code: 'part', name: 'part', coupon_type: 'percentage', percentage_rate, frequency: 'forever' };
    const given = { customer: { applied_coupons: [{ code: 'part' }] }, rest: { coupons: [coupon] } };
    expect(await invoiceOf(inApril({ amount_cents }, given))).toMatchObject({ coupons_amount_cents: cents });
  });

  const ended = (at: string, plan: Entry, used: number, note?: number) => {
    const day = at.slice(0, 10);
    const [from_date, to_date] = [`${day.slice(0, 8)}01`, `${day.slice(0, 8)}28`];
    const fee = {
      type: 'subscription',
      amount: Number(plan.amount_cents) / 100,
      external_subscription_id: 'sub',
      from_date,
      to_date,
    };
    const invoice = {
      number: 'I-1',
      external_customer_id: 'acme',
      issuing_date: from_date,
      currency: 'EUR',
      fees: [{ ...fee, amount: fee.amount.toFixed(2) }],
    };
    const given = {
      now: at,
      metrics: [metricEntries.sum],
      plan: { pay_in_advance: true, charges: [standard], ...plan },
      events: [usedOn(from_date, used)],
      rest: {
        invoices: [invoice],
        ...(note && {
          credit_notes: [{ invoice_number: 'I-1', issuing_date: from_date, items: [{ fee: 0, amount_cents: note }] }],
        }),
      },
    };
    return invoiceOf(given, ofSubscription({ terminated_at: at }));
  };
  it.each([
    ['2026-06-15T12:00:00Z', 995, 25, 497, 2003],
    ['2026-02-14T12:00:00Z', 927, 10, 463, 537],
  ])('84: the unused part at %s of %i is a float', async (at, amount_cents, used, credit, total) => {
    const invoice = await ended(at, { amount_cents }, used);
    expect(invoice).toMatchObject({ credit_notes_amount_cents: credit, total_amount_cents: total });
  });
  it.each([
    ['1064.52 − 500 = 565, and the note', '2026-03-20T12:00:00Z', 3000, 50, 500, 1065, 3935],
    ['3000 × 15/30 − 200 = 1300, and the note', '2026-04-15T12:00:00Z', 3000, 20, 200, 1500, 500],
  ])(
    '85: the unused part is less what a note took off the fee: %s',
    async (_name, at, amount_cents, used, note, credits, total) => {
      const invoice = await ended(at, { amount_cents }, used, note);
      expect(invoice).toMatchObject({ credit_notes_amount_cents: credits, total_amount_cents: total });
    },
  );

  it.each([
    [
      '100.5 + 24.2 = 124.7 → 125',
      [
        ['a', '0.67'],
        ['b', '0.161'],
      ],
      '50',
      125,
    ],
    ['100.5 → 101', [['a', '0.67']], '50', 101],
    [
      '33.6 + 33.6 + 13.2 = 80.4 → 80',
      [
        ['a', '0.28'],
        ['b', '0.28'],
        ['c', '0.11'],
      ],
      '20',
      80,
    ],
  ] as [string, [string, string][], string, number][])(
    '86: a limited wallet pays a rounded sum: %s',
    async (_name, list, rate, cents) => {
      const charges = list.map(([code, amount]) => ({
        ...chargeEntry('standard', { amount }),
        billable_metric_code: code,
        tax_codes: ['vat'],
      }));
      const given = inApril(
        { amount_cents: 1000, charges },
        {
          metrics: list.map(([code]) => ({ ...metricEntries.sum, code })),
          events: list.map(([code]) => ({ ...usedOn('2026-04-02', 1), code })),
          rest: {
            ...vat(rate),
            wallets: [
              {
                external_customer_id: 'acme',
                name: 'w',
                currency: 'EUR',
                rate_amount: '1',
                credits_balance: '100',
                applies_to: { fee_types: ['charge'] },
              },
            ],
          },
        },
      );
      expect(await invoiceOf(given)).toMatchObject({ prepaid_credit_amount_cents: cents });
    },
  );
});
