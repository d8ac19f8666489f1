import { expect, it } from 'vitest';
import { eventRecord, subscriptionRecord } from '../../engine/world.ts';
import { withDatabase } from '../../support/postgres.ts';
import { onDatabase, refused } from './list-world.ts';

const database = await withDatabase();

const at = (day: number) => `2026-01-0${day}T00:00:00.000Z`;
const event = (n: number, day: number, fields: Partial<ReturnType<typeof eventRecord>> = {}) =>
  eventRecord(n, { id: `e${n}`, transaction_id: `t${n}`, timestamp: at(day), ...fields });
const unknown = { external_subscription_id: 'nothing', subscription_id: null, customer_id: null };

const records = {
  subscriptions: [
    subscriptionRecord({ id: 'before', status: 'terminated', started_at: at(1), terminated_at: at(2) }),
    subscriptionRecord({ started_at: at(3) }),
    subscriptionRecord({ id: 'first', external_id: 'ended', status: 'terminated', started_at: at(2) }),
    subscriptionRecord({ id: 'last', external_id: 'ended', status: 'terminated', started_at: at(4) }),
  ],
  events: [
    event(1, 3, { transaction_id: 'b' }),
    event(2, 3, { transaction_id: 'a', created_at: at(9) }),
    event(3, 5, { code: 'other' }),
    event(4, 2),
    event(5, 4, unknown),
    event(6, 3, { transaction_id: 'a', external_subscription_id: 'ended' }),
    event(7, 4, { external_subscription_id: 'ended', timestamp: '2026-01-04T00:00:00.500Z' }),
  ],
};

onDatabase('the list of events', database, records, account => {
  it.each([
    ['newest first, then by transaction id, then by id', '', '3 7 5 2 6 1 4'],
    ['a subscription’s', 'external_subscription_id=sub', '3 2 1 4'],
    ['those without a subscription', 'external_subscription_id=nothing', '5'],
    ['an unknown subscription’s', 'external_subscription_id=nobody', ''],
    ['a metric’s', 'code=other', '3'],
    ['an unknown metric’s', 'code=oth', ''],
    ['from an instant', 'timestamp_from=2026-01-04T00:00:00Z', '3 7 5'],
    ['to an instant', 'timestamp_to=2026-01-03T00:00:00Z', '2 6 1 4'],
    [
      'an instant with a fraction',
      'timestamp_from=2026-01-04T00:00:00.500Z&timestamp_to=2026-01-04T00:00:00.500Z',
      '7',
    ],
    ['an instant of another zone', 'timestamp_from=2026-01-05T01:00:00%2B01:00', '3'],
    ['a day', 'timestamp_from=2026-01-05', '3'],
    [
      'from the start of the active subscription',
      'external_subscription_id=sub&timestamp_from_started_at=true',
      '3 2 1',
    ],
    ['from the last start', 'external_subscription_id=ended&timestamp_from_started_at=true', '7'],
    ['from no start', 'external_subscription_id=nothing&timestamp_from_started_at=true', '5'],
    ['not from the start', 'external_subscription_id=sub&timestamp_from_started_at=false', '3 2 1 4'],
    ['from an instant, and not from the start', 'timestamp_from_started_at=false&timestamp_from=2026-01-05', '3'],
    ['filters together', 'external_subscription_id=sub&code=units&timestamp_from=2026-01-03', '2 1'],
    ['a page', 'page=2&per_page=3', '2 6 1'],
  ])('%s', async (_, query, expected) => {
    expect(await account.ids(`/events?${query}`)).toBe(expected.replace(/\d/g, 'e$&'));
  });

  it.each([
    ['timestamp_from=soon', { timestamp_from: ['invalid_date'] }],
    ['timestamp_to=2026-02-30', { timestamp_to: ['invalid_date'] }],
    ['timestamp_from=x&timestamp_to=y', { timestamp_from: ['invalid_date'], timestamp_to: ['invalid_date'] }],
    ['timestamp_from_started_at=yes', { timestamp_from_started_at: ['must be one of: true, false'] }],
    ['timestamp_from_started_at=true', { external_subscription_id: ['required with timestamp_from_started_at'] }],
    [
      'timestamp_from_started_at=true&external_subscription_id=sub&timestamp_from=2026-01-01',
      { timestamp_from: ['cannot be used with timestamp_from_started_at'] },
    ],
  ])('is refused: %s', async (query, details) => {
    expect(await account.refusal(`/events?${query}`)).toEqual(refused(details));
  });

  it('each has the form of the single event; the ids are null where the subscription is unknown', async () => {
    const { events } = (await account.get('/events')).body;
    for (const listed of events) {
      if (listed.transaction_id === 'a') continue;
      expect((await account.get(`/events/${listed.transaction_id}`)).body).toEqual({ event: listed });
    }
    expect(events[2]).toMatchObject({ svc_customer_id: null, svc_subscription_id: null });
  });

  it('keys without effect are named', async () => {
    const notice = 'these query keys had no effect: external_customer_id';
    expect(await account.notice('/events?external_customer_id=acme')).toBe(notice);
  });
});
