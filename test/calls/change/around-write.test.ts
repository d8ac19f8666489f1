/** The previews around a change of prices: what they tell, and that the write never depends on them. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { JsonRecord } from '../../../src/lib/json.ts';
import { factsOf } from '../../support/facts.ts';
import { type LookupWorld, lookupWorld, refusal } from '../../tools/lookup-upstream.ts';

const plan = { svc_id: 'p1', parent_id: null, code: 'pro', amount_cents: 9_900, amount_currency: 'USD', charges: [] };
const subscription: JsonRecord = {
  ...{ svc_id: 's1', external_id: 'main', external_customer_id: 'acme', status: 'active', plan_code: 'pro' },
  ...{ plan_amount_cents: 9_900, plan_amount_currency: 'USD', plan },
};
const changed = {
  ...subscription,
  plan_amount_cents: 7_900,
  plan: { ...plan, svc_id: 'p2', parent_id: 'p1', amount_cents: 7_900 },
};
const invoice = (total_amount_cents: number) => ({ invoice: { currency: 'USD', total_amount_cents } });

let world: LookupWorld;
let sent: string[];
beforeAll(async () => {
  world = await lookupWorld();
});
beforeEach(async () => {
  sent = [];
  await world.renew({ BILLING_CONFIRM: 'never' }, { searchMs: 200 });
});
afterAll(() => world.close());

/** `preview` answers the previews in their order; the record is as in `known`. */
function script(preview: (index: number) => object | Promise<object>, known = subscription): void {
  let previews = 0;
  world.script((url, { method }) => {
    const path = url.pathname.replace('/api/v1', '');
    if (method !== 'GET') sent.push(`${method} ${path}`);
    if (path === '/invoices/preview') return preview(previews++);
    if (method === 'PUT') return { subscription: changed };
    if (path === '/subscriptions') return { subscriptions: [known] };
    if (path === '/subscriptions/main') return { subscription: known };
    return path === '/customers/acme' ? { customer: { external_id: 'acme', name: 'Acme' } } : undefined;
  });
}
const update = (more: JsonRecord = {}) =>
  world.call('update_subscription', { external_id: 'main', plan_overrides: { amount_cents: 7_900 }, ...more });
const preview = 'POST /invoices/preview';
const put = 'PUT /subscriptions/main';

describe('a change of prices', () => {
  it('tells the running period’s invoice before and after, by a preview on each side of the write', async () => {
    script(index => invoice(index === 0 ? 93_900 : 91_900));
    const { summary } = await update();
    expect(factsOf(summary)).toContain('$939.00 · $919.00');
    expect(sent).toEqual([preview, put, preview]);
  });

  it('tells where it stays the same', async () => {
    script(() => invoice(93_900));
    expect(factsOf((await update()).summary)).toContain('$939.00');
  });

  it.each([
    ['refuses the first', () => refusal(403, 'create_action_not_allowed_for_invoice'), [preview, put]],
    ['lacks previews', () => refusal(404, 'resource_not_found'), [preview, put]],
    [
      'fails at the second',
      (index: number) => (index === 0 ? invoice(1) : refusal(422, 'odd')),
      [preview, put, preview],
    ],
  ])('is made, once, and says so where the service %s', async (_, answer, requests) => {
    script(answer);
    const { summary, error } = await update();
    expect(error).toBeUndefined();
    expect(factsOf(summary)).toContain('$79.00 · $99.00');
    expect(summary).toMatch(/preview failed/);
    expect(sent).toEqual(requests);
  });

  const of = (fields: object) => ({ invoice: { ...invoice(91_900).invoice, ...fields } });
  it.each<[string, object]>([
    ['another currency', of({ currency: 'EUR' })],
    ['no currency', of({ currency: null })],
    ['no total', of({ total_amount_cents: null })],
    ['a total that is no whole number', of({ total_amount_cents: 12.5 })],
    ['the invoice of another customer', of({ customer: { external_id: 'globex' } })],
  ])('is made, once, and tells no amounts where a preview shows %s', async (_, lie) => {
    for (const answers of [
      [invoice(93_900), lie],
      [lie, invoice(93_900)],
    ]) {
      sent = [];
      script(index => answers[index]!);
      const { summary, error } = await update();
      expect(error).toBeUndefined();
      expect(factsOf(summary)).toContain('$79.00 · $99.00');
      expect(summary).toContain('previews cannot be compared');
      expect(summary).not.toContain('939');
      expect(sent).toEqual([preview, put, preview]);
    }
  });

  it('asks for no second preview where the write is refused, and says that nothing changed', async () => {
    world.script((url, { method }) => {
      const path = url.pathname.replace('/api/v1', '');
      if (method !== 'GET') sent.push(`${method} ${path}`);
      if (path === '/invoices/preview') return invoice(1);
      if (method === 'PUT') return refusal(422, 'validation_errors');
      if (path === '/subscriptions') return { subscriptions: [subscription] };
      return path === '/subscriptions/main' ? { subscription } : undefined;
    });
    const { summary, error } = await update();
    expect(error).toMatchObject({ changed: false });
    expect(summary).toMatch(/^Nothing was changed\. /);
    expect(sent).toEqual([preview, put]);
  });

  it('goes on where the first preview does not answer', async () => {
    script(() => new Promise(() => {}));
    const { summary } = await update();
    expect(summary).toContain('Changed: the plan price is $79.00');
    expect(summary).toContain('is unavailable: a preview failed');
    expect(sent).toEqual([preview, put]);
  });

  it.each<[string, JsonRecord, JsonRecord, Record<string, string>]>([
    ['a dry run', { dry_run: true }, subscription, {}],
    ['another change', { plan_overrides: undefined, name: 'Main' }, subscription, {}],
    ['a subscription that has not started', {}, { ...subscription, status: 'pending' }, {}],
    ['a caller without previews', {}, subscription, { BILLING_EXCLUDE_TOOLS: 'preview_invoice' }],
  ])('previews nothing for %s', async (_, more, known, settings) => {
    await world.renew({ BILLING_CONFIRM: 'never', ...settings });
    script(() => invoice(1), known);
    const { summary } = await update(more);
    expect(summary).not.toContain('running period’s invoice');
    expect(sent).not.toContain(preview);
  });
});

