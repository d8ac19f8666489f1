/** Endpoints 9 and 10 (service-behaviour §3.9, §3.10). */
import type { FastifyRequest } from 'fastify';
import { isOneOf, subscriptionStatuses } from '../../contract/enums.ts';
import type { AlertRecord, Json, JsonObject, SubscriptionRecord } from '../../engine/records/index.ts';
import { isJsonObject } from '../../engine/records/values.ts';
import { isGiven } from '../../lib/json.ts';
import { alertAnswer } from '../answers/subscription.ts';
import { found, notFound, ServiceError, validation } from '../errors.ts';
import { logActivity } from '../operations/activity-log.ts';
import { processSubscriptionAlerts } from '../operations/alerts.ts';
import { bodyOf, pathValue, queryValue, wrappedObject } from '../operations/input.ts';
import { linked } from '../operations/lookups.ts';
import { is } from '../store/conditions.ts';
import type { AccountStore } from '../store/store.ts';
import { readAlert } from './alert-input.ts';
import type { Routes } from './context.ts';
import { listPage } from './lists.ts';

export const alertRoutes: Routes = (app, context) => {
  app.post('/subscriptions/:external_id/alerts', async request => {
    const { account } = request;
    const now = context.now();
    const created = await account.transaction(async inTransaction => {
      // Locked, so that only one request at a time checks values that must be unique among the subscription's alerts.
      const { id } = await subscriptionOf(inTransaction, request);
      const subscription = found(await inTransaction.get('subscriptions', id, { lock: true }), 'subscription');
      const batch = batchOf(request);
      const alerts = batch
        ? await createBatch(inTransaction, subscription, batch, now)
        : [await createAlert(inTransaction, subscription, wrappedObject(request, 'alert'), now)];
      // The answer is built inside the transaction: an error after the commit would wrongly say that nothing was stored.
      const answers = await answersOf(inTransaction, subscription, alerts);
      for (const after of answers)
        await logActivity(inTransaction, ['alert.created', 'Alert'], [undefined, after], now.toISOString(), after);
      return { externalId: subscription.external_id, answers, isBatch: batch !== null };
    });
    // Later reads show the first values; this answer does not. Usage that cannot be computed does not undo the creation.
    await processSubscriptionAlerts(account, created.externalId, now).catch(error => {
      if (!(error instanceof ServiceError)) context.report(error);
    });
    return created.isBatch ? { alerts: created.answers } : { alert: created.answers[0] };
  });

  app.get('/subscriptions/:external_id/alerts', async request => {
    const { account } = request;
    const subscription = await subscriptionOf(account, request);
    const ofSubscription = { external_subscription_id: subscription.external_id, wallet_id: null, deleted_at: null };
    const { rows, meta } = await listPage(request, 'alerts', { where: is(ofSubscription) });
    return { alerts: await answersOf(account, subscription, rows), meta };
  });
};

/** The entries of a batch; null when the body has none, so that it must be a single alert. Throws 422 for other values. */
function batchOf(request: FastifyRequest): JsonObject[] | null {
  const { alerts } = bodyOf(request);
  const entries = Array.isArray(alerts) ? alerts.filter(isGiven) : alerts;
  if (!entries || (Array.isArray(entries) && entries.length === 0)) return null;
  if (!Array.isArray(entries) || !entries.every(isJsonObject)) throw validation({ alerts: ['no_alerts'] });
  return entries as JsonObject[];
}

/** The subscription of the path in the status of the query (default `active`), the last to start. Throws 404, also for "". */
export async function subscriptionOf(account: AccountStore, request: FastifyRequest): Promise<SubscriptionRecord> {
  const status = queryValue(request, 'subscription_status') ?? queryValue(request, 'status') ?? 'active';
  if (!isOneOf(subscriptionStatuses, status)) throw notFound('subscription');
  const subscriptions = await account.find('subscriptions', { external_id: pathValue(request, 'external_id'), status });
  const startOf = (each: SubscriptionRecord) => each.started_at ?? each.subscription_at;
  const [latest] = subscriptions.sort((a, b) => (startOf(a) < startOf(b) ? 1 : -1));
  return found(latest, 'subscription');
}

async function createAlert(
  account: AccountStore,
  subscription: SubscriptionRecord,
  entry: Json,
  now: Date,
): Promise<AlertRecord> {
  const alert = await readAlert(account, subscription, entry, now);
  await account.insert('alerts', alert);
  return alert;
}

/** All or nothing. Each entry is checked against the entries before it too. Throws 422 with the errors by index. */
async function createBatch(
  account: AccountStore,
  subscription: SubscriptionRecord,
  entries: JsonObject[],
  now: Date,
): Promise<AlertRecord[]> {
  const alerts: AlertRecord[] = [];
  const refused: { [index: string]: Json } = {};
  for (const [index, entry] of entries.entries()) {
    try {
      alerts.push(await createAlert(account, subscription, entry, now));
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      const { code, error_details: details } = error.body;
      const errors = details === undefined ? (code ?? null) : `Validation errors: ${JSON.stringify(details)}`;
      refused[index] = { params: knownParams(entry), errors };
    }
  }
  if (Object.keys(refused).length > 0) throw validation(refused);
  return alerts;
}

/** The part of an entry that the service reads. */
function knownParams(entry: JsonObject): JsonObject {
  const { thresholds, ...sent } = pickSent(entry, ['alert_type', 'code', 'name', 'billable_metric_code', 'thresholds']);
  if (!Array.isArray(thresholds)) return sent as JsonObject;
  const known = thresholds.filter(isJsonObject).map(each => pickSent(each, ['code', 'value', 'recurring']));
  return { ...sent, thresholds: known } as JsonObject;
}

function pickSent(from: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(from).filter(([key]) => keys.includes(key)));
}

async function answersOf(account: AccountStore, subscription: SubscriptionRecord, alerts: AlertRecord[]) {
  const customer = await linked(account, 'customers', subscription.customer_id);
  const metricIds = alerts.flatMap(alert => alert.billable_metric_id ?? []);
  const metrics = await account.find('billable_metrics', { id: [...new Set(metricIds)] });
  const metricById = new Map(metrics.map(metric => [metric.id, metric]));
  return alerts.map(alert => {
    const metric = metricById.get(alert.billable_metric_id ?? '');
    return alertAnswer(alert, account.organization.id, customer.external_id, metric, null);
  });
}
