import { type BillingEntityRecord, billingEntities } from '../../engine/records/index.ts';
import { pick } from '../../engine/records/table.ts';
import type { AccountLists } from '../store/account-lists.ts';
import { instant } from './formats.ts';
import { sectionAnswer, taxAnswers } from './shared.ts';

/** A billing entity without wrapper key, as endpoint 12 answers it, with the extras of §4. `logoUrl`: URL of its logo. */
export function billingEntityAnswer(entity: BillingEntityRecord, logoUrl: string | null) {
  return {
    svc_id: entity.id,
    ...pick(entity, billingEntities.shown.heading),
    ...documentSettings(entity),
    ...pick(entity, billingEntities.shown.details),
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
    ...pick(entity, billingEntities.shown.documents),
    ...(entity.invoice_footer === null ? {} : { invoice_footer: entity.invoice_footer }),
    ...pick(entity, billingEntities.shown.terms),
  };
}
