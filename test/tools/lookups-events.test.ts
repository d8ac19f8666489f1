/** list_events (docs/lookups.md §9). */
import { describe, expect, it } from 'vitest';
import { factsOf } from '../support/facts.ts';
import { freshWorld, meta, onOneDay, refusal } from './lookup-upstream.ts';

onOneDay();
const world = await freshWorld();

const event = (n: number, fields: object = {}) => ({
  svc_id: `event-${n}`,
  transaction_id: `t${n}`,
  code: 'api_calls',
  timestamp: `2026-11-22T10:00:${String(n).padStart(2, '0')}.000Z`,
  properties: { region: 'eu' },
  precise_total_amount_cents: null,
  external_subscription_id: 'sub-1',
  svc_subscription_id: 's',
  svc_customer_id: 'c',
  created_at: '2026-11-22T10:00:00Z',
  ...fields,
});

describe('list_events', () => {
  it.each([
    [
      { timestamp_from: '2026-11-01', timestamp_to: '2026-11-02' },
      'timestamp_from=2026-11-01T00:00:00Z&timestamp_to=2026-11-02T23:59:59.999Z',
    ],
    [
      { timestamp_from: '2026-11-01T10:00:00', timestamp_to: '2026-11-01 12:00' },
      'timestamp_from=2026-11-01T10:00:00Z&timestamp_to=2026-11-01T12:00Z',
    ],
    [{ timestamp_from: '2026-11-01T10:00:00+0200' }, 'timestamp_from=2026-11-01T10:00:00+02:00'],
    [
      { timestamp_from_started_at: true, external_subscription_id: 's' },
      'external_subscription_id=s&timestamp_from_started_at=true',
    ],
    [{ timestamp_from_started_at: false }, ''],
  ])('sends whole days and times with a zone: %j', async (args, query) => {
    world.script({ '/events': [event(1)] });
    await world.call('list_events', args);
    expect(world.asked[0]).toBe(`/events?${query}${query === '' ? '' : '&'}page=1&per_page=20`);
  });

  const nulls = { svc_subscription_id: null, svc_customer_id: null };

  it('names events of no subscription, and rows that repeat one', async () => {
    const events = [event(3, { ...nulls, external_subscription_id: 'gone' }), event(2, nulls)];
    world.script(({ pathname, searchParams }) => {
      if (pathname.endsWith('/events'))
        return { events: [...events, { ...events[1], svc_id: 'again' }], meta: meta(3) };
      const external_id = searchParams.get('external_id');
      return external_id === 'gone'
        ? { subscriptions: [], meta: meta(0) }
        : { subscriptions: [{ external_id, external_customer_id: 'acme' }], meta: meta(1) };
    });
    expect(factsOf((await world.call('list_events', {})).summary)).toBe('3 · 22 Nov · 10:00 · “gone” · t3 · 1');
  });

  it('takes null ids of an event for no sign of an unknown subscription', async () => {
    world.script({ '/events': [event(3, nulls), event(2, nulls)] });
    expect(factsOf((await world.call('list_events', {})).summary)).toBe('2 · 22 Nov · 10:00');
  });

  it.each([
    ['exists', { subscriptions: [{ external_id: 'sub-1' }], meta: meta(1) }, false],
    ['does not exist', { subscriptions: [], meta: meta(0) }, true],
    ['cannot be looked up', refusal(500, 'internal_error'), false],
  ])('says that nothing came for a subscription that %s', async (_, subscriptions, unknown) => {
    world.script({ '/events': [], '/subscriptions': subscriptions });
    const answer = await world.call('list_events', { external_subscription_id: 'sub-1', timestamp_from: '2026-11-01' });
    expect(answer.summary).toContain('sub-1 from 1 Nov (days in UTC)');
    expect(answer.summary.includes('no subscription “sub-1”')).toBe(unknown);
    expect(answer.shown).toBe('0 of 0');
  });
});

