/**
 * What lists and records leave out of a plan: its fixed charges (lookups §3, §10), its interval, and a subscription's own
 * quantities (service-behaviour §3.2).
 */
import type { FixedCharge, Plan, Subscription } from '../../src/contract/shown.ts';
import type { Api } from '../../src/definition/api.ts';
import { isGiven } from '../../src/lib/json.ts';
import { sign } from '../../src/words/summary.ts';
import { readOrNull, readShown } from '../records/one-record.ts';

/** `own_quantities`: are the quantities in the plan the subscription's own? */
export type SubscriptionWithQuantities = Omit<Subscription, 'plan'> & {
  readonly plan?: Subscription['plan'] | (Plan & { readonly own_quantities: boolean });
};

/**
 * The subscription with the billed quantities in its plan; `own_quantities` says whether they could be read. The service
 * shows a subscription's plan without its fixed charges (lookups §3): then they are those of the plan by its code, or of
 * the subscription. Costs up to two reads, or none if the plan shows that it has no fixed charges.
 */
export async function withOwnQuantities(
  api: Api,
  subscription: Subscription,
  external_id: string,
  status: string | undefined,
): Promise<SubscriptionWithQuantities> {
  const plan = subscription.plan ?? {};
  const inPlan = plan.fixed_charges;
  if (Object.keys(plan).length === 0 || inPlan?.length === 0) return subscription;
  const isShared = 'parent_id' in plan && !plan.parent_id;
  const code = inPlan === undefined && isShared ? plan.code : null;
  const [ownCharges, [shown = plan]] = await Promise.all([
    readOwnCharges(api, external_id, status),
    code && api.mayUse('list_plans') ? withFixedCharges(api, [plan], 1) : [],
  ]);
  const charges = shown.fixed_charges ?? ownCharges;
  if (charges === null) return subscription;
  const unitsOf = (charge: FixedCharge) => ownCharges?.find(each => each.svc_id === charge.svc_id)?.units;
  const own_quantities = charges.every(charge => unitsOf(charge) !== undefined);
  const fixed_charges = charges.map(charge => {
    const units = unitsOf(charge) ?? charge.units;
    return { ...charge, units, ...(units !== charge.units && { plan_units: charge.units }) };
  });
  return { ...subscription, plan: { ...plan, own_quantities, fixed_charges } };
}

/** The fixed charges of a subscription in its own quantities; null where they could not be read. */
export async function readOwnCharges(api: Api, external_id: string, subscription_status: string | undefined) {
  const answer = await api.get('/subscriptions/{external_id}/fixed_charges', {
    key: 'fixed_charges',
    path: { external_id },
    query: { subscription_status, per_page: 100 },
  });
  return answer.ok ? (answer.body.fixed_charges ?? []) : null;
}

/**
 * The plans with their fixed charges, which the service shows in single reads alone (lookups §10): at most so many are
 * read. Those that could not be read stay as they are.
 */
export async function withFixedCharges(api: Api, plans: readonly Plan[], most: number): Promise<Plan[]> {
  const bare = plans.filter(({ fixed_charges }) => !isGiven(fixed_charges)).slice(0, most);
  const wholes = await Promise.all(bare.map(plan => readOrNull(api, 'plan', plan.code ?? '')));
  return plans.map(plan => {
    const fixed_charges = bare.includes(plan) ? wholes[bare.indexOf(plan)]?.fixed_charges : undefined;
    return isGiven(fixed_charges) ? { ...plan, fixed_charges } : plan;
  });
}

/** More plans than these are not read in one call. */
const mostPlans = 3;

export interface WithInterval {
  readonly plan_interval?: Plan['interval'];
}

/** The rows, with the interval of the first plans that have a fee, as far as they can be read. */
export async function withIntervals<Row extends Subscription>(
  api: Api,
  rows: readonly Row[],
  most = mostPlans,
): Promise<(Row & WithInterval)[]> {
  const priced = rows.filter(row => sign(row.plan_amount_cents) === 1);
  const codes = [...new Set(priced.flatMap(row => row.plan_code || []))].slice(0, Math.min(most, mostPlans));
  const plans = await Promise.all(
    codes.map(async code => [code, (await readShown(api, 'plan', code))?.interval] as const),
  );
  const intervals = new Map(plans);
  return rows.map(row => {
    const plan_interval = intervals.get(row.plan_code ?? '') ?? null;
    return plan_interval === null ? row : { ...row, plan_interval };
  });
}
