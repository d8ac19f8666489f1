/** Reads the events that lines are made of: four pages at a time, within bounds that the answer states. */

import type { Event } from '../../src/contract/shown.ts';
import type { Api } from '../../src/definition/api.ts';
import { reasonOf } from '../../src/definition/failure.ts';
import { count, quantity } from '../../src/words/summary.ts';
import type { Blocked } from './check-records.ts';
import { eventRecord } from './engine-records.ts';

/** Events of one metric of one subscription. Without `from`: from the beginning, because the metric carries its value. */
export interface EventNeed {
  readonly key: string;
  readonly external_id: string;
  readonly code: string;
  readonly from: string | null;
  readonly to: string;
}

const mostPages = 100;
const atOnce = 4;
const pageSize = 100;

interface Progress {
  readonly need: EventNeed;
  events: Event[];
  /** How many there are; null where the API does not say. */
  of: number | null;
  next: number | null;
  failure: string | null;
}

/** The events; by `unreadKey`, why some are missing; and how much was read. */
export async function readEvents(api: Api, needs: readonly EventNeed[], halfTime: number) {
  const all: Progress[] = needs.map(need => ({ need, events: [], of: null, next: 1, failure: null }));
  let pages = 0;
  const mayGoOn = () => pages < mostPages && api.timeLeft() >= halfTime;
  const readPage = async (one: Progress, page: number) => {
    pages += 1;
    await addPage(api, one, page);
  };
  for (let i = 0; i < all.length && mayGoOn(); i += atOnce)
    await Promise.all(all.slice(i, i + atOnce).map(one => readPage(one, 1)));
  // Small metrics first: more lines can then be judged.
  const long = all.filter(({ next }) => next !== null).sort((a, b) => (a.of ?? 0) - (b.of ?? 0));
  for (const one of long) {
    while (one.next !== null && one.failure === null && mayGoOn()) {
      const last = one.of === null ? one.next : Math.ceil(one.of / pageSize);
      const first = one.next;
      // A service may have smaller pages than asked for, and more of them than its count says.
      const length = Math.min(atOnce, Math.max(1, last - first + 1), mostPages - pages);
      const batch = Array.from({ length }, (_, i) => first + i);
      await Promise.all(batch.map(page => readPage(one, page)));
      api.tell(
        `Read ${quantity(one.events.length)} of ${quantity(one.of ?? one.events.length)} events of ${one.need.code}`,
      );
    }
  }
  return {
    events: all.flatMap(({ events }) => onlyOnce(events)).map(eventRecord),
    unread: new Map(all.flatMap(one => unreadEntry(one))),
    read: {
      events: all.reduce((sum, { events }) => sum + events.length, 0),
      pages,
      of: all.reduce((sum, one) => sum + (one.of ?? one.events.length), 0),
    },
  };
}

async function addPage(api: Api, one: Progress, page: number): Promise<void> {
  const { external_id, code, from, to } = one.need;
  const query = {
    external_subscription_id: external_id,
    code,
    ...(from !== null && { timestamp_from: from }),
    timestamp_to: to,
    page,
    per_page: pageSize,
  };
  const answer = await api.get('/events', { key: 'events', query });
  if (!answer.ok) {
    one.failure = reasonOf(answer.error) ?? 'they could not be read';
    return;
  }
  const rows = answer.body.events ?? [];
  const { total_count, next_page } = answer.body.meta ?? {};
  one.events.push(...rows);
  one.of = total_count ?? one.of;
  const isLast = next_page === undefined ? rows.length < pageSize : next_page === null;
  if (isLast) one.next = null;
  else if (one.next !== null) one.next = Math.max(one.next, page + 1);
}

/** On accounts with the large event store, an event can be listed more than once. */
function onlyOnce(events: readonly Event[]): Event[] {
  return [...new Map(events.map(event => [event.transaction_id, event])).values()];
}

function unreadEntry({ need, events, of, next, failure }: Progress): [string, Blocked][] {
  if (failure === null && next === null) return [];
  const text =
    failure !== null
      ? `The events could not be read: ${failure}.`
      : `${quantity(events.length)} of ${of === null ? 'more' : count(of, 'event')} read.`;
  return [[need.key, { level: 'usage', code: 'events_not_read', text }]];
}
