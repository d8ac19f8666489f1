/** The quantities of fixed charges that a subscription has of its own: its plan shows those of the plan (service-behaviour §3.2). */
import type { JsonRecord } from '../../src/lib/json.ts';
import type { Reads } from '../../src/tool/define.ts';
import { asRecord, asRecords } from '../../src/words/summary.ts';

/**
 * The subscription whose plan has the quantities that are billed, and `own_quantities`, which says whether they could be
 * read. One read, and none where the plan has no fixed charges.
 */
export async function withOwnQuantities(
  reads: Reads,
  subscription: JsonRecord,
  external_id: string,
  subscription_status: string | undefined,
): Promise<JsonRecord> {
  const plan = asRecord(subscription.plan);
  const charges = asRecords(plan.fixed_charges);
  if (charges.length === 0) return subscription;
  const answer = await reads.get('/subscriptions/{external_id}/fixed_charges', {
    ...{ key: 'fixed_charges', path: { external_id } },
    query: { subscription_status, per_page: 100 },
  });
  const own = answer.ok ? asRecords(answer.body.fixed_charges) : [];
  const unitsOf = (charge: JsonRecord) => own.find(each => each.svc_id === charge.svc_id)?.units;
  const own_quantities = charges.every(charge => unitsOf(charge) !== undefined);
  const fixed_charges = charges.map(charge => ({ ...charge, units: unitsOf(charge) ?? charge.units }));
  return { ...subscription, plan: { ...plan, own_quantities, fixed_charges } };
}
