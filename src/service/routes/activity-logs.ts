/** The log of changes (lookups §12). */
import { activityLogAnswer } from '../answers/activity-log.ts';
import { notFound } from '../errors.ts';
import { pathValue } from '../operations/input.ts';
import { type Condition, every, is, range } from '../store/conditions.ts';
import type { Routes } from './context.ts';
import { type ListFilters, listFilters } from './list-query.ts';
import { validInstant } from './list-values.ts';
import { listPage } from './lists.ts';

export const activityLogRoutes: Routes = app => {
  app.get('/activity_logs', async (request, reply) => {
    const filters = listFilters(request);
    const where = logConditions(filters);
    filters.finish(reply);
    const { rows, meta } = await listPage(request, 'activity_logs', {
      where,
      order: [
        ['logged_at', 'desc'],
        ['sequence', 'desc'],
      ],
    });
    return { activity_logs: rows.map(row => activityLogAnswer(row, request.account.organization.id)), meta };
  });

  app.get('/activity_logs/:activity_id', async request => {
    const { account } = request;
    const log = await account.get('activity_logs', pathValue(request, 'activity_id').toLowerCase());
    if (log === undefined) throw notFound('activity_log');
    return { activity_log: activityLogAnswer(log, account.organization.id) };
  });
};

function logConditions(filters: ListFilters): Condition<'activity_logs'> {
  const from = validInstant(filters, 'from_date');
  const to = validInstant(filters, 'to_date');
  const fields = {
    external_customer_id: filters.text('external_customer_id'),
    external_subscription_id: filters.text('external_subscription_id'),
    activity_type: filters.texts('activity_types'),
    activity_source: filters.texts('activity_sources'),
    user_email: filters.texts('user_emails'),
    resource_id: filters.texts('resource_ids'),
    resource_type: filters.texts('resource_types'),
  };
  return every(is<'activity_logs'>(fields as object), range('logged_at', from, to));
}
