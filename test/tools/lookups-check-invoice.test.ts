/** check_invoice: what it reads, how it explains a line, the contract as it was, and suspicious events. */
import { describe, expect, it } from 'vitest';
import type { Get } from '../../src/definition/api.ts';
import type { JsonRecord } from '../../src/lib/json.ts';
import { type EventNeed, readEvents } from '../../tools/invoice-check/event-pages.ts';
import { apiOf } from '../support/api.ts';
import { uuidOf } from './lookup-records.ts';
import { freshWorld, meta, onOneDay, refusal } from './lookup-upstream.ts';

onOneDay();
const world = await freshWorld();

const period = {
  ...{ svc_subscription_id: uuidOf(2), external_subscription_id: 'main', invoicing_reason: 'subscription_periodic' },
  ...{ subscription_from_datetime: '2026-10-01T00:00:00Z', subscription_to_datetime: '2026-10-31T23:59:59Z' },
  ...{ charges_from_datetime: '2026-10-01T00:00:00Z', charges_to_datetime: '2026-10-31T23:59:59Z' },
};
const charge = (index: number, code: string, amount: string) => ({
  ...{ svc_id: uuidOf(index), code, billable_metric_code: code, svc_billable_metric_id: uuidOf(index + 10) },
  ...{ charge_model: 'standard', properties: { amount }, invoiceable: true, pay_in_advance: false, prorated: false },
  ...{ min_amount_cents: 0, invoice_display_name: code },
});
const metric = (index: number, code: string, aggregation_type: string) => ({
  ...{ svc_id: uuidOf(index + 10), code, name: code, aggregation_type, recurring: false },
  field_name: aggregation_type === 'count_agg' ? null : 'value',
});
const plan = {
  ...{ svc_id: uuidOf(3), code: 'team', name: 'Team', interval: 'monthly', pay_in_advance: false },
  ...{ amount_cents: 5000, amount_currency: 'USD', trial_period: 0 },
  charges: [charge(4, 'calls', '0.01'), charge(5, 'data', '0.10')],
};
const subscription = {
  ...{ svc_id: uuidOf(2), external_id: 'main', external_customer_id: 'acme', status: 'active', plan_code: 'team' },
  ...{ billing_time: 'calendar', subscription_at: '2026-01-01T00:00:00Z', started_at: '2026-01-01T00:00:00Z' },
};
const fee = (type: string, cents: number, fields: JsonRecord = {}) => ({
  ...{ svc_id: uuidOf(20 + cents), svc_subscription_id: uuidOf(2), external_subscription_id: 'main' },
  ...{ amount_cents: cents, amount_currency: 'USD', precise_amount: String(cents / 100), units: '1.0' },
  ...{ precise_unit_amount: String(cents / 100), taxes_rate: 0, taxes_amount_cents: 0, amount_details: {} },
  ...{ from_date: '2026-10-01T00:00:00Z', to_date: '2026-10-31T23:59:59Z', pay_in_advance: false },
  item: { type, name: type === 'subscription' ? 'Team' : type, code: 'team', grouped_by: {} },
  ...fields,
});
const usageFee = (index: number, code: string, units: number, price: number) =>
  fee('charge', Math.round(units * price * 100), {
    ...{ svc_charge_id: uuidOf(index), units: String(units), precise_unit_amount: String(price) },
    item: { type: 'charge', name: code, code, grouped_by: {} },
  });

interface Told {
  calls?: JsonRecord[];
  data?: JsonRecord[];
  planFee?: number;
  /** Units on the invoice. */
  billed?: { calls?: number; data?: number };
  rest?: JsonRecord;
  periods?: object[];
}

/** An event of October, by its day. */
const event = (index: number, code: string, fields: JsonRecord = {}, day = 1 + (index % 28)): JsonRecord => {
  const timestamp = `2026-10-${String(day).padStart(2, '0')}T00:00:${String(index % 60).padStart(2, '0')}Z`;
  return {
    ...{ transaction_id: `${code}-${index}`, external_subscription_id: 'main', code, timestamp },
    ...{ created_at: timestamp, properties: code === 'calls' ? { route: String(index) } : { value: '1' } },
    ...fields,
  };
};
const events = (count: number, code: string) => Array.from({ length: count }, (_, i) => event(i, code));

