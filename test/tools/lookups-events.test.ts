/** list_events (docs/lookups.md §9). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LookupWorld, lookupWorld, meta, onOneDay, refusal } from './lookup-upstream.ts';

onOneDay();
let world: LookupWorld;
beforeAll(async () => {
  world = await lookupWorld();
});
afterAll(() => world.close());

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
  it('lists events newest first, of how many, and when the newest was', async () => {
    world.script({ '/events': { events: [event(9), event(8)], meta: meta(1234, { pages: 617 }) } });
    const answer = await world.call('list_events', {
      external_subscription_id: 'sub-1',
      code: 'api_calls',
      per_page: 2,
    });
    expect(world.asked).toEqual(['/events?external_subscription_id=sub-1&code=api_calls&page=1&per_page=2']);
    expect(answer).toMatchObject({ shown: '2 of 1234', next_page: 2 });
    expect(answer.summary).toBe(
      'For subscription sub-1 on metric api_calls: 1,234 events match; 2 on this page, page: 2 has more. ' +
        'The newest is of 22 Nov, 10:00 UTC.',
    );
    expect(answer.events).toMatchObject([
      {
        ...{ transaction_id: 't9', code: 'api_calls', timestamp: '2026-11-22T10:00:09.000Z' },
        ...{ external_subscription_id: 'sub-1', properties: { region: 'eu' } },
      },
      { transaction_id: 't8' },
    ]);
  });

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
    world.script({ '/events': { events: [event(1)], meta: meta(1) } });
    await world.call('list_events', args);
    expect(world.asked).toEqual([`/events?${query}${query === '' ? '' : '&'}page=1&per_page=20`]);
  });

  it('names events of no subscription, and rows that repeat one', async () => {
    world.script({
      '/events': {
        events: [
          event(3, { svc_subscription_id: null, svc_customer_id: null }),
          event(2),
          event(2, { svc_id: 'again' }),
        ],
        meta: meta(3),
      },
    });
    expect((await world.call('list_events', {})).summary).toBe(
      '3 events. The newest is of 22 Nov, 10:00 UTC. 1 of them belongs to no known subscription, so nothing is ' +
        'billed for it: t3. 1 row repeats a transaction id and may be counted once only.',
    );
  });

  it.each([
    ['exists', { subscriptions: [{ external_id: 'sub-1' }], meta: meta(1) }, ''],
    ['does not exist', { subscriptions: [], meta: meta(0) }, ' The account has no subscription “sub-1” in any state.'],
    ['cannot be looked up', refusal(500, 'internal_error'), ''],
  ])('says that nothing came for a subscription that %s', async (_, subscriptions, end) => {
    world.script({ '/events': { events: [], meta: meta(0) }, '/subscriptions': subscriptions });
    const answer = await world.call('list_events', { external_subscription_id: 'sub-1', timestamp_from: '2026-11-01' });
    expect(answer.summary).toBe(`No event was received for subscription sub-1 from 1 Nov (days in UTC).${end}`);
    expect(answer.shown).toBe('0 of 0');
  });

  it('refuses wrong values before anything is sent', async () => {
    world.script({});
    for (const [args, problem] of [
      [{ per_page: 51 }, 'per_page must be from 1 to 50'],
      [{ all: true }, 'all'],
      [{ timestamp_from: '2026-13-01' }, 'timestamp_from must be a day or date-time that exists'],
      [{ timestamp_from: '2026-11-02', timestamp_to: '2026-11-01' }, 'timestamp_from is after timestamp_to'],
      [{ timestamp_from_started_at: true }, 'timestamp_from_started_at needs external_subscription_id'],
      [
        { timestamp_from_started_at: true, external_subscription_id: 's', timestamp_from: '2026-11-01' },
        'timestamp_from_started_at goes without timestamp_from',
      ],
    ] as const) {
      const answer = await world.call('list_events', args);
      expect(answer.error?.code).toBe('invalid_arguments');
      expect(answer.summary).toContain(problem);
    }
    expect(world.asked).toEqual([]);
  });
});
