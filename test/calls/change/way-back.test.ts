/** What a revert must not do, and what may not count as "nothing to change": against the embedded service. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demoIds } from '../../../src/contract/demo-ids.ts';
import { anyRecord as asRecord, anyRecords as asRecords, type JsonRecord } from '../../../src/lib/json.ts';
import type { TestClient } from '../../support/clients.ts';
import { type SetWorld, setWorld } from './set-world.ts';

const wallet = demoIds.wallet_svc_id;
const limits = { applies_to: { billable_metric_codes: ['tokens', 'storage_gb'] } };

let world: SetWorld;
let client: TestClient;
beforeAll(async () => {
  world = await setWorld();
  client = (await world.connect({}, false, '2025-11-25')).client;
});
afterAll(() => world.close());
const get = (path: string) => world.send('GET', path);

const stored = async () => world.read(`/wallets/${wallet}`, 'wallet');
const store = (metadata: JsonRecord) => world.put(`/wallets/${wallet}`, { wallet: { metadata, ...limits } });
const receiptOf = async (tool: string, args: JsonRecord) => {
  const { content, text } = await client.call(tool, args);
  expect(content.receipt, text).toBeDefined();
  return asRecord(content.receipt);
};
const revertOf = async (tool: string, args: JsonRecord) => asRecord((await receiptOf(tool, args)).revert);

const manual = { payment_method_type: 'manual' };

const question = async (tool: string, args: JsonRecord) =>
  String(asRecord((await client.call(tool, { ...args, dry_run: true })).content.dry_run).question);

// First, while the subscription has no plan of its own.
const fixedCharges = async () => asRecords((await get('/subscriptions/martin-starter/fixed_charges')).fixed_charges);
const quantities = async () => (await fixedCharges()).map(({ units }) => units);
describe('the quantity of a fixed charge', () => {
  const setting = async (units: string) => ({
    external_id: 'martin-starter',
    plan_overrides: { fixed_charges: [{ id: (await fixedCharges())[0]?.svc_id, units }] },
  });

  it('is the subscription’s own in the question, in its record and in the way back, whatever its plan has', async () => {
    expect(await question('update_subscription', await setting('2'))).toContain(
      '3 × €9.00 = €27.00, prorated, in advance → 2',
    );
    const receipt = await receiptOf('update_subscription', await setting('5'));
    // The answer's plan shows the plan's quantity.
    expect(receipt).toMatchObject({ applied: [], not_applied: [], not_shown: ['plan_overrides'] });
    const first = asRecord(receipt.revert);
    expect(first.arguments).toEqual(await setting('3.0'));
    expect(await quantities()).toEqual(['5.0']);
    const { content } = await client.call('get_subscription', { external_id: 'martin-starter' });
    expect(content.summary).toContain('5 × €9.00 = €45.00');
    expect(await question('update_subscription', await setting('2'))).toContain(
      '5 × €9.00 = €45.00, prorated, in advance → 2',
    );
    const second = await revertOf('update_subscription', await setting('4'));
    expect(second.arguments).toEqual(await setting('5.0'));
    await client.call('update_subscription', asRecord(second.arguments));
    await client.call('update_subscription', asRecord(first.arguments));
    expect(await quantities()).toEqual(['3.0']);
    const unchanged = await revertOf('update_subscription', { ...(await setting('3')), name: 'Corner' });
    expect(unchanged.arguments).not.toHaveProperty('plan_overrides');
  });
});

describe('a revert is never a call that stores something else', () => {
  it.each([
    ['a secret', { api_key: 'abc-123' }],
    ['a password in an address', { url: 'ftp://user:password@host/x' }],
    ['what looks like a token', { note: 'Basic monthly-plan' }],
    ['hidden characters', { note: 'x\u200by' }],
  ])('where the earlier metadata holds %s', async (_, metadata) => {
    await store(metadata);
    const revert = await revertOf('update_wallet', { svc_id: wallet, metadata: { a: '1' }, ...limits });
    expect(revert.arguments).toBeUndefined();
    expect(revert.impossible).toMatch(/too long to show|hidden characters/);
  });

  it('where the earlier text is longer than a receipt shows', async () => {
    await client.call('update_add_on', { code: 'onboarding', description: 'D'.repeat(2500) });
    const revert = await revertOf('update_add_on', { code: 'onboarding', description: 'short' });
    expect(revert).toEqual({ impossible: expect.stringContaining('too long') });
  });

  it('where the subscription has a quantity of its own, which its plan does not show', async () => {
    const prices = { amount_cents: 2800, tax_codes: ['vat_fr'] };
    const revert = await revertOf('update_subscription', { external_id: 'martin-starter', plan_overrides: prices });
    expect(await quantities()).toEqual(['3.0']);
    await client.call('update_subscription', asRecord(revert.arguments));
    expect(await quantities()).toEqual(['3.0']);
  });
});

describe('a top-up rule that a write changes', () => {
  const rules = async () => asRecords((await stored()).recurring_transaction_rules);
  const changing = async (fields: JsonRecord) => ({
    ...{ svc_id: wallet, ...limits },
    recurring_transaction_rules: [{ svc_id: (await rules())[0]?.svc_id, ...fields }],
  });

  it('is itself again, with its id', async () => {
    const [earlier] = await rules();
    const revert = await revertOf(
      'update_wallet',
      await changing({ paid_credits: '77', purchase_order_number: 'PO-9' }),
    );
    expect(asRecords(asRecord(revert.arguments).recurring_transaction_rules)[0]?.svc_id).toBe(earlier?.svc_id);
    await client.call('update_wallet', asRecord(revert.arguments));
    expect(await rules()).toEqual([earlier]);
  });

  it('is made anew where what the write has set cannot be emptied', async () => {
    const [earlier] = await rules();
    const revert = await revertOf('update_wallet', await changing({ expiration_at: '2027-06-01T00:00:00Z' }));
    await client.call('update_wallet', asRecord(revert.arguments));
    const [{ svc_id, created_at: _, ...now } = {}] = await rules();
    expect(svc_id).not.toBe(earlier?.svc_id);
    expect(earlier).toMatchObject(now);
  });
});

it('gives metadata and prices back in the form that the tool lists', async () => {
  await store({ a: '1', b: null });
  const revert = await revertOf('update_wallet', { svc_id: wallet, metadata: {}, ...limits });
  expect(asRecord(revert.arguments).metadata).toEqual([
    { key: 'a', value: '1' },
    { key: 'b', value: null },
  ]);
  await client.call('update_wallet', asRecord(revert.arguments));
  expect((await stored()).metadata).toEqual({ a: '1', b: null });
});

describe('a change of prices', () => {
  const subscription = async () => world.read('/subscriptions/acme-studio', 'subscription');
  const terms = async () => {
    const { charges, minimum_commitment, amount_cents, taxes } = asRecord((await subscription()).plan);
    const { amount_cents: least, invoice_display_name } = asRecord(minimum_commitment);
    return {
      ...{ amount_cents, least, invoice_display_name, taxes },
      charges: asRecords(charges).map(({ code, properties, filters, taxes, invoice_display_name: name }) => ({
        ...{ code, properties, name, taxes, filters: asRecords(filters).map(filter => filter.properties) },
      })),
    };
  };
  const charge = async (code: string) =>
    asRecords(asRecord((await subscription()).plan).charges).find(each => each.billable_metric_code === code);

  it.each<[string, (seats: unknown) => JsonRecord]>([
    ['first, with the minimum commitment that it lost', () => ({ amount_cents: 8900 })],
    ['later, of the plan price alone', () => ({ amount_cents: 9100 })],
    ['later, of a charge, whose name it sets', id => ({ charges: [{ id, invoice_display_name: 'Own' }] })],
    ['later, which removes the minimum commitment', () => ({ minimum_commitment: {} })],
  ])('is taken back: %s', async (_, overrides) => {
    const [before, seats] = [await terms(), await charge('tokens')];
    const sent = overrides(seats?.svc_id);
    // A list of charges deletes those that it leaves out.
    const all = asRecords(asRecord((await subscription()).plan).charges);
    const others = all.filter(each => each.svc_id !== seats?.svc_id).map(({ svc_id: id }) => ({ id }));
    const plan_overrides = sent.charges ? { charges: [...asRecords(sent.charges), ...others] } : sent;
    const revert = await revertOf('update_subscription', { external_id: 'acme-studio', plan_overrides });
    expect(await terms()).not.toEqual(before);
    const { isError, text } = await client.call('update_subscription', asRecord(revert.arguments));
    expect(isError, text).toBe(false);
    expect(await terms()).toEqual(before);
  });
});

it('takes metadata of a subscription’s own plan back', async () => {
  const external_id = 'sakura-arcade';
  const metadata = async () => {
    const { subscription } = await get(`/subscriptions/${external_id}`);
    return asRecord(asRecord(subscription).plan).metadata ?? {};
  };
  const earlier = await metadata();
  const plan_overrides = { metadata: { team: 'b', note: null } };
  const revert = await revertOf('update_subscription', { external_id, plan_overrides });
  expect(await metadata()).toEqual(plan_overrides.metadata);
  expect(revert).not.toHaveProperty('impossible');
  const { isError, text } = await client.call('update_subscription', asRecord(revert.arguments));
  expect(isError, text).toBe(false);
  expect(await metadata()).toEqual(earlier);
});

describe('merge', () => {
  it('is refused where it would store other keys and values otherwise', async () => {
    const metadata = { 'no\u200bte': 'x', plain: 'so\u00adft' };
    await store(metadata);
    const { isError, text } = await client.call('update_wallet', { svc_id: wallet, metadata: { a: '1' }, merge: true });
    expect(isError).toBe(true);
    expect(text).toContain('hidden characters');
    expect((await stored()).metadata).toEqual(metadata);
  });

  it('keeps values of spaces', async () => {
    const svc_id = demoIds.invoice_svc_id;
    await client.call('update_invoice', { svc_id, metadata: [{ key: 'a', value: '  ' }] });
    await client.call('update_invoice', { svc_id, metadata: [{ key: 'b', value: '1' }], merge: true });
    const { invoice } = await get(`/invoices/${svc_id}`);
    expect(asRecords(asRecord(invoice).metadata).map(({ key, value }) => [key, value])).toEqual([
      ['a', '  '],
      ['b', '1'],
    ]);
  });
});

describe('nothing to change', () => {
  const idle = async (tool: string, args: JsonRecord) => (await client.call(tool, args)).content.changed === false;

  it('is not said of a list of taxes that names one twice and leaves another out', async () => {
    await client.call('update_add_on', { code: 'onboarding', tax_codes: ['us_sales', 'jct'] });
    expect(await idle('update_add_on', { code: 'onboarding', tax_codes: ['us_sales', 'us_sales'] })).toBe(false);
  });

  it('is not said of a code in other letters', async () => {
    expect(await idle('update_add_on', { code: 'onboarding', new_code: 'ONBOARDING' })).toBe(false);
  });

  it('is not said of a new rule that lacks what the stored one has', async () => {
    const target = { threshold_credits: '100', target_ongoing_balance: '400' };
    const rule = { trigger: 'threshold', method: 'target', ...target };
    expect(await idle('update_wallet', { svc_id: wallet, recurring_transaction_rules: [rule] })).toBe(false);
    expect(asRecords((await stored()).recurring_transaction_rules)[0]?.transaction_name).toBeNull();
  });

  it('is said of limits that are sent only to keep them', async () => {
    await client.call('update_wallet', { svc_id: wallet, priority: 7, ...limits });
    expect(await idle('update_wallet', { svc_id: wallet, priority: 7, ...limits })).toBe(true);
  });
});

describe('refused before anybody is asked', () => {
  it.each([
    ['update_credit_note', { svc_id: demoIds.credit_note_svc_id, metadata: {} }, 'changes nothing'],
    [
      'update_invoice',
      { svc_id: demoIds.invoice_svc_id, metadata: [{ key: 'a', value: '' }] },
      'to remove a key, send',
    ],
    ['update_invoice', { svc_id: demoIds.invoice_svc_id, metadata: [{ key: 'none' }] }, 'has no value for none'],
  ])('%s %j', async (tool, args, message) => {
    const { isError, text } = await client.call(tool, args);
    expect(isError).toBe(true);
    expect(text).toContain(message);
  });
});

describe('a question', () => {
  it('quotes codes that read like its own words', async () => {
    const thresholds = [{ value: 50_000, code: 't) and $1 (' }];
    const alert = { external_id: 'acme-studio', code: 'x, when it reaches $1', alert_type: 'lifetime_usage_amount' };
    const asked = await question('create_subscription_alert', { ...alert, thresholds });
    expect(asked).toContain('alert “x, when it reaches $1” on');
    expect(asked).toContain('$500.00 (“t) and $1 (”)');
  });

  it('says that a price stays only where nothing else of the charge changes', async () => {
    const { charges } = await get('/subscriptions/acme-studio/charges');
    const entry = { id: asRecords(charges)[0]?.svc_id, tax_codes: ['vat_fr'] };
    const asked = await question('update_subscription', {
      ...{ external_id: 'acme-studio', plan_overrides: { charges: [entry] } },
    });
    expect(asked).toMatch(/taxes of .* → vat_fr/);
    expect(asked).not.toContain(' stays ');
    const { properties } = asRecords(charges)[0] as JsonRecord;
    const same = { name: 'Studio', plan_overrides: { charges: [{ id: entry.id, properties }] } };
    expect(await question('update_subscription', { external_id: 'acme-studio', ...same })).toContain(' stays ');
  });

  it('says a negative number of credits, and no name of an argument', async () => {
    const rule = { trigger: 'interval', interval: 'monthly', paid_credits: '-5', ignore_paid_top_up_limits: true };
    const asked = await question('update_wallet', {
      ...{ svc_id: wallet, ...limits, recurring_transaction_rules: [{ ...rule, payment_method: manual }] },
      invoice_custom_section: { invoice_custom_section_codes: ['terms'] },
    });
    expect(asked).toContain('every month -5 credits bought');
    expect(asked).toContain('paid by hand');
    expect(asked).toContain('invoice sections → terms');
    expect(asked).not.toMatch(/payment method type|custom section codes|ignore paid/);
  });
});
