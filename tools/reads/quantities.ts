/**
 * A subscription's own quantities of fixed charges: the plan in its record shows the plan's (service-behaviour §3.2).
 */
import type { FixedCharge, Plan, Subscription } from '../../src/contract/shown.ts';
import type { Reads } from '../../src/tool/reads.ts';
import { asRecord, asRecords } from '../../src/words/summary.ts';

/** `own_quantities`: are the quantities in the plan the subscription's own? */
export type SubscriptionWithQuantities = Omit<Subscription, 'plan'> & {
  readonly plan?: Subscription['plan'] | (Plan & { readonly own_quantities: boolean });
};

/**
 * The subscription with the billed quantities in its plan; `own_quantities` says whether they could be read. Costs one
 * read, or none if the plan has no fixed charges.
 */
export async function withOwnQuantities(
  reads: Reads,
  subscription: Subscription,
  external_id: string,
  subscription_status: string | undefined,
): Promise<SubscriptionWithQuantities> {
  const plan = asRecord(subscription.plan);
  const charges = asRecords(plan.fixed_charges);
  if (charges.length === 0) return subscription;
  const answer = await reads.get('/subscriptions/{external_id}/fixed_charges', {
    key: 'fixed_charges',
    path: { external_id },
    query: { subscription_status, per_page: 100 },
  });
  const ownCharges = answer.ok ? asRecords(answer.body.fixed_charges) : [];
  const unitsOf = (charge: FixedCharge) => ownCharges.find(each => each.svc_id === charge.svc_id)?.units;
  const own_quantities = charges.every(charge => unitsOf(charge) !== undefined);
  const fixed_charges = charges.map(charge => {
    const units = unitsOf(charge) ?? charge.units;
    return { ...charge, units, ...(units !== charge.units && { plan_units: charge.units }) };
  });
  return { ...subscription, plan: { ...plan, own_quantities, fixed_charges } };
}
