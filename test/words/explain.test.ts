import { describe, expect, it } from 'vitest';
import { explainPeriod } from '../../src/words/billed-period.ts';
import { explainFee, explainFees } from '../../src/words/explain.ts';

const item = { type: 'charge', name: 'Calls' };

describe('the lines of an invoice', () => {
  const charge = { svc_charge_id: 'c', svc_charge_filter_id: null, amount_currency: 'USD', item, events_count: 40 };
  const used = { ...charge, units: '40.0', precise_unit_amount: '0.0', amount_cents: 0 };
  const trueUp = { ...charge, units: '1.0', precise_unit_amount: '10.0', amount_cents: 1000, events_count: 0 };

  const lines = (...fees: Parameters<typeof explainFees>[0]) => explainFees(fees, 'USD', 5);

  it('say that a true-up brings its charge up to the minimum', () => {
    expect(lines(used, trueUp)).toEqual(['“Calls”: $10.00 (minimum)']);
    const told = lines({ ...used, amount_cents: 750 }, { ...trueUp, amount_cents: 250 });
    expect(told).toEqual(['“Calls”: 40 units = $7.50', '“Calls”: $2.50 added to reach the $10.00 minimum']);
    expect(explainFee({ ...trueUp, svc_true_up_parent_fee_id: 'p' })).not.toContain('minimum');
    expect(lines({ ...trueUp, svc_true_up_parent_fee_id: 'p' })[0]).toContain('minimum');
  });

  it('tell subscriptions apart, and why a plan fee is less than its price', () => {
    const plan = { item: { type: 'subscription', name: 'Plan 0' }, amount_details: { plan_amount_cents: 26_644 } };
    const fees = ['sub0-0', 'sub0-1'].map((external_subscription_id, i) => ({
      ...{ ...plan, external_subscription_id, amount_cents: i === 0 ? 20_628 : 26_644, amount_currency: 'EUR' },
    }));
    expect(explainFees(fees, 'EUR', 5)).toEqual([
      '“Plan 0” (sub0-1): plan fee = €266.44',
      '“Plan 0” (sub0-0): plan fee for part of the period (€266.44 for a full one) = €206.28',
    ]);
  });

  it.each([
    ['the only line of its charge', [trueUp]],
    ['of another filter', [{ ...used, svc_charge_filter_id: 'f' }, trueUp]],
    ['of another group', [{ ...used, item: { ...item, grouped_by: { region: 'eu' } } }, trueUp]],
    ['of another charge', [{ ...used, svc_charge_id: 'd' }, trueUp]],
  ])('do not take one unit for a true-up when it is %s', (_, fees) => {
    expect(lines(...fees)[0]).toBe('“Calls”: $10.00');
  });

  const onePackage = { free_units: '0.0', paid_units: '1.0', per_package_size: 5, per_package_unit_amount: '10.0' };
  it.each([
    ['two units', { units: '2.0', events_count: 0 }, '2 units'],
    ['packages', { amount_details: onePackage }, '1 package of 5 at $10.00'],
  ])('do not take %s beside another line of the charge for a true-up', (_, fields, arithmetic) => {
    const [line] = lines(used, { ...trueUp, ...fields });
    expect(line).toBe(`“Calls”: ${arithmetic} = $10.00`);
  });

  it('take one unit with the details of the line before for a true-up', () => {
    const details = { amount_details: { graduated_ranges: [{ units: '0.0', flat_unit_amount: '0.0' }] } };
    expect(lines({ ...used, ...details }, { ...trueUp, ...details })).toEqual(['“Calls”: $10.00 (minimum)']);
  });

  it('do not take the one unit of an event for a true-up, and no line that costs nothing beside one of its name', () => {
    expect(lines(used, { ...trueUp, events_count: 1 })).toEqual(['“Calls”: $10.00']);
  });

  it('leave out the tiers into which nothing falls', () => {
    const range = (units: string, per_unit_amount: string) => ({ units, per_unit_amount, flat_unit_amount: '0.0' });
    const tiers = (...graduated_ranges: object[]) =>
      explainFee({ ...used, amount_cents: 30, amount_details: { graduated_ranges } });
    expect(tiers(range('30.0', '0.01'), range('0.0', '0.005'))).toBe('“Calls”: 30 × $0.01 = $0.30');
    // These tiers do not add up to the amount.
    expect(tiers(range('0.0', '0.01'))).toBe('“Calls”: 40 units = $0.30');
  });

  it('name the filter by its display name, else by its values, and the group', () => {
    const filters = { region: ['eu', 'uk'] };
    const told = (fields: object) => explainFee({ ...used, item: { ...item, filters, ...fields } });
    expect(told({})).toBe('“Calls”, region eu and uk: 40 units = $0.00');
    expect(told({ filter_invoice_display_name: 'Europe' })).toBe('“Calls”, “Europe”: 40 units = $0.00');
    expect(told({ filters: null, grouped_by: { team: 'blue' } })).toBe('“Calls”, team blue: 40 units = $0.00');
  });

  it('do not show the share of coupons where every line has one', () => {
    const shared = { ...trueUp, precise_coupons_amount_cents: '100.0' };
    const other = { ...shared, svc_charge_id: 'd' };
    expect(lines(shared, other).join()).not.toContain('coupons');
    expect(lines(shared, { ...other, precise_coupons_amount_cents: '0.0' }).join()).toContain('before coupons');
  });
});

