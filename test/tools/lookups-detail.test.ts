/** What lists show by `detail`, and filters of theirs that the tool itself applies: on a scripted billing API. */
import { describe, expect, it } from 'vitest';
import type { JsonRecord } from '../../src/lib/json.ts';
import { factsOf } from '../support/facts.ts';
import { invoiceRow, paymentRow, uuidOf } from './lookup-records.ts';
import { meta, onOneDay, sharedWorld } from './lookup-upstream.ts';

onOneDay();
const world = await sharedWorld();

const rowsOf = (answer: JsonRecord, key: string) => answer[key] as JsonRecord[];
const invoices = async (args: object = {}) => rowsOf(await world.call('list_invoices', args), 'invoices');
const many = (count: number, of: (index: number) => JsonRecord) => Array.from({ length: count }, (_, i) => of(i + 1));
const overdue = { payment_overdue: true, payment_due_date: '2026-10-24' };

describe('list_invoices by detail', () => {
  const rows = many(13, index => invoiceRow(index, { ...overdue, metadata: [] }));

  it('shows the svc_id and the days overdue of a long list only where they are asked for', async () => {
    world.script({ '/invoices': { invoices: rows, meta: meta(13) } });
    const plain = await invoices({ all: true });
    expect(plain[0]).not.toHaveProperty('svc_id');
    expect(plain[0]).not.toHaveProperty('days_overdue');
    const detailed = await invoices({ all: true, detail: 'svc_id, days_overdue' });
    expect(detailed.map(({ svc_id }) => svc_id)).toEqual(rows.map(({ svc_id }) => svc_id));
    expect(new Set(detailed.map(({ days_overdue }) => days_overdue))).toEqual(new Set([30]));
  });

  it('tells "none" from "not shown": an empty field that was asked for is there', async () => {
    const metadata = [{ svc_id: uuidOf(9), key: 'po', value: '7', created_at: '2026-01-01T00:00:00Z' }];
    world.script({ '/invoices': [invoiceRow(1, { metadata: [] }), invoiceRow(2, { metadata })] });
    const [none, one] = await invoices({ detail: 'metadata' });
    expect(none?.metadata).toEqual([]);
    expect(one?.metadata).toEqual([{ key: 'po', value: '7' }]);
    const [first] = await invoices();
    expect(first).not.toHaveProperty('metadata');
  });

  it('names the pending payment of each invoice, and reads payments for that alone', async () => {
    const pays = (index: number, fields: JsonRecord) =>
      paymentRow(index, { payment_status: 'pending', created_at: '2026-11-20T10:00:00Z', ...fields });
    world.script({
      '/invoices': [invoiceRow(1, {}), invoiceRow(2, {})],
      '/payments': [
        pays(1, { amount_cents: 20_000, invoice_ids: [uuidOf(1)], invoice_numbers: ['ACM-0001-001-001'] }),
        pays(2, { invoice_ids: [uuidOf(2)], payment_status: 'failed' }),
        pays(3, { invoice_ids: [uuidOf(77)] }),
      ],
    });
    const answer = await world.call('list_invoices', { detail: 'pending_payment' });
    const [first, second] = rowsOf(answer, 'invoices');
    const pending = { svc_id: uuidOf(1), amount_cents: 20_000, created_at: '2026-11-20T10:00:00Z' };
    expect(first?.pending_payment).toEqual(pending);
    expect(second?.pending_payment).toBeNull();
    expect(factsOf(answer.summary)).toContain('$200.00 · ACM-0001-001-001 · 20 Nov');
    expect(world.asked).toHaveLength(2);
    world.script({ '/invoices': [invoiceRow(1, {}), invoiceRow(2, {})] });
    await world.call('list_invoices', {});
    expect(world.asked).toHaveLength(1);
  });

  it('says that payments could not be read, instead of that there are none', async () => {
    world.script({ '/invoices': [invoiceRow(1, {})], '/payments': { status: 500, body: {} } });
    const answer = await world.call('list_invoices', { detail: 'pending_payment' });
    expect(answer.summary).toContain('Pending payments could not be read');
    expect(answer.summary).not.toContain('none');
  });

  it('adds up each customer and currency, without drafts', async () => {
    const beta = { customer: { external_id: 'beta', name: 'Beta' } };
    world.script({
      '/invoices': [
        invoiceRow(1, { ...overdue, total_amount_cents: 500, total_due_amount_cents: 400 }),
        invoiceRow(2, { status: 'draft', total_amount_cents: 900 }),
        invoiceRow(3, { ...beta, currency: 'EUR', total_amount_cents: 700, total_due_amount_cents: 700 }),
      ],
    });
    const { totals_by_customer } = await world.call('list_invoices', { detail: 'totals_by_customer' });
    expect(totals_by_customer).toEqual([
      {
        ...{ external_id: 'acme', name: 'Acme Corp', currency: 'USD', count: 2 },
        ...{ invoiced_cents: 500, owed_cents: 400, overdue_cents: 400 },
      },
      { external_id: 'beta', name: 'Beta', currency: 'EUR', count: 1, invoiced_cents: 700, owed_cents: 700 },
    ]);
  });

  it('shows the country once where all rows share it', async () => {
    const customer = { external_id: 'acme', name: 'Acme Corp', country: 'FR' };
    world.script({ '/invoices': [invoiceRow(1, { customer }), invoiceRow(2, { customer })] });
    const { every_row } = await world.call('list_invoices', { detail: 'country' });
    expect(every_row).toMatchObject({ country: 'FR', customer: { external_id: 'acme' } });
  });

  it('sends the filters of partly paid invoices and of the order number', async () => {
    world.script({ '/invoices': [] });
    await world.call('list_invoices', { partially_paid: true, purchase_order_number: 'PO-7' });
    expect(world.asked).toEqual(['/invoices?partially_paid=true&purchase_order_number=PO-7&page=1&per_page=20']);
  });
});

