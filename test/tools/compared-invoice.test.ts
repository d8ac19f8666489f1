/** get_invoice with compared_to: which invoice it is compared to, what is told of the difference, and what cannot be. */
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import type { JsonRecord } from '../../src/lib/json.ts';
import { factsOf } from '../support/facts.ts';
import { invoiceRow, uuidOf } from './lookup-records.ts';
import { freshWorld, onOneDay, refusal } from './lookup-upstream.ts';

onOneDay();
const world = await freshWorld();

const fee = (code: string, amount_cents: number, fields: JsonRecord = {}) => ({
  ...{ item: { type: 'charge', code, name: code }, external_subscription_id: 'main', svc_charge_id: code },
  ...{ amount_cents, amount_details: {}, events_count: 3 },
  ...fields,
});
const units = (count: string, price: string) => ({ units: count, precise_unit_amount: price });
const plan = (code: string, plan_amount_cents: number) => ({
  ...fee(code, plan_amount_cents, { units: '1.0', amount_details: { plan_amount_cents } }),
  ...{ item: { type: 'subscription', code, name: code }, svc_charge_id: null },
});

const tier = (from_value: number, to_value: number | null, per_unit_amount: string, units: string) => ({
  ...{ from_value, to_value, per_unit_amount, units, flat_unit_amount: '0.0' },
});
const inTiers = (units: string, ...graduated_ranges: object[]) => ({ units, amount_details: { graduated_ranges } });
/** The records of February's invoice and March's, which is compared with it. */
const pair = (before: JsonRecord, after: JsonRecord) => ({
  ...{ [`/invoices/${uuidOf(2)}`]: { invoice: before }, [`/invoices/${uuidOf(3)}`]: { invoice: after } },
});

/** A whole invoice, whose total follows from its lines and these amounts. */
function wholeInvoice(index: number, fees: readonly JsonRecord[], fields: JsonRecord = {}): JsonRecord {
  const charges = fees.reduce((sum, one) => sum + Number(one.amount_cents), 0);
  const taxes = Number(fields.taxes_amount_cents ?? 0);
  const coupons = Number(fields.coupons_amount_cents ?? 0);
  return invoiceRow(index, {
    ...{ issuing_date: `2026-0${index}-01`, subscriptions: [{ external_id: 'main' }], fees },
    ...{ fees_amount_cents: charges, total_amount_cents: charges - coupons + taxes },
    ...fields,
  });
}

const february = wholeInvoice(2, [
  plan('studio', 9_900),
  fee('seats', 9_600, units('8.0', '12.0')),
  fee('calls', 500, units('100.0', '0.05')),
  fee('minutes', 3_100, inTiers('1050.0', tier(0, 1000, '0.03', '1000.0'), tier(1001, null, '0.02', '50.0'))),
]);
const march = wholeInvoice(
  3,
  [
    plan('team', 12_000),
    fee('seats', 13_000, units('10.0', '13.0')),
    fee('tokens', 846, units('423000.0', '0.00002')),
    fee('minutes', 600, inTiers('200.0', tier(0, 1000, '0.03', '200.0'))),
  ],
  { coupons_amount_cents: 1_000, taxes_amount_cents: 2_545 },
);
const compare = (compared_to: string, svc_id = uuidOf(3)) => world.call('get_invoice', { svc_id, compared_to });
const subscribed = (prorated: boolean) => ({
  subscription: {
    ...{ external_id: 'main', status: 'active', external_customer_id: 'acme' },
    plan: { charges: [{ svc_id: 'seats', charge_model: 'standard', prorated, properties: { amount: '13.0' } }] },
  },
});
const both = { ...pair(february, march), '/subscriptions/main': subscribed(false) };

