/** Overrides of a plan as they are sent: what the service takes whole comes from the plan (service-behaviour §3.2). */
import { type AnyOverrides, commitmentFields, type SentCharge } from '../../src/contract/plan-overrides.ts';
import type { AnyCharge } from '../../src/contract/shown.ts';
import { hasOwnPlan, type PlanAsRead } from '../../src/words/subscription.ts';
import { sendable } from './sendable.ts';

/**
 * A minimum commitment is whole. In the subscription's own plan, an entry of a charge without a price is refused, and one
 * without a name on invoices empties it; a fixed charge is found by its id in that plan alone.
 */
export function overridesToSend<Sent extends AnyOverrides>(overrides: Sent, plan: PlanAsRead): Sent {
  const { minimum_commitment: commitment, charges, fixed_charges } = overrides;
  const isOwnPlan = hasOwnPlan(plan) === true;
  return {
    ...overrides,
    ...(commitment !== undefined && { minimum_commitment: wholeCommitment(commitment, plan) }),
    ...(charges !== undefined && isOwnPlan && { charges: charges.map(entry => wholeCharge(entry, plan)) }),
    ...(fixed_charges !== undefined &&
      isOwnPlan && {
        fixed_charges: fixed_charges.map(entry => ({ ...entry, id: ownId(entry, plan) })),
      }),
  };
}

/** Without any field it has none; what it does not name stays as the plan has it. */
export function wholeCommitment(
  sent: AnyOverrides['minimum_commitment'],
  { minimum_commitment: stored }: PlanAsRead,
): AnyOverrides['minimum_commitment'] {
  const isNone = Object.values(sent ?? {}).every(value => value === undefined);
  return isNone ? {} : { ...sendable(commitmentFields, stored ?? {}), ...sent };
}

/** An empty name is none. */
function wholeCharge(entry: SentCharge, plan: PlanAsRead): SentCharge {
  const charge = chargeOf(entry, plan.charges ?? []);
  if (charge === undefined) return entry;
  const { properties = charge.properties, invoice_display_name: name = charge.invoice_display_name } = entry;
  return { ...entry, properties, ...(name !== null && { invoice_display_name: name === '' ? null : name }) };
}

function ownId(entry: SentCharge, { fixed_charges: fixed }: PlanAsRead): unknown {
  return chargeOf(entry, fixed ?? [])?.svc_id ?? entry.id;
}

/** The charge that an entry is about: a charge by its own id, a fixed charge also by that of the one that it was copied from. */
export function chargeOf({ id }: SentCharge, charges: readonly AnyCharge[]): AnyCharge | undefined {
  if (id === undefined) return undefined;
  return (
    charges.find(({ svc_id }) => svc_id === id) ?? charges.find(each => 'units' in each && each.svc_parent_id === id)
  );
}