describe('a line with the arithmetic of its price model', () => {
  const priced = (amount_cents: number, amount_details: object) => ({ amount_cents, amount_details });
  const packages = (
    free_units: string,
    paid_units: string,
    per_package_size: number,
    per_package_unit_amount: string,
  ) => ({ ...{ free_units, paid_units, per_package_size, per_package_unit_amount } });
  it.each<[string, object, string]>([
    [
      'standard, whose price only a plan shows',
      { units: '1200.0', precise_unit_amount: '0.02', amount_cents: 2400 },
      '“Calls”: 1,200 units = $24.00',
    ],
    [
      'package',
      priced(1000, packages('100.0', '150.0', 100, '5.0')),
      '“Calls”: 2 packages of 100 at $5.00 after 100 free = $10.00',
    ],
    [
      'package without units, whose size is then 0',
      { ...priced(0, packages('0.0', '0.0', 0, '0.0')), units: '0.0', precise_unit_amount: '0.0' },
      '“Calls”: 0 units = $0.00',
    ],
    [
      'volume',
      priced(1700, { flat_unit_amount: '2.0', per_unit_amount: '0.1', per_unit_total_amount: '15.0' }),
      '“Calls”: all units at $0.10 on average ($15.00) + $2.00 flat = $17.00',
    ],
    [
      'graduated percentage',
      priced(300, { graduated_percentage_ranges: [{ units: '100.0', rate: '1.0', flat_unit_amount: '2.0' }] }),
      '“Calls”: 100 × 1% + $2.00 flat = $3.00',
    ],
    [
      'percentage',
      priced(1250, {
        ...{ rate: '1.5', units: '1000.0', paid_units: '800.0', free_units: '200.0', paid_events: 5 },
        ...{ fixed_fee_unit_amount: '0.1', fixed_fee_total_amount: '0.5', min_max_adjustment_total_amount: '0.0' },
      }),
      '“Calls”: 1.5% of 800 (after 200 free) + 5 events × $0.10 = $12.50',
    ],
    [
      'percentage with limits',
      priced(900, { rate: '1.5', paid_units: '800.0', min_max_adjustment_total_amount: '-3.0' }),
      '“Calls”: 1.5% of 800, adjusted by -$3.00 to the limits per transaction = $9.00',
    ],
    [
      'a commitment',
      { item: { type: 'commitment', name: 'Pro' }, amount_cents: 500 },
      '“Pro”: to reach the minimum commitment = $5.00',
    ],
    [
      'a coupon’s share',
      { units: '1.0', precise_unit_amount: '5.0', amount_cents: 500, precise_coupons_amount_cents: '100.0' },
      '“Calls”: $5.00, before coupons',
    ],
    ['nothing known', { item: {}, amount_cents: null }, 'A fee: an unknown amount'],
  ])('%s', (_model, fee, text) => {
    expect(explainFee({ item, amount_currency: 'USD', ...fee })).toBe(text);
  });

  it.each([
    ['as it is', 'add_on', '0.12345678', '2 × $0.12345678'],
    ['of wallet credits', 'credit', '1.5', '2 × $1.50'],
    ['never one with the endless digits of a division', 'add_on', '0.333333333333333', '2 units'],
    ['nothing for a fraction that is none', 'add_on', '1.x123456789', '2 units'],
    ['never one that may be an average of tiers or packages', 'charge', '1.5', '2 units'],
    ['nor of a fixed charge', 'fixed_charge', '1.5', '2 units'],
  ])('shows a unit price: %s', (_, type, precise_unit_amount, told) => {
    const fee = { item: { ...item, type }, amount_currency: 'USD', units: '2.0', amount_cents: 0, precise_unit_amount };
    expect(explainFee(fee)).toBe(`“Calls”: ${told} = $0.00`);
  });

  it('shortens a name beyond 80 characters, and no shorter one', () => {
    const told = (name: string) => explainFee({ item: { ...item, name }, amount_currency: 'USD', amount_cents: 500 });
    expect(told('x'.repeat(80))).toBe(`“${'x'.repeat(80)}”: $5.00`);
    expect(told('x'.repeat(81))).toBe(`“${'x'.repeat(79)}…”: $5.00`);
  });

  it('shortens many tiers', () => {
    const range = { units: '1.0', per_unit_amount: '1.0', flat_unit_amount: '0.0' };
    const details = { amount_details: { graduated_ranges: Array.from({ length: 6 }, () => range) } };
    const line = explainFee({ item, amount_currency: 'USD', amount_cents: 600, ...details });
    expect(line).toContain('+ 2 more tiers = $6.00');
  });

  it('shows the largest first', () => {
    const fees = [1, 300, 20].map(amount_cents => ({ item, amount_cents, amount_currency: 'USD' }));
    expect(explainFees(fees, 'USD', 2)).toEqual(['“Calls”: $3.00', '“Calls”: $0.20', '1 smaller line not shown']);
  });
});

