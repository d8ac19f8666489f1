/** Reads the fields of a new billing entity: checks and defaults (service-behaviour §3.12). */
import { billingEntity } from '../../contract/billing-entity.ts';
import { currencies } from '../../contract/codes.ts';
import {
  documentLocales,
  documentNumberings,
  type EmailSetting,
  emailSettings,
  isOneOf,
  issuingDateAdjustments,
  issuingDateAnchors,
} from '../../contract/enums.ts';
import type { BillingEntityRecord, JsonObject } from '../../engine/records/index.ts';
import { validation } from '../errors.ts';
import { type Fields, fieldsOf, isBlank } from './fields.ts';
import { readNew } from './writable-fields.ts';

const EU = 'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' ');
const E_INVOICING = ['FR', 'DE'] as const;
const LARGEST_LOGO = 800 * 1024;
/** Where null is not the same as absent (§3.12). */
const NEVER_NULL = ['default_currency', 'net_payment_term', 'finalize_zero_amount_invoice'] as const;

type NewBillingEntity = Omit<BillingEntityRecord, 'is_default' | 'created_at' | 'updated_at'>;

/** Reads the entity. `codeTaken`: another entity has the code. Throws 422 that names every bad field. */
export function readBillingEntity(
  input: JsonObject,
  { id, codeTaken }: { id: string; codeTaken: boolean },
): NewBillingEntity {
  const fields = fieldsOf(input);
  const code = fields.text('code') ?? '';
  if (codeTaken) fields.noteProblem('code', 'value_already_exist');
  const name = fields.text('name') ?? '';
  // A value that is not text is already noted as a problem.
  if (isBlank(input.name)) fields.noteProblem('name', 'value_is_mandatory');
  for (const key of NEVER_NULL) if (input[key] === null) fields.noteProblem(key, 'value_is_invalid');
  const entity: NewBillingEntity = {
    id,
    code,
    name,
    default_currency: oneOf(fields, 'default_currency', currencies, 'value_is_invalid') ?? 'USD',
    ...readNew(fields, billingEntity),
    ...readBilling(fields),
    document_numbering: oneOf(fields, 'document_numbering', documentNumberings, 'value_is_invalid') ?? 'per_customer',
    document_number_prefix: readPrefix(fields, name, id),
    email_settings: readEmailSettings(fields),
    logo_url: readLogo(fields),
    tax_codes: [],
  };
  if (entity.eu_tax_management && !EU.includes(entity.country ?? '')) {
    fields.noteProblem('eu_tax_management', 'billing_entity_must_be_in_eu');
  }
  if (entity.einvoicing && !isOneOf(E_INVOICING, entity.country)) {
    fields.noteProblem('einvoicing', isBlank(input.country) ? 'country_must_be_present' : 'country_not_supported');
  }
  fields.refuseProblems();
  // The service misses it last.
  if (isBlank(code)) throw validation({ code: ['value_is_mandatory'] });
  return entity;
}

/** The value; null when it is absent or not allowed. A value that is not allowed is noted as a problem. */
function oneOf<Word extends string>(fields: Fields, key: string, allowed: readonly Word[], code: string): Word | null {
  const value = fields.text(key);
  if (value === undefined || value === null) return null;
  if (isOneOf(allowed, value)) return value;
  fields.noteProblem(key, code);
  return null;
}

/** Reads `billing_configuration`. Problems are noted under the plain field names, without `billing_configuration`. */
function readBilling(outer: Fields) {
  const nested = fieldsOf(outer.object('billing_configuration') ?? {}, outer.noteProblem);
  return {
    invoice_footer: nested.text('invoice_footer', { max: 600 }) ?? null,
    document_locale: oneOf(nested, 'document_locale', documentLocales, 'not_a_valid_language_code') ?? 'en',
    invoice_grace_period: nested.integer('invoice_grace_period', { min: 0 }) ?? 0,
    subscription_invoice_issuing_date_anchor:
      oneOf(nested, 'subscription_invoice_issuing_date_anchor', issuingDateAnchors, 'value_is_invalid') ??
      'next_period_start',
    subscription_invoice_issuing_date_adjustment:
      oneOf(nested, 'subscription_invoice_issuing_date_adjustment', issuingDateAdjustments, 'value_is_invalid') ??
      'align_with_finalization_date',
  };
}

/** Default: the first three letters of the name and the last four characters of the id. */
function readPrefix(fields: Fields, name: string, id: string): string {
  const sentPrefix = fields.text('document_number_prefix', { max: 10 });
  if (sentPrefix === '') fields.noteProblem('document_number_prefix', 'value_is_too_short');
  const prefix = sentPrefix?.trim() ? sentPrefix : `${[...name].slice(0, 3).join('')}-${id.slice(-4)}`;
  return prefix.toUpperCase();
}

function readEmailSettings(fields: Fields): EmailSetting[] {
  const settings = fields.texts('email_settings') ?? [];
  if (settings.every(setting => isOneOf(emailSettings, setting))) return settings;
  fields.noteProblem('email_settings', 'unsupported_value');
  return [];
}

/** A data URI of a PNG or JPEG of at most 800 KB. */
function readLogo(fields: Fields): string | null {
  const logo = fields.text('logo');
  if (logo === undefined || logo === null || logo === '') return null;
  const [, type, base64 = ''] = /^data:image\/(png|jpg|jpeg);base64,([A-Za-z0-9+/]+={0,2})$/.exec(logo) ?? [];
  if (type === undefined) fields.noteProblem('logo', 'invalid_content_type');
  else if (Buffer.byteLength(base64, 'base64') > LARGEST_LOGO) fields.noteProblem('logo', 'invalid_size');
  return `data:image/${type === 'png' ? 'png' : 'jpeg'};base64,${base64}`;
}
