import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { parseBody } from '../../src/contract/parse.ts';
import { checkArguments } from '../../src/definition/check.ts';
import type { JsonRecord } from '../../src/lib/json.ts';
import { presentRecord } from '../../src/words/present-record.ts';
import { comparePlans, comparisonFrom, previewRequests } from '../../tools/compare-plans.ts';
import type { PlansRead, PreviewAnswer } from '../../tools/quotes/compared-plans.ts';
import { factsOf } from '../support/facts.ts';

/** A plan as `list_plans` shows it, in USD, without fixed charges (service-behaviour §3.14). */
const plan = (code: string, fields: JsonRecord = {}): JsonRecord => ({
  ...{ code, name: code[0]!.toUpperCase() + code.slice(1), interval: 'monthly', amount_cents: 1_000 },
  ...{ amount_currency: 'USD', pay_in_advance: false, trial_period: 0, charges: [], taxes: [], ...fields },
});
const standard = (metric: string, amount: string, fields: JsonRecord = {}): JsonRecord => ({
  ...{ billable_metric_code: metric, charge_model: 'standard', properties: { amount }, filters: [], taxes: [] },
  ...{ pay_in_advance: false, invoiceable: true, prorated: false, min_amount_cents: 0, ...fields },
});

interface Fee {
  type: string;
  amount_cents: number;
}

/** A preview of fees at one tax rate. */
function invoice(fees: readonly Fee[], { rate = 0, coupons = [] as JsonRecord[], ...fields } = {}): JsonRecord {
  const sum = fees.reduce((total, fee) => total + fee.amount_cents, 0);
  const off = coupons.reduce((total, coupon) => total + Number(coupon.amount_cents), 0);
  const taxes = Math.round(((sum - off) * rate) / 100);
  return {
    currency: 'USD',
    fees: fees.map(({ type, amount_cents }) => ({
      item: { type },
      amount_cents,
      taxes_rate: rate,
      precise_coupons_amount_cents: String((off * amount_cents) / sum),
      ...{ from_date: '2026-11-22T00:00:00Z', to_date: '2026-12-21T23:59:59Z' },
    })),
    credits: coupons.map(({ code, ...rest }) => ({
      ...rest,
      item: { type: 'coupon', code, svc_item_id: `id-${code}` },
    })),
    ...{ fees_amount_cents: sum, coupons_amount_cents: off, taxes_amount_cents: taxes },
    ...{ sub_total_including_taxes_amount_cents: sum - off + taxes, total_amount_cents: sum - off + taxes, ...fields },
  };
}
const fee = (amount_cents: number, type = 'subscription'): Fee => ({ type, amount_cents });
const priced = (cents: number, changes: JsonRecord = {}) => invoice([fee(cents)], changes);

type Previews = { [code: string]: { whole: JsonRecord; first?: JsonRecord; error?: PreviewAnswer; notice?: string } };

async function compare(previews: Previews, args: JsonRecord = {}, read?: PlansRead) {
  const codes = Object.keys(previews);
  const answers = Object.entries(previews).flatMap(([key, { whole, first, error, notice }]): PreviewAnswer[] =>
    error
      ? [error, error]
      : [whole, first ?? whole].map(one => ({ key, body: parseBody({ invoice: one }), ...(notice && { notice }) })),
  );
  const given = { plan_codes: codes, ...args };
  const plans = read ?? { plans: codes.map(code => plan(code)) };
  const parsed = 'plans' in plans ? { plans: [...(parseBody(plans).plans ?? [])] } : plans;
  const record = (await comparisonFrom(given as never, answers, parsed)) as JsonRecord;
  const rows = record.comparison as JsonRecord[];
  return { record, rows, summary: comparePlans.say(record, { args: given, now: new Date(0) }) };
}
const two = (a: number, b: number): Previews => ({ a: { whole: priced(a) }, b: { whole: priced(b) } });
const yearly = plan('year', { interval: 'yearly' });
const intervals = { plans: [plan('month'), yearly] };
const monthAndYear = (month: number, year: number): Previews => ({
  ...{ month: { whole: priced(month) }, year: { whole: priced(year) } },
});
const between = (first: JsonRecord[], second: JsonRecord[]): PlansRead => ({
  plans: [plan('a', { charges: first }), plan('b', { charges: second })],
});
const onlyCharge = (charge: JsonRecord): PlansRead => ({ plans: [plan('a', { charges: [charge] })] });
const model = (charge_model: string, properties: JsonRecord = {}, fields: JsonRecord = {}) =>
  standard('loads', '', { charge_model, properties, ...fields });
/** Tiers from 0 on, each up to its bound. */
const tiersOf = (...tiers: [to: number | null, per_unit_amount: string, flat_amount?: string][]) =>
  tiers.map(([to_value, per_unit_amount, flat_amount = '0'], n) => ({
    ...{ from_value: n && Number(tiers[n - 1]![0]) + 1, to_value, per_unit_amount, flat_amount },
  }));
/** A preview whose coupon is the request's own: the account has none. */
const unstored = (whole: JsonRecord): JsonRecord => ({
  ...{ ...whole, credits: (whole.credits as JsonRecord[]).map(credit => ({ ...credit, item: requested })) },
});
const requested = { type: 'coupon', code: 'c', svc_item_id: null };
const uses = (units: number, fields: JsonRecord = {}) => [{ billable_metric_code: 'loads', units, ...fields }];

