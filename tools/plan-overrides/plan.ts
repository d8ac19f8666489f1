/**
 * A plan as it is shown, in the form in which overrides name its values; the plan that overrides make of it; and the overrides
 * as they are sent (service-behaviour §3.2).
 */
import { effectivePlan, termsAsSent } from '../../src/contract/effective-plan.ts';
import { type AnyOverrides, type SentCharge, setsOnlyUnits } from '../../src/contract/plan-overrides.ts';
import type { AnyCharge, Odd, Plan } from '../../src/contract/shown.ts';
import { hasOwnPlan, type PlanAsRead } from '../../src/words/subscription.ts';

export type OverridablePlan = ReturnType<typeof overridable>;
export type OverridableCharge = ReturnType<typeof overridableCharge>;

export function overridable(plan: PlanAsRead) {
  const { minimum_commitment: commitment } = plan;
  return {
    ...plan,
    tax_codes: shownTaxCodes(plan),
    minimum_commitment: commitment && { ...commitment, tax_codes: shownTaxCodes(commitment) },
    charges: plan.charges?.map(overridableCharge),
    fixed_charges: plan.fixed_charges?.map(overridableCharge),
  };
}

function overridableCharge(charge: AnyCharge) {
  const { svc_id: id, svc_parent_id: parent_id, svc_billable_metric_id: billable_metric_id } = charge;
  return { ...charge, id, parent_id, billable_metric_id, tax_codes: shownTaxCodes(charge) };
}

function shownTaxCodes(record: Pick<Plan, 'taxes'>): string[] | undefined {
  return record.taxes === undefined ? undefined : taxCodesOf(record);
}

export function taxCodesOf({ taxes }: Pick<Plan, 'taxes'>): string[] {
  return (taxes ?? []).flatMap(tax => tax.code ?? []);
}

/** A copy of a plan without thresholds of its own has those of its parent. */
export function planThresholds({ usage_thresholds: thresholds, applicable_usage_thresholds: applicable }: Plan) {
  return thresholds?.length ? thresholds : (applicable ?? thresholds);
}

/** The plan that the subscription has with the overrides. Those of quantities alone leave it as it is. */
export function planWith(overrides: AnyOverrides, plan: PlanAsRead): OverridablePlan {
  const isFirst = hasOwnPlan(plan) !== true && !setsOnlyUnits(overrides);
  return effectivePlan(overridable(plan), overridesToSend(overrides, plan), isFirst ? 'first' : 'later');
}

/**
 * What the service takes whole comes from the plan: a minimum commitment; in the subscription's own plan, the price of a charge
 * and its name on invoices. A fixed charge is found by its id in that plan alone.
 */
export function overridesToSend<Sent extends AnyOverrides>(overrides: Sent, plan: PlanAsRead): Sent {
  const { minimum_commitment: commitment, charges, fixed_charges } = overrides;
  const isOwnPlan = hasOwnPlan(plan) === true;
  const ownId = (entry: SentCharge) => chargeOf(entry, plan.fixed_charges)?.svc_id ?? entry.id;
  return {
    ...overrides,
    ...(commitment !== undefined && { minimum_commitment: wholeCommitment(commitment, plan) }),
    ...(charges !== undefined && isOwnPlan && { charges: charges.map(entry => wholeCharge(entry, plan)) }),
    ...(fixed_charges !== undefined &&
      isOwnPlan && { fixed_charges: fixed_charges.map(entry => ({ ...entry, id: ownId(entry) })) }),
  };
}

/** Without any field it has none; what it does not name stays as the plan has it. */
export function wholeCommitment(sent: AnyOverrides['minimum_commitment'], plan: PlanAsRead) {
  const isNone = Object.values(sent ?? {}).every(value => value === undefined);
  return isNone ? {} : { ...termsAsSent(overridable(plan)).minimum_commitment, ...sent };
}

/** An empty name is none. */
function wholeCharge(entry: SentCharge, plan: PlanAsRead): SentCharge {
  const charge = chargeOf(entry, plan.charges);
  if (charge === undefined) return entry;
  const { properties = charge.properties, invoice_display_name: name = charge.invoice_display_name } = entry;
  return { ...entry, properties, ...(name !== null && { invoice_display_name: name === '' ? null : name }) };
}

/** The charge that an entry is about: a charge by its own id, a fixed charge also by that of the one that it was copied from. */
export function chargeOf<Of extends AnyCharge>({ id }: SentCharge, charges: readonly Of[] | Odd): Of | undefined {
  if (id === undefined) return undefined;
  return (
    charges?.find(({ svc_id }) => svc_id === id) ?? charges?.find(each => 'units' in each && each.svc_parent_id === id)
  );
}

/** An entry with an id alone says nothing of its charge. */
export function namesValues(entry: object): boolean {
  return Object.entries(entry).some(([key, value]) => key !== 'id' && value !== undefined);
}