/** The service holds these events, and its invoice of October bills so many units. */
function script({ calls = [], data = [], planFee = 5000, billed = {}, rest = {}, periods = [period] }: Told): void {
  const fees = [
    fee('subscription', planFee),
    usageFee(4, 'calls', billed.calls ?? calls.length, 0.01),
    usageFee(5, 'data', billed.data ?? data.length, 0.1),
  ];
  const total = fees.reduce((sum, { amount_cents }) => sum + amount_cents, 0);
  const invoice = {
    ...{ svc_id: uuidOf(1), number: 'T-1', status: 'finalized', invoice_type: 'subscription', currency: 'USD' },
    ...{ created_at: '2026-11-01T06:00:00Z', issuing_date: '2026-11-01', payment_status: 'pending' },
    ...{ fees, fees_amount_cents: total, coupons_amount_cents: 0, taxes_amount_cents: 0, credits: [] },
    ...{ sub_total_excluding_taxes_amount_cents: total, sub_total_including_taxes_amount_cents: total },
    ...{ credit_notes_amount_cents: 0, prepaid_credit_amount_cents: 0, total_amount_cents: total },
    ...{ billing_periods: periods, subscriptions: [subscription] },
    customer: { external_id: 'acme', applicable_timezone: 'UTC' },
  };
  const answers: JsonRecord = {
    [`/invoices/${uuidOf(1)}`]: { invoice },
    '/customers/acme': { customer: { svc_id: uuidOf(6), external_id: 'acme', applicable_timezone: 'UTC' } },
    '/subscriptions/main': { subscription: { ...subscription, plan } },
    ...{ '/subscriptions/main/fixed_charges': [], '/customers/acme/applied_coupons': [], '/activity_logs': [] },
    ...{ '/customers/acme/wallets': [], '/customers/acme/credit_notes': [] },
    '/billable_metrics': [metric(4, 'calls', 'count_agg'), metric(5, 'data', 'sum_agg')],
    ...rest,
  };
  world.script(url => {
    const path = decodeURIComponent(url.pathname.replace('/api/v1', ''));
    if (path !== '/events') return answers[path] as object | undefined;
    const all = url.searchParams.get('code') === 'calls' ? calls : data;
    const page = Number(url.searchParams.get('page'));
    const pages = Math.ceil(all.length / 100);
    return { events: all.slice((page - 1) * 100, page * 100), meta: meta(all.length, { page, pages }) };
  });
}

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into field by field
type Loose = any;

async function check(args: JsonRecord = {}): Promise<Loose> {
  return await world.call('check_invoice', { svc_id: uuidOf(1), ...args });
}
const lineOf = ({ lines }: Loose, name: string) => lines.find(({ fee }: Loose) => fee === name);
const eventPages = () => world.asked.filter(path => path.startsWith('/events?'));

describe('the events of an invoice', () => {
  it('are read whole where they fit, and the invoice is right', async () => {
    script({ calls: events(250, 'calls'), data: events(20, 'data') });
    const answer = await check();
    expect(answer.total).toEqual({ billed: 5450, expected: 5450, verdict: 'agrees' });
    expect(answer.read).toEqual({ events: 270, pages: 4, of: 270 });
  });

  it('are read on 100 pages at most; what was not read is not judged, and is named for the next call', async () => {
    script({ calls: events(12_000, 'calls'), data: events(20, 'data') });
    const answer = await check();
    expect(eventPages()).toHaveLength(100);
    expect(answer.read).toEqual({ events: 9_920, pages: 100, of: 12_020 });
    expect(lineOf(answer, 'data').verdict).toBe('agrees');
    const calls = lineOf(answer, 'calls');
    expect([calls.verdict, calls.expected_amount_cents]).toEqual(['cannot_judge', null]);
    expect(calls.reasons[0]).toMatchObject({ code: 'events_not_read', text: '9,900 of 12,000 events read.' });
    expect(answer.total.verdict).toBe('cannot_judge');
    expect(answer.summary).toContain('Call again with lines: “calls”');
  });

  it('are those of the lines that are asked for', async () => {
    script({ calls: events(250, 'calls'), data: events(20, 'data') });
    const answer = await check({ lines: ['data'] });
    expect(eventPages().every(path => path.includes('code=data'))).toBe(true);
    expect(answer.lines.map(({ fee, verdict }: Loose) => [fee, verdict])).toEqual([['data', 'agrees']]);
    expect(answer.total.verdict).toBe('cannot_judge');
  });

  it('are asked for within the period of the invoice', async () => {
    script({ calls: events(1, 'calls') });
    await check();
    expect(eventPages()[0]).toContain('timestamp_from=2026-10-01');
    expect(eventPages()[0]).toContain('timestamp_to=2026-10-31T23:59:59');
  });
});

