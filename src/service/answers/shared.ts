/** Objects that several resources share (specification, Shared objects). */
import {
  type AppliedTax,
  type ErrorDetail,
  type InvoiceCustomSectionRecord,
  invoiceCustomSections,
  type MetadataEntry,
  type PaymentMethodLink,
  type TaxRecord,
  taxes,
  type UsageThreshold,
} from '../../engine/records/index.ts';
import { pick } from '../../engine/records/table.ts';
import type { AccountLists } from '../store/account-lists.ts';
import { instant, linkId, rate } from './formats.ts';

/** A tax inside another record. */
export function taxAnswer(tax: TaxRecord) {
  return {
    svc_id: tax.id,
    ...pick(tax, taxes.shown.heading),
    rate: rate(tax.rate),
    ...pick(tax, taxes.shown.details),
    created_at: instant(tax.created_at),
  };
}

/** The taxes of the given codes, in the order given. */
export function taxAnswers(codes: readonly string[], lists: AccountLists) {
  return codes.flatMap(code => {
    const tax = lists.taxes.get(code);
    return tax === undefined ? [] : [taxAnswer(tax)];
  });
}

/** An applied tax without the id of its owner, which each owner adds. */
export function appliedTaxAnswer(tax: AppliedTax) {
  return {
    svc_id: tax.id,
    svc_tax_id: tax.tax_id,
    tax_name: tax.tax_name,
    tax_code: tax.tax_code,
    tax_rate: rate(tax.tax_rate),
    tax_description: tax.tax_description,
    amount_cents: tax.amount_cents,
    amount_currency: tax.amount_currency,
    created_at: instant(tax.created_at),
  };
}

export function sectionAnswer(section: InvoiceCustomSectionRecord, lists: AccountLists) {
  return {
    svc_id: section.id,
    ...pick(section, invoiceCustomSections.shown.details),
    organization_id: lists.organization.id,
    created_at: instant(section.created_at),
  };
}

/** Invoice sections applied to a wallet, a rule, a subscription or a wallet transaction. */
export function appliedSectionAnswers(
  owner: { id: string | null; created_at: string; invoice_custom_section_codes: string[] },
  lists: AccountLists,
) {
  return owner.invoice_custom_section_codes.flatMap(code => {
    const section = lists.sections.get(code);
    if (section === undefined) return [];
    return [
      {
        svc_id: linkId(owner.id ?? '', section.id),
        invoice_custom_section_id: section.id,
        created_at: instant(owner.created_at),
        invoice_custom_section: sectionAnswer(section, lists),
      },
    ];
  });
}

export function paymentMethodAnswer(link: PaymentMethodLink | null) {
  return {
    payment_method_type: link?.payment_method_type ?? 'provider',
    payment_method_id: link?.payment_method_id ?? null,
  };
}

export function errorDetailAnswers(details: readonly ErrorDetail[]) {
  return details.map(detail => ({ svc_id: detail.id, error_code: detail.error_code, details: detail.details }));
}

export function metadataEntryAnswer(entry: MetadataEntry) {
  return { svc_id: entry.id, key: entry.key, value: entry.value, created_at: instant(entry.created_at) };
}

/** A threshold that takes effect, whosever it is: without its id and times (§4). */
export function applicableThresholdAnswer(threshold: UsageThreshold) {
  const { threshold_display_name, amount_cents, recurring } = threshold;
  return { threshold_display_name, amount_cents, recurring };
}

export function usageThresholdAnswer(threshold: UsageThreshold) {
  return {
    svc_id: threshold.id,
    ...applicableThresholdAnswer(threshold),
    created_at: instant(threshold.created_at),
    updated_at: instant(threshold.updated_at),
  };
}