describe('the question of a change of prices', () => {
  const charge = (code: string, fields: JsonRecord = {}) => ({
    ...{ svc_id: code, svc_parent_id: null, billable_metric_code: code, charge_model: 'standard' },
    ...{ properties: { amount: '1' }, pay_in_advance: false, taxes: [], filters: [] },
    ...fields,
  });
  const support = { svc_id: 'f1', add_on_code: 'support', charge_model: 'standard', properties: { amount: '10' } };
  const rich = (fields: JsonRecord = {}): JsonRecord => ({
    ...subscription,
    plan: {
      ...plan,
      charges: [charge('calls'), charge('seats'), charge('tokens', { pay_in_advance: true })],
      fixed_charges: [{ ...support, units: 2, pay_in_advance: true, taxes: [] }],
      taxes: [],
      ...fields,
    },
  });
  const price = (id: string) => ({ id, properties: { amount: '2' } });
  const whole = 'to the whole current period';

  it.each<[string, JsonRecord, JsonRecord, (string | RegExp)[]]>([
    [
      'names what stays, with units and taxes, from when it counts, and that it has no end',
      rich(),
      { amount_cents: 7_900 },
      ['support, calls, seats and tokens; taxes.', `apply ${whole} and have no end`],
    ],
    [
      'says what counts later, because it is billed in advance',
      rich({ pay_in_advance: true }),
      { amount_cents: 7_900, charges: [price('calls'), price('tokens')], fixed_charges: [price('f1')] },
      ['Unchanged: seats; taxes.', /period \(calls\), .*period \(the plan price and support\) .*event \(tokens\)/],
    ],
    [
      'names no charge that is deleted, and no tax that is lost',
      rich({ parent_id: 'p0' }),
      { charges: [{ id: 'calls' }, price('seats')], tax_codes: [] },
      [/plan price \$99\.00, support and calls\./, `apply ${whole} and have no end`],
    ],
    [
      'loses the taxes of the plan with a first change',
      rich({ taxes: [{ code: 'vat', name: 'VAT', rate: 20 }] }),
      { amount_cents: 7_900 },
      [/support, calls, seats and tokens\.$/],
    ],
    [
      'counts from the start of one that has not started',
      { ...rich(), status: 'pending' },
      { amount_cents: 7_900 },
      ['apply from its start'],
    ],
  ])('%s', async (_, known, plan_overrides, notes) => {
    script(() => invoice(1), known);
    const { dry_run } = await update({ plan_overrides, dry_run: true });
    const { warnings } = dry_run as { warnings: string[] };
    expect(warnings).toEqual(expect.arrayContaining(notes.map(note => expect.stringMatching(note))));
  });
});