describe('get_invoice with compared_to', () => {
  it('names the rates where a tax rate has changed', async () => {
    const taxed = (index: number, tax_rate: number, taxes_amount_cents: number) =>
      wholeInvoice(index, [plan('studio', 10_000)], {
        taxes_amount_cents,
        applied_taxes: [{ tax_code: 'vat', tax_rate }],
      });
    world.script(pair(taxed(2, 2.9, 290), taxed(3, 7.25, 725)));
    expect((await compare(uuidOf(2))).summary).toContain('By cause: tax (2.9% → 7.25%) +$4.35.');
  });

  it('tells the difference by cause and line by line, adding up to the cent', async () => {
    world.script(both);
    const answer = await compare(uuidOf(2));
    expect(factsOf(answer.summary)).toBe(
      'ACM-0001-001-003 · “Acme Corp” · (acme) · $48.91 · ACM-0001-001-002 · $231.00 · 1 Feb · $279.91 · 1 Mar · $1.00 · $31.00 · $8.46 · $5.00 · $10.00 · $25.45 · $48.91 · “seats” · 8 · 10 · $24.00 · $12.00 · $13.00 · $10.00 · “minutes” · 1,050 · 200 · $25.00 · “studio” · “team” · $99.00 · $120.00 · $21.00 · “tokens” · $8.46 · “calls” · $5.00',
    );
    expect(answer.invoice).toEqual({
      ...{ svc_id: uuidOf(3), number: 'ACM-0001-001-003', status: 'finalized', currency: 'USD' },
      total_amount_cents: 27_991,
      comparison: {
        compared_to: { svc_id: uuidOf(2), number: 'ACM-0001-001-002' },
        ...{ difference_cents: 4_891, quantity_cents: -100, price_cents: 3_100, new_or_gone_cents: 346 },
        ...{ coupons_cents: -1_000, taxes_cents: 2_545 },
      },
    });
    const whole = await world.call('get_invoice', { svc_id: uuidOf(3), compared_to: uuidOf(2), detail: 'comparison' });
    const { lines } = (whole.invoice as { comparison: { lines: JsonRecord[] } }).comparison;
    expect(lines.map(({ name, cents }) => [name, cents])).toEqual([
      ['“seats”', 3_400],
      ['“minutes”', -2_500],
      ['“studio” → “team”', 2_100],
      ['“tokens”', 846],
      ['“calls”', -500],
    ]);
  });

  it.each([
    ['of part of a period', subscribed(true)],
    ['where no plan can be read', refusal(403, 'forbidden')],
    [
      'where the subscription of this id is another customer’s',
      { subscription: { ...subscribed(false).subscription, external_customer_id: 'globex' } },
    ],
  ])('divides no price of a unit that may be an average: %s', async (_, plans) => {
    world.script({ ...both, '/subscriptions/main': plans });
    const { summary } = await compare(uuidOf(2));
    expect(summary).toContain('quantity −$25.00, price +$21.00');
    expect(summary).toContain('not split into quantity and price');
    expect(factsOf(summary)).toContain('“seats” · 8 · 10 · $96.00 · $130.00 · $34.00');
    expect(summary).not.toContain(' each');
  });

  it('finds the one before: the last finalized of the same type with the same subscriptions', async () => {
    const other = wholeInvoice(1, [], { subscriptions: [{ external_id: 'second' }], issuing_date: '2026-02-20' });
    world.script({
      ...both,
      [`/invoices/${uuidOf(1)}`]: { invoice: other },
      '/invoices': [
        invoiceRow(9, { issuing_date: '2026-02-27', status: 'voided' }),
        invoiceRow(8, { issuing_date: '2026-02-26', invoice_type: 'one_off' }),
        ...[march, other, february],
      ],
    });
    const { summary } = await compare('previous');
    expect(summary).toMatch(/ACM-0001-001-003 .* \$48\.91 higher than ACM-0001-001-002/);
    expect(world.asked.slice(1)).toEqual([
      '/invoices?external_customer_id=acme&status[]=finalized&invoice_type=subscription&issuing_date_to=2026-03-01&page=1&per_page=50',
      `/invoices/${uuidOf(1)}`,
      `/invoices/${uuidOf(2)}`,
      '/subscriptions/main',
      '/subscriptions/main',
    ]);
  });

  it('compares with the preview of the running period, without the usage that is billed per event', async () => {
    const bodies: unknown[] = [];
    const sent = wholeInvoice(2, [plan('studio', 9_900), fee('tokens', 846, { pay_in_advance: true })]);
    world.script(async (url, request) => {
      if (url.pathname.endsWith('/preview')) {
        let body = '';
        for await (const chunk of request) body += String(chunk);
        bodies.push(request.method, JSON.parse(body));
        return { invoice: { ...wholeInvoice(3, [plan('studio', 9_900)]), svc_id: null, number: '' } };
      }
      return url.pathname.includes(uuidOf(2)) ? { invoice: sent } : undefined;
    });
    const { summary, ...answer } = await compare('running', uuidOf(2));
    expect(answer).toMatchObject({ invoice: { comparison: { compared_to: { preview: true } } } });
    expect(bodies).toEqual(['POST', { customer: { external_id: 'acme' }, subscriptions: { external_ids: ['main'] } }]);
    expect(factsOf(summary)).toBe(
      '“Acme Corp” · (acme) · $8.46 · ACM-0001-001-002 · $107.46 · 1 Feb · $99.00 · $8.46 · “tokens” · $8.46 · “studio”',
    );
  });

  it.each([
    ['names the same invoice', uuidOf(3), 'compared_to names the same invoice'],
    ['is in another currency', uuidOf(4), 'compared_to is in EUR'],
    ['is of another customer', uuidOf(5), 'to customer globex'],
    ['is running, of an invoice without subscriptions', 'running', 'running needs an invoice of subscriptions'],
    ['is no number', 'the last one', 'the number “the last one”'],
  ])('is refused where it %s, with its choices', async (_, compared_to, message) => {
    world.script({
      [`/invoices/${uuidOf(3)}`]: { invoice: { ...march, subscriptions: [] } },
      [`/invoices/${uuidOf(4)}`]: { invoice: wholeInvoice(4, [], { currency: 'EUR' }) },
      [`/invoices/${uuidOf(5)}`]: { invoice: wholeInvoice(5, [], { customer: { external_id: 'globex' } }) },
      '/invoices': [],
    });
    const { summary, error } = await compare(compared_to);
    expect(summary).toContain(message);
    expect(error?.hint).toMatch(/previous.*running|number, previous or running/);
  });

  it.each([
    ['list_invoices is missing', 'previous', {}, 'has no GET /invoices'],
    ['none is earlier', 'previous', { '/invoices': [march] }, 'no earlier finalized invoice'],
    ['the preview is missing', 'running', {}, 'has no POST /invoices/preview'],
    ['the key lacks the right', 'running', { '/invoices/preview': refusal(403, 'read_action_not_allowed') }, '403'],
    [
      'it shows no total',
      uuidOf(2),
      { [`/invoices/${uuidOf(2)}`]: { invoice: { ...february, total_amount_cents: null } } },
      'shows no total',
    ],
  ])('answers with the invoice alone where %s, and says so', async (_, compared_to, script, reason) => {
    await world.renew();
    world.script({ [`/invoices/${uuidOf(3)}`]: { invoice: march }, ...script });
    const { summary, error } = await compare(compared_to);
    expect(error).toBeUndefined();
    expect(summary).toMatch(/^Not compared: /);
    expect(summary).toContain(reason);
    expect(factsOf(summary)).toContain('ACM-0001-001-003 · “Acme Corp” · (acme) · $200.00 · $279.91');
  });

  it('reads no more than a lookup may, however many invoices have other subscriptions', async () => {
    const others = Array.from({ length: 30 }, (_, index) =>
      wholeInvoice(2, [], { svc_id: uuidOf(100 + index), subscriptions: [{ external_id: `other-${index}` }] }),
    );
    const records = others.map(invoice => [`/invoices/${String(invoice.svc_id)}`, { invoice }]);
    world.script({ ...Object.fromEntries(records), ...both, '/invoices': others });
    const { summary } = await compare('previous');
    expect(summary).toContain('none of the 8 invoices before');
    expect(world.asked).toHaveLength(11);
  });

  it('compares no lines where those shown are not all', async () => {
    const cut = { ...february, fees: [], total_amount_cents: 23_100 };
    world.script({ ...both, [`/invoices/${uuidOf(2)}`]: { invoice: cut } });
    const { summary } = await compare(uuidOf(2));
    expect(summary).toContain('quantity and price +$33.46');
    expect(summary).toContain('do not add up to its');
    expect(summary).not.toContain('New:');
  });

  it('names unchanged lines in one clause, also usage and its minimum that cancel out', async () => {
    const minimum = (amount_cents: number) => fee('calls', amount_cents, { svc_true_up_parent_fee_id: uuidOf(70) });
    const usage = (amount_cents: number) => fee('calls', amount_cents, { svc_id: uuidOf(70), ...units('1.0', '1.0') });
    const same = [plan('studio', 9_900), fee('seats', 9_600, units('8.0', '12.0'))];
    world.script(
      pair(
        wholeInvoice(2, [...same, usage(600), minimum(400)]),
        wholeInvoice(3, [...same, usage(900), minimum(100), fee('new', 700)]),
      ),
    );
    const { summary } = await compare(uuidOf(2));
    expect(summary).toContain('By cause: new lines +$7.00.');
    expect(summary).toContain('Unchanged: “studio”, “seats” and “calls”');
  });

  it('says when part of a period stands against a whole one', async () => {
    const during = (first: string, last: string, cents: number) => ({
      ...{ ...plan('studio', cents), from_date: `2026-${first}T00:00:00Z`, to_date: `2026-${last}T23:59:59Z` },
    });
    const [half, whole] = [during('01-17', '01-31', 4_790), during('02-01', '02-28', 9_900)];
    world.script(pair(wholeInvoice(2, [half]), wholeInvoice(3, [whole])));
    const { summary } = await compare(uuidOf(2));
    expect(factsOf(summary)).toContain('ACM-0001-001-002 · 15 · ACM-0001-001-003 · 28');
  });

  it('says why there was a credit note, and what is left of a coupon', async () => {
    const credit = (type: string, code: string, description: string | null, svc_item_id = uuidOf(9)) => ({
      item: { type, code, description, svc_item_id },
    });
    const late = credit('credit_note', 'CN-6', 'Late');
    const credits = [
      credit('credit_note', 'CN-7', 'Two hours of downtime'),
      credit('credit_note', 'CN-8', 'Not told', uuidOf(8)),
      credit('coupon', 'welcome', null),
    ];
    const coupon = { coupon_code: 'welcome', coupon_name: 'Welcome', status: 'active', frequency: 'recurring' };
    world.script({
      ...both,
      ...pair({ ...february, credits: [late, credits[1]] }, { ...march, credits }),
      [`/credit_notes/${uuidOf(9)}`]: { credit_note: { reason: 'other' } },
      [`/credit_notes/${uuidOf(8)}`]: { credit_note: { reason: 'duplicated_charge' } },
      '/customers/acme/applied_coupons': [{ ...coupon, frequency_duration: 3, frequency_duration_remaining: 2 }],
    });
    const { summary } = await compare(uuidOf(2));
    expect(factsOf(summary)).toContain('CN-7 · “Two hours of downtime”');
    expect(summary).toMatch(/CN-6 on ACM-0001-001-002: “Late”.* CN-8 on both: [a-z ]*(duplicate|twice)/);
    expect(summary).toContain('Coupon “Welcome” (welcome): 2 uses left');
  });

  it('costs at most 420 tokens, however many lines differ', async () => {
    const many = (price: number) =>
      Array.from({ length: 40 }, (_, index) =>
        fee(`Transcription of region ${index}`, (index + 1) * price * 100, units(`${index + 1}.0`, `${price}.0`)),
      );
    world.script({
      [`/invoices/${uuidOf(2)}`]: { invoice: wholeInvoice(2, [plan('studio', 9_900), ...many(7).slice(0, 30)]) },
      [`/invoices/${uuidOf(3)}`]: {
        invoice: wholeInvoice(3, [plan('team', 12_000), ...many(9).slice(10)], {
          ...{ coupons_amount_cents: 1_000, taxes_amount_cents: 2_545 },
        }),
      },
    });
    const answer = await compare(uuidOf(2));
    expect(answer.summary).toContain('35 smaller lines +$');
    expect(countTokens(JSON.stringify(answer))).toBeLessThanOrEqual(420);
  });
});
