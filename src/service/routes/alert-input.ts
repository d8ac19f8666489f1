/** Reads one alert of endpoint 9. The checks follow the service's order (service-behaviour §3.9). */
import { randomUUID } from 'node:crypto';
import { isOneOf, type SubscriptionAlertType, subscriptionAlertTypes } from '../../contract/enums.ts';
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
import { found, validation } from '../errors.ts';
import type { AccountStore } from '../store/store.ts';
import { fieldsOf, isBlank } from './fields.ts';

const METRIC_TYPES: readonly SubscriptionAlertType[] = [
  'billable_metric_current_usage_amount',
  'billable_metric_current_usage_units',
  'billable_metric_lifetime_usage_units',
];
const MOST_THRESHOLDS = 20;
const LARGEST_VALUE = '1e25'; // 30 digits are stored, 5 of them after the point

/** A new alert of the subscription, not stored yet. Throws 422; 404 `billable_metric_not_found`. */
export async function readAlert(
  account: AccountStore,
  subscription: SubscriptionRecord,
  entry: Json,
  now: Date,
): Promise<AlertRecord> {
  const input = isJsonObject(entry) ? entry : {};
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
  return found(
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
  const needsMetric = METRIC_TYPES.includes(type);
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
