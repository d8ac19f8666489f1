/** What plans charge today, for fees that do not hold their own price (service-behaviour §4, §12.7). */
import type { Invoice, Plan } from '../../src/contract/shown.ts';
import type { Api } from '../../src/definition/api.ts';
import { needsPlan, type PlanPrice } from '../../src/words/fee-price.ts';
import { planByCode, withOwnQuantities } from '../quotes/quantities.ts';

/** The plans of at most so many subscriptions are read for one invoice; fees of others are told by their units. */
const mostSubscriptions = 3;

/**
 * The charges and fixed charges of the subscriptions on the invoice, each as its own plan has them; none is read where no
 * fee needs them. `plan_code`: of a preview, the plan of a subscription that does not exist yet.
 */
export async function readPlanPrices(api: Api, invoice: Invoice, plan_code?: Plan['code']): Promise<PlanPrice[]> {
  const fees = (invoice.fees ?? []).filter(needsPlan);
  const ids = new Set(fees.map(({ external_subscription_id: id }) => id || null));
  const known = [...ids].filter(id => id !== null).slice(0, mostSubscriptions);
  const code = ids.has(null) && plan_code;
  const plans = await Promise.all([
    ...(api.mayUse('get_subscription') ? known.map(id => planOfSubscription(api, invoice, id)) : []),
    ...(code && api.mayUse('list_plans') ? [planByCode(api, code)] : []),
  ]);
  return plans.flatMap(plan => [...(plan?.charges ?? []), ...(plan?.fixed_charges ?? [])]);
}

async function planOfSubscription(api: Api, invoice: Invoice, external_id: string): Promise<Plan | null> {
  // A preview of an end or a change shows the subscription as it would be.
  const subscription = invoice.subscriptions?.find(one => one.external_id === external_id);
  const status = (invoice.svc_id && subscription?.status) || undefined;
  const get = { key: 'subscription' as const, path: { external_id }, query: { status } };
  const answer = await api.get('/subscriptions/{external_id}', get);
  const stored = (answer.ok && answer.body.subscription) || {};
  const hasFixed = invoice.fees?.some(fee => needsPlan(fee) && fee.svc_fixed_charge_id);
  const isBare = hasFixed && stored.plan?.fixed_charges === undefined;
  const [owner, payer] = [stored.external_customer_id, invoice.customer?.external_id];
  // Another customer may have a subscription with the same id by now, at other prices.
  if (owner && payer && owner !== payer) return null;
  const { plan } = isBare ? await withOwnQuantities(api, stored, external_id, status) : stored;
  return plan ?? null;
}
