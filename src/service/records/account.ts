/** The account, its customers, and the billing entities, taxes and custom sections that their bills use. */
import type {
  AccountType,
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
import type { Address, DecimalText, InstantText, JsonObject, Row } from './values.ts';

/** The one account that a key belongs to. */
export interface OrganizationRecord extends Row {
  name: string;
  slug_prefix: string; // prefix of customer slugs, e.g. "ACM-1A2B"
  hmac_key: string;
}

export interface BillingEntityRecord extends Row, Address {
  code: string;
  name: string;
  default_currency: string;
  document_locale: DocumentLocale;
  document_numbering: DocumentNumbering;
  document_number_prefix: string;
  finalize_zero_amount_invoice: boolean;
  invoice_grace_period: number;
  net_payment_term: number;
  invoice_footer: string | null;
  timezone: string;
  subscription_invoice_issuing_date_anchor: IssuingDateAnchor;
  subscription_invoice_issuing_date_adjustment: IssuingDateAdjustment;
  is_default: boolean;
  email: string | null;
  phone: string | null;
  legal_name: string | null;
  legal_number: string | null;
  tax_identification_number: string | null;
  email_settings: EmailSetting[];
  eu_tax_management: boolean;
  einvoicing: boolean;
  logo_url: string | null;
  tax_codes: string[];
}

export interface TaxRecord extends Row {
  code: string;
  name: string;
  description: string | null;
  rate: DecimalText; // percent
  applied_to_organization: boolean;
}

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
  details: JsonObject;
}

export interface InvoiceCustomSectionRecord extends Row {
  code: string;
  name: string;
  description: string | null;
  details: string | null;
  display_name: string | null;
  applied_to_organization: boolean;
}

export interface CustomerRecord extends Row, Address {
  external_id: string;
  sequential_id: number;
  slug: string;
  billing_entity_id: string;
  name: string | null;
  firstname: string | null;
  lastname: string | null;
  email: string | null;
  phone: string | null;
  url: string | null;
  logo_url: string | null;
  legal_name: string | null;
  legal_number: string | null;
  tax_identification_number: string | null;
  account_type: AccountType;
  customer_type: CustomerType | null;
  currency: string | null;
  timezone: string | null;
  net_payment_term: number | null;
  finalize_zero_amount_invoice: ZeroAmountChoice;
  skip_invoice_custom_sections: boolean;
  external_salesforce_id: string | null;
  shipping_address: Address | null;
  invoice_grace_period: number | null;
  document_locale: DocumentLocale | null;
  subscription_invoice_issuing_date_anchor: IssuingDateAnchor | null;
  subscription_invoice_issuing_date_adjustment: IssuingDateAdjustment | null;
  payment_provider: string | null;
  payment_provider_code: string | null;
  provider_customer_id: string | null;
  provider_sync: boolean | null;
  provider_payment_methods: ProviderPaymentMethod[];
  metadata: MetadataEntry[];
  tax_codes: string[];
  integration_customers: JsonObject[];
  invoice_custom_section_codes: string[];
  error_details: ErrorDetail[];
  deleted_at: InstantText | null;
}
