/** Usage events as they were received (docs/lookups.md §9). */
import * as z from 'zod';
import type { Event } from '../../src/contract/shown.ts';
import type { Api } from '../../src/definition/api.ts';
import { flag, fromTime, idText, ofSubscription, paging, toTime } from '../../src/definition/args.ts';
import { defineLookup } from '../../src/definition/define.ts';
import { dayNumber } from '../../src/words/dates.ts';
import { withLocalTimes } from '../../src/words/list-time-zone.ts';
import { code, count, joined, phrase, say } from '../../src/words/summary.ts';
import { momentIn } from '../../src/words/zoned-times.ts';
import { explainEventPeriods, readEventPeriods, sumsOf, unbilled } from '../records/event-periods.ts';
import { ownRecordsOnly, shownFields, shownNote } from '../records/list-pages.ts';
import { sayMade } from '../records/named-customer.ts';
import { firstInstant, lastInstant, span, spanInWords } from '../records/time-filters.ts';

const mostEvents = 50;

export const listEvents = defineLookup({
  name: 'list_events',
  title: 'List usage events',
  toolset: 'events',
  endpoint: 'GET /events',
  description:
    'Lists usage events as received, newest first, at most 50 per call. Use it to check whether usage arrived and with which properties. To count or price usage, use get_usage.',
  input: z
    .strictObject({
      external_subscription_id: ofSubscription.optional(),
      code: idText().optional().describe('Code of the billable metric'),
      timestamp_from: fromTime,
      timestamp_to: toTime,
      timestamp_from_started_at: flag.optional().describe('Start with the subscription; needs its ID'),
      page: paging.page,
      per_page: z
        .int()
        .refine(size => size >= 1 && size <= mostEvents, { error: `must be from 1 to ${mostEvents}` })
        .describe(`1 to ${mostEvents}, default 20`)
        .optional(),
    })
    .refine(...span('timestamp_from', 'timestamp_to'))
    .refine(args => !args.timestamp_from_started_at || args.external_subscription_id !== undefined, {
      path: ['timestamp_from_started_at'],
      error: 'needs external_subscription_id',
    })
    .refine(args => !args.timestamp_from_started_at || args.timestamp_from === undefined, {
      path: ['timestamp_from_started_at'],
      error: 'goes without timestamp_from',
    }),
  async run(
    { external_subscription_id, code: metric, timestamp_from, timestamp_to, timestamp_from_started_at, ...pages },
    api,
  ) {
    const query = {
      external_subscription_id,
      code: metric,
      timestamp_from: timestamp_from && firstInstant(timestamp_from),
      timestamp_to: timestamp_to && lastInstant(timestamp_to),
      timestamp_from_started_at: timestamp_from_started_at || undefined,
    };
    const list = await api.list('/events', { key: 'events', query }, pages);
    if (!list.ok) return list;
    const isFirst = (pages.page ?? 1) === 1;
    const times = list.rows.map(({ timestamp }) => timestamp);
    const ofOne = external_subscription_id !== undefined && (times.length > 0 || isFirst);
    const [periods, sums, looked] = await Promise.all([
      ofOne ? readEventPeriods(api, external_subscription_id, times) : null,
      ofOne && times.length > 0 ? sumsOf(api, list.rows) : null,
      external_subscription_id === undefined ? unknownIn(api, list.rows) : [],
    ]);
    const zone = periods?.zone ?? null;
    const unknown = ofOne && periods?.unknown === true ? [external_subscription_id] : looked;
    const events = withMarks(withLocalTimes(list.rows, ['timestamp', 'created_at'], zone), list.rows);
    const matching = shownNote(list, 'event');
    const filters = joined(
      [
        say`for subscription ${code(external_subscription_id)}`,
        say`on metric ${code(metric)}`,
        spanInWords([timestamp_from, timestamp_to], null, api.now),
      ],
      ' ',
    );
    const withId = (id: string) => events.filter(event => event.external_subscription_id === id);
    const for_summary = [
      matching === null ? phrase`No event was received${say` ${filters}`}` : phrase`${say`${filters}: `}${matching}`,
      say`The newest ${isFirst ? '' : 'of these '}is from ${momentIn(events[0]?.timestamp, zone, api.now)}`,
      say`Listed: ${sums}`,
      explainEventPeriods(events, periods, api.now),
      ...unknown.map(id => unbilled(id, withId(id))),
      repeated(events),
      api.bound && ownRecordsOnly,
    ];
    return { ok: true, body: { events, ...shownFields(list), for_summary } };
  },
  result: 'events',
  answer: 'made list',
  brief:
    'transaction_id code timestamp timestamp_utc repeat? external_subscription_id precise_total_amount_cents? properties',
  more: 'created_at',
  say: sayMade,
});

/** A row as it is listed: with its time in UTC where that is another day, and whether a newer row has its id already. */
interface MarkedEvent extends Event {
  readonly timestamp_utc?: string;
  readonly repeat?: true;
}

function withMarks(local: readonly Event[], stored: readonly Event[]): MarkedEvent[] {
  const ids = new Set<string>();
  return local.map((event, index) => {
    const utc = stored[index]?.timestamp?.replace('.000Z', 'Z');
    const isOtherDay = utc !== undefined && dayNumber(utc) !== dayNumber(event.timestamp?.slice(0, 10));
    const isRepeat = ids.has(keyOf(event));
    ids.add(keyOf(event));
    return { ...event, ...(isOtherDay && { timestamp_utc: utc }), ...(isRepeat && { repeat: true }) };
  });
}

function keyOf({ external_subscription_id, transaction_id }: Event): string {
  return `${external_subscription_id}\0${transaction_id}`;
}

/** So many subscriptions of a list are looked up, at most: the list of events does not check them. */
const mostLookedUp = 5;

/** The external ids with which the account has no subscription; none where there are too many to look up. */
async function unknownIn(api: Api, events: readonly Event[]): Promise<string[]> {
  const unnamed = events.filter(({ svc_subscription_id }) => svc_subscription_id === null);
  const ids = [...new Set(unnamed.map(event => event.external_subscription_id))].filter(id => typeof id === 'string');
  if (ids.length > mostLookedUp) return [];
  const looks = await Promise.all(ids.map(async id => ({ id, periods: await readEventPeriods(api, id, []) })));
  return looks.filter(({ periods }) => periods?.unknown === true).map(({ id }) => id);
}

/** On accounts with the large event store, an event can be listed more than once. */
function repeated(events: readonly Event[]): string | null {
  const more = events.length - new Set(events.map(keyOf)).size;
  return more === 0
    ? null
    : `${count(more, 'row repeats', 'rows repeat')} a transaction id and may be counted once only`;
}
