import type { TaxRecord } from '../../engine/records/index.ts';
import type { AccountLists } from '../store/account-lists.ts';
import { taxAnswer } from './shared.ts';

/** A tax as its own endpoints answer it, with the billing entities that apply it and five zero counters (lookups §10). */
export function taxWithEntitiesAnswer(tax: TaxRecord, lists: AccountLists) {
  const entities = [...lists.billingEntities.values()].filter(entity => entity.tax_codes.includes(tax.code));
  return {
    ...taxAnswer(tax),
    applied_to_organization: entities.some(entity => entity.is_default),
    applied_to_billing_entities_codes: entities.map(entity => entity.code).sort(),
    add_ons_count: 0,
    charges_count: 0,
    commitments_count: 0,
    customers_count: 0,
    plans_count: 0,
  };
}
