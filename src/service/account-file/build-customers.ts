/** Turns entries of customers, subscriptions and usage events into records. */
import { isNumeric } from '../../pricing/money.ts';
import type {
  AppliedCouponRecord,
  BillableMetricRecord,
  CustomerRecord,
  JsonObject,
  PlanRecord,
  SubscriptionRecord,
} from '../records/index.ts';
import { evaluatedProperties, propertyText, readsNumbers } from '../store/events.ts';
import { idOf } from '../store/ids.ts';
import { type AccountBuilder, AccountFileError, atPlace, type Path, requireThat } from './account-builder.ts';
import { ownPlan } from './build-overrides.ts';
import type { AccountEntries } from './schema.ts';

type CustomerEntry = AccountEntries['customers'][number];
type SubscriptionEntry = AccountEntries['subscriptions'][number];

export function buildCustomers(builder: AccountBuilder, entries: AccountEntries): void {
  builder.each('customers', entries.customers, (entry, path, position) => {
    const record = builder.add('customers', entry.external_id, customer(builder, entry, position + 1, path), path);
    builder.parts(entry.applied_coupons, (applied, n) => {
      const at = [...path, 'applied_coupons', n];
      builder.add('applied_coupons', `${entry.external_id} ${n}`, appliedCoupon(builder, record, applied, n, at), at);
    });
  });
  builder.each('subscriptions', entries.subscriptions, (entry, path) => {
    const same = builder.records.subscriptions.filter(other => other.external_id === entry.external_id).length;
    const key = same ? `${entry.external_id} ${same + 1}` : entry.external_id;
    builder.add('subscriptions', key, subscription(builder, entry, key, path), path);
  });
}

function customer(builder: AccountBuilder, entry: CustomerEntry, position: number, path: Path): CustomerRecord {
  const { billing_entity_code: entityCode, applied_coupons: _coupons, ...fields } = entry;
  const base = builder.base('customer', entry.external_id, entry);
  builder.needAll('taxes', entry.tax_codes, [...path, 'tax_codes']);
  const sections = entry.invoice_custom_section_codes;
  builder.needAll('invoice_custom_sections', sections, [...path, 'invoice_custom_section_codes']);
  return {
    ...fields,
    ...base,
    billing_entity_id: builder.entity(entityCode, path).id,
    sequential_id: position,
    slug: `${builder.organization.slug_prefix}-${String(position).padStart(3, '0')}`,
    metadata: entry.metadata.map(pair => ({
      id: idOf('customer_metadata', `${entry.external_id} ${pair.key}`),
      ...pair,
      created_at: base.created_at,
    })),
    error_details: entry.error_details.map((detail, i) => ({
      id: idOf('customer_error', `${entry.external_id} ${i}`),
      ...detail,
    })),
    deleted_at: null,
  };
}

function appliedCoupon(
  builder: AccountBuilder,
  customer: CustomerRecord,
  entry: CustomerEntry['applied_coupons'][number],
  position: number,
  path: Path,
): AppliedCouponRecord {
  const coupon = builder.need('coupons', entry.code, [...path, 'code']);
  const terminated = entry.status === 'terminated';
  requireThat(terminated || entry.terminated_at === null, [...path, 'terminated_at'], 'is only for a terminated one');
  const frequency = entry.frequency ?? coupon.frequency;
  const amount = entry.amount_cents ?? coupon.amount_cents;
  const duration = entry.frequency_duration ?? coupon.frequency_duration;
  const base = builder.base('applied_coupon', `${customer.external_id} ${entry.code} ${position}`, entry);
  return {
    ...base,
    coupon_id: coupon.id,
    customer_id: customer.id,
    status: entry.status,
    amount_cents: amount,
    amount_cents_remaining: frequency === 'once' ? (entry.amount_cents_remaining ?? amount) : null,
    amount_currency: coupon.amount_currency,
    percentage_rate: entry.percentage_rate ?? coupon.percentage_rate,
    frequency,
    frequency_duration: duration,
    frequency_duration_remaining: frequency === 'recurring' ? (entry.frequency_duration_remaining ?? duration) : null,
    terminated_at: entry.terminated_at ?? (terminated ? base.created_at : null),
  };
}

function subscription(builder: AccountBuilder, entry: SubscriptionEntry, key: string, path: Path): SubscriptionRecord {
  const {
    external_customer_id: _customer,
    plan_code: _plan,
    billing_entity_code: entityCode,
    previous_plan_code: previousPlan,
    plan_overrides: overrides,
    ...fields
  } = entry;
  const { sold, owner } = planAndCustomer(builder, entry, path);
  // A subscription that has not started was created before its start; by default when the customer was.
  const created = entry.created_at ?? (hasStarted(entry) ? entry.subscription_at : owner.created_at);
  const base = builder.base('subscription', key, { ...entry, created_at: created });
  const plan =
    overrides === undefined
      ? sold
      : ownPlan(builder, sold, overrides, { key, created: base.created_at, path: [...path, 'plan_overrides'] });
  const started = entry.started_at ?? (hasStarted(entry) ? entry.subscription_at : null);
  checkStates(builder, entry, path);
  return {
    ...fields,
    ...base,
    customer_id: owner.id,
    plan_id: plan.id,
    billing_entity_id: entityCode === undefined ? null : builder.entity(entityCode, path).id,
    started_at: started,
    activated_at: started,
    previous_subscription_id: previousPlan === undefined ? null : predecessor(builder, entry, previousPlan, path).id,
    on_termination_credit_note: plan.pay_in_advance ? (entry.on_termination_credit_note ?? 'credit') : null,
    activation_rules: [],
    usage_thresholds: entry.usage_thresholds.map((threshold, i) => ({
      ...threshold,
      id: threshold.id ?? idOf('usage_threshold', `${key} ${i}`),
      created_at: base.created_at,
      updated_at: base.updated_at,
    })),
    fixed_charge_units: fixedChargeUnits(entry, plan, path),
  };
}

