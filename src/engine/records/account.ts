/** The account, its log of changes, its customers, and the billing entities, taxes and custom sections that their bills use. */
import { billingEntity } from '../../contract/billing-entity.ts';
import type {
  AccountType,
  ActivitySource,
  CustomerType,
  DocumentLocale,
  DocumentNumbering,
  EmailSetting,
  ErrorDetailCode,
  IssuingDateAdjustment,
  IssuingDateAnchor,
  ProviderPaymentMethod,
  ZeroAmountChoice,
} from '../../contract/enums.ts';
import type { Customer, EntryIn, Fields } from '../../contract/shown.ts';
import {
  columnsOf,
  decimal,
  flag,
  instant,
  int,
  json,
  oneOf,
  orNull,
  type RecordOf,
  row,
  table,
  text,
  type ValuesOf,
} from './table.ts';
import type { InstantText, Json, JsonObject, JsonOf } from './values.ts';

/** The one account that a key belongs to. */
export const organizations = table({
  ...row,
  name: text,
  slug_prefix: text, // prefix of customer slugs, e.g. "ACM-1A2B"
  hmac_key: text,
});
export interface OrganizationRecord extends RecordOf<typeof organizations> {}

export const address = {
  address_line1: orNull(text),
  address_line2: orNull(text),
  city: orNull(text),
  state: orNull(text),
  country: orNull(text),
  zipcode: orNull(text),
};
export interface Address extends ValuesOf<typeof address> {}

const { finalize_zero_amount_invoice, net_payment_term, timezone, eu_tax_management, einvoicing, ...contact } =
  columnsOf(billingEntity, []);
export const billingEntities = table(
  { ...row, invoice_footer: orNull(text), logo_url: orNull(text), tax_codes: json<string[]>() },
  {
    heading: { code: text, name: text, default_currency: text, is_default: flag },
    documents: {
      document_locale: oneOf<DocumentLocale>(),
      document_numbering: oneOf<DocumentNumbering>(),
      document_number_prefix: text,
      finalize_zero_amount_invoice,
    },
    terms: {
      invoice_grace_period: int,
      net_payment_term,
      subscription_invoice_issuing_date_anchor: oneOf<IssuingDateAnchor>(),
      subscription_invoice_issuing_date_adjustment: oneOf<IssuingDateAdjustment>(),
    },
    details: { ...contact, timezone, email_settings: json<EmailSetting[]>(), eu_tax_management, einvoicing },
  },
);
export interface BillingEntityRecord extends RecordOf<typeof billingEntities> {}

export const taxes = table(
  { ...row, rate: decimal }, // percent
  { heading: { name: text, code: text }, details: { description: orNull(text), applied_to_organization: flag } },
);
export interface TaxRecord extends RecordOf<typeof taxes> {}

export interface MetadataEntry {
  id: string;
  key: string;
  value: string;
  display_in_invoice?: boolean;
  created_at: InstantText;
}

export interface ErrorDetail {
  id: string;
  error_code: ErrorDetailCode;
  details: { [name: string]: Json };
}

export const invoiceCustomSections = table(
  { ...row },
  {
    details: {
      code: text,
      name: text,
      description: orNull(text),
      details: orNull(text),
      display_name: orNull(text),
      applied_to_organization: flag,
    },
  },
);
export interface InvoiceCustomSectionRecord extends RecordOf<typeof invoiceCustomSections> {}

/** `svc_id` and `type` may be stored as `id` and `integration_type`. */
export type IntegrationCustomer = JsonOf<
  EntryIn<Customer['integration_customers']> & Fields<'id' | 'integration_type'>
>;

export const customers = table(
  {
    ...row,
    billing_entity_id: text,
    shipping_address: orNull(json<Address>()),
    provider_sync: orNull(flag),
    provider_payment_methods: json<ProviderPaymentMethod[]>(),
    metadata: json<MetadataEntry[]>(),
    tax_codes: json<string[]>(),
    integration_customers: json<IntegrationCustomer[]>(),
    invoice_custom_section_codes: json<string[]>(),
    error_details: json<ErrorDetail[]>(),
    deleted_at: orNull(instant),
  },
  {
    heading: {
      sequential_id: int,
      slug: text,
      external_id: text,
      account_type: oneOf<AccountType>(),
      customer_type: orNull(oneOf<CustomerType>()),
      name: orNull(text),
      firstname: orNull(text),
      lastname: orNull(text),
    },
    address,
    contact: {
      email: orNull(text),
      phone: orNull(text),
      url: orNull(text),
      logo_url: orNull(text),
      legal_name: orNull(text),
      legal_number: orNull(text),
      tax_identification_number: orNull(text),
    },
    terms: {
      timezone: orNull(text),
      currency: orNull(text),
      net_payment_term: orNull(int),
      finalize_zero_amount_invoice: oneOf<ZeroAmountChoice>(),
      skip_invoice_custom_sections: flag,
      external_salesforce_id: orNull(text),
    },
    billing: {
      invoice_grace_period: orNull(int),
      subscription_invoice_issuing_date_anchor: orNull(oneOf<IssuingDateAnchor>()),
      subscription_invoice_issuing_date_adjustment: orNull(oneOf<IssuingDateAdjustment>()),
      document_locale: orNull(oneOf<DocumentLocale>()),
      payment_provider: orNull(text),
      payment_provider_code: orNull(text),
    },
    provider: { provider_customer_id: orNull(text) },
  },
);
export interface CustomerRecord extends RecordOf<typeof customers> {}

/** `{field: [before, after]}`. */
export type ActivityChanges = { [field: string]: [Json, Json] };

export const activityLogs = table(
  /** `sequence` is the order of entries with the same time, which a pinned clock gives to all. */
  { ...row, sequence: int, logged_at: instant },
  {
    heading: { activity_type: text, activity_source: oneOf<ActivitySource>() },
    details: {
      activity_object: json<JsonObject>(),
      activity_object_changes: json<ActivityChanges>(),
      user_email: orNull(text),
      resource_id: text,
      resource_type: text,
      external_customer_id: orNull(text),
      external_subscription_id: orNull(text),
    },
  },
);
export interface ActivityLogRecord extends RecordOf<typeof activityLogs> {}