describe('one call', () => {
  it('reads twenty subscriptions of an invoice at most, and leaves the lines of others open', async () => {
    const others = Array.from({ length: 60 }, (_, i) => ({
      ...period,
      ...{ svc_subscription_id: uuidOf(100 + i), external_subscription_id: `other-${i}` },
    }));
    script({ calls: events(3, 'calls'), periods: [...others, period] });
    const answer = await check();
    expect(world.asked.filter(path => path.startsWith('/subscriptions/'))).toHaveLength(20);
    const open = { verdict: 'cannot_judge', reasons: [{ code: 'subscription_not_read' }] };
    expect(lineOf(answer, 'calls')).toMatchObject(open);
  });
});

describe('pages of events', () => {
  const need: EventNeed = { key: 'k', external_id: 'main', code: 'calls', from: null, to: '2026-10-31T23:59:59Z' };
  const pageOf = (all: number, { query = {} }: Get, size = 100) => {
    const page = Number(query.page);
    const rows = Math.max(0, Math.min(size, all - (page - 1) * size));
    const list = Array.from({ length: rows }, (_, i) => event((page - 1) * size + i, 'calls'));
    const body = { events: list, meta: meta(all, { page, pages: Math.ceil(all / size) }) };
    return { ok: true as const, body: body as Loose };
  };

  it('are asked for four at a time', async () => {
    let open = 0;
    let most = 0;
    const waiting: (() => void)[] = [];
    const get = async (_: string, asked: Get) => {
      open += 1;
      most = Math.max(most, open);
      // After the first, nothing is answered until four are asked for.
      if (Number(asked.query?.page) > 1)
        await new Promise<void>(resolve => {
          waiting.push(resolve);
          if (waiting.length === 4) for (const answer of waiting.splice(0)) answer();
        });
      open -= 1;
      return pageOf(1_700, asked);
    };
    const { read } = await readEvents(apiOf({ get } as Loose), [need], 0);
    expect([most, read]).toEqual([4, { events: 1_700, pages: 17, of: 1_700 }]);
  });

  it('end when half of the time is over, with what was read said meanwhile', async () => {
    let left = 20_000;
    const said: string[] = [];
    const get = async (_: string, asked: Get) => {
      left -= 1_000;
      return pageOf(5_000, asked);
    };
    const api = apiOf({ get, timeLeft: () => left, tell: (text: string) => said.push(text) } as Loose);
    const { read, unread } = await readEvents(api, [need], left / 2);
    expect(read).toEqual({ events: 1_300, pages: 13, of: 5_000 });
    expect(unread.get('k')).toMatchObject({ code: 'events_not_read', text: '1,300 of 5,000 events read.' });
    expect(said).toEqual([500, 900, 1_300].map(count => `Read ${count.toLocaleString('en')} of 5,000 events of calls`));
  });

  it('may be smaller than asked for', async () => {
    const get = async (_: string, asked: Get) => pageOf(320, asked, 50);
    const { events: all, unread, read } = await readEvents(apiOf({ get } as Loose), [need], 0);
    expect([all.length, unread.size, read.pages]).toEqual([320, 0, 7]);
  });

  it('that name a next one for ever end after a hundred', async () => {
    const get = async () => ({ ok: true as const, body: { events: [], meta: { next_page: 2, total_count: 0 } } });
    const { unread, read } = await readEvents(apiOf({ get } as Loose), [need], 0);
    expect([read.pages, unread.size]).toEqual([100, 1]);
  });
});

describe('explain', () => {
  it('gives the events of each day of a counted line', async () => {
    script({ calls: [...events(3, 'calls'), event(31, 'calls', {}, 2)] });
    const { explanation } = await check({ explain: 'calls' });
    expect(explanation.rows).toEqual([
      { date: '2026-10-01', events: 1, units: '1.0' },
      { date: '2026-10-02', events: 2, units: '2.0' },
      { date: '2026-10-03', events: 1, units: '1.0' },
    ]);
    expect(explanation).toMatchObject({ fee: 'calls', price: '“calls”: 4 × $0.01 = $0.04' });
  });

  it('gives sixteen rows, and says how many more there are', async () => {
    script({ calls: events(28, 'calls') });
    const { explanation } = await check({ explain: 'calls' });
    expect([explanation.rows.length, explanation.more]).toEqual([16, 12]);
  });

  it('gives the days of a plan fee', async () => {
    script({});
    const { explanation } = await check({ explain: 'Team' });
    expect(explanation.rows).toEqual([
      { from: '2026-10-01', to: '2026-10-31', days: 31, of_days: 31, plan_amount_cents: 5000 },
    ]);
  });

  it('says that no line has the name', async () => {
    script({});
    expect((await check({ explain: 'Licences' })).summary).toContain('No line is called “Licences”');
  });
});

