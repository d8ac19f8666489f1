/** What a preview looks at, by hand, through the running service: §12.2, §12.5, and what §16 leaves out. */
import { describe, expect, it } from 'vitest';
import { type Entry, estimateOf, lines, previewOf, running } from './review-service.ts';
import { charge, standard, sum, used } from './review-usage.ts';

const NOW = '2026-04-10T12:00:00Z';

describe('an end within the period or on the day after it (§12.2)', () => {
  const yearly = { interval: 'yearly', amount_cents: 36_500, bill_charges_monthly: true, charges: [standard] };
  it.each<[string, Entry, string, string[], string]>([
    [
      'in the period: 20 of 30 days of 3000',
      { amount_cents: 3000 },
      '2026-04-20T12:00:00Z',
      ['subscription plan 2000'],
      '2026-04-20',
    ],
    ['on its last day', { amount_cents: 3000 }, '2026-04-30T12:00:00Z', ['subscription plan 3000'], '2026-04-30'],
    [
      'two days after it: a plain projection',
      { amount_cents: 3000 },
      '2026-05-02T00:00:00Z',
      ['subscription plan 3000'],
      '2026-05-01',
    ],
    [
      'usage by the month, in this month: 110 of 365 days',
      yearly,
      '2026-04-20T12:00:00Z',
      ['subscription plan 11000', 'charge m 500'],
      '2026-04-20',
    ],
    [
      'usage by the month, later this year: this month’s usage',
      yearly,
      '2026-11-20T12:00:00Z',
      ['charge m 500'],
      '2026-05-01',
    ],
  ])('%s', async (_name, plan, ending_at, expected, issued) => {
    const given = {
      now: NOW,
      metrics: [sum],
      plan,
      events: plan === yearly ? used([5]) : [],
      subscription: { ending_at },
    };
    const answer = await previewOf(given);
    expect(lines(answer)).toEqual(expected);
    expect(answer.body.invoice.issuing_date).toBe(issued);
  });
});

describe('customers (§12.4)', () => {
  it('a sent time zone moves the days: 1 May 01:00 in Tokyo is still April in UTC', async () => {
    const given = { now: '2026-04-30T16:00:00Z', subscription: { subscription_at: '2026-01-01' } };
    const from = (answer: { body: { invoice: { fees: Entry[] } } }) => answer.body.invoice.fees[0]?.from_date;
    expect(from(await previewOf(given))).toBe('2026-04-01T00:00:00Z');
    const customer = { external_id: 'acme', timezone: 'Asia/Tokyo' };
    expect(from(await previewOf(given, { ...running(), customer }))).toBe('2026-04-30T15:00:00Z');
  });
});

describe('what §16 leaves out', () => {
  const custom = { code: 'm', aggregation_type: 'custom_agg', field_name: 'v' };
  const ranges = { graduated_ranges: [{ from_value: 0, to_value: null, per_unit_amount: '1', flat_amount: '0' }] };
  it.each<[string, Entry, Entry]>([
    ['custom_aggregation', custom, standard],
    ['custom_charge_model', sum, charge('custom', {})],
    ['prorated_graduated_charge', { ...sum, recurring: true }, charge('graduated', ranges, { prorated: true })],
  ])('%s: a preview', async (code, metric, oneCharge) => {
    const answer = await previewOf({ now: NOW, metrics: [metric], plan: { charges: [oneCharge] } });
    expect(answer).toMatchObject({ status: 422, body: { code: 'out_of_scope' } });
    expect(Object.keys(answer.body.error_details)).toEqual([code]);
  });

  it.each<[string, Entry, Entry]>([
    ['custom_aggregation', custom, standard],
    ['custom_charge_model', sum, charge('custom', {})],
  ])('%s: an estimate', async (code, metric, oneCharge) => {
    const plan = { charges: [{ ...oneCharge, pay_in_advance: true }] };
    const answer = await estimateOf({ now: NOW, metrics: [metric], plan }, { code: 'm', properties: { v: 1 } });
    expect(answer).toMatchObject({ status: 422, body: { code: 'out_of_scope' } });
    expect(Object.keys(answer.body.error_details)).toEqual([code]);
  });

  it('a VAT number would have to be checked where the entity has its EU taxes managed; the stored one has been', async () => {
    const entity = { eu_tax_management: true };
    const given = { now: NOW, entity, customer: { tax_identification_number: 'FR1' } };
    const ask = (tax_identification_number: string | null) => ({
      ...running(),
      customer: { external_id: 'acme', tax_identification_number },
    });
    expect(Object.keys((await previewOf(given, ask('FR2'))).body.error_details)).toEqual(['vies_check']);
    expect((await previewOf(given, ask('FR1'))).status).toBe(200);
    expect((await previewOf({ ...given, entity: {} }, ask('FR2'))).status).toBe(200);
    const anonymous = { plan_code: 'plan', customer: { tax_identification_number: 'FR2' } };
    expect((await previewOf(given, anonymous)).body.code).toBe('out_of_scope');
  });

  it('pricing units, target wallets and products cannot be in an account file', async () => {
    for (const field of ['applied_pricing_unit', 'accepts_target_wallet', 'product_code']) {
      const plan = { charges: [{ ...standard, [field]: true }] };
      await expect(previewOf({ now: NOW, metrics: [sum], plan })).rejects.toThrow(field);
    }
  });
});
