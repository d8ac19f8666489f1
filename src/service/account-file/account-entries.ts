/** Who bills: the organization, its billing entities, its taxes, and the custom sections of its invoices. */
import * as z from 'zod';
import { billingEntity } from '../../contract/billing-entity.ts';
import { documentNumberings, emailSettings } from '../../contract/enums.ts';
import type { OrganizationRecord } from '../../engine/records/index.ts';
import { idOf, randomSecret } from '../store/ids.ts';
import { listOf } from './account-builder.ts';
import * as is from './values.ts';

const prefixOfName = 'three letters of the name and four characters of the id';

export const organizationEntry = z.strictObject({
  id: z.uuid().optional(),
  name: is.label,
  slug_prefix: is.optional(z.string().min(1).max(20), prefixOfName),
  hmac_key: is.optional(is.label, 'random, and kept in the database').describe('signs portal links'),
  created_at: is.instant.optional(),
});

const taxEntry = z.strictObject({
  ...is.coded,
  description: is.text,
  rate: is.amountValue.describe('percent'),
  applied_to_organization: is.flag(false),
});

const sectionEntry = z.strictObject({
  ...is.coded,
  ...is.fields(is.text, 'description', 'details', 'display_name'),
  applied_to_organization: is.flag(false),
});

const billingEntityEntry = z.strictObject({
  ...is.coded,
  default_currency: is.currency.default('USD'),
  document_locale: is.locale.default('en'),
  document_numbering: z.enum(documentNumberings).default('per_customer'),
  document_number_prefix: is.optional(z.string().min(1).max(10), prefixOfName),
  invoice_grace_period: is.count.default(0),
  invoice_footer: z.string().max(600).nullable().default(null),
  subscription_invoice_issuing_date_anchor: is.anchor.default('next_period_start'),
  subscription_invoice_issuing_date_adjustment: is.adjustment.default('align_with_finalization_date'),
  ...is.writable(billingEntity, []),
  email_settings: z.array(z.enum(emailSettings)).default([]),
  logo_url: is.httpUrl.nullable().default(null),
  tax_codes: is.taxCodes,
});

export function organizationOf(entry: z.output<typeof organizationEntry>, oldestTime: string): OrganizationRecord {
  const id = entry.id ?? idOf('organization', entry.name);
  const created = entry.created_at ?? oldestTime;
  return {
    id,
    created_at: created,
    updated_at: created,
    name: entry.name,
    slug_prefix: entry.slug_prefix ?? documentPrefix(entry.name, id),
    hmac_key: entry.hmac_key ?? randomSecret(),
  };
}

/** First three letters of the name and last four characters of the id, upper case (§3.12). */
function documentPrefix(name: string, id: string): string {
  return `${name.slice(0, 3)}-${id.slice(-4)}`.toUpperCase();
}

export const taxList = listOf(taxEntry, builder => entry => {
  builder.add('taxes', entry.code, { ...entry, ...builder.idAndTimes('tax', entry.code, entry) });
});

export const invoiceSectionList = listOf(sectionEntry, builder => entry => {
  const base = builder.idAndTimes('invoice_custom_section', entry.code, entry);
  builder.add('invoice_custom_sections', entry.code, { ...entry, ...base });
});

export const billingEntityList = listOf(billingEntityEntry, builder => (entry, position) => {
  const base = builder.idAndTimes('billing_entity', entry.code, entry);
  const prefix = entry.document_number_prefix?.toUpperCase() ?? documentPrefix(entry.name, base.id);
  const record = { ...entry, ...base, document_number_prefix: prefix, is_default: position === 0 };
  builder.add('billing_entities', entry.code, record);
});
