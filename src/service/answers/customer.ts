import type { CustomerRecord, InvoiceCustomSectionRecord, JsonObject } from '../records/index.ts';
import type { AccountLists } from '../store/account-lists.ts';
import { instant, linkId } from './formats.ts';
import { addressAnswer, errorDetailAnswers, metadataEntryAnswer, sectionAnswer, taxAnswers } from './shared.ts';

/** A stored customer, or the anonymous one of a preview, without id, external id, sequence and slug (§12.4). */
export type CustomerSource = Omit<CustomerRecord, 'id' | 'external_id' | 'sequential_id' | 'slug'> & {
  [Field in 'id' | 'external_id' | 'sequential_id' | 'slug']: CustomerRecord[Field] | null;
};

/** A customer with every field of the specification and the extras of §4. */
export function customerAnswer(customer: CustomerSource, lists: AccountLists) {
  const entity = lists.billingEntities.get(customer.billing_entity_id);
  return {
    ...identity(customer),
    ...contact(customer),
    billing_entity_code: entity?.code ?? null,
    applicable_timezone: customer.timezone ?? entity?.timezone ?? 'UTC',
    timezone: customer.timezone,
    currency: customer.currency,
    net_payment_term: customer.net_payment_term,
    finalize_zero_amount_invoice: customer.finalize_zero_amount_invoice,
    skip_invoice_custom_sections: customer.skip_invoice_custom_sections,
    external_salesforce_id: customer.external_salesforce_id,
    created_at: instant(customer.created_at),
    updated_at: instant(customer.updated_at),
    billing_configuration: billingConfiguration(customer),
    shipping_address: addressAnswer(customer.shipping_address),
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

function identity(customer: CustomerSource) {
  return {
    svc_id: customer.id,
    sequential_id: customer.sequential_id,
    slug: customer.slug,
    external_id: customer.external_id,
    account_type: customer.account_type,
    customer_type: customer.customer_type,
    name: customer.name,
    firstname: customer.firstname,
    lastname: customer.lastname,
  };
}

function contact(customer: CustomerSource) {
  return {
    ...addressAnswer(customer),
    email: customer.email,
    phone: customer.phone,
    url: customer.url,
    logo_url: customer.logo_url,
    legal_name: customer.legal_name,
    legal_number: customer.legal_number,
    tax_identification_number: customer.tax_identification_number,
  };
}

/** Values inherited from the billing entity are null; provider keys only when a provider is linked (§3.8). */
function billingConfiguration(customer: CustomerSource) {
  const settings = {
    invoice_grace_period: customer.invoice_grace_period,
    subscription_invoice_issuing_date_anchor: customer.subscription_invoice_issuing_date_anchor,
    subscription_invoice_issuing_date_adjustment: customer.subscription_invoice_issuing_date_adjustment,
    document_locale: customer.document_locale,
  };
  if (customer.payment_provider === null) return settings;
  return {
    ...settings,
    payment_provider: customer.payment_provider,
    payment_provider_code: customer.payment_provider_code,
    provider_customer_id: customer.provider_customer_id,
    sync: customer.provider_sync ?? false,
    sync_with_provider: customer.provider_sync ?? false,
    provider_payment_methods: customer.provider_payment_methods,
  };
}

function integrationCustomer(integration: JsonObject, customer: CustomerSource) {
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
