/** The companies that send invoices (specification, endpoint 12; service-behaviour §3.12). */
import * as z from 'zod';
import type { JsonRecord } from '../src/lib/json.ts';
import { documentNumberings, emailSettings, issuingDateAdjustments, issuingDateAnchors } from '../src/model/enums.ts';
import { asInteger, asRecord, code, count, named, say, sentences } from '../src/present/summary.ts';
import { changesOf } from '../src/present/words.ts';
import { country, currency, flag, idText, text, timezone } from '../src/tool/args.ts';
import { defineTool } from '../src/tool/define.ts';

const billingConfiguration = z.strictObject({
  invoice_footer: text.optional(),
  document_locale: text.describe('en, fr, pt-BR, …').optional(),
  invoice_grace_period: z.int().describe('Days').optional(),
  subscription_invoice_issuing_date_anchor: z.enum(issuingDateAnchors).optional(),
  subscription_invoice_issuing_date_adjustment: z.enum(issuingDateAdjustments).optional(),
});

export const createBillingEntity = defineTool({
  name: 'create_billing_entity',
  title: 'Create a billing entity',
  toolset: 'billing_entities',
  effect: 'write',
  idempotent: false,
  endpoint: 'POST /billing_entities',
  description:
    'Creates a company that issues invoices: address, currency, time zone, numbering, tax and e-mail settings. It cannot be deleted here. Calling again creates another or fails on the code.',
  input: z.strictObject({
    code: idText().describe('Unique'),
    name: idText(),
    default_currency: currency.describe('Default USD').optional(),
    document_number_prefix: text.describe('1 to 10 characters').optional(),
    document_numbering: z.enum(documentNumberings).optional(),
    finalize_zero_amount_invoice: flag.optional(),
    billing_configuration: billingConfiguration.optional(),
    net_payment_term: z.int().describe('Days until due').optional(),
    address_line1: text.optional(),
    address_line2: text.optional(),
    city: text.optional(),
    state: text.optional(),
    country: country.describe('Two letters').optional(),
    zipcode: text.optional(),
    email: text.optional(),
    phone: text.optional(),
    legal_name: text.optional(),
    legal_number: text.optional(),
    tax_identification_number: text.optional(),
    timezone: timezone.describe('e.g. Europe/Paris').optional(),
    email_settings: z.array(z.enum(emailSettings)).optional(),
    eu_tax_management: flag.describe('EU countries only').optional(),
    einvoicing: flag.optional(),
    logo: text.describe('data:image/png;base64,… (or jpeg), up to 800 KB').optional(),
  }),
  request: billing_entity => ({ body: { billing_entity } }),
  result: 'billing_entity',
  brief: 'code name default_currency country timezone document_number_prefix net_payment_term is_default?',
  summary: record => describeEntity(asRecord(record)),
  target: ({ code: id }) => ({ resource: 'billing_entity', id }),
  question: args => {
    const details = changesOf(args, null, { selectors: ['code', 'name'] }).map(
      ({ label, to }) => `${label} ${to ?? 'none'}`,
    );
    return `Create billing entity ${named(args.name, args.code)}${details.length > 0 ? ` with ${details.join('; ')}` : ''}?`;
  },
  warnings: ({ eu_tax_management }) =>
    eu_tax_management === true ? ['EU tax management decides the taxes of its customers by their countries.'] : [],
  shown,
});

/** A logo is sent as an image and comes back as an address; the billing configuration comes back as flat fields. */
function shown(field: string, record: JsonRecord): unknown {
  if (field === 'logo') return record.logo_url;
  if (field !== 'billing_configuration') return record[field];
  if (typeof record.billing_configuration === 'object') return record.billing_configuration;
  return Object.fromEntries(Object.keys(billingConfiguration.shape).map(name => [name, record[name]]));
}

function describeEntity(entity: JsonRecord): string {
  const term = asInteger(entity.net_payment_term);
  return sentences(
    `Billing entity ${named(entity.name, entity.code) ?? 'without a code'} exists now${say`, with currency ${code(entity.default_currency)}` ?? ''}${say` and time zone ${code(entity.timezone)}` ?? ''}`,
    say`Its document numbers begin with ${code(entity.document_number_prefix)}`,
    term !== null && (term === 0 ? 'Invoices are due at once' : `Invoices are due after ${count(term, 'day')}`),
    entity.is_default === true && 'It is the default billing entity',
  );
}
