import {
  address,
  type CustomerRecord,
  customers,
  type IntegrationCustomer,
  type InvoiceCustomSectionRecord,
} from '../../engine/records/index.ts';
import { nullsOf, pick } from '../../engine/records/table.ts';
import type { AccountLists } from '../store/account-lists.ts';
import { instant, linkId } from './formats.ts';
import { errorDetailAnswers, metadataEntryAnswer, sectionAnswer, taxAnswers } from './shared.ts';

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
    created_at: instant(customer.created_at),
    updated_at: instant(customer.updated_at),
    billing_configuration: billingConfiguration(customer),
    shipping_address: pick({ ...nullsOf(address), ...customer.shipping_address }, address),
    metadata: customer.metadata.map(entry => ({
      ...metadataEntryAnswer(entry),
      display_in_invoice: entry.display_in_invoice ?? false,
    })),
    integration_customers: customer.integration_customers.map(integration =>
      integrationCustomer(integration, customer),
    ),
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

function integrationCustomer(integration: IntegrationCustomer, customer: CustomerSource) {
  const type = text(integration.type) ?? text(integration.integration_type);
  const code = text(integration.integration_code);
  return {
    svc_id:
      text(integration.svc_id) ??
      text(integration.id) ??
      linkId(customer.id ?? '', 'integration', type ?? '', code ?? ''),
    type,
    integration_code: code,
    external_customer_id: text(integration.external_customer_id),
    subsidiary_id: text(integration.subsidiary_id),
    targeted_object: text(integration.targeted_object),
    email: text(integration.email),
    sync_with_provider: integration.sync_with_provider === true,
  };
}

function text(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/** The customer's own sections, else those of the whole account; none when the customer skips sections. */
function applicableSections(customer: CustomerSource, lists: AccountLists): InvoiceCustomSectionRecord[] {
  if (customer.skip_invoice_custom_sections) return [];
  const customerSections = customer.invoice_custom_section_codes.flatMap(code => lists.sections.get(code) ?? []);
  return customerSections.length > 0
    ? customerSections
    : [...lists.sections.values()].filter(section => section.applied_to_organization);
}
