/** Estimates the fees of an event (§13): loads the records, refuses in order, reads the usage, runs the engine. */
import { randomUUID } from 'node:crypto';
import type { AggregationType } from '../../contract/enums.ts';
import { isNumeric } from '../../contract/pricing/money.ts';
import { estimateFees, estimateQueries, instantCharges } from '../../engine/estimate.ts';
import { ExpressionError } from '../../engine/expression.ts';
import { chargesPeriodAt } from '../../engine/periods.ts';
import { basisOf, usageWindow } from '../../engine/preview-parts.ts';
import type {
  BillableMetricRecord,
  DecimalText,
  EventProperties,
  InstantText,
  Json,
  JsonObject,
  PlanRecord,
} from '../../engine/records/index.ts';
import { isJsonObject } from '../../engine/records/values.ts';
import { isGiven } from '../../lib/json.ts';
import { feeAnswer } from '../answers/fee.ts';
import { notFound, orNotFound, validation } from '../errors.ts';
import { loadAccountLists, taxBasis, timezoneOf } from '../store/account-lists.ts';
import { evaluatedProperties, propertyText } from '../store/events.ts';
import type { AccountStore } from '../store/store.ts';
import { refuseHugeAmounts, withEngineRefusals } from './engine-refusals.ts';

const LONGEST_NUMBER = 30;
const NUMERIC_TYPES: readonly AggregationType[] = ['sum_agg', 'max_agg', 'latest_agg'];

/** The fees as the answer shows them. `event`: its fields as sent. Throws the refusals of §13 in their order. */
export function estimate(account: AccountStore, event: JsonObject, now: Date) {
  const { properties: sent, code, external_subscription_id, timestamp, precise_total_amount_cents = null } = event;
  const properties = sent ?? {};
  if (!isJsonObject(properties)) throw validation({ properties: ['value_is_invalid'] });
  return withEngineRefusals(async () => {
    const at = now.toISOString();
    const subscription = await runningSubscription(account, external_subscription_id, at);
    refuseTimestamp(timestamp);
    const byCode = typeof code === 'string' ? await account.first('billable_metrics', { code }) : undefined;
    const metric = orNotFound(byCode, 'billable_metric');
    refuseProperty(metric, properties);
    const plan = orNotFound(await account.get('plans', subscription.plan_id), 'subscription');
    refuseWithoutCharge(plan, metric, precise_total_amount_cents);
    const read = eventOf(metric, properties, precise_total_amount_cents, at);
    const customer = orNotFound(await account.get('customers', subscription.customer_id), 'subscription');
    const lists = await loadAccountLists(account);
    const subject = { subscription, plan, timezone: timezoneOf(customer, lists) };
    const period = chargesPeriodAt(basisOf(subject), plan, at);
    const window = orNotFound(usageWindow(subject, period, null) ?? undefined, 'subscription');
    const { external_id } = subscription;
    const owner = { customer, subscription };
    const input = { plan, metric, owner, external_subscription_id: external_id, window, event: read, now: at };
    const usage = await account.usage(estimateQueries(input));
    const fees = estimateFees(input, usage, taxBasis(customer, lists), randomUUID());
    refuseHugeAmounts(fees);
    return fees.map(feeAnswer);
  });
}

/** The subscription that has started and not ended at `now`. Throws 404. */
async function runningSubscription(account: AccountStore, externalId: Json | undefined, now: InstantText) {
  if (typeof externalId !== 'string' || externalId === '') throw notFound('subscription');
  const subscriptions = await account.find('subscriptions', { external_id: externalId });
  const candidates = subscriptions
    .filter(({ status }) => status === 'active' || status === 'terminated')
    .filter(({ started_at }) => started_at !== null && started_at <= now)
    .filter(({ status, terminated_at }) => (terminated_at === null ? status === 'active' : terminated_at > now))
    .filter(({ ending_at }) => ending_at === null || ending_at > now)
    .sort((a, b) => ((a.started_at ?? '') < (b.started_at ?? '') ? 1 : -1));
  return orNotFound(candidates[0], 'subscription');
}

/** Throws 422 unless null, or seconds since 1970 as number or text. It is not used: the event's time is now. */
function refuseTimestamp(value: Json | undefined): void {
  if (!isGiven(value)) return;
  const isNumber = typeof value === 'number' || (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value.trim()));
  if (!isNumber) throw validation({ timestamp: ['invalid_format'] });
}

/** Throws 422 if the property is not a number. A missing one counts as 0; a metric's expression sets it itself. */
function refuseProperty(metric: BillableMetricRecord, properties: EventProperties): void {
  if (!NUMERIC_TYPES.includes(metric.aggregation_type) || metric.field_name === null || metric.expression) return;
  const text = propertyText(properties[metric.field_name]);
  if (text !== null && !isNumeric(text)) throw validation({ properties: ['value_is_not_valid_number'] });
}

/** Kinder than the service: a dynamic charge is not estimated at 0 when the event has no amount. */
function refuseWithoutCharge(plan: PlanRecord, metric: BillableMetricRecord, amount: Json): void {
  const charges = instantCharges(plan, metric);
  if (charges.length === 0) throw validation({ code: ['does_not_match_an_instant_charge'] });
  if (amount !== null && centsText(amount) === null) {
    throw validation({ precise_total_amount_cents: ['value_is_invalid'] });
  }
  if (amount === null && charges.some(charge => charge.charge_model === 'dynamic')) {
    throw validation({ precise_total_amount_cents: ['value_is_mandatory'] });
  }
}

function centsText(value: Json): DecimalText | null {
  const text = propertyText(value)?.trim() ?? '';
  return isNumeric(text) && text.length <= LONGEST_NUMBER ? text : null;
}

function eventOf(metric: BillableMetricRecord, sent: EventProperties, amount: Json, now: InstantText) {
  const properties = propertiesWithExpression(metric, sent, now);
  const value = metric.field_name === null ? null : propertyText(properties[metric.field_name]);
  if (isNumeric(value) && value.length > LONGEST_NUMBER) throw validation({ properties: ['value_is_out_of_range'] });
  return {
    timestamp: now,
    value,
    operation_type: properties.operation_type === 'remove' ? ('remove' as const) : ('add' as const),
    precise_total_amount_cents: amount === null ? null : centsText(amount),
    properties,
  };
}

/** The metric's expression, evaluated into its field. A failure is a 422 whose details are text (§1.2). */
function propertiesWithExpression(metric: BillableMetricRecord, properties: EventProperties, now: InstantText) {
  try {
    return evaluatedProperties({ timestamp: now, properties }, metric);
  } catch (error) {
    if (error instanceof ExpressionError) throw validation(error.message);
    throw error;
  }
}