describe('usage periods of events', () => {
  const zone = 'America/New_York';
  const november = {
    current_billing_period_started_at: '2026-11-01T04:00:00Z',
    current_billing_period_ending_at: '2026-12-01T04:59:59Z',
  };
  const account = {
    '/subscriptions': [{ external_id: 'sub-1', status: 'active', external_customer_id: 'acme', ...november }],
    '/customers/acme': { customer: { external_id: 'acme', applicable_timezone: zone } },
    '/customers/acme/past_usage': [
      { from_datetime: '2026-10-01T04:00:00Z', to_datetime: '2026-11-01T03:59:59Z', issuing_date: '2026-11-01' },
    ],
    '/billable_metrics': [
      { code: 'tokens', aggregation_type: 'sum_agg', field_name: 'count' },
      { code: 'seats', aggregation_type: 'unique_count_agg', field_name: 'user' },
    ],
  };
  const tokens = (n: number, timestamp: string, count: unknown) =>
    event(n, { code: 'tokens', timestamp, properties: { count } });
  const list = () => world.call('list_events', { external_subscription_id: 'sub-1' });
  const running = '1 – 30 Nov (America/New_York), not invoiced yet';
  const invoiced = '1 – 31 Oct (America/New_York), invoiced on 1 Nov';

  it('are told with sums of those listed and local times, the first second and the last of a period in it', async () => {
    const events = [
      tokens(1, '2026-11-22T02:00:00.000Z', '0.1'),
      tokens(2, '2026-11-01T04:00:00.000Z', 0.2),
      tokens(3, '2026-11-01T03:59:59.900Z', 7),
      event(4, { code: 'seats', timestamp: '2026-09-30T00:00:00.000Z', properties: { user: 'a' } }),
    ];
    world.script({ ...account, '/events': { events, meta: meta(4) } });
    const answer = await list();
    expect(answer.summary).toContain('tokens 7.3 in 3 events');
    expect(answer.summary).toContain(`2 in ${running}, 1 in ${invoiced}`);
    expect(answer.events).toMatchObject([{ timestamp: '2026-11-21T21:00:00-05:00' }, {}, {}, {}]);
    expect(world.asked).toHaveLength(5);
  });

  it('are not called invoiced while their invoice is a draft', async () => {
    const [row] = account['/customers/acme/past_usage'];
    const usage_periods = [{ ...row, issuing_date: '2026-11-26' }];
    const events = [tokens(1, '2026-10-05T12:00:00.000Z', 5)];
    world.script({
      ...{ ...account, '/events': { events, meta: meta(1) } },
      '/customers/acme/past_usage': { usage_periods, meta: meta(1) },
    });
    expect(factsOf((await list()).summary)).toContain('1 · 1 Oct · 31 Oct · New_York · 26 Nov');
  });

  it('are read of one subscription alone, and past ones only where an event is older', async () => {
    world.script({ ...account, '/events': [tokens(1, '2026-11-22T02:00:00.000Z', 'x')] });
    // A value that is no number is in no sum.
    expect((await list()).summary).toContain('tokens 1 event');
    expect(world.asked).not.toContainEqual(expect.stringContaining('past_usage'));
    await world.call('list_events', {});
    expect(world.asked.at(-1)).toMatch(/^\/events/);
  });

  describe('of get_event', () => {
    const one = (timestamp: string, script: object = {}) => {
      world.script({ ...account, '/events/t1': { event: tokens(1, timestamp, 5) }, ...script });
      return world.call('get_event', { transaction_id: 't1' });
    };
    const fee = (amount_cents: unknown, fields: object = {}) => ({
      ...{ event_transaction_id: 't1', external_subscription_id: 'sub-1', amount_cents, amount_currency: 'USD' },
      ...fields,
    });

    it.each<[string, string, string]>([
      ['the running one', '2026-11-22T02:00:00.000Z', `It falls in the usage period ${running}.`],
      ['an invoiced one', '2026-10-05T12:00:00.000Z', `It falls in the usage period ${invoiced}.`],
      ['one that is not known', '2020-01-01T00:00:00.000Z', 'neither the current one'],
    ])('are %s', async (_, timestamp, said) => {
      expect((await one(timestamp)).summary).toContain(said);
    });

    it('call it billed for a fee of this event alone', async () => {
      const fees = [fee(9), fee(700, { event_transaction_id: 't2' }), fee(800, { external_subscription_id: 'other' })];
      const { summary } = await one('2026-11-22T02:00:00.000Z', { '/fees': { fees, meta: meta(3) } });
      expect(factsOf(summary)).toContain('$0.09');
      const none = await one('2026-11-22T02:00:00.000Z', { '/fees': { fees: fees.slice(1), meta: meta(2) } });
      expect(none.summary).toContain('No fee is for');
      expect(none.summary).not.toContain('illed:');
    });

    it('are left out where a caller may read neither, and said to be missing where the service fails', async () => {
      const failed = { '/subscriptions': refusal(500, 'internal_server_error') };
      expect((await one('2026-11-22T02:00:00.000Z', failed)).summary).toContain('period could not be read');
      await world.renew({ BILLING_EXCLUDE_TOOLS: 'list_subscriptions,list_catalogue' });
      const { summary } = await one('2026-11-22T02:00:00.000Z');
      expect(factsOf(summary)).toBe('t1 · sub-1 · 22 Nov · 02:00 · 5');
      await world.renew();
    });
  });
});
