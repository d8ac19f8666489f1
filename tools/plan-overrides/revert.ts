/** The overrides that take overrides of a plan back, or why there are none (service-behaviour §3.2). */
import {
  type AnyOverrides,
  chargeFields,
  commitmentFields,
  filterFields,
  fixedChargeFields,
  planFields,
  type SentCharge,
  type SentFields,
  setByFirstOverride,
  setsOnlyUnits,
  thresholdFields,
} from '../../src/contract/plan-overrides.ts';
import type { AnyCharge, Plan } from '../../src/contract/shown.ts';
import { fieldOf, isGiven } from '../../src/lib/json.ts';
import { chargeName } from '../../src/words/price.ts';
import { hasOwnPlan, type PlanAsRead } from '../../src/words/subscription.ts';
import { planThresholds, sendable, withoutNulls } from './sendable.ts';

/**
 * The override that sets the earlier prices in the subscription's own plan, by the ids that its charges have now; or why
 * there is none. The subscription keeps its own copy of the plan.
 */
export function overridesBack(overrides: AnyOverrides, before: PlanAsRead, after: PlanAsRead): AnyOverrides | string {
  if (hasOwnPlan(before) === null || hasOwnPlan(after) === null) return 'the plan was not shown';
  const back = termsBack(before, after);
  if (typeof back === 'string') return back;
  const quantities = overrides.fixed_charges ?? [];
  if (setsOnlyUnits(overrides) && before.own_quantities === true) {
    const entries = quantities.flatMap(({ id, units }) => {
      const charge = (before.fixed_charges ?? []).find(each => [each.svc_id, each.svc_parent_id].includes(id));
      const same = units === undefined || Number(charge?.units) === Number(units);
      return charge === undefined || same
        ? []
        : [{ id: charge.svc_id, units: isGiven(charge.units) ? String(charge.units) : null }];
    });
    return entries.length === 0 ? {} : { fixed_charges: entries };
  }
  const special = (before.charges ?? []).find(
    charge => chargeAfter(charge, after.charges ?? []) === undefined && isSpecial(charge),
  );
  if (special !== undefined)
    return `${chargeName(special)} was deleted, and a new charge cannot be billed in its way (in advance, prorated or without an invoice)`;
  const charges = chargesBack(before.charges ?? [], after.charges ?? [], chargeFields);
  // If the subscription shares its plan, the plan shows its own quantities, not those that were set for this
  // subscription alone.
  const shared = hasOwnPlan(before) === false;
  if (shared && (overrides.fixed_charges ?? []).some(({ units }) => units !== undefined))
    return 'the quantities of this subscription alone were not shown';
  const fixedBefore = (before.fixed_charges ?? []).map(charge => (shared ? { ...charge, units: null } : charge));
  const areShown = Array.isArray(after.fixed_charges);
  if (!areShown && (overrides.fixed_charges ?? []).length > 0) return 'the answer does not show its fixed charges';
  const fixed = areShown ? chargesBack(fixedBefore, after.fixed_charges, fixedChargeFields) : [];
  if (typeof charges === 'string') return charges;
  if (typeof fixed === 'string') return fixed;
  const isNew = (entry: SentCharge) => entry.id === undefined;
  const chargesDiffer =
    charges.some(entry => isNew(entry) || isChanged(entry)) || (after.charges?.length ?? 0) !== charges.length;
  // Without a list all charges stay; a list without one of them would delete that one.
  if (chargesDiffer)
    back.charges = charges.map(entry =>
      isNew(entry) ? entry : withPrice(entry, before.charges ?? [], after.charges ?? []),
    );
  if (fixed.some(isChanged)) back.fixed_charges = fixed.filter(isChanged);
  const unseen = setsOnlyUnits(overrides) && Object.keys(back).length === 0;
  return unseen ? 'the answer does not show the quantities of this subscription alone' : back;
}

/** The earlier values of the plan itself, of its commitment and its thresholds. */
function termsBack(before: Plan, after: Plan): AnyOverrides | string {
  const back: AnyOverrides = {};
  for (const field of setByFirstOverride) {
    if (!same(before[field], after[field]))
      return `the ${field === 'trial_period' ? 'trial' : 'currency'} of the subscription's own plan cannot change any more`;
  }
  const [earlier, present] = [sendable(planFields, before), sendable(planFields, after)];
  for (const field of Object.keys(planFields) as (keyof typeof planFields)[]) {
    if (same(earlier[field], present[field])) continue;
    if (fieldOf(before, field) === null && field !== 'metadata')
      return `the plan's ${field.replaceAll('_', ' ')} was empty, and cannot be emptied again`;
    Object.assign(back, { [field]: earlier[field] });
  }
  const [earlierCommitment, presentCommitment] = [commitmentOf(before), commitmentOf(after)];
  if (earlierCommitment === null && presentCommitment !== null) back.minimum_commitment = {};
  if (
    earlierCommitment !== null &&
    earlierCommitment.invoice_display_name === undefined &&
    presentCommitment?.invoice_display_name !== undefined
  )
    return 'the minimum commitment had no name on invoices, and its name cannot be emptied again';
  if (earlierCommitment !== null && !same(earlierCommitment, presentCommitment))
    back.minimum_commitment = earlierCommitment;
  // A copy without thresholds of its own has those of its parent.
  if (!same(thresholdsOf(planThresholds(before)), thresholdsOf(planThresholds(after))))
    back.usage_thresholds = hasOwnPlan(before) === true ? thresholdsOf(before.usage_thresholds) : [];
  return back;
}

