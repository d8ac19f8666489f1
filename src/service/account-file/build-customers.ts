/** Turns entries of customers and subscriptions into records. */
import type {
  AppliedCouponRecord,
  CustomerRecord,
  PlanRecord,
  SubscriptionRecord,
} from '../../engine/records/index.ts';
import { idOf } from '../store/ids.ts';
import { type AccountBuilder, type Path, requireThat } from './account-builder.ts';
import { addOverriddenPlan } from './build-overrides.ts';
import type { AccountEntries } from './schema.ts';

type CustomerEntry = AccountEntries['customers'][number];
type SubscriptionEntry = AccountEntries['subscriptions'][number];

export function buildCustomers(builder: AccountBuilder, entries: AccountEntries): void {
  builder.each('customers', entries.customers, (entry, path, position) => {
    const [record] = builder.all(
      () => customer(builder, entry, position + 1, path),
      () =>
        builder.parts(entry.applied_coupons, (applied, n) =>
          checkAppliedCoupon(builder, applied, [...path, 'applied_coupons', n]),
        ),
    );
    builder.add('customers', entry.external_id, record, path);
    builder.parts(entry.applied_coupons, (applied, n) => {
      const at = [...path, 'applied_coupons', n];
      builder.add('applied_coupons', `${entry.external_id} ${n}`, appliedCoupon(builder, record, applied, n, at), at);
    });
  });
  builder.each('subscriptions', entries.subscriptions, (entry, path) => {
    const earlier = builder.records.subscriptions.filter(other => other.external_id === entry.external_id).length;
    const key = earlier ? `${entry.external_id} ${earlier + 1}` : entry.external_id;
    builder.add('subscriptions', key, subscription(builder, entry, key, path), path);
  });
}

