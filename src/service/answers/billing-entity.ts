import type { BillingEntityRecord } from '../records/index.ts';
import type { AccountLists } from '../store/account-lists.ts';
import { instant } from './formats.ts';
import { addressAnswer, sectionAnswer, taxAnswers } from './shared.ts';

/** A billing entity without wrapper key, as endpoint 12 answers it, with the extras of §4. `logoUrl`: URL of its logo. */
export function billingEntityAnswer(entity: BillingEntityRecord, logoUrl: string | null) {
  return {
    svc_id: entity.id,
    code: entity.code,
    name: entity.name,
    default_currency: entity.default_currency,
    is_default: entity.is_default,
    ...documentSettings(entity),
    ...addressAnswer(entity),
    email: entity.email,
    phone: entity.phone,
    legal_name: entity.legal_name,
    legal_number: entity.legal_number,
    tax_identification_number: entity.tax_identification_number,
    timezone: entity.timezone,
    email_settings: entity.email_settings,
    eu_tax_management: entity.eu_tax_management,
    einvoicing: entity.einvoicing,
    logo_url: logoUrl,
    created_at: instant(entity.created_at),
    updated_at: instant(entity.updated_at),
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

function documentSettings(entity: BillingEntityRecord) {
  return {
    document_locale: entity.document_locale,
    document_numbering: entity.document_numbering,
    document_number_prefix: entity.document_number_prefix,
    finalize_zero_amount_invoice: entity.finalize_zero_amount_invoice,
    ...(entity.invoice_footer === null ? {} : { invoice_footer: entity.invoice_footer }),
    invoice_grace_period: entity.invoice_grace_period,
    net_payment_term: entity.net_payment_term,
    subscription_invoice_issuing_date_anchor: entity.subscription_invoice_issuing_date_anchor,
    subscription_invoice_issuing_date_adjustment: entity.subscription_invoice_issuing_date_adjustment,
  };
}
