/** The account, its log of changes, its customers, and the billing entities, taxes and custom sections that their bills use. */
import { billingEntity } from '../../contract/billing-entity.ts';
import * as enums from '../../contract/enums.ts';
import type { Customer, EntryIn, Fields } from '../../contract/shown.ts';
import * as t from './table.ts';
import type { InstantText, Json, JsonObject, JsonOf } from './values.ts';

/** The one account that a key belongs to. */
export const organizations = t.table({
  ...t.row,
  name: t.text,
  slug_prefix: t.text, // prefix of customer slugs, e.g. "ACM-1A2B"
  hmac_key: t.text,
});
export interface OrganizationRecord extends t.RecordOf<typeof organizations> {}

export const address = {
  address_line1: t.orNull(t.text),
  address_line2: t.orNull(t.text),
  city: t.orNull(t.text),
  state: t.orNull(t.text),
  country: t.orNull(t.text),
  zipcode: t.orNull(t.text),
};
export interface Address extends t.ValuesOf<typeof address> {}

const { finalize_zero_amount_invoice, net_payment_term, timezone, eu_tax_management, einvoicing, ...contact } =
  t.columnsOf(billingEntity, []);
export const billingEntities = t.table(
  { ...t.row, invoice_footer: t.orNull(t.text), logo_url: t.orNull(t.text), tax_codes: t.json<string[]>() },
  {
    heading: { code: t.text, name: t.text, default_currency: t.text, is_default: t.flag },
    documents: {
      document_locale: t.oneOf(enums.documentLocales),
      document_numbering: t.oneOf(enums.documentNumberings),
      document_number_prefix: t.text,
      finalize_zero_amount_invoice,
    },
    terms: {
      invoice_grace_period: t.int,
      net_payment_term,
      subscription_invoice_issuing_date_anchor: t.oneOf(enums.issuingDateAnchors),
      subscription_invoice_issuing_date_adjustment: t.oneOf(enums.issuingDateAdjustments),
    },
    details: { ...contact, timezone, email_settings: t.json<enums.EmailSetting[]>(), eu_tax_management, einvoicing },
  },
);
export interface BillingEntityRecord extends t.RecordOf<typeof billingEntities> {}

export const taxes = t.table(
  { ...t.row, rate: t.decimal }, // percent
  {
    heading: { name: t.text, code: t.text },
    details: { description: t.orNull(t.text), applied_to_organization: t.flag },
  },
);
export interface TaxRecord extends t.RecordOf<typeof taxes> {}

export interface MetadataEntry {
  id: string;
  key: string;
  value: string;
  display_in_invoice?: boolean;
  created_at: InstantText;
}

export interface ErrorDetail {
  id: string;
  error_code: t.Word<typeof enums.errorDetailCodes>;
  details: { [name: string]: Json };
}

export const invoiceCustomSections = t.table(
  { ...t.row },
  {
    details: {
      code: t.text,
      name: t.text,
      description: t.orNull(t.text),
      details: t.orNull(t.text),
      display_name: t.orNull(t.text),
      applied_to_organization: t.flag,
    },
  },
);
export interface InvoiceCustomSectionRecord extends t.RecordOf<typeof invoiceCustomSections> {}

/** `svc_id` and `type` may be stored as `id` and `integration_type`. */
export type IntegrationCustomer = JsonOf<
  EntryIn<Customer['integration_customers']> & Fields<'id' | 'integration_type'>
>;

export const customers = t.table(
  {
    ...t.row,
    billing_entity_id: t.text,
    shipping_address: t.orNull(t.json<Address>()),
    provider_sync: t.orNull(t.flag),
    provider_payment_methods: t.json<t.Word<typeof enums.providerPaymentMethods>[]>(),
    metadata: t.json<MetadataEntry[]>(),
    tax_codes: t.json<string[]>(),
    integration_customers: t.json<IntegrationCustomer[]>(),
    invoice_custom_section_codes: t.json<string[]>(),
    error_details: t.json<ErrorDetail[]>(),
    deleted_at: t.orNull(t.instant),
  },
  {
    heading: {
      sequential_id: t.int,
      slug: t.text,
      external_id: t.text,
      account_type: t.oneOf(enums.accountTypes),
      customer_type: t.orNull(t.oneOf(enums.customerTypes)),
      name: t.orNull(t.text),
      firstname: t.orNull(t.text),
      lastname: t.orNull(t.text),
    },
    address,
    contact: {
      email: t.orNull(t.text),
      phone: t.orNull(t.text),
      url: t.orNull(t.text),
      logo_url: t.orNull(t.text),
      legal_name: t.orNull(t.text),
      legal_number: t.orNull(t.text),
      tax_identification_number: t.orNull(t.text),
    },
    terms: {
      timezone: t.orNull(t.text),
      currency: t.orNull(t.text),
      net_payment_term: t.orNull(t.int),
      finalize_zero_amount_invoice: t.oneOf(enums.zeroAmountChoices),
      skip_invoice_custom_sections: t.flag,
      external_salesforce_id: t.orNull(t.text),
    },
    billing: {
      invoice_grace_period: t.orNull(t.int),
      subscription_invoice_issuing_date_anchor: t.orNull(t.oneOf(enums.issuingDateAnchors)),
      subscription_invoice_issuing_date_adjustment: t.orNull(t.oneOf(enums.issuingDateAdjustments)),
      document_locale: t.orNull(t.oneOf(enums.documentLocales)),
      payment_provider: t.orNull(t.text),
      payment_provider_code: t.orNull(t.text),
    },
    provider: { provider_customer_id: t.orNull(t.text) },
  },
);
export interface CustomerRecord extends t.RecordOf<typeof customers> {}

/** `{field: [before, after]}`. */
export type ActivityChanges = { [field: string]: [Json, Json] };

export const activityLogs = t.table(
  /** `sequence` is the order of entries with the same time, which a pinned clock gives to all. */
  { ...t.row, sequence: t.int, logged_at: t.instant },
  {
    heading: { activity_type: t.text, activity_source: t.oneOf(enums.activitySources) },
    details: {
      activity_object: t.json<JsonObject>(),
      activity_object_changes: t.json<ActivityChanges>(),
      user_email: t.orNull(t.text),
      resource_id: t.text,
      resource_type: t.text,
      external_customer_id: t.orNull(t.text),
      external_subscription_id: t.orNull(t.text),
    },
  },
);
export interface ActivityLogRecord extends t.RecordOf<typeof activityLogs> {}
