/** Endpoint 19 (service-behaviour §3.19). */
import { eventAnswer } from '../answers/event.ts';
import { notFound } from '../errors.ts';
import { pathValue } from '../operations/input.ts';
import type { Routes } from './context.ts';

/** Reads one event. When several subscriptions have an event with the same id, the newest is answered. */
export const eventRoutes: Routes = app => {
  app.get('/events/:transaction_id', async request => {
    const event = await request.account.first('events', { transaction_id: pathValue(request, 'transaction_id') });
    if (event === undefined) throw notFound('event');
    return { event: eventAnswer(event) };
  });
};
