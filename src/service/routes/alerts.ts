/** Endpoints 9 and 10 (service-behaviour §3.9, §3.10). */
import { randomUUID } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import {
  isOneOf,
  type SubscriptionAlertType,
  subscriptionAlertTypes,
  subscriptionStatuses,
} from '../../contract/enums.ts';
import { decimal, decimalText } from '../../contract/pricing/money.ts';
import type {
  AlertRecord,
  AlertThreshold,
  BillableMetricRecord,
  Json,
  JsonObject,
  SubscriptionRecord,
} from '../../engine/records/index.ts';
import { isJsonObject } from '../../engine/records/values.ts';
import { isGiven } from '../../lib/json.ts';
import { alertAnswer } from '../answers/subscription.ts';
import { notFound, orNotFound, ServiceError, validation } from '../errors.ts';
import { logActivity } from '../operations/activity-log.ts';
import { processSubscriptionAlerts } from '../operations/alerts.ts';
import { bodyOf, pathValue, queryValue, wrappedObject } from '../operations/input.ts';
import { linked } from '../operations/lookups.ts';
import { is } from '../store/conditions.ts';
import type { AccountStore } from '../store/store.ts';
import type { Routes } from './context.ts';
import { fieldsOf, isBlank } from './fields.ts';
import { listPage } from './lists.ts';

const MOST_THRESHOLDS = 20;
const LARGEST_VALUE = '1e25'; // 30 digits are stored, 5 of them after the point

export const alertRoutes: Routes = (app, context) => {
  app.post('/subscriptions/:external_id/alerts', async request => {
    const { account } = request;
    const now = context.now();
    const created = await account.transaction(async inTransaction => {
      // Locked, so that only one request at a time checks values that must be unique among the subscription's alerts.
      const { id } = await subscriptionOf(inTransaction, request);
      const subscription = orNotFound(await inTransaction.get('subscriptions', id, { lock: true }), 'subscription');
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
  return orNotFound(latest, 'subscription');
}

/** All or nothing. Each entry is checked against the entries before it too. Throws 422 with the errors by index. */
async function createBatch(account: AccountStore, subscription: SubscriptionRecord, entries: JsonObject[], now: Date) {
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

/** Stores a new alert of the subscription. The checks follow the service's order. Throws 422; 404 `billable_metric_not_found`. */
async function createAlert(account: AccountStore, subscription: SubscriptionRecord, input: JsonObject, now: Date) {
  const type = readType(input.alert_type);
  const thresholds = readThresholds(input.thresholds);
  const metric = await metricOf(account, input.billable_metric_code);
  const at = now.toISOString();
  const alert: AlertRecord = {
    id: randomUUID(),
    created_at: at,
    updated_at: at,
    ...readTexts(input, metricProblem(type, metric)),
    alert_type: type,
    direction: 'increasing',
    subscription_id: subscription.id,
    external_subscription_id: subscription.external_id,
    wallet_id: null,
    billable_metric_id: metric?.id ?? null,
    previous_value: '0.0',
    last_processed_at: null,
    thresholds,
    deleted_at: null,
  };
  await requireNew(account, alert);
  await account.insert('alerts', alert);
  return alert;
}

function readType(type: Json | undefined): SubscriptionAlertType {
  if (isBlank(type)) throw validation({ alert_type: ['value_is_mandatory', 'value_is_invalid'] });
  if (!isOneOf(subscriptionAlertTypes, type)) throw validation({ alert_type: ['invalid_type'] });
  return type;
}

function readThresholds(value: Json | undefined): AlertThreshold[] {
  if (!Array.isArray(value) || value.length === 0 || !value.every(isJsonObject)) {
    throw validation({ thresholds: ['value_is_mandatory'] });
  }
  const entries = value as JsonObject[];
  if (entries.length > MOST_THRESHOLDS) throw validation({ thresholds: ['too_many_thresholds'] });
  const kinds = entries.map(entry => {
    const isRecurring = entry.recurring === true || entry.recurring === 'true';
    return `${numberText(entry.value) ?? JSON.stringify(entry.value)} ${isRecurring}`;
  });
  if (new Set(kinds).size < kinds.length) throw validation({ thresholds: ['duplicate_threshold_values'] });
  return entries.map(readThreshold);
}

function readThreshold(entry: JsonObject): AlertThreshold {
  const value = numberText(entry.value);
  if (value === null) {
    const isMissing = !isGiven(entry.value) || typeof entry.value === 'object';
    throw validation({ 'thresholds:value': [isMissing ? 'value_is_mandatory' : 'value_is_invalid'] });
  }
  const fields = fieldsOf(entry);
  const code = fields.text('code', { field: 'thresholds:code' }) ?? null;
  const recurring = fields.boolean('recurring', { field: 'thresholds:recurring' }) ?? false;
  fields.refuseProblems();
  if (recurring && decimal(value).lte(0)) throw validation({ 'thresholds:value': ['recurring_value_is_negative'] });
  return { code, value, recurring };
}

/** A number or numeric text, `1e3` too, as the stored decimal (5 decimals); null for other values. */
function numberText(value: Json | undefined): string | null {
  const text = typeof value === 'number' ? decimalOfNumber(value) : value;
  if (typeof text !== 'string' || text.length > 30 || !/^-?\d+(\.\d+)?(e[+-]?\d{1,2})?$/i.test(text)) return null;
  const number = decimal(text);
  return number.abs().lt(LARGEST_VALUE) ? decimalText(number, 5) : null;
}

/** The number as decimal text; no exponent below 1e21. */
function decimalOfNumber(value: number): string {
  return Math.abs(value) < 1e21 ? value.toFixed(Number.isInteger(value) ? 0 : 5) : String(value);
}

async function metricOf(account: AccountStore, code: Json | undefined): Promise<BillableMetricRecord | null> {
  if (!isGiven(code)) return null;
  return orNotFound(
    typeof code === 'string' ? await account.first('billable_metrics', { code }) : undefined,
    'billable_metric',
  );
}

/** Throws 422 that names bad texts and the problem of the metric together. */
function readTexts(input: JsonObject, badMetric: string | undefined): { code: string; name: string | null } {
  const fields = fieldsOf(input);
  const isText = typeof input.code === 'string' || typeof input.code === 'number';
  if (isBlank(input.code) || !isText) fields.noteProblem('code', 'value_is_mandatory');
  const code = (isText && fields.text('code')) || '';
  const name = fields.text('name') ?? null;
  if (badMetric !== undefined) fields.noteProblem('billable_metric', badMetric);
  fields.refuseProblems();
  return { code, name };
}

function metricProblem(type: SubscriptionAlertType, metric: BillableMetricRecord | null): string | undefined {
  const needsMetric = type.startsWith('billable_metric_');
  if (needsMetric && metric === null) return 'value_is_mandatory';
  return !needsMetric && metric !== null ? 'value_must_be_blank' : undefined;
}

/** One alert per code, and per type and metric; one recurring threshold per alert. */
async function requireNew(account: AccountStore, alert: AlertRecord): Promise<void> {
  const { external_subscription_id, wallet_id, deleted_at } = alert;
  const others = await account.find('alerts', { external_subscription_id, wallet_id, deleted_at });
  if (others.some(other => other.code === alert.code)) throw validation({ code: ['value_already_exist'] });
  const hasSameWatch = others.some(
    other => other.alert_type === alert.alert_type && other.billable_metric_id === alert.billable_metric_id,
  );
  const recurring = alert.thresholds.filter(threshold => threshold.recurring).length;
  if (hasSameWatch || recurring > 1) throw validation({ base: ['alert_already_exists'] });
}
