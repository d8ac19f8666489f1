/** Endpoint 19 (service-behaviour §3.19), and the list of events (lookups §9). */
import { eventAnswer } from '../answers/event.ts';
import { notFound } from '../errors.ts';
import { pathValue } from '../operations/input.ts';
import { every, is, range } from '../store/conditions.ts';
import type { AccountStore } from '../store/store.ts';
import type { Routes } from './context.ts';
import { type ListFilters, listFilters } from './list-query.ts';
import { validInstant } from './list-values.ts';
import { listPage } from './lists.ts';

/** Reads events. When several subscriptions have an event with the same id, the newest is read. */
export const eventRoutes: Routes = app => {
  app.get('/events', async (request, reply) => {
    const filters = listFilters(request);
    const external_subscription_id = filters.text('external_subscription_id');
    const code = filters.text('code');
    const from = validInstant(filters, 'timestamp_from');
    const to = validInstant(filters, 'timestamp_to');
    const sinceStart = readSinceStart(filters);
    filters.finish(reply);
    const start = sinceStart ? await startOf(request.account, external_subscription_id ?? '') : undefined;
    const { rows, meta } = await listPage(request, 'events', {
      where: every(is({ external_subscription_id, code }), range('timestamp', from ?? start, to)),
      order: [
        ['timestamp', 'desc'],
        ['transaction_id', 'asc'],
      ],
    });
    return { events: rows.map(eventAnswer), meta };
  });

  app.get('/events/:transaction_id', async request => {
    const event = await request.account.first('events', { transaction_id: pathValue(request, 'transaction_id') });
    if (event === undefined) throw notFound('event');
    return { event: eventAnswer(event) };
  });
};

/** `timestamp_from_started_at`: it needs a subscription, and takes the place of `timestamp_from`. */
function readSinceStart(filters: ListFilters): boolean {
  const sinceStart = filters.flag('timestamp_from_started_at') ?? false;
  if (sinceStart && filters.text('external_subscription_id') === undefined) {
    filters.refuse('external_subscription_id', 'required with timestamp_from_started_at');
  }
  if (sinceStart && filters.text('timestamp_from') !== undefined) {
    filters.refuse('timestamp_from', 'cannot be used with timestamp_from_started_at');
  }
  return sinceStart;
}

/** When the active subscription started, else the one that started last. Undefined when there is none. */
async function startOf(account: AccountStore, externalId: string): Promise<string | undefined> {
  const subscriptions = await account.find('subscriptions', { external_id: externalId });
  const starts = subscriptions.flatMap(({ status, started_at: at }) => (at === null ? [] : [{ status, at }]));
  const active = starts.find(({ status }) => status === 'active');
  return (
    active?.at ??
    starts
      .map(({ at }) => at)
      .sort()
      .at(-1)
  );
}
