import type { Catalogue } from '../../engine/preview-parts.ts';
import type {
  BillingEntityRecord,
  CustomerRecord,
  InvoiceCustomSectionRecord,
  OrganizationRecord,
  PlanRecord,
  TaxRecord,
} from '../../engine/records/index.ts';
import type { AccountStore } from './store.ts';

/** The short lists of an account in which answers look up codes and ids. */
export interface AccountLists {
  organization: OrganizationRecord;
  taxes: Map<string, TaxRecord>; // by code
  sections: Map<string, InvoiceCustomSectionRecord>; // by code
  billingEntities: Map<string, BillingEntityRecord>; // by id
}

/** Loads the lists once for one answer. */
export async function loadAccountLists(account: AccountStore): Promise<AccountLists> {
  const [taxes, sections, billingEntities] = [
    await account.find('taxes'),
    await account.find('invoice_custom_sections'),
    await account.find('billing_entities'),
  ];
  return {
    organization: account.organization,
    taxes: new Map(taxes.map(tax => [tax.code, tax])),
    sections: new Map(sections.map(section => [section.code, section])),
    billingEntities: new Map(billingEntities.map(entity => [entity.id, entity])),
  };
}

/** Loads what the charges and fixed charges of the given plans refer to. */
export async function loadCatalogue(account: AccountStore, plans: readonly PlanRecord[]): Promise<Catalogue> {
  const metricIds = new Set(plans.flatMap(plan => plan.charges.map(charge => charge.billable_metric_id)));
  const addOnIds = new Set(plans.flatMap(plan => plan.fixed_charges.map(charge => charge.add_on_id)));
  const metrics = metricIds.size > 0 ? await account.find('billable_metrics', { id: [...metricIds] }) : [];
  const addOns = addOnIds.size > 0 ? await account.find('add_ons', { id: [...addOnIds] }) : [];
  return {
    metrics: new Map(metrics.map(metric => [metric.id, metric])),
    add_ons: new Map(addOns.map(addOn => [addOn.id, addOn])),
  };
}

/** The time zone of the customer's dates: its own, else its billing entity's. */
export function timezoneOf(customer: CustomerRecord, lists: AccountLists): string {
  return customer.timezone ?? lists.billingEntities.get(customer.billing_entity_id)?.timezone ?? 'UTC';
}

/** What decides the taxes of the customer's fees. */
export function taxBasis(customer: CustomerRecord, lists: AccountLists) {
  const entity = lists.billingEntities.get(customer.billing_entity_id);
  return { taxes: lists.taxes, customer, entity_tax_codes: entity?.tax_codes ?? [] };
}

/** The catalogue plan that a plan is a copy of; null when it is none. */
export async function parentOf(account: AccountStore, plan: PlanRecord): Promise<PlanRecord | null> {
  return plan.parent_id === null ? null : ((await account.get('plans', plan.parent_id)) ?? null);
}

/** The most ids that one query asks for: databases limit the parameters of a statement. */
const MOST_IDS = 10_000;

/** The different ids in lists for one query each. */
export function* idLists(ids: Iterable<string | null>): Generator<string[]> {
  const distinctIds = [...new Set(ids)].filter(id => id !== null);
  for (let at = 0; at < distinctIds.length; at += MOST_IDS) yield distinctIds.slice(at, at + MOST_IDS);
}