/** The charge as it is after the update: itself, or its copy in the subscription's own plan. */
function chargeAfter(charge: AnyCharge, after: readonly AnyCharge[]): AnyCharge | undefined {
  return after.find(each => [each.svc_id, each.svc_parent_id].includes(charge.svc_id));
}

/** A charge that an override adds is invoiced, in arrears and not prorated. */
function isSpecial({ pay_in_advance, prorated, invoiceable }: AnyCharge): boolean {
  return pay_in_advance === true || prorated === true || invoiceable === false;
}

function isChanged(entry: SentCharge): boolean {
  return Object.keys(entry).length > 1;
}

/** Each earlier charge: its id now with the values that differ, or a new one where it is gone; or why there is no way back. */
function chargesBack(
  before: readonly AnyCharge[],
  after: readonly AnyCharge[],
  fields: ChargeFields,
): SentCharge[] | string {
  const entries: SentCharge[] = [];
  for (const charge of before) {
    const now = chargeAfter(charge, after);
    const [earlier, present] = [valuesOf(charge, fields), valuesOf(now ?? {}, fields)];
    if (now === undefined) {
      const { svc_billable_metric_id: billable_metric_id, code, charge_model } = charge;
      entries.push(withoutNulls({ billable_metric_id, code, charge_model, ...earlier }));
      continue;
    }
    const { min_amount_cents: minimum } = earlier;
    if (fields === chargeFields && !same(minimum ?? 0, present.min_amount_cents ?? 0))
      return `the minimum of ${chargeName(charge)} cannot change any more`;
    // An empty name of a charge is none; of a fixed charge nobody knows that.
    const isNamed = charge.invoice_display_name === null && isGiven(now.invoice_display_name);
    if (isNamed && fields === fixedChargeFields)
      return 'a fixed charge had no name on invoices, and its name cannot be emptied again';
    if (isNamed) earlier.invoice_display_name = '';
    if (earlier.applied_pricing_unit === undefined && present.applied_pricing_unit !== undefined)
      return 'a charge had no conversion rate, and its rate cannot be emptied again';
    const different = Object.entries(earlier).filter(([field, value]) => !same(value, fieldOf(present, field)));
    entries.push({ id: now.svc_id, ...Object.fromEntries(different) });
  }
  return entries;
}

/** An entry without a price would be refused. */
function withPrice(entry: SentCharge, before: readonly AnyCharge[], after: readonly AnyCharge[]): SentCharge {
  const earlier = before.find(charge => chargeAfter(charge, after)?.svc_id === entry.id);
  return { ...entry, properties: entry.properties ?? earlier?.properties };
}

type ChargeFields = typeof chargeFields | typeof fixedChargeFields;

function valuesOf(charge: AnyCharge, fields: ChargeFields): SentCharge {
  const { properties, invoice_display_name, tax_codes, ...numbers } = sendable(fields, charge);
  const filters = charge.filters === undefined ? undefined : filtersOf(charge);
  const { conversion_rate } = charge.applied_pricing_unit ?? {};
  const applied_pricing_unit = isGiven(conversion_rate) ? { conversion_rate } : undefined;
  return withoutNulls({ properties, applied_pricing_unit, filters, ...numbers, invoice_display_name, tax_codes });
}

function filtersOf({ filters }: AnyCharge) {
  return (filters ?? []).map(filter => sendable(filterFields, filter));
}

function commitmentOf({ minimum_commitment: commitment }: Plan): SentFields<typeof commitmentFields> | null {
  return commitment === undefined || commitment === null ? null : sendable(commitmentFields, commitment);
}

function thresholdsOf(thresholds: Plan['usage_thresholds']) {
  const sent = (thresholds ?? []).map(threshold => sendable(thresholdFields, threshold));
  return sent.sort((left, right) => Number(left.amount_cents) - Number(right.amount_cents));
}

function same(left: unknown, right: unknown): boolean {
  return JSON.stringify(left ?? null) === JSON.stringify(right ?? null);
}