/** Both are looked for before either is missed, so that both problems are told. */
function planAndCustomer(builder: AccountBuilder, entry: SubscriptionEntry, path: Path) {
  const { plan_code: planCode, external_customer_id: customerId } = entry;
  const references = [
    ['plans', planCode, 'plan_code'],
    ['customers', customerId, 'external_customer_id'],
  ] as const;
  builder.parts(references, ([table, key, field]) => builder.need(table, key, [...path, field]));
  return { sold: builder.need('plans', planCode, path), owner: builder.need('customers', customerId, path) };
}

/** By the ids of the charges. */
function fixedChargeUnits(entry: SubscriptionEntry, plan: PlanRecord, path: Path): { [id: string]: string } {
  const units = Object.entries(entry.fixed_charge_units).map(([code, quantity]) => {
    const charge = plan.fixed_charges.find(each => each.code === code);
    const at = [...path, 'fixed_charge_units', code];
    if (!charge) throw new AccountFileError(at, `is no fixed charge of ${plan.code}`);
    return [charge.id, quantity] as const;
  });
  return Object.fromEntries(units);
}

function hasStarted(entry: SubscriptionEntry): boolean {
  return entry.status === 'active' || entry.status === 'terminated';
}

function checkStates(builder: AccountBuilder, entry: SubscriptionEntry, path: Path): void {
  requireThat(entry.status !== 'terminated' || !!entry.terminated_at, [...path, 'terminated_at'], 'is needed');
  requireThat(entry.status !== 'canceled' || !!entry.canceled_at, [...path, 'canceled_at'], 'is needed');
  if (entry.next_plan_code) builder.need('plans', entry.next_plan_code, [...path, 'next_plan_code']);
  const codes = entry.invoice_custom_section_codes;
  builder.needAll('invoice_custom_sections', codes, [...path, 'invoice_custom_section_codes']);
  const twin = builder.records.subscriptions.some(
    other => other.external_id === entry.external_id && other.status === 'active' && entry.status === 'active',
  );
  requireThat(!twin, [...path, 'external_id'], `there is an active subscription "${entry.external_id}" already`);
}

function predecessor(
  builder: AccountBuilder,
  entry: SubscriptionEntry,
  planCode: string,
  path: Path,
): SubscriptionRecord {
  const at = [...path, 'previous_plan_code'];
  const plan = builder.need('plans', planCode, at);
  const found = builder.records.subscriptions.find(
    other =>
      other.external_id === entry.external_id &&
      [other.plan_id, builder.byId('plans', other.plan_id).parent_id].includes(plan.id),
  );
  if (!found) {
    const problem = `no earlier subscription "${entry.external_id}" is on ${planCode}`;
    throw builder.missing('subscriptions', entry.external_id, at, problem);
  }
  return found;
}

/** An event's subscription may be unknown. Its metric must exist, and the metric's expression must be computable. */
export function buildEvents(builder: AccountBuilder, entries: AccountEntries['events']): void {
  const subscriptions = new Map<string, SubscriptionRecord[]>();
  for (const each of builder.records.subscriptions) {
    subscriptions.set(each.external_id, [...(subscriptions.get(each.external_id) ?? []), each]);
  }
  builder.each('events', entries, (entry, path) => {
    const metric = builder.need('billable_metrics', entry.code, [...path, 'code']);
    const theirs = subscriptions.get(entry.external_subscription_id) ?? [];
    const owner = theirs.find(each => covers(each, entry.timestamp)) ?? null;
    if (owner === null) builder.warn(path, whyUncounted(entry, theirs));
    // Only a check: the store evaluates the expression again when it stores the event.
    const properties = atPlace([...path, 'properties'], () => evaluatedProperties(entry, metric));
    checkNumber(builder, metric, properties, path);
    const key = `${entry.external_subscription_id} ${entry.transaction_id}`;
    const record = {
      ...entry,
      id: entry.id ?? idOf('event', key),
      created_at: entry.created_at ?? entry.timestamp,
      subscription_id: owner?.id ?? null,
      customer_id: owner?.customer_id ?? null,
    };
    builder.add('events', key, record, path);
  });
}

/** Why an event belongs to no subscription. */
function whyUncounted(
  { external_subscription_id: id, timestamp }: AccountEntries['events'][number],
  theirs: readonly SubscriptionRecord[],
): string {
  const counts = 'so that it counts for nothing';
  if (theirs.length === 0) return `there is no subscription "${id}", ${counts}`;
  const started = theirs.flatMap(each => each.started_at ?? []).sort();
  if (started[0] === undefined) return `the subscription "${id}" has not started, ${counts}`;
  return timestamp < started[0]
    ? `is before the start of the subscription "${id}" (${started[0]}), ${counts}`
    : `is not within the subscription "${id}", ${counts}`;
}

/** Sums, maxima and the like leave out events without a number (§8). */
function checkNumber(builder: AccountBuilder, metric: BillableMetricRecord, properties: JsonObject, path: Path): void {
  const { aggregation_type: type, field_name: field, code } = metric;
  if (field === null || !readsNumbers(type) || isNumeric(propertyText(properties[field]))) return;
  const at = [...path, 'properties', field];
  builder.warn(at, `is no number, which the metric "${code}" (${type}) needs, so that the event counts for nothing`);
}

function covers(subscription: SubscriptionRecord, timestamp: string): boolean {
  if (!subscription.started_at || subscription.started_at > timestamp) return false;
  return !subscription.terminated_at || timestamp <= subscription.terminated_at;
}