function customer(builder: AccountBuilder, entry: CustomerEntry, position: number, path: Path): CustomerRecord {
  const { billing_entity_code: entityCode, applied_coupons: _coupons, ...fields } = entry;
  const base = builder.idAndTimes('customer', entry.external_id, entry);
  const sections = entry.invoice_custom_section_codes;
  const [entity] = builder.all(
    () => builder.billingEntity(entityCode, path),
    () => builder.requireNew('customers', entry.external_id, path),
    () => builder.needAll('taxes', entry.tax_codes, [...path, 'tax_codes']),
    () => builder.needAll('invoice_custom_sections', sections, [...path, 'invoice_custom_section_codes']),
  );
  return {
    ...fields,
    ...base,
    billing_entity_id: entity.id,
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

function checkAppliedCoupon(
  builder: AccountBuilder,
  { code, status, terminated_at }: CustomerEntry['applied_coupons'][number],
  path: Path,
): void {
  const agrees = status === 'terminated' || terminated_at === null;
  builder.all(
    () => builder.need('coupons', code, [...path, 'code']),
    () => requireThat(agrees, [...path, 'terminated_at'], 'is only for a terminated one'),
  );
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
  const frequency = entry.frequency ?? coupon.frequency;
  const amount = entry.amount_cents ?? coupon.amount_cents;
  const duration = entry.frequency_duration ?? coupon.frequency_duration;
  const base = builder.idAndTimes('applied_coupon', `${customer.external_id} ${entry.code} ${position}`, entry);
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
  const [soldPlan, owner, entity] = builder.all(
    () => builder.need('plans', entry.plan_code, [...path, 'plan_code']),
    () => builder.need('customers', entry.external_customer_id, [...path, 'external_customer_id']),
    () => (entityCode === undefined ? null : builder.billingEntity(entityCode, path)),
    () => requireFixedCharges(builder, entry, path),
    ...entryRules(builder, entry, path),
  );
  // A subscription that has not started was created before its start; by default when the customer was.
  const created = entry.created_at ?? (hasStarted(entry) ? entry.subscription_at : owner.created_at);
  const base = builder.idAndTimes('subscription', key, { ...entry, created_at: created });
  const [plan, previous] = builder.all(
    () =>
      overrides === undefined
        ? soldPlan
        : addOverriddenPlan(builder, soldPlan, overrides, {
            key,
            created: base.created_at,
            path: [...path, 'plan_overrides'],
          }),
    () => (previousPlan === undefined ? null : previousSubscription(builder, entry, previousPlan, path)),
  );
  const started = entry.started_at ?? (hasStarted(entry) ? entry.subscription_at : null);
  return {
    ...fields,
    ...base,
    customer_id: owner.id,
    plan_id: plan.id,
    billing_entity_id: entity?.id ?? null,
    started_at: started,
    activated_at: started,
    previous_subscription_id: previous?.id ?? null,
    // Made without a name, it has an empty one (§3.2).
    name: entry.name ?? '',
    on_termination_credit_note: plan.pay_in_advance ? (entry.on_termination_credit_note ?? null) : null,
    activation_rules: entry.activation_rules.map(({ id, ...rule }, i) => ({
      created_at: base.created_at,
      updated_at: base.updated_at,
      ...rule,
      svc_id: id ?? idOf('activation_rule', `${key} ${i}`),
    })),
    usage_thresholds: entry.usage_thresholds.map((threshold, i) => ({
      ...threshold,
      id: threshold.id ?? idOf('usage_threshold', `${key} ${i}`),
      created_at: base.created_at,
      updated_at: base.updated_at,
    })),
    fixed_charge_units: unitsOf(entry, plan),
  };
}

/** The units are of fixed charges of the plan that was sold; an overridden copy of the plan has the same ones. */
function requireFixedCharges(builder: AccountBuilder, entry: SubscriptionEntry, path: Path): void {
  const soldPlan = builder.need('plans', entry.plan_code, [...path, 'plan_code']);
  builder.parts(Object.keys(entry.fixed_charge_units), code => {
    const known = soldPlan.fixed_charges.some(each => each.code === code);
    requireThat(known, [...path, 'fixed_charge_units', code], `is no fixed charge of ${soldPlan.code}`);
  });
}

/** The stated units, by the ids of the fixed charges. */
function unitsOf({ fixed_charge_units: units }: SubscriptionEntry, plan: PlanRecord): { [id: string]: string } {
  const quantityById = plan.fixed_charges.flatMap(({ id, code }) => {
    const quantity = units[code];
    return quantity === undefined ? [] : [[id, quantity] as const];
  });
  return Object.fromEntries(quantityById);
}

function hasStarted(entry: SubscriptionEntry): boolean {
  return entry.status === 'active' || entry.status === 'terminated';
}

/** The rules that can be checked without the customer and the plan. */
function entryRules(builder: AccountBuilder, entry: SubscriptionEntry, path: Path): (() => unknown)[] {
  const { status, next_plan_code: next, previous_plan_code: previous } = entry;
  const codes = entry.invoice_custom_section_codes;
  const twin = builder.records.subscriptions.some(
    other => other.external_id === entry.external_id && other.status === 'active' && status === 'active',
  );
  return [
    () => requireThat(status !== 'terminated' || !!entry.terminated_at, [...path, 'terminated_at'], 'is needed'),
    () => requireThat(status !== 'canceled' || !!entry.canceled_at, [...path, 'canceled_at'], 'is needed'),
    () => next && builder.need('plans', next, [...path, 'next_plan_code']),
    () => previous && builder.need('plans', previous, [...path, 'previous_plan_code']),
    () => builder.needAll('invoice_custom_sections', codes, [...path, 'invoice_custom_section_codes']),
    () =>
      requireThat(!twin, [...path, 'external_id'], `there is an active subscription "${entry.external_id}" already`),
  ];
}

function previousSubscription(
  builder: AccountBuilder,
  entry: SubscriptionEntry,
  planCode: string,
  path: Path,
): SubscriptionRecord {
  const at = [...path, 'previous_plan_code'];
  const plan = builder.need('plans', planCode, at);
  const previous = builder.records.subscriptions.find(
    other =>
      other.external_id === entry.external_id &&
      [other.plan_id, builder.byId('plans', other.plan_id).parent_id].includes(plan.id),
  );
  if (!previous) {
    const problem = `no earlier subscription "${entry.external_id}" is on ${planCode}`;
    throw builder.missing('subscriptions', entry.external_id, at, problem);
  }
  return previous;
}