describe('the contract', () => {
  const raised = (logged_at: string) => ({
    '/activity_logs': [
      {
        ...{ activity_id: uuidOf(7), activity_type: 'plan.updated', resource_type: 'Plan', resource_id: uuidOf(3) },
        ...{ activity_object_changes: { amount_cents: [4000, 5000] }, logged_at, created_at: logged_at },
      },
    ],
  });

  it('is that of the day of the invoice, where the activity log shows a later change', async () => {
    script({ planFee: 4000, rest: raised('2026-11-10T00:00:00Z') });
    const answer = await check();
    expect(answer.total.verdict).toBe('agrees');
    expect(answer.summary).toContain('1 later change of the contract');
  });

  it('has changes that came before the invoice', async () => {
    script({ planFee: 4000, rest: raised('2026-10-30T00:00:00Z') });
    expect(lineOf(await check(), 'Team')).toMatchObject({ verdict: 'differs', expected_amount_cents: 5000 });
  });

  it('may have changed where the log cannot be read, and the answer says so', async () => {
    script({ planFee: 4000, rest: { '/activity_logs': refusal(403, 'feature_unavailable') } });
    const answer = await check();
    expect(lineOf(answer, 'Team').verdict).toBe('differs');
    expect(answer.summary).toContain('later changes of the contract');
  });
});

describe('suspicious events', () => {
  const of = async (told: Told) => {
    script(told);
    const answer = await check();
    return { answer, events: answer.events ?? [] };
  };

  it('are none where nothing is unusual', async () => {
    expect((await of({ data: events(20, 'data') })).events).toEqual([]);
  });

  it('are those without the property that is summed', async () => {
    const data = [...events(5, 'data'), event(6, 'data', { properties: { other: '1' } })];
    const { answer, events: rows } = await of({ data, billed: { data: 5 } });
    expect(rows).toMatchObject([{ why: 'no_value', count: 1, transaction_ids: ['data-6'], total_without_cents: 5050 }]);
    expect(answer.total.verdict).toBe('agrees');
  });

  it('are those of more than ten times the median of ten events or more', async () => {
    const large = event(11, 'data', { properties: { value: '11' } });
    const data = [...events(10, 'data'), large];
    const { events: rows } = await of({ data, billed: { data: 21 } });
    expect(rows).toMatchObject([{ why: 'very_large', transaction_ids: ['data-11'], total_without_cents: 5100 }]);
    const ten = event(11, 'data', { properties: { value: '10' } });
    expect((await of({ data: [...events(10, 'data'), ten], billed: { data: 20 } })).events).toEqual([]);
    expect((await of({ data: [...events(8, 'data'), large], billed: { data: 19 } })).events).toEqual([]);
  });

  it('are those of one time, metric and properties under several IDs, and their line is left open', async () => {
    const again = event(3, 'data', { transaction_id: 'again', created_at: '2026-10-30T00:00:00Z' });
    const { answer, events: rows } = await of({ data: [...events(5, 'data'), again] });
    expect(rows).toMatchObject([{ why: 'repeated', transaction_ids: ['again'], total_without_cents: 5050 }]);
    expect(lineOf(answer, 'data')).toMatchObject({ verdict: 'cannot_judge', reasons: [{ code: 'repeated' }] });
    const other = event(3, 'data', { transaction_id: 'other', properties: { value: '2' } });
    expect((await of({ data: [...events(5, 'data'), other], billed: { data: 7 } })).events).toEqual([]);
  });

  it('are those that came after the invoice and are not on it', async () => {
    const late = event(9, 'data', { created_at: '2026-11-03T00:00:00Z' });
    const { answer, events: rows } = await of({ data: [...events(5, 'data'), late], billed: { data: 5 } });
    expect(rows).toMatchObject([{ why: 'received_late', transaction_ids: ['data-9'], total_without_cents: 5050 }]);
    expect(lineOf(answer, 'data')).toMatchObject({ verdict: 'differs', expected_amount_cents: 60 });
  });
});