describe('compare_plans', () => {
  it('asks for a whole period and the first invoice of each plan, with everything else unchanged', () => {
    const requests = previewRequests({ plan_codes: ['a', 'b'], usage: [], billing_entity_code: 'eu' });
    const body = { customer: {}, billing_entity_code: 'eu' };
    expect(requests).toEqual([
      { key: 'a', body: { ...body, plan_code: 'a', billing_time: 'anniversary' } },
      { key: 'a', body: { ...body, plan_code: 'a' } },
      { key: 'b', body: { ...body, plan_code: 'b', billing_time: 'anniversary' } },
      { key: 'b', body: { ...body, plan_code: 'b' } },
    ]);
  });

  const huge = '9007199254740993';
  const dear = standard('loads', '1', { min_amount_cents: huge });
  const committedTo = (amount_cents: number) => ({ minimum_commitment: { amount_cents } });
  const { sub_total_including_taxes_amount_cents: _, ...withoutTotal } = priced(4_000);
  const { fees_amount_cents: __, ...withoutFees } = priced(4_000);

  it.each<[what: string, whole: JsonRecord, listed?: JsonRecord]>([
    ['a preview without its total', withoutTotal],
    ['a preview without its sum of fees', withoutFees],
    ['a preview with a null for its taxes', priced(4_000, { taxes_amount_cents: null })],
    ['a fee without an amount', { ...priced(4_000), fees: [{ item: { type: 'subscription' }, taxes_rate: 0 }] }],
    ['a total that no number holds', priced(4_000, { sub_total_including_taxes_amount_cents: huge })],
    ['fees that no number holds', priced(4_000, { fees_amount_cents: huge })],
    ['a coupon without an amount', { ...priced(4_000), credits: [{ item: { type: 'coupon', code: 'c' } }] }],
    ['a minimum commitment without an amount', priced(4_000), { minimum_commitment: { taxes: [] } }],
    ['a minimum that no number holds', priced(4_000), { charges: [dear] }],
    ['a total that only its tax makes too large', priced(4_000, { rate: 50 }), committedTo(2 ** 53 - 1)],
  ])('does not compare %s', async (_name, whole, listed = {}) => {
    const read = { plans: [plan('a'), plan('b', listed)] as never };
    const { record, rows, summary } = await compare({ ...two(5_000, 0), b: { whole } }, { usage: [] }, read);
    expect(rows[1]).toMatchObject({ plan_code: 'b', error: { code: 'invalid_answer' } });
    expect(record.cheapest_plan_code).toBeNull();
    expect(summary).toContain('Could not be computed: b (invalid_answer).');
  });

  it('leaves out a first invoice without an amount', async () => {
    const { rows } = await compare({ a: { whole: priced(5_000), first: withoutTotal } });
    expect(rows[0]).not.toHaveProperty('first_invoice');
  });

  it('names the coupons that were not applied to a plan, in whole', async () => {
    const coupons = [{ code: 'w' }];
    const limits = 'limited to metric audio_minutes, '.repeat(4);
    const notice = `coupon w was not applied: ${limits}and more; previews omit such coupons`;
    const { rows, summary } = await compare({ ...two(5_000, 0), b: { whole: priced(4_000), notice } }, { coupons });
    expect(rows[1]).toMatchObject({ notes: [notice] });
    expect(summary).toContain(`B: ${notice}.`);
  });

  it('says once what is true of every plan', async () => {
    const shared = 'coupon w was not applied: it has ended';
    const own = 'coupon x was not applied: limited to plan b';
    const { rows, record, summary } = await compare(
      { a: { whole: priced(5_000), notice: `${shared}; ${own}` }, b: { whole: priced(4_000), notice: shared } },
      { coupons: [{ code: 'w' }, { code: 'x' }] },
    );
    expect(record.notes).toEqual([shared]);
    expect(rows[0]).toMatchObject({ notes: [own] });
    expect(rows[1]).not.toHaveProperty('notes');
    expect(summary).toContain(`A: ${own}. For all plans: ${shared}. `);
  });

  it('says which taxes and terms all plans have, and on which day a start falls', async () => {
    const tax = (code: string) => ({ tax_code: code, tax_name: code, tax_rate: 10 });
    const started = (code: string) => ({
      ...priced(5_000),
      applied_taxes: [tax('city'), tax(code)],
      customer: { applicable_timezone: 'America/Los_Angeles' },
      subscriptions: [{ subscription_at: '2026-12-01T00:00:00Z' }],
    });
    const args = { customer: { country: 'FR' }, subscription_at: '2026-12-01' };
    const { summary } = await compare({ a: { whole: started('low') }, b: { whole: started('low') } }, args);
    expect(factsOf(summary)).toContain(
      '30 Nov · 2026 · 16:00 · Los_Angeles · 1 Dec · 2026 · subscription_at · “city” · 10 · “low” · 10 · Los_Angeles · external_id',
    );
    const stored = { a: { whole: started('low') }, b: { whole: started('low') } };
    expect((await compare(stored, { customer: { external_id: 'acme' } })).record).not.toHaveProperty('terms');
  });

  it('says beside each plan which taxes it has where they differ', async () => {
    const taxed = { ...priced(5_000), applied_taxes: [{ tax_code: 'vat', tax_name: 'VAT', tax_rate: 10 }] };
    const untaxed = { ...priced(4_000), applied_taxes: [] };
    const { rows, summary } = await compare({ a: { whole: taxed }, b: { whole: untaxed } });
    expect(rows.map(({ notes }) => notes)).toEqual([['taxes: “VAT” 10%'], ['taxes: none']]);
    expect(summary).toContain('as listed for each plan');
  });

  it.each([
    ['minimums', standard('loads', '1', { min_amount_cents: 1_000 })],
    ['flat amounts', model('volume', { volume_ranges: tiersOf([null, '1', '10']) })],
  ])('says where %s of charges are not counted', async (_, charge) => {
    const read = onlyCharge(charge);
    const note = 'minimums and flat amounts count only with usage (or usage: [])';
    expect((await compare({ a: { whole: priced(5_000) } }, {}, read)).rows[0]).toMatchObject({ notes: [note] });
    const counted = (await compare({ a: { whole: priced(5_000) } }, { usage: [] }, read)).rows[0];
    expect(counted).toMatchObject({ usage_amount_cents: 1_000, fees_amount_cents: 6_000 });
    expect(counted).not.toHaveProperty('notes');
  });

  it('asks once where the first invoice is that of a whole period', () => {
    const requests = previewRequests({ plan_codes: ['a', 'b'], billing_time: 'anniversary' });
    expect(requests).toHaveLength(2);
  });

  it('brings plans of other intervals to a year, and ranks them by that alone', async () => {
    const { record, summary } = await compare(monthAndYear(1_000, 10_000), {}, intervals);
    expect(factsOf(summary)).toContain('$10.00 · $100.00 · $120.00 · $100.00 · $20.00');
    expect(record.cheapest_plan_code).toBe('year');
    expect(record.comparison).toMatchObject([{ yearly_amount_cents: 12_000 }, { yearly_difference_cents: -2_000 }]);
    expect((record.comparison as JsonRecord[])[1]).not.toHaveProperty('difference_cents');
  });

  const monthlyFees = (fields: JsonRecord = {}): PlansRead => ({
    plans: [plan('year', { interval: 'yearly', bill_fixed_charges_monthly: true, ...fields })],
  });
  const coupons = [{ code: 'c', amount_cents: 100 }];
  const couponed = { month: { whole: priced(1_000, { coupons }) }, year: { whole: priced(10_000, { coupons }) } };
  const sent = { ...coupons[0], coupon_type: 'fixed_amount', frequency: 'forever' };
  const committed: JsonRecord = {
    ...invoice([fee(10_000), fee(500, 'fixed_charge'), fee(19_500, 'commitment')]),
    ...{ taxes_amount_cents: 50, sub_total_including_taxes_amount_cents: 30_050 },
  };
  for (const one of committed.fees as JsonRecord[])
    one.taxes_rate = (one.item as JsonRecord).type === 'fixed_charge' ? 10 : 0;
  const commitment = { minimum_commitment: { amount_cents: 30_000, taxes: [] } };
  const noted = (text: string) => [expect.stringContaining(text)];
  it.each<[what: string, previews: Previews, read: PlansRead, row: JsonRecord, args?: JsonRecord]>([
    [
      'takes a trial off the first one alone',
      monthAndYear(500, 10_000),
      { plans: [plan('month', { trial_period: 15 }), yearly] },
      { yearly_amount_cents: 500 + 11 * 1_000, notes: noted('15 trial days are deducted') },
    ],
    [
      'counts a coupon of the request for every invoice',
      { month: { whole: unstored(couponed.month.whole) }, year: { whole: priced(10_000) } },
      intervals,
      { yearly_amount_cents: 10_800, notes: noted('coupons count in every period') },
      { coupons: [sent] },
    ],
    [
      'counts fixed charges as often as they are billed',
      { year: { whole: invoice([fee(10_000), fee(500, 'fixed_charge')]) } },
      monthlyFees(),
      { fees_amount_cents: 16_000 },
    ],
    [
      'counts them so where a commitment makes the sum the same, and only they are taxed',
      { year: { whole: committed } },
      monthlyFees(commitment),
      { fees_amount_cents: 30_000, taxes_amount_cents: 600 },
    ],
  ])('of the periods of a year %s', async (_, previews, read, row, args) => {
    const { rows } = await compare(previews, args, read);
    expect(rows[0]).toMatchObject(row);
    expect(rows[0]).not.toHaveProperty('yearly_range');
  });

  it('gives the bounds of a year whose coupons may end', async () => {
    const { rows, summary } = await compare(couponed, {}, intervals);
    expect(rows[0]).toMatchObject({
      ...{ yearly_amount_cents: 10_800, notes: noted('coupons count in the first period') },
      yearly_range: { from_cents: 10_800, to_cents: 900 + 11 * 1_000 },
    });
    expect(rows[1]).not.toHaveProperty('notes');
    expect(factsOf(summary)).toContain('$108.00 · $119.00 · $99.00 · $9.00 · $20.00');
  });

  it('spreads usage of a month over the periods of other intervals, and says so', async () => {
    const { rows, summary } = await compare(
      { month: { whole: priced(1_000) }, year: { whole: priced(10_000) }, monthly: { whole: priced(10_000) } },
      { usage: uses(100) },
      {
        plans: [
          plan('month', { charges: [standard('loads', '0.1')] }),
          plan('year', { interval: 'yearly', charges: [standard('loads', '0.1', { min_amount_cents: 20_000 })] }),
          plan('monthly', {
            ...{ interval: 'yearly', bill_charges_monthly: true },
            charges: [standard('loads', '0.1', { min_amount_cents: 2_000 })],
          }),
        ],
      },
    );
    expect(rows.map(row => row.usage_amount_cents)).toEqual([1_000, 20_000, 24_000]);
    expect(summary).toContain('100 loads a month, evenly');
    // 100 a month are 1,200 a year, and again 100 where a yearly plan bills usage monthly.
    const scaled = 'usage is scaled to its billing period, which does not suit levels such as seats';
    expect(rows.map(row => row.notes)).toEqual([undefined, [scaled], undefined]);
  });

  it('names no cheapest plan where usage of a month is charged by the year: 8 seats are 8 or 96', async () => {
    const { record } = await compare(
      monthAndYear(1_000, 10_000),
      { usage: uses(8) },
      {
        plans: [
          plan('month', { charges: [standard('loads', '12')] }),
          plan('year', { interval: 'yearly', charges: [standard('loads', '120')] }),
        ],
      },
    );
    // As a level, the year costs 100 + 8 × 120 = 1,060, and twelve months 12 × (10 + 8 × 12) = 1,272.
    expect(record.comparison).toMatchObject([
      { yearly_amount_cents: 127_200 },
      { yearly_amount_cents: 10_000 + 96 * 12_000 },
    ]);
    expect(record.cheapest_plan_code).toBeNull();
  });

  it('compares before credits, and says what is left to pay of the first invoice', async () => {
    const paid = (cents: number) => priced(cents, { total_amount_cents: 0 });
    const first = paid(500);
    const { record, summary } = await compare({ a: { whole: paid(5_000), first }, b: { whole: paid(4_000), first } });
    expect(record.cheapest_plan_code).toBe('b');
    expect(summary).toContain('$5.00 ($0.00 to pay after credits)');
  });

  it('compares nothing across currencies', async () => {
    const euros = { b: { whole: priced(4_000, { currency: 'EUR' }) } };
    const { record, rows, summary } = await compare({ ...two(5_000, 0), ...euros });
    expect(record).toMatchObject({ cheapest_plan_code: null });
    expect(rows[1]).not.toHaveProperty('difference_cents');
    expect(summary).toContain('€40.00');
  });

  it('keeps what could be computed when some plans fail', async () => {
    const error = { code: 'plan_not_found', message: 'no such plan', hint: 'list the plans' };
    const gone = { whole: {}, error: { key: 'gone', error } };
    const { record, rows, summary } = await compare({ gone, ...two(5_000, 4_000) });
    expect(rows[0]).toEqual({ plan_code: 'gone', error });
    expect(summary).toContain('Could not be computed: gone (plan_not_found).');
    expect(record).toMatchObject({ baseline_plan_code: 'gone', cheapest_plan_code: 'b' });
  });

  it('compares the previews alone where the plans cannot be read', async () => {
    const { record, summary } = await compare(two(5_000, 4_000), {}, { problem: 'no' });
    expect(factsOf(summary)).toContain('$50.00 · $40.00 · $10.00');
    expect(summary).toContain('list of plans could not be');
    expect(record.cheapest_plan_code).toBe('b');
  });

  it('offers no argument that it has not when a comparison is cut', async () => {
    const many = Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`plan-${n}`, { whole: priced(n + 1) }]));
    const { record } = await compare(many);
    const config = { demo: false, maxResultTokens: 250 };
    const { summary } = presentRecord(comparePlans, record, { args: {}, config });
    expect(summary).toMatch(/of 10 .*detail: "full"/);
  });

  it.each([
    ['no plan', { plan_codes: [] }, 'needs 1 to 10'],
    ['eleven plans', { plan_codes: Array.from({ length: 11 }, (_, n) => `p${n}`) }, 'at most 10'],
    ['a plan named twice', { plan_codes: ['a', 'a'] }, 'twice'],
    ['more usage than is computed', { plan_codes: ['a'], usage: uses(1e16) }, 'is more than'],
    ['less than no usage', { plan_codes: ['a'], usage: uses(-1) }, 'must not be negative'],
  ])('refuses %s', (_, args, fix) => {
    const checked = checkArguments(comparePlans, args);
    expect(checked.ok).toBe(false);
    expect(JSON.stringify(checked)).toContain(fix);
  });
});

