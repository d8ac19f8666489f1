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
import { fields, instant, instants, linkId } from './formats.ts';

/** A tax inside another record. */
export function taxAnswer(tax: TaxRecord) {
  return {
    svc_id: tax.id,
    ...pick(tax, taxes.shown.heading),
    rate: Number(tax.rate),
    ...pick(tax, taxes.shown.details),
    ...instants(tax, 'created_at'),
  };
}

/** The taxes of the given codes, in the order given. */
export function taxAnswers(codes: readonly string[], lists: AccountLists) {
  return codes.flatMap(code => lists.taxes.get(code) ?? []).map(taxAnswer);
}

/** An applied tax without the id of its owner, which each owner adds. */
export function appliedTaxAnswer(tax: AppliedTax) {
  return {
    svc_id: tax.id,
    svc_tax_id: tax.tax_id,
    ...fields(tax, 'tax_name', 'tax_code'),
    tax_rate: Number(tax.tax_rate),
    ...fields(tax, 'tax_description', 'amount_cents', 'amount_currency'),
    ...instants(tax, 'created_at'),
  };
}

export function sectionAnswer(section: InvoiceCustomSectionRecord, lists: AccountLists) {
  return {
    svc_id: section.id,
    ...pick(section, invoiceCustomSections.shown.details),
    organization_id: lists.organization.id,
    ...instants(section, 'created_at'),
  };
}

/** Invoice sections applied to a wallet, a rule, a subscription or a wallet transaction; none where the owner skips them. */
export function appliedSectionAnswers(
  owner: {
    id: string | null;
    created_at: string;
    invoice_custom_section_codes: string[];
    skip_invoice_custom_sections?: boolean;
  },
  lists: AccountLists,
) {
  const codes = owner.skip_invoice_custom_sections ? [] : owner.invoice_custom_section_codes;
  return codes
    .flatMap(code => lists.sections.get(code) ?? [])
    .map(section => ({
      svc_id: linkId(owner.id ?? '', section.id),
      invoice_custom_section_id: section.id,
      created_at: instant(owner.created_at),
      invoice_custom_section: sectionAnswer(section, lists),
    }));
}

export function paymentMethodAnswer(link: PaymentMethodLink | null) {
  return {
    payment_method_type: link?.payment_method_type ?? 'provider',
    payment_method_id: link?.payment_method_id ?? null,
  };
}

export function errorDetailAnswers(details: readonly ErrorDetail[]) {
  return details.map(detail => ({ svc_id: detail.id, ...fields(detail, 'error_code', 'details') }));
}

export function metadataEntryAnswer(entry: MetadataEntry) {
  return { svc_id: entry.id, ...fields(entry, 'key', 'value'), ...instants(entry, 'created_at') };
}

/** A threshold that takes effect, whosever it is: without its id and times (§4). */
export function applicableThresholdAnswer(threshold: UsageThreshold) {
  return fields(threshold, 'threshold_display_name', 'amount_cents', 'recurring');
}

/** Does the metadata have any entry? */
export function hasEntries(metadata: { [key: string]: string | null } | null): boolean {
  return metadata !== null && Object.keys(metadata).length > 0;
}