describe('a line that is priced in a pricing unit', () => {
  const fee = { amount_currency: 'USD', amount_cents: 3000, units: '1200.0', precise_unit_amount: '0.025', item };
  const unit = { pricing_unit_code: 'credits', short_name: 'CR', conversion_rate: '0.5', amount_cents: 6000 };
  const graduated_ranges = [{ units: '1200.0', per_unit_amount: '7.0', flat_unit_amount: '9.0' }];

  it.each([
    ['says so', unit, '1,200 units priced in “credits” (CR, $0.50 each)'],
    ['without a rate', { ...unit, conversion_rate: null }, '1,200 units priced in “credits” (CR)'],
    ['by its short name alone', { short_name: 'CR' }, '1,200 units priced in CR'],
    ['and with a null', null, '1,200 units'],
  ])('%s, and tells no amount of the unit as money', (_, pricing_unit_details, said) => {
    const amount_details = pricing_unit_details === null ? {} : { graduated_ranges };
    expect(explainFee({ ...fee, amount_details, pricing_unit_details })).toBe(`“Calls”: ${said} = $30.00`);
  });
});

describe('the units of a line, divided for display', () => {
  const fee = { amount_currency: 'USD', amount_cents: 1700, units: '17.0', precise_unit_amount: '1.0', item };
  const part = (units: string, presentation_by: Readonly<Record<string, unknown>>) => ({ units, presentation_by });

  it.each([
    [
      'are told, the largest first',
      [part('3', { region: 'us' }), part('12.0', { region: 'eu' })],
      '12 in eu and 3 in us',
    ],
    ['with several keys', [part('15', { region: 'eu', team: 'a' })], '15 in eu / a'],
    ['without a value', [part('15', { region: null })], '15 in no region'],
    [
      'are told three at most',
      ['9', '4', '2', '1', '1'].map((units, i) => part(units, { region: `r${i}` })),
      '9 in r0, 4 in r1, 2 in r2 and 2 smaller parts',
    ],
  ])('%s', (_, presentation_breakdowns, said) => {
    expect(explainFee({ ...fee, presentation_breakdowns })).toBe(`“Calls”: 17 units = $17.00; of these units ${said}`);
  });
});

