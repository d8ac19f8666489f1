/** Estimates the fees of an event (§13): loads the records, refuses in order, reads the usage, runs the engine. */
import { randomUUID } from 'node:crypto';
import type { AggregationType } from '../../contract/enums.ts';
import { isNumeric } from '../../contract/pricing/money.ts';
import { type EstimateInput, estimateFees, estimateQueries, instantCharges } from '../../engine/estimate.ts';
import { ExpressionError } from '../../engine/expression.ts';
import { chargesPeriodAt } from '../../engine/periods.ts';
import { type BasicSubject, basisOf, usageWindow } from '../../engine/preview-parts.ts';
import type {
  BillableMetricRecord,
  CustomerRecord,
  DecimalText,
  EventProperties,
  InstantText,
  Json,
  PlanRecord,
  SubscriptionRecord,
} from '../../engine/records/index.ts';
import { feeAnswer } from '../answers/fee.ts';
import { notFound, validation } from '../errors.ts';
import { loadAccountLists } from '../store/account-lists.ts';
import { evaluatedProperties, propertyText } from '../store/events.ts';
import type { AccountStore } from '../store/store.ts';
import { refuseHugeAmounts, withEngineRefusals } from './engine-refusals.ts';

/** The event's fields as sent, not yet checked. */
export interface EstimateRequest {
  code: Json;
  external_subscription_id: Json;
  timestamp: Json;
  properties: EventProperties;
  precise_total_amount_cents: Json;
}

const LONGEST_NUMBER = 30;
const NUMERIC_TYPES: readonly AggregationType[] = ['sum_agg', 'max_agg', 'latest_agg'];

/** The fees as the answer shows them. Throws the refusals of §13 in their order. */
export function estimate(account: AccountStore, request: EstimateRequest, now: Date) {
  return withEngineRefusals(async () => {
    const at = now.toISOString();
    const subscription = await runningSubscription(account, request.external_subscription_id, at);
    refuseTimestamp(request.timestamp);
    const metric = await metricByCode(account, request.code);
    refuseProperty(metric, request.properties);
    const plan = await planOf(account, subscription);
    refuseWithoutCharge(plan, metric, request);
    const event = eventOf(metric, request, at);
    const customer = await account.get('customers', subscription.customer_id);
    if (customer === undefined) throw notFound('subscription');
    const fees = await computeFees(account, { subscription, plan, metric, customer, event, now: at });
    refuseHugeAmounts(fees);
    return fees.map(feeAnswer);
  });
}

/** The subscription that has started and not ended at `now`. Throws 404. */
async function runningSubscription(
  account: AccountStore,
  externalId: Json,
  now: InstantText,
): Promise<SubscriptionRecord> {
  if (typeof externalId !== 'string' || externalId === '') throw notFound('subscription');
  const subscriptions = await account.find('subscriptions', { external_id: externalId });
  const candidates = subscriptions
    .filter(({ status }) => status === 'active' || status === 'terminated')
    .filter(({ started_at }) => started_at !== null && started_at <= now)
    .filter(({ status, terminated_at }) => (terminated_at === null ? status === 'active' : terminated_at > now))
    .filter(({ ending_at }) => ending_at === null || ending_at > now)
    .sort((a, b) => ((a.started_at ?? '') < (b.started_at ?? '') ? 1 : -1));
  if (candidates[0] === undefined) throw notFound('subscription');
  return candidates[0];
}

/** Throws 422 unless null, or seconds since 1970 as number or text. It is not used: the event's time is now. */
function refuseTimestamp(value: Json): void {
  if (value === null) return;
  const isNumber = typeof value === 'number' || (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value.trim()));
  if (!isNumber) throw validation({ timestamp: ['invalid_format'] });
}

async function metricByCode(account: AccountStore, code: Json): Promise<BillableMetricRecord> {
  const metric = typeof code === 'string' ? await account.first('billable_metrics', { code }) : undefined;
  if (metric === undefined) throw notFound('billable_metric');
  return metric;
}

/** Throws 422 if the property is not a number. A missing one counts as 0; a metric's expression sets it itself. */
function refuseProperty(metric: BillableMetricRecord, properties: EventProperties): void {
  if (!NUMERIC_TYPES.includes(metric.aggregation_type) || metric.field_name === null || metric.expression) return;
  const text = propertyText(properties[metric.field_name]);
  if (text !== null && !isNumeric(text)) throw validation({ properties: ['value_is_not_valid_number'] });
}

async function planOf(account: AccountStore, subscription: SubscriptionRecord): Promise<PlanRecord> {
  const plan = await account.get('plans', subscription.plan_id);
  if (plan === undefined) throw notFound('subscription');
  return plan;
}

/** Kinder than the service: a dynamic charge is not estimated at 0 when the event has no amount. */
function refuseWithoutCharge(plan: PlanRecord, metric: BillableMetricRecord, request: EstimateRequest): void {
  const charges = instantCharges(plan, metric);
  if (charges.length === 0) throw validation({ code: ['does_not_match_an_instant_charge'] });
  const amount = request.precise_total_amount_cents;
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

function eventOf(metric: BillableMetricRecord, request: EstimateRequest, now: InstantText): EstimateInput['event'] {
  const properties = propertiesWithExpression(metric, request.properties, now);
  const value = metric.field_name === null ? null : propertyText(properties[metric.field_name]);
  if (isNumeric(value) && value.length > LONGEST_NUMBER) throw validation({ properties: ['value_is_out_of_range'] });
  return {
    timestamp: now,
    value,
    operation_type: properties.operation_type === 'remove' ? 'remove' : 'add',
    precise_total_amount_cents:
      request.precise_total_amount_cents === null ? null : centsText(request.precise_total_amount_cents),
    properties,
  };
}

/** The metric's expression, evaluated into its field. A failure is a 422 whose details are text (§1.2). */
function propertiesWithExpression(
  metric: BillableMetricRecord,
  properties: EventProperties,
  now: InstantText,
): EventProperties {
  try {
    return evaluatedProperties({ timestamp: now, properties }, metric);
  } catch (error) {
    if (error instanceof ExpressionError) throw validation(error.message);
    throw error;
  }
}

interface EstimateRecords {
  subscription: SubscriptionRecord;
  plan: PlanRecord;
  metric: BillableMetricRecord;
  customer: CustomerRecord;
  event: EstimateInput['event'];
  now: InstantText;
}

async function computeFees(
  account: AccountStore,
  { subscription, plan, metric, customer, event, now }: EstimateRecords,
) {
  const lists = await loadAccountLists(account);
  const entity = lists.billingEntities.get(customer.billing_entity_id);
  const timezone = customer.timezone ?? entity?.timezone ?? 'UTC';
  const window = currentUsageWindow({ subscription, plan, timezone }, now);
  const owner = { customer, subscription };
  const externalId = subscription.external_id;
  const input = { plan, metric, owner, external_subscription_id: externalId, window, event, now };
  const taxes = { taxes: lists.taxes, customer, entity_tax_codes: entity?.tax_codes ?? [] };
  return estimateFees(input, await account.usage(estimateQueries(input)), taxes, randomUUID());
}

function currentUsageWindow(subject: BasicSubject, now: InstantText) {
  const period = chargesPeriodAt(basisOf(subject), subject.plan, now);
  const window = usageWindow(subject, period, null);
  if (window === null) throw notFound('subscription');
  return window;
}
