/** Endpoint 12 (service-behaviour §3.12), and the lookups of billing entities (lookups §10). */
import { randomUUID } from 'node:crypto';
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
import { billingEntityAnswer, wholeBillingEntityAnswer } from '../answers/account.ts';
import { notFound, orNotFound, validation } from '../errors.ts';
import { logActivity } from '../operations/activity-log.ts';
import { pathValue, wrappedObject } from '../operations/input.ts';
import { loadAccountLists } from '../store/account-lists.ts';
import type { Routes, ServiceContext } from './context.ts';
import { type Fields, fieldsOf, isBlank } from './fields.ts';
import { listFilters } from './list-query.ts';
import { lockAccount } from './references.ts';
import { readNew } from './writable-fields.ts';

const EU = 'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' ');
const E_INVOICING = ['FR', 'DE'] as const;
const LARGEST_LOGO = 800 * 1024;
/** Where null is not the same as absent (§3.12). */
const NEVER_NULL = ['default_currency', 'net_payment_term', 'finalize_zero_amount_invoice'] as const;

export const billingEntityRoutes: Routes = (app, context) => {
  app.get('/billing_entities', async (request, reply) => {
    const { account } = request;
    listFilters(request, { paged: false }).finish(reply);
    const entities = await account.find('billing_entities', {}, { order: 'oldest' });
    const urlOf = (entity: BillingEntityRecord) => logoUrl(context, account.organization.id, entity);
    return { billing_entities: entities.map(entity => billingEntityAnswer(entity, urlOf(entity))) };
  });

  app.get('/billing_entities/:code', async request => {
    const { account } = request;
    const code = pathValue(request, 'code');
    const entity = orNotFound(await account.first('billing_entities', { code }), 'billing_entity');
    const url = logoUrl(context, account.organization.id, entity);
    return { billing_entity: wholeBillingEntityAnswer(entity, url, await loadAccountLists(account)) };
  });

  app.post('/billing_entities', request => {
    const input = wrappedObject(request, 'billing_entity');
    return request.account.transaction(async account => {
      await lockAccount(account);
      const code = typeof input.code === 'string' ? input.code : '';
      const codeTaken = (await account.first('billing_entities', { code })) !== undefined;
      const isFirst = (await account.count('billing_entities')) === 0;
      const at = context.now().toISOString();
      const entity: BillingEntityRecord = {
        ...readBillingEntity(input, codeTaken),
        is_default: isFirst,
        created_at: at,
        updated_at: at,
      };
      await account.insert('billing_entities', entity);
      const after = billingEntityAnswer(entity, logoUrl(context, account.organization.id, entity));
      await logActivity(account, ['billing_entities.created', 'BillingEntity'], [undefined, after], at);
      return after;
    });
  });
};

/** A logo is stored as the data URI that was sent. The answer has the URL under which the logo is served. */
function logoUrl(context: ServiceContext, organizationId: string, entity: BillingEntityRecord): string | null {
  if (!entity.logo_url?.startsWith('data:')) return entity.logo_url;
  return `${context.publicUrl()}/billing-entity-logos/${organizationId}/${entity.id}`;
}

/** Serves logos without an API key, because invoices show them. */
export const logoRoutes: Routes = (app, context) => {
  app.get<{ Params: { organization: string; id: string } }>(
    '/billing-entity-logos/:organization/:id',
    { config: { public: true } },
    async (request, reply) => {
      const account = await context.store.account(request.params.organization);
      const entity = await account?.get('billing_entities', request.params.id);
      const [, type, base64] = /^data:([^;,]+);base64,(.*)$/s.exec(entity?.logo_url ?? '') ?? [];
      if (type === undefined || base64 === undefined) throw notFound('resource');
      return reply
        .headers({
          'content-type': type,
          'x-content-type-options': 'nosniff',
          'content-security-policy': "default-src 'none'",
        })
        .send(Buffer.from(base64, 'base64'));
    },
  );
};

/** Reads the entity. `codeTaken`: another entity has the code. Throws 422 that names every bad field. */
function readBillingEntity(input: JsonObject, codeTaken: boolean) {
  const id = randomUUID();
  const fields = fieldsOf(input);
  const code = fields.text('code') ?? '';
  if (codeTaken) fields.noteProblem('code', 'value_already_exist');
  const name = fields.text('name') ?? '';
  // A value that is not text is already noted as a problem.
  if (isBlank(input.name)) fields.noteProblem('name', 'value_is_mandatory');
  for (const key of NEVER_NULL) if (input[key] === null) fields.noteProblem(key, 'value_is_invalid');
  const entity = {
    id,
    code,
    name,
    default_currency: fields.word('default_currency', currencies) ?? 'USD',
    ...readNew(fields, billingEntity),
    ...readBilling(fields),
    document_numbering: fields.word('document_numbering', documentNumberings) ?? 'per_customer',
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

/** Reads `billing_configuration`. Problems are noted under the plain field names, without `billing_configuration`. */
function readBilling(outer: Fields) {
  const nested = fieldsOf(outer.object('billing_configuration') ?? {}, outer.noteProblem);
  return {
    invoice_footer: nested.text('invoice_footer', { max: 600 }) ?? null,
    document_locale: nested.word('document_locale', documentLocales, 'not_a_valid_language_code') ?? 'en',
    invoice_grace_period: nested.integer('invoice_grace_period', { min: 0 }) ?? 0,
    subscription_invoice_issuing_date_anchor:
      nested.word('subscription_invoice_issuing_date_anchor', issuingDateAnchors) ?? 'next_period_start',
    subscription_invoice_issuing_date_adjustment:
      nested.word('subscription_invoice_issuing_date_adjustment', issuingDateAdjustments) ??
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