describe('assumed usage', () => {
  const charged = (charges: JsonRecord[], fields: JsonRecord = {}): PlansRead => ({
    plans: [plan('a', { charges, ...fields })],
  });
  const quoted = async (read: PlansRead, usage: JsonRecord[], whole = priced(1_000), args: JsonRecord = {}) => {
    const { rows, summary } = await compare({ a: { whole } }, { usage, ...args }, read);
    return { row: rows[0]!, summary };
  };

  it('is a quote for one plan: usage, taxed as the plan is', async () => {
    const { row, summary } = await quoted(charged([standard('loads', '0.05')]), uses(300), priced(1_000, { rate: 20 }));
    expect(row).toMatchObject({ usage_amount_cents: 1_500, taxes_amount_cents: 500 });
    expect(factsOf(summary)).toContain('300 · $30.00');
  });

  it('has the taxes of the charge where it has its own', async () => {
    const own = standard('loads', '0.05', { taxes: [{ code: 'low', rate: 5 }] });
    const { row } = await quoted(charged([own]), uses(300), priced(1_000, { rate: 20 }));
    expect(row).toMatchObject({ taxes_amount_cents: 200 + 75 });
  });

  it('counts towards the commitment, also of a plan paid in advance, whose first invoice has none', async () => {
    const read = charged([standard('loads', '0.05')], {
      pay_in_advance: true,
      minimum_commitment: { amount_cents: 3_000 },
    });
    expect((await quoted(read, uses(300))).row).toMatchObject({ usage_amount_cents: 1_500, fees_amount_cents: 3_000 });
    expect((await quoted(read, uses(800))).row).toMatchObject({ usage_amount_cents: 4_000, fees_amount_cents: 5_000 });
  });

  it('is split by filters and groups as events are', async () => {
    const split = standard('loads', '1', {
      properties: { amount: '1', pricing_group_keys: ['team'] },
      filters: [{ values: { region: ['eu'] }, properties: { package_size: 1, amount: '5' } }],
    });
    const usage = [
      ...uses(0.004, { groups: { team: 'a' } }),
      ...uses(0.004, { groups: { team: 'b' } }),
      ...uses(2, { filter: { region: 'eu' } }),
      ...uses(3, { filter: { region: 'us' } }),
    ];
    expect((await quoted(charged([split]), usage)).row).toMatchObject({ usage_amount_cents: 1_300 });
  });

  const percentage = (properties: JsonRecord) => model('percentage', properties);
  const outside = standard('loads', '1', { invoiceable: false, pay_in_advance: true });
  const limited = { per_transaction_min_amount: '1' };
  const freeEvent = { free_units_per_events: 1 };
  it.each<[string, JsonRecord, JsonRecord, string | number]>([
    ['dynamic prices', model('dynamic'), {}, 'each event brings its own price'],
    ['custom prices', model('custom'), {}, 'its own price'],
    ['tiers prorated by time', model('graduated', { amount: '1' }, { prorated: true }), {}, 'prorated by time'],
    ['a package without a size', model('package'), {}, 'its own price'],
    ['usage outside invoices', outside, {}, 'outside invoices'],
    ['limits of each transaction', percentage({ rate: '1', ...limited }), { events: 2 }, 'limits of each'],
    ['an untold number of events', percentage({ rate: '1', fixed_amount: '1' }), {}, 'say how many events'],
    ['free events', percentage({ rate: '1', ...freeEvent }), { events: 2 }, 'need each event'],
    ['free events of a fixed amount alone', percentage({ fixed_amount: '1', ...freeEvent }), { events: 3 }, 200],
    ['one event with limits', percentage({ rate: '1', per_transaction_min_amount: '4' }), { events: 1 }, 400],
    ['only free events', percentage({ rate: '1', free_units_per_events: 5 }), { events: 5 }, 0],
    ['a free amount', percentage({ rate: '1', free_units_per_total_aggregation: '40' }), {}, 60],
    ['a fixed amount an event', percentage({ rate: '1', fixed_amount: '0.5' }), { events: 4 }, 300],
  ])('with %s is priced, or named and left out', async (_, charge, fields, expected) => {
    const { row, summary } = await quoted(charged([charge]), uses(100, fields));
    if (typeof expected === 'number') {
      expect(row).toMatchObject({ usage_amount_cents: expected });
      expect(row).not.toHaveProperty('left_out');
      return;
    }
    expect(row).toMatchObject({
      ...{ usage_amount_cents: 0, range: { from_cents: 1_000, to_cents: null } },
      left_out: [expect.stringContaining(expected)],
    });
    expect(summary).toContain(`A at least $10.00. First invoice`);
    expect(summary).toContain('A: without loads (');
  });

  const prorated = (amount: string, fields: JsonRecord = {}) =>
    standard('loads', amount, { prorated: true, ...fields });
  const dynamic = model('dynamic');
  const volume = tiersOf([null, '0.1', '2']);
  // biome-ignore format: a table
  it.each<[what: string, a: JsonRecord[], b: JsonRecord[], cents: number, told: string]>([
    ['prorated usage', [], [prorated('0.1')], 1_500, 'A $10.00, B $15.00 to $25.00, $5.00 to $15.00 more'],
    ['prorated usage of a volume, with its whole flat amount', [], [prorated('', { charge_model: 'volume', properties: { volume_ranges: volume } })], 1_500, 'A $10.00, B $17.00 to $27.00, $7.00 to $17.00 more'],
    ['prorated usage that may make it dearer or not', [], [prorated('0.1')], 500, 'A $10.00, B $5.00 to $15.00, between $5.00 less and $5.00 more'],
    ['prorated usage of both', [prorated('0.01')], [prorated('0.1')], 1_500, 'A $10.00 to $11.00, B $15.00 to $25.00, $4.00 to $15.00 more'],
    ['prorated usage of a cheaper plan', [], [prorated('0.01')], 500, 'A $10.00, B $5.00 to $6.00, $4.00 to $5.00 less'],
    ['usage left out of the second', [], [dynamic], 1_500, 'A $10.00, B at least $15.00, at least $5.00 more'],
    ['usage left out of a cheaper one', [], [dynamic], 500, 'A $10.00, B at least $5.00'],
    ['usage left out of the first', [dynamic], [], 500, 'A at least $10.00, B $5.00, at least $5.00 less'],
    ['usage left out of the cheaper first', [dynamic], [], 1_500, 'A at least $10.00, B $15.00'],
    ['usage left out of both', [dynamic], [dynamic], 1_500, 'A at least $10.00, B at least $15.00'],
  ])('is told as a range, and its difference too: %s', async (_, a, b, cents, told) => {
    const { summary } = await compare(two(1_000, cents), { usage: uses(100) }, between(a, b));
    expect(summary).toContain(`: ${told}.`);
  });

  describe('of a charge that is billed by event', () => {
    const charge = (fields: JsonRecord = {}) =>
      model('graduated', { graduated_ranges: tiersOf([null, '0.5', '2']) }, fields);
    const withMetric = async (recurring: unknown, units: number, fields: JsonRecord = {}) => {
      const asked: string[] = [];
      const reads = {
        get: async (_: string, { path }: { path: { code: string } }) => {
          asked.push(path.code);
          return recurring === null ? { ok: false } : { ok: true, body: { billable_metric: { recurring } } };
        },
      };
      const plans = [plan('a', { charges: [charge(fields)] })];
      const answers: PreviewAnswer[] = [1, 2].map(() => ({ key: 'a', body: { invoice: priced(60_100) } }));
      const args = { plan_codes: ['a'], usage: uses(units) } as never;
      const record = await comparisonFrom(args, answers, { plans }, reads as never);
      const summary = comparePlans.say(record, { args, now: new Date(0) });
      return { asked, told: /: A (.*?)\. First/.exec(summary)?.[1] };
    };

    // biome-ignore format: a table
    it.each<[what: string, units: number, recurring: unknown, fields: JsonRecord, told: string, asked: string[]]>([
      ['nothing without an event', 0, false, { pay_in_advance: true }, '$601.00', ['loads']],
      ['its flat amount too with one', 1, false, { pay_in_advance: true }, '$603.50', ['loads']],
      ['its flat amount with each period where its metric recurs', 0, true, { pay_in_advance: true }, '$603.00', ['loads']],
      ['an unknown amount where that cannot be read', 0, null, { pay_in_advance: true }, 'at least $601.00', ['loads']],
      ['its flat amount without usage where it is billed in arrears', 0, false, {}, '$603.00', []],
    ])('is %s', async (_, units, recurring, fields, told, asked) => {
      expect(await withMetric(recurring, units, fields)).toEqual({ told, asked });
    });
  });

  it('picks no plan as the cheapest while what was left out could make it dearer', async () => {
    const read = between([model('dynamic')], []);
    const cheapest = async (b: number) =>
      (await compare(two(1_000, b), { usage: uses(1) }, read)).record.cheapest_plan_code;
    expect(await cheapest(2_000)).toBe(null);
    expect(await cheapest(900)).toBe('b');
  });

  it('says what a plan does not charge, and where it has other prices', async () => {
    const filters = [{ values: { region: ['eu'] }, properties: { amount: '2' } }];
    const { row } = await quoted(charged([standard('loads', '1', { filters })]), [
      ...uses(1),
      { billable_metric_code: 'x', units: 1 },
    ]);
    expect(row.notes).toEqual(['x is not offered', expect.stringContaining('other prices, by filter')]);
  });

  it('has no taxes where those of the preview do not follow from its fees', async () => {
    const { row } = await quoted(
      charged([standard('loads', '1')]),
      uses(1),
      priced(1_000, { rate: 20, taxes_amount_cents: 7 }),
    );
    expect(row).toMatchObject({
      range: { from_cents: null, to_cents: null },
      notes: [expect.stringContaining('taxes')],
    });
  });

  it('survives a plan whose fields are anything', async () => {
    const odd = {
      charges: [null, { properties: 'x', filters: [3, { values: { a: 1 } }] }, standard('loads', '1e99999')],
    };
    const { row } = await quoted(charged([], { ...odd, minimum_commitment: 5, taxes: 'x' }), uses(1));
    expect(row).toMatchObject({ sub_total_including_taxes_amount_cents: 1_000 });
  });
});

