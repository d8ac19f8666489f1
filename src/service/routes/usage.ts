/** Usage of a subscription (lookups §6). */
import type { FastifyRequest } from 'fastify';
import { isJsonObject, type Json } from '../../engine/records/values.ts';
import { periodUsageAnswer } from '../answers/usage.ts';
import { ServiceError, validation } from '../errors.ts';
import { pathValue } from '../operations/input.ts';
import { lifetimeUsage } from '../operations/lifetime-usage.ts';
import { customerByExternalId } from '../operations/lookups.ts';
import { currentUsage, pastUsage, type UsageRequest } from '../operations/period-usage.ts';
import type { Routes } from './context.ts';
import { type ListFilters, listFilters } from './list-query.ts';
import { type ListPage, listPageMeta, listPageOf, windowOf } from './lists.ts';

export const usageRoutes: Routes = (app, context) => {
  app.get('/customers/:external_customer_id/current_usage', async (request, reply) => {
    const { account } = request;
    const customer = await customerByExternalId(account, pathValue(request, 'external_customer_id'));
    const filters = listFilters(request, { paged: false });
    const wantedUsage = usageRequest(request, filters);
    const usage = await currentUsage(account, customer, wantedUsage, context.now().toISOString());
    filters.finish(reply);
    return { customer_usage: periodUsageAnswer(usage) };
  });

  // Not computed here; the hosted service answers this without the feature too.
  app.get('/customers/:external_customer_id/projected_usage', () => {
    throw new ServiceError(403, { code: 'projected_usage_not_enabled' });
  });

  app.get('/customers/:external_customer_id/past_usage', async (request, reply) => {
    const { account } = request;
    const filters = listFilters(request);
    const external_subscription_id = filters.text('external_subscription_id');
    if (external_subscription_id === undefined) throw validation({ external_subscription_id: ['value_is_mandatory'] });
    const external_id = pathValue(request, 'external_customer_id');
    const customer = await account.first('customers', { external_id, deleted_at: null });
    const page = pastUsageListPage(request, filters);
    const wantedUsage = { external_subscription_id, billable_metric_code: filters.text('billable_metric_code') };
    const { periods, total } = await pastUsage(account, customer, wantedUsage, windowOf(page));
    filters.finish(reply);
    return { usage_periods: periods.map(periodUsageAnswer), meta: listPageMeta(page, total) };
  });

  app.get('/subscriptions/:external_id/lifetime_usage', async request => {
    const externalId = pathValue(request, 'external_id');
    return { lifetime_usage: await lifetimeUsage(request.account, externalId, context.now().toISOString()) };
  });
};

/** The charge filters with their names in a query. Only the first that was sent counts. */
const CHARGE_FILTERS = [
  ['id', ['charge_id', 'filter_by_charge_id']],
  ['code', ['charge_code', 'filter_by_charge_code']],
  ['metric', ['billable_metric_code', 'filter_by_metric_code']],
] as const;

function usageRequest(request: FastifyRequest, filters: ListFilters): UsageRequest {
  const [charge] = CHARGE_FILTERS.flatMap(([by, names]) =>
    names.flatMap(name => {
      const value = filters.text(name);
      return value === undefined ? [] : [{ by, value }];
    }),
  );
  return {
    external_subscription_id: filters.text('external_subscription_id'),
    apply_taxes: filters.text('apply_taxes') !== 'false',
    charge,
    group: groupOf(request, filters),
    skip_grouping: filters.text('skip_grouping') === 'true',
    presentation: presentationOf(filters),
    full_usage: filters.text('full_usage') === 'true',
  };
}

/**
 * `group[<key>]=<value>`, repeated with or without `[]`, or `group` as a JSON object. Throws 422 for other JSON. Only
 * JSON can ask for the group without the property: null.
 */
function groupOf(request: FastifyRequest, filters: ListFilters): UsageRequest['group'] {
  const valuesByKey = new Map<string, Json[]>();
  const add = (key: string, values: readonly Json[]) =>
    valuesByKey.set(key, [...(valuesByKey.get(key) ?? []), ...values]);
  for (const [name, value] of Object.entries(request.query as Record<string, string | string[]>)) {
    const key = /^group\[(.+?)\](\[\])?$/.exec(name)?.[1];
    if (key === undefined) continue;
    filters.text(name);
    add(key, [value].flat());
  }
  const text = filters.text('group');
  if (text !== undefined) {
    const group = jsonOf('group', text);
    if (!isJsonObject(group)) throw invalid('group');
    for (const [key, value] of Object.entries(group)) add(key, [value].flat());
  }
  return valuesByKey.size > 0 ? valuesByKey : undefined;
}

/** A JSON array of keys; an empty one restricts nothing. Throws 422 for anything else. */
function presentationOf(filters: ListFilters): UsageRequest['presentation'] {
  const name = 'filter_by_presentation';
  const text = filters.text(name);
  if (text === undefined) return undefined;
  const keys = jsonOf(name, text);
  if (!Array.isArray(keys)) throw invalid(name);
  const texts = keys.filter(key => typeof key === 'string');
  if (texts.length < keys.length) throw invalid(name);
  return texts.length === 0 ? undefined : texts;
}

function jsonOf(name: string, text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    throw invalid(name);
  }
}

function invalid(name: string): ServiceError {
  return validation({ [name]: ['value_is_invalid'] });
}

/** The list page that the query asks for: `periods_count` takes the place of `per_page`. */
function pastUsageListPage(request: FastifyRequest, filters: ListFilters): ListPage {
  const page = listPageOf(request);
  const periods = filters.text('periods_count') ?? '';
  return /^[1-9]\d{0,8}$/.test(periods) ? { ...page, size: Number(periods) } : page;
}