describe('the days of an invoice', () => {
  const january = {
    subscription_from_datetime: '2026-01-01T00:00:00Z',
    subscription_to_datetime: '2026-01-31T23:59:59Z',
  };
  const period = { billing_periods: [january] };

  it('are those of its period, without this year', () => {
    expect(explainPeriod(period, [])).toBe('Period 1 – 31 Jan 2026 (UTC)');
    expect(explainPeriod(period, [], new Date('2026-05-01T00:00:00Z'))).toBe('Period 1 – 31 Jan (UTC)');
    expect(explainPeriod({}, [])).toBeNull();
  });

  it('follow from the billing periods where the fees have no days', () => {
    const [days] = period.billing_periods;
    const [from, to] = ['2026-02-01T00:00:00Z', '2026-02-28T23:59:59Z'];
    const fixed = { fixed_charges_from_datetime: from, fixed_charges_to_datetime: to };
    const usage = { charges_from_datetime: from, charges_to_datetime: to };
    const told = (more: object, fees: object[] = []) =>
      explainPeriod({ billing_periods: [{ ...days, ...more }] }, fees);
    expect(told(fixed)).toBe('plan for 1 – 31 Jan; fixed charges for 1 – 28 Feb 2026 (UTC)');
    const both = 'plan for 1 – 31 Jan; usage and fixed charges for 1 – 28 Feb 2026 (UTC)';
    expect(told({ ...fixed, ...usage })).toBe(both);
    expect(told(usage, [{ item }])).toBe('Period 1 – 28 Feb 2026 (UTC)');
  });

  const days = (type: string, from_date: string, to_date: string, more = {}) => ({
    item: { ...item, type },
    ...{ from_date, to_date, ...more },
  });
  const utc = (type: string, from: string, to: string, more = {}) =>
    days(type, `${from}T00:00:00+00:00`, `${to}T23:59:59+00:00`, more);
  it.each([
    [
      'the next period of the plan, the last one of the usage',
      [
        days('subscription', '2026-09-08T04:00:00+00:00', '2026-10-08T03:59:59+00:00'),
        days('charge', '2026-08-08T13:30:00+00:00', '2026-09-08T03:59:59+00:00'),
        days('fixed_charge', '2026-08-08T13:30:00+00:00', '2026-09-08T03:59:59+00:00'),
      ],
      'plan for 8 Sep – 7 Oct; usage and fixed charges for 8 Aug – 7 Sep (America/New_York)',
    ],
    [
      'years that differ',
      [utc('subscription', '2027-01-01', '2027-01-31'), utc('charge', '2026-12-01', '2026-12-31')],
      'plan for 1 – 31 Jan 2027; usage for 1 – 31 Dec 2026 (UTC)',
    ],
    [
      'a year that is not this one',
      [utc('subscription', '2027-02-01', '2027-02-28'), utc('charge', '2027-01-01', '2027-01-31')],
      'plan for 1 – 28 Feb; usage for 1 – 31 Jan 2027 (UTC)',
    ],
    [
      'two periods of one kind',
      [utc('fixed_charge', '2027-01-01', '2027-01-31'), utc('fixed_charge', '2026-12-01', '2026-12-31')],
      'Period 1 – 31 Jan 2027 and 1 – 31 Dec 2026 (UTC)',
    ],
    [
      'the event that was billed',
      [utc('charge', '2026-06-30', '2026-07-29', { event_transaction_id: 'again-0-35' })],
      'Billed for event again-0-35; usage period 30 Jun – 29 Jul (UTC)',
    ],
    ['no days of an add-on', [days('add_on', '2026-08-15T12:00:13+00:00', '2026-08-15T12:00:13+00:00')], null],
  ])('name %s', (_, fees, words) => {
    const applicable_timezone = words?.includes('New_York') ? 'America/New_York' : 'UTC';
    const stored = { customer: { applicable_timezone }, billing_periods: period.billing_periods.slice(1) };
    expect(explainPeriod(stored, fees, new Date('2026-09-09T00:00:00Z'))).toBe(words);
  });
});