describe('coupons of a quote', () => {
  const read: PlansRead = { plans: [plan('a', { charges: [standard('loads', '1')] })] };
  const whole = (cents: number, off: number) => priced(cents, { coupons: [{ code: 'c', amount_cents: off }] });
  const quote = async (a: JsonRecord, first: JsonRecord, args: JsonRecord = {}) =>
    (await compare({ a: { whole: a, first } }, { usage: uses(100), ...args }, read)).rows[0]!;

  it('are a fixed amount where they took the same from two invoices', async () => {
    expect(await quote(whole(4_000, 1_000), whole(1_500, 1_000))).toMatchObject({ coupons_amount_cents: 1_000 });
  });

  it('are a percentage where they took as much of each: the plans are ranked by the bounds of its rate', async () => {
    const a = { whole: whole(400_000, 40_000), first: whole(150_000, 15_000) };
    const b = { whole: whole(420_000, 42_000), first: whole(150_000, 15_000) };
    const plans = ['a', 'b'].map(code => plan(code, { charges: [standard('loads', '1')] }));
    const { record, rows } = await compare({ a, b }, { usage: uses(100) }, { plans });
    expect(Number(rows[0]?.coupons_amount_cents)).toBeGreaterThan(40_990);
    expect(Number(rows[0]?.coupons_amount_cents)).toBeLessThanOrEqual(41_000);
    expect(record.cheapest_plan_code).toBe('a');
  });

  it('bound the total where the rate is known only nearly', async () => {
    const row = await quote(whole(400, 40), whole(150, 15));
    expect(row).toMatchObject({ notes: [expect.stringContaining('only approximate')] });
    const { from_cents, to_cents } = row.range as { from_cents: number; to_cents: number };
    expect(to_cents).toBe(row.sub_total_including_taxes_amount_cents);
    expect(from_cents).toBeLessThan(to_cents);
    expect(Number(row.coupons_amount_cents)).toBeLessThanOrEqual(1_040);
  });

  it('are (from the plan) alone where nothing tells them apart', async () => {
    const row = await quote(whole(4_000, 400), whole(4_000, 400));
    const to_cents = row.sub_total_including_taxes_amount_cents;
    expect(row).toMatchObject({ range: { from_cents: null, to_cents }, coupons_amount_cents: 400 });
  });

  it('have the values of the request where the account has no such coupon', async () => {
    const sent = { code: 'c', coupon_type: 'percentage', percentage_rate: '10' };
    const own = unstored(whole(4_000, 400));
    expect(await quote(own, own, { coupons: [sent] })).toMatchObject({ coupons_amount_cents: 1_400 });
  });

  it('take the same where usage does not exceed the commitment', async () => {
    const { fees } = invoice([fee(1_000), fee(3_000, 'commitment')]);
    const committed = { ...whole(4_000, 400), fees };
    const minimum_commitment = { amount_cents: 4_000, taxes: [] };
    const plans = [plan('a', { charges: [standard('loads', '1')], minimum_commitment })];
    const { rows } = await compare(
      { a: { whole: committed, first: { ...committed } } },
      { usage: uses(10) },
      { plans },
    );
    expect(rows[0]).toMatchObject({ usage_amount_cents: 1_000, sub_total_including_taxes_amount_cents: 3_600 });
    expect(rows[0]).not.toHaveProperty('range');
  });

  it('may be hidden where the plan alone costs nothing', async () => {
    const args = { customer: { external_id: 'acme' } };
    expect(await quote(priced(0), priced(0), args)).toMatchObject({ range: { from_cents: null } });
    expect(await quote(priced(0), priced(0))).not.toHaveProperty('range');
  });
});

