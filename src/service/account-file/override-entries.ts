/** What a subscription overrides in its plan: a copy of the plan, as the service makes it (service-behaviour §3.2). */
import * as z from 'zod';
import { byKind, planFields, planOverrideFields } from '../../contract/plan-overrides.ts';
import { overriddenPlan, type PlanOverrides } from '../../engine/plan-overrides.ts';
import { rulesBrokenByCharge, rulesBrokenByFixedCharge } from '../../engine/plan-rules.ts';
import type { PlanRecord } from '../../engine/records/index.ts';
import { idOf } from '../store/ids.ts';
import type { AccountBuilder } from './account-builder.ts';
import { chargeFilters, usageThreshold } from './plan-entries.ts';
import * as is from './values.ts';

const asInPlan = <Value extends z.ZodType>(value: Value) => is.optional(value, 'as in the plan');
const orDropped = <Value extends z.ZodType>(value: Value) =>
  is.optional(value, 'dropped, as by an override of the API');
const codes = z.array(is.referenceTo('taxes'));
const ofOverride = {
  cents: asInPlan(is.count),
  currency: asInPlan(is.currency),
  prices: asInPlan(is.jsonObject).describe('what the charge model needs'),
  days: asInPlan(is.amountValue).describe('days'),
  name: asInPlan(is.label),
  text: asInPlan(z.string().nullable()),
  codes: asInPlan(codes),
  metadata: asInPlan(is.metadataEntries),
};
const {
  charges: [{ id: _i, billable_metric_id: _b, code: _c, charge_model: _m, tax_codes: _t, ...chargeTerms }],
  fixed_charges: [{ id: _id, units: _u, apply_units_immediately: _a, ...fixedChargeTerms }],
} = planOverrideFields;

const chargeOverrides = z.strictObject({
  charge_code: is.label,
  ...byKind(chargeTerms, ofOverride),
  filters: asInPlan(chargeFilters),
  tax_codes: orDropped(codes),
});
const fixedChargeOverrides = z.strictObject({
  fixed_charge_code: is.label,
  ...byKind(fixedChargeTerms, ofOverride),
});
const commitmentOverrides = z.strictObject({
  ...byKind(planOverrideFields.minimum_commitment, ofOverride),
  amount_cents: asInPlan(is.positiveCents),
});

/** Quantities of fixed charges: `fixed_charge_units` of the subscription. */
export const planOverrides = z.strictObject({
  ...byKind(planFields, ofOverride),
  tax_codes: orDropped(codes),
  minimum_commitment: orDropped(commitmentOverrides),
  charges: asInPlan(z.array(chargeOverrides)),
  fixed_charges: asInPlan(z.array(fixedChargeOverrides)),
  usage_thresholds: asInPlan(z.array(usageThreshold)),
});
type OverridesEntry = z.output<typeof planOverrides>;

/** Adds the copy for a subscription, whose key the ids of the copy follow from. */
export function addOverriddenPlan(
  builder: AccountBuilder,
  plan: PlanRecord,
  entry: OverridesEntry,
  { key, created }: { key: string; created: string },
): PlanRecord {
  const overrides = overridesOf(builder, plan, entry);
  builder.requireParts();
  let count = 0;
  const newId = () => idOf('plan_override', `${key} ${count++}`);
  const copy = overriddenPlan(plan, overrides, { now: created, newId });
  checkCharges(builder, copy, entry);
  return builder.add('plans', `${plan.code} of the subscription ${key}`, copy, 'plan_overrides');
}

/** Charges are stated by code, and overridden by id. */
function overridesOf(builder: AccountBuilder, plan: PlanRecord, entry: OverridesEntry): PlanOverrides {
  const { charges = [], fixed_charges: fixedCharges = [], usage_thresholds: thresholds, ...others } = entry;
  const idIn = (list: readonly { code: string; id: string }[], code: string, at: readonly (string | number)[]) => {
    const charge = list.find(each => each.code === code);
    builder.require(charge !== undefined, ['plan_overrides', ...at], `is no charge of the plan ${plan.code}`);
    return charge.id;
  };
  return {
    ...others,
    charges: builder.parts(charges, ({ charge_code: code, ...fields }, i) => ({
      ...fields,
      id: idIn(plan.charges, code, ['charges', i, 'charge_code']),
    })),
    fixed_charges: builder.parts(fixedCharges, ({ fixed_charge_code: code, ...fields }, i) => ({
      ...fields,
      id: idIn(plan.fixed_charges, code, ['fixed_charges', i, 'fixed_charge_code']),
    })),
    ...(thresholds && { usage_thresholds: thresholds.map(({ id: _, ...threshold }) => threshold) }),
  };
}

/** The stated charges must be as valid as those of a plan (§9). */
function checkCharges(builder: AccountBuilder, copy: PlanRecord, { charges = [], fixed_charges = [] }: OverridesEntry) {
  for (const [i, { charge_code: code }] of charges.entries()) {
    const charge = copy.charges.find(each => each.code === code);
    const metric = charge && builder.byId('billable_metrics', charge.billable_metric_id);
    if (metric) builder.checkRules(rulesBrokenByCharge(charge, metric), ['plan_overrides', 'charges', i]);
  }
  for (const [i, { fixed_charge_code: code }] of fixed_charges.entries()) {
    const charge = copy.fixed_charges.find(each => each.code === code);
    if (charge) builder.checkRules(rulesBrokenByFixedCharge(charge), ['plan_overrides', 'fixed_charges', i]);
  }
}
