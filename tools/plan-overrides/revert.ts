/** The overrides that take overrides of a plan back, or why there are none (service-behaviour §3.2). */
import { planDifference, termsAsSent } from '../../src/contract/effective-plan.ts';
import { type AnyOverrides, type SentCharge, setsOnlyUnits } from '../../src/contract/plan-overrides.ts';
import type { AnyCharge } from '../../src/contract/shown.ts';
import { fieldOf, isGiven } from '../../src/lib/json.ts';
import { chargeName } from '../../src/words/price.ts';
import { hasOwnPlan, type PlanAsRead } from '../../src/words/subscription.ts';
import { chargeOf, overridable, planThresholds } from './plan.ts';

type Difference = ReturnType<typeof differenceOf>;
type ChargeDifference = Difference['charges'][number];

/**
 * The override that sets the earlier prices in the subscription's own plan, by the ids that its charges have now; or why
 * there is none. The subscription keeps its own copy of the plan.
 */
export function overridesBack(overrides: AnyOverrides, before: PlanAsRead, after: PlanAsRead): AnyOverrides | string {
  if (hasOwnPlan(before) === null || hasOwnPlan(after) === null) return 'the plan was not shown';
  const { fields, charges } = differenceOf(before, after);
  const back = termsBack(fields, before, after);
  if (typeof back === 'string') return back;
  if (setsOnlyUnits(overrides) && before.own_quantities === true) return unitsBack(overrides, before);
  // If the subscription shares its plan, the plan shows its own quantities, not those that were set for this
  // subscription alone.
  const shared = hasOwnPlan(before) === false;
  const { fixed_charges: sentFixed = [] } = overrides;
  const problem =
    charges.map(specialProblem).find(isGiven) ??
    (shared && sentFixed.some(({ units }) => units !== undefined)
      ? 'the quantities for only this subscription were not shown'
      : null) ??
    (sentFixed.length > 0 && !Array.isArray(after.fixed_charges)
      ? 'the answer does not show its fixed charges'
      : null) ??
    charges.map(chargeProblem).find(isGiven);
  if (problem) return problem;
  const entries = charges.map(each => ({ ...each, entry: chargeBack(each, shared) }));
  const isChanged = ({ before: charge, after: now, entry }: (typeof entries)[number]) =>
    charge === undefined || now === undefined || Object.keys(entry).length > 1;
  const usage = entries.filter(({ list }) => list === 'charges');
  // Without a list all charges stay; a list without one of them would delete that one. An entry without a price is refused.
  if (usage.some(isChanged))
    back.charges = usage
      .filter(each => each.before !== undefined)
      .map(({ entry, earlier }) => ({ ...entry, properties: entry.properties ?? earlier.properties }));
  const fixed = entries.filter(each => each.list === 'fixed_charges' && isChanged(each));
  if (fixed.length > 0) back.fixed_charges = fixed.map(({ entry }) => entry);
  const unseen = setsOnlyUnits(overrides) && Object.keys(back).length === 0;
  return unseen ? 'the answer does not show the quantities for only this subscription' : back;
}

function differenceOf(before: PlanAsRead, after: PlanAsRead) {
  const withThresholds = (plan: PlanAsRead) => overridable({ ...plan, usage_thresholds: planThresholds(plan) ?? [] });
  return planDifference(withThresholds(before), withThresholds(after));
}

/** The earlier values of the plan itself, of its commitment and its thresholds. */
function termsBack(fields: Difference['fields'], before: PlanAsRead, after: PlanAsRead): AnyOverrides | string {
  const [earlier, present] = [termsAsSent(overridable(before)), termsAsSent(overridable(after))];
  const back: AnyOverrides = {};
  for (const field of fields) {
    if (field === 'trial_period' || field === 'amount_currency')
      return `the ${field === 'trial_period' ? 'trial' : 'currency'} of the subscription's own plan can no longer change`;
    if (field === 'usage_thresholds')
      back.usage_thresholds = hasOwnPlan(before) === true ? (earlier.usage_thresholds ?? []) : [];
    else if (field === 'minimum_commitment') {
      const { minimum_commitment: commitment } = earlier;
      if (commitment && !commitment.invoice_display_name && present.minimum_commitment?.invoice_display_name)
        return 'the minimum commitment had no name on invoices, and a name cannot be cleared';
      back.minimum_commitment = commitment ?? {};
    } else if (earlier[field] !== undefined) Object.assign(back, { [field]: earlier[field] });
    else if (fieldOf(before, field) === null)
      return `the plan's ${field.replaceAll('_', ' ')} was empty, and cannot be cleared`;
  }
  return back;
}

/** A later answer does not show them; the record before has them. */
function unitsBack({ fixed_charges: sent = [] }: AnyOverrides, before: PlanAsRead): AnyOverrides {
  const entries = sent.flatMap(entry => {
    const charge = chargeOf(entry, before.fixed_charges);
    const same = entry.units === undefined || Number(charge?.units) === Number(entry.units);
    if (charge === undefined || same) return [];
    return [{ id: charge.svc_id, units: isGiven(charge.units) ? String(charge.units) : null }];
  });
  return entries.length === 0 ? {} : { fixed_charges: entries };
}

/** A charge that an override adds is invoiced, in arrears and not prorated. */
function specialProblem({ before: charge, after }: ChargeDifference): string | null {
  if (charge === undefined || after !== undefined) return null;
  const { pay_in_advance, prorated, invoiceable }: AnyCharge = charge;
  return pay_in_advance === true || prorated === true || invoiceable === false
    ? `${chargeName(charge)} was deleted, and a new charge cannot be billed the same way (in advance, prorated or without an invoice)`
    : null;
}

/** Why the earlier values of a charge cannot be set again. */
function chargeProblem({ list, before, after, earlier }: ChargeDifference): string | null {
  if (before === undefined || after === undefined) return null;
  const minimumOf = ({ min_amount_cents: minimum }: AnyCharge) => Number(minimum ?? 0);
  if (minimumOf(before) !== minimumOf(after)) return `the minimum of ${chargeName(before)} can no longer change`;
  if (list === 'fixed_charges' && isUnnamed(before, after))
    return 'a fixed charge had no name on invoices, and a name cannot be cleared';
  const { applied_pricing_unit: unit }: AnyCharge = after;
  return !isGiven(earlier.applied_pricing_unit?.conversion_rate) && isGiven(unit?.conversion_rate)
    ? 'a charge had no conversion rate, and a rate cannot be cleared'
    : null;
}

function isUnnamed(before: AnyCharge, after: AnyCharge): boolean {
  return before.invoice_display_name === null && isGiven(after.invoice_display_name);
}

/** An earlier charge: its id now with the values that differ, or a new one where it is gone. */
function chargeBack({ before, after, fields, earlier }: ChargeDifference, shared: boolean): SentCharge {
  if (before === undefined || after === undefined) {
    const { id: _, ...values } = earlier;
    return values;
  }
  const sent = fields.filter(field => earlier[field] !== undefined && !(shared && field === 'units'));
  return {
    id: after.svc_id,
    ...Object.fromEntries(sent.map(field => [field, earlier[field]])),
    // An empty name of a charge is none; of a fixed charge no one knows that.
    ...(isUnnamed(before, after) && { invoice_display_name: '' }),
  };
}