describe('the usage from which the other plan is cheaper', () => {
  const evenAt = async (first: JsonRecord[], second: JsonRecord[], b = 5_000) =>
    compare(two(1_000, b), { usage: uses(1) }, between(first, second));
  const graduated = (...tiers: Parameters<typeof tiersOf>) =>
    model('graduated', { graduated_ranges: tiersOf(...tiers) });

  it('is found to the unit', async () => {
    const { record, summary } = await evenAt([standard('loads', '0.0001')], [standard('loads', '0.00001')]);
    // 10.00 + 0.0001 u > 50.00 + 0.00001 u, each rounded to cents.
    expect(record.break_even).toEqual([
      { billable_metric_code: 'loads', units: expect.any(Number), cheaper_plan_code: 'b' },
    ]);
    const [{ units }] = record.break_even as [{ units: number }];
    const cents = (amount: number, price: number) => amount + Math.round(units * price * 100 - 1e-9);
    expect(cents(5_000, 0.00001)).toBeLessThan(cents(1_000, 0.0001) + 1);
    expect(units).toBeGreaterThan(444_300);
    expect(units).toBeLessThan(444_600);
    expect(summary).toMatch(/444,\d{3} loads a month.*444,\d{3}/);
  });

  it('leaves out the flat amount of a charge that is billed by event and was not used', async () => {
    const properties = { graduated_ranges: tiersOf([null, '0.5', '2']) };
    const seats = { charge_model: 'graduated', properties, pay_in_advance: true };
    const first = plan('a', { charges: [standard('loads', '0.001'), standard('loads', '0.0028')] });
    const second = plan('b', {
      charges: [standard('loads', '0.0006'), standard('loads', '0.0026'), standard('seats', '', seats)],
    });
    const answers = [5_000, 53_700].flatMap((cents, i): PreviewAnswer[] => {
      const one = { key: 'ab'[i]!, body: { invoice: priced(cents) } };
      return [one, one];
    });
    const reads = { get: async () => ({ ok: true, body: { billable_metric: { recurring: false } } }) };
    const args = { plan_codes: ['a', 'b'], usage: uses(20_000) } as never;
    const record = await comparisonFrom(args, answers, { plans: [first, second] }, reads as never);
    expect(factsOf(comparePlans.say(record, { args, now: new Date(0) }))).toContain(
      '$126.00 · $601.00 · $475.00 · 811,667 · 811,666',
    );
    // Every number of units, each fee rounded to cents: rates in hundredths of a cent, of which a half rounds up.
    const fees = (units: number, ...rates: number[]) =>
      rates.reduce((sum, rate) => sum + Math.floor((units * rate + 50) / 100), 0);
    const cheaper = (units: number) => 53_700 + fees(units, 6, 26) < 5_000 + fees(units, 10, 28);
    let walked = 0;
    while (!cheaper(walked)) walked += 1;
    expect(walked).toBe(811_667);
  });

  it('names the filter of the units that it is found for', async () => {
    const eu = [{ values: { region: ['eu'] }, properties: { amount: '0.1' } }];
    const usage = [...uses(100, { filter: { region: 'eu' } }), ...uses(50)];
    const { summary } = await compare(
      two(1_000, 5_000),
      { usage },
      between([standard('loads', '0', { filters: eu })], []),
    );
    expect(factsOf(summary)).toContain('401 · (eu) · 400');
  });

  it('is found on both sides where a plan is cheaper in between', async () => {
    const tiers = graduated([1_000, '0.01'], [null, '1']);
    const { record, summary } = await evenAt([standard('loads', '0.1')], [tiers], 3_000);
    expect(record.break_even).toMatchObject([{ units: 223, cheaper_plan_code: 'b' }, { cheaper_plan_code: 'a' }]);
    expect(summary).toMatch(/223 to 1,\d{3} loads.*1,\d{3}/);
  });

  it('is that from which packages leave it so', async () => {
    const packages = model('package', { package_size: 100, amount: '10' });
    const { record } = await evenAt([standard('loads', '0.2')], [packages], 1_500);
    const last = (record.break_even as { units: number; cheaper_plan_code: string }[]).at(-1)!;
    expect(last.cheaper_plan_code).toBe('b');
    const price = (units: number) => 1_500 + Math.ceil(units / 100) * 1_000 - (1_000 + units * 20);
    for (let units = last.units; units < last.units + 2_000; units += 1) expect(price(units)).toBeLessThanOrEqual(0);
  });

  it('is told of the last three changes alone where there are more', async () => {
    // By turns free and at twice the other plan's price: 10.00 + 0.10 u and 15.00 are equal at 50, then again each 100 units.
    const tiers = graduated([100, '0'], [200, '0.2'], [300, '0'], [400, '0.2'], [null, '0']);
    const { record } = await evenAt([standard('loads', '0.1')], [tiers], 1_500);
    expect(record.break_even).toMatchObject([
      { units: 251, cheaper_plan_code: 'b' },
      { units: 351, cheaper_plan_code: 'a' },
      { units: 451, cheaper_plan_code: 'b' },
    ]);
  });

  it('is not told where there is none, for a number of events, and for three plans', async () => {
    const charged = [plan('a', { charges: [standard('loads', '1')] }), plan('b')];
    const previews = two(1, 500);
    const told = async (fields: JsonRecord) =>
      (await compare(previews, { usage: uses(1, fields) }, { plans: charged })).record.break_even;
    expect([await told({}), await told({ events: 1 })]).toEqual([[expect.objectContaining({ units: 5 })], undefined]);
    expect((await evenAt([standard('loads', '0.1')], [standard('loads', '0.1')])).record).not.toHaveProperty(
      'break_even',
    );
    const three = { a: { whole: priced(1) }, b: { whole: priced(2) }, c: { whole: priced(3) } };
    expect((await compare(three, { usage: uses(1) })).record).not.toHaveProperty('break_even');
  });
});

describe('a comparison of three plans with usage', () => {
  it('costs at most 700 tokens', async () => {
    const charges = [
      standard('loads', '0.01'),
      standard('payouts', '', { charge_model: 'percentage', properties: { rate: '1', fixed_amount: '1' } }),
    ];
    const codes = ['navigator', 'explorer', 'enterprise'];
    const previews = codes.map((code, n) => [code, { whole: priced(12_345 * (n + 1), { rate: 20 }) }]);
    const args = {
      customer: { external_id: 'acme-podcasts' },
      usage: [...uses(431_000), { billable_metric_code: 'payouts', units: 9 }],
    };
    const read = { plans: codes.map(code => plan(code, { charges })) };
    const { record } = await compare(Object.fromEntries(previews), args, read);
    const config = { demo: false, maxResultTokens: 25_000 };
    const { summary, fields } = presentRecord(comparePlans, record, { args, config });
    const tokens = countTokens(JSON.stringify({ summary, ...fields }));
    console.error(`three plans with usage: ${tokens} tokens`);
    expect(tokens).toBeLessThanOrEqual(700);
  });
});