describe('list_payments between two days', () => {
  it('keeps the days inclusive, in the time zone of the customer, and ends its walk at older ones', async () => {
    const at = (index: number, created_at: string) => paymentRow(index, { created_at });
    world.script({
      '/customers/acme': { customer: { external_id: 'acme', timezone: 'America/New_York' } },
      '/customers/acme/payments': [
        at(1, '2026-03-01T04:59:00Z'),
        at(2, '2026-03-01T05:00:00Z'),
        at(3, '2026-02-15T12:00:00Z'),
        at(4, '2026-02-01T05:00:00Z'),
        at(5, '2026-02-01T04:59:00Z'),
      ],
    });
    const february = { external_customer_id: 'acme', from_date: '2026-02-01', to_date: '2026-02-28' };
    const answer = await world.call('list_payments', february);
    expect(rowsOf(answer, 'payments').map(({ svc_id }) => svc_id)).toEqual([uuidOf(1), uuidOf(3), uuidOf(4)]);
  });
});

describe('other lists by detail', () => {
  it('find_customers shows the city, metadata and active subscriptions', async () => {
    world.script({
      '/customers': [{ external_id: 'acme', name: 'Acme', city: null, metadata: [] }],
      '/customers/acme/subscriptions': [{ external_id: 'main', name: 'Main', plan_code: 'pro' }],
    });
    const [row] = rowsOf(await world.call('find_customers', { detail: 'city,metadata,subscriptions' }), 'customers');
    expect(row).toEqual({
      ...{ external_id: 'acme', name: 'Acme', city: null, metadata: [] },
      subscriptions: [{ external_id: 'main', name: 'Main', plan_code: 'pro' }],
    });
    expect(world.asked[1]).toContain('status[]=active');
  });

  it('list_subscriptions shows the end, the minimum commitment, own prices and alerts', async () => {
    const row = { external_id: 'main', status: 'active', plan_code: 'pro', ending_at: null };
    const charge = { charge_model: 'standard', billable_metric_code: 'seats', properties: { amount: '3' } };
    const plan = { parent_id: uuidOf(4), amount_currency: 'USD', charges: [charge] };
    world.script({
      '/subscriptions': [row],
      '/subscriptions/main': { subscription: { ...row, plan } },
      '/subscriptions/main/alerts': [
        {
          ...{ code: 'spend', alert_type: 'current_usage_amount', thresholds: [{ value: '500.0' }] },
        },
      ],
    });
    const detail = 'ending_at,minimum_commitment,own_prices,alerts';
    const [shown] = rowsOf(await world.call('list_subscriptions', { detail }), 'subscriptions');
    expect(shown).toMatchObject({
      ...{ ending_at: null, minimum_commitment: null },
      own_prices: [{ code: 'seats' }],
      alerts: [{ code: 'spend', thresholds: ['500.0'] }],
    });
    expect(JSON.stringify(shown)).toContain('$3.00');
  });

  it('list_events shows UTC where it is another day, marks repeats, and by detail when one was received', async () => {
    const event = (transaction_id: string, timestamp: string) => ({
      ...{ transaction_id, timestamp, code: 'calls', external_subscription_id: 'main' },
      created_at: '2026-11-02T00:00:00Z',
    });
    world.script({
      '/events': [
        event('a', '2026-03-01T03:00:00.000Z'),
        event('a', '2026-03-01T03:00:00Z'),
        event('b', '2026-02-28T18:00:00Z'),
      ],
      '/subscriptions': [{ external_id: 'main', external_customer_id: 'acme', status: 'active' }],
      '/customers/acme': { customer: { external_id: 'acme', timezone: 'America/New_York' } },
    });
    const args = { external_subscription_id: 'main' };
    const [first, second, third] = rowsOf(await world.call('list_events', args), 'events');
    expect(first).toMatchObject({ timestamp: '2026-02-28T22:00:00-05:00', timestamp_utc: '2026-03-01T03:00:00Z' });
    expect(first).not.toHaveProperty('repeat');
    expect(second).toMatchObject({ repeat: true });
    expect(third).not.toHaveProperty('timestamp_utc');
    expect(third).not.toHaveProperty('created_at');
    const [received] = rowsOf(await world.call('list_events', { ...args, detail: 'created_at' }), 'events');
    expect(received?.created_at).toBe('2026-11-01T19:00:00-05:00');
  });
});
