/** The account's customers, billing entities and taxes, its log of changes and its webhook endpoints. */
import {
  type ActivityLogRecord,
  activityLogs,
  address,
  type BillingEntityRecord,
  billingEntities,
  type CustomerRecord,
  customers,
  type InvoiceCustomSectionRecord,
  type TaxRecord,
  type WebhookEndpointRecord,
  webhookEndpoints,
} from '../../engine/records/index.ts';
import { blankOf, pick } from '../../engine/records/table.ts';
import type { AccountLists } from '../store/account-lists.ts';
import { instants, linkId } from './formats.ts';
import { errorDetailAnswers, metadataEntryAnswer, sectionAnswer, taxAnswer, taxAnswers } from './shared.ts';

/** A stored customer, or the anonymous one of a preview, without id, external id, sequence and slug (§12.4). */
export type CustomerSource = Omit<CustomerRecord, 'id' | 'external_id' | 'sequential_id' | 'slug'> & {
  [Field in 'id' | 'external_id' | 'sequential_id' | 'slug']: CustomerRecord[Field] | null;
};

/** A customer with every field of the specification and the extras of §4. */
export function customerAnswer(customer: CustomerSource, lists: AccountLists) {
  const entity = lists.billingEntities.get(customer.billing_entity_id);
  return {
    svc_id: customer.id,
    ...pick(customer, customers.shown.heading),
    ...pick(customer, customers.shown.address),
    ...pick(customer, customers.shown.contact),
    billing_entity_code: entity?.code ?? null,
    applicable_timezone: customer.timezone ?? entity?.timezone ?? 'UTC',
    ...pick(customer, customers.shown.terms),
    ...instants(customer, 'created_at', 'updated_at'),
    billing_configuration: billingConfiguration(customer),
    shipping_address: pick({ ...blankOf(address), ...customer.shipping_address }, address),
    metadata: customer.metadata.map(entry => ({
      ...metadataEntryAnswer(entry),
      display_in_invoice: entry.display_in_invoice ?? false,
    })),
    integration_customers: integrationCustomers(customer),
    taxes: taxAnswers(customer.tax_codes, lists),
    applicable_invoice_custom_sections: applicableSections(customer, lists).map(section =>
      sectionAnswer(section, lists),
    ),
    error_details: errorDetailAnswers(customer.error_details),
  };
}

/** A customer of a list (lookups §2). */
export function customerListAnswer(customer: CustomerRecord, lists: AccountLists) {
  const { applicable_invoice_custom_sections, error_details, ...listed } = customerAnswer(customer, lists);
  return listed;
}

/** Values inherited from the billing entity are null; other keys of the provider only when one is linked (§3.8). */
function billingConfiguration(customer: CustomerSource) {
  const settings = pick(customer, customers.shown.billing);
  if (customer.payment_provider === null) return settings;
  return {
    ...settings,
    ...pick(customer, customers.shown.provider),
    sync: customer.provider_sync ?? false,
    sync_with_provider: customer.provider_sync ?? false,
    provider_payment_methods: customer.provider_payment_methods,
  };
}

function integrationCustomers(customer: CustomerSource) {
  const text = (value: unknown) => (typeof value === 'string' ? value : null);
  return customer.integration_customers.map(link => {
    const type = text(link.type) ?? text(link.integration_type);
    const code = text(link.integration_code);
    const id = text(link.svc_id) ?? text(link.id);
    return {
      svc_id: id ?? linkId(customer.id ?? '', 'integration', type ?? '', code ?? ''),
      type,
      integration_code: code,
      external_customer_id: text(link.external_customer_id),
      subsidiary_id: text(link.subsidiary_id),
      targeted_object: text(link.targeted_object),
      email: text(link.email),
      sync_with_provider: link.sync_with_provider === true,
    };
  });
}

/** The customer's own sections, else those of the whole account; none when the customer skips sections. */
function applicableSections(customer: CustomerSource, lists: AccountLists): InvoiceCustomSectionRecord[] {
  if (customer.skip_invoice_custom_sections) return [];
  const customerSections = customer.invoice_custom_section_codes.flatMap(code => lists.sections.get(code) ?? []);
  return customerSections.length > 0
    ? customerSections
    : [...lists.sections.values()].filter(section => section.applied_to_organization);
}

/** A billing entity without wrapper key, as endpoint 12 answers it, with the extras of §4. `logoUrl`: URL of its logo. */
export function billingEntityAnswer(entity: BillingEntityRecord, logoUrl: string | null) {
  return {
    svc_id: entity.id,
    ...pick(entity, billingEntities.shown.heading),
    ...pick(entity, billingEntities.shown.documents),
    ...(entity.invoice_footer === null ? {} : { invoice_footer: entity.invoice_footer }),
    ...pick(entity, billingEntities.shown.terms),
    ...pick(entity, billingEntities.shown.details),
    logo_url: logoUrl,
    ...instants(entity, 'created_at', 'updated_at'),
  };
}

/** A single billing entity, also with its taxes and sections: the account's sections belong to the default entity. */
export function wholeBillingEntityAnswer(entity: BillingEntityRecord, logoUrl: string | null, lists: AccountLists) {
  const sections = [...lists.sections.values()].filter(section => entity.is_default && section.applied_to_organization);
  return {
    ...billingEntityAnswer(entity, logoUrl),
    taxes: taxAnswers(entity.tax_codes, lists),
    selected_invoice_custom_sections: sections.map(section => sectionAnswer(section, lists)),
  };
}

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

/** An entry of the log of changes (lookups §12). */
export function activityLogAnswer(log: ActivityLogRecord, organizationId: string) {
  return {
    activity_id: log.id,
    ...pick(log, activityLogs.shown.heading),
    ...pick(log, activityLogs.shown.details),
    organization_id: organizationId,
    ...instants(log, 'logged_at', 'created_at'),
  };
}

/** A webhook endpoint with the extras of §3.18. */
export function webhookEndpointAnswer(endpoint: WebhookEndpointRecord, organizationId: string) {
  return {
    svc_id: endpoint.id,
    svc_organization_id: organizationId,
    ...pick(endpoint, webhookEndpoints.shown.details),
    ...instants(endpoint, 'created_at'),
  };
}
