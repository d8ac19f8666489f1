/** The companies that send invoices (specification, endpoint 12; service-behaviour §3.12). */
import * as z from 'zod';
import { billingEntity } from '../src/contract/billing-entity.ts';
import * as enums from '../src/contract/enums.ts';
import type { BillingEntity, Free } from '../src/contract/shown.ts';
import type { Api, ReadAnswer } from '../src/definition/api.ts';
import { currency, idText, integer, text, textUpTo } from '../src/definition/args.ts';
import { fieldNotes } from '../src/definition/argument-fields.ts';
import { defineWrite, madeRecord } from '../src/definition/define.ts';
import { argumentsOf, labelsOf } from '../src/definition/field-arguments.ts';
import { ownValue } from '../src/lib/json.ts';
import { asLines, type ChangeOptions, changesOf } from '../src/words/changes.ts';
import { code, count, listed, named, phrase, say, sentences } from '../src/words/summary.ts';

const billingConfiguration = z.strictObject({
  invoice_footer: textUpTo(600).optional(),
  document_locale: text
    .refine(locale => enums.isOneOf(enums.documentLocales, locale), {
      error: `must be one of ${enums.documentLocales.join(', ')}`,
    })
    .describe('Language: en, fr, pt-BR, …')
    .optional(),
  invoice_grace_period: integer.describe('Days a draft stays open, default 0').optional(),
  subscription_invoice_issuing_date_anchor: z.enum(enums.issuingDateAnchors).optional(),
  subscription_invoice_issuing_date_adjustment: z.enum(enums.issuingDateAdjustments).optional(),
});

/** The service stores these texts in capitals (service-behaviour §3.12). */
const inCapitals = (text: z.ZodString) => text.clone().register(fieldNotes, { stored: 'capitals' });

const { finalize_zero_amount_invoice, net_payment_term, timezone, eu_tax_management, einvoicing, ...contact } =
  argumentsOf(billingEntity);

export const createBillingEntity = defineWrite({
  name: 'create_billing_entity',
  title: 'Create a billing entity',
  toolset: 'billing_entities',
  effect: 'write',
  endpoint: 'POST /billing_entities',
  description:
    'Creates a billing entity, a company that issues invoices, with address, currency, time zone, numbering, tax and email settings. Returns a receipt. It cannot be deleted here. A repeated call creates another one or fails on the code. To list them, use list_catalogue.',
  input: z.strictObject({
    code: idText().describe('Unique code'),
    name: idText().describe('Name of the company'),
    default_currency: inCapitals(currency).describe('ISO 4217 code, default USD').optional(),
    document_number_prefix: inCapitals(textUpTo(10))
      .describe('Start of document numbers, 1 to 10 characters')
      .optional(),
    document_numbering: z
      .enum(enums.documentNumberings)
      .describe('Invoice number sequence, default per_customer')
      .optional(),
    finalize_zero_amount_invoice,
    billing_configuration: billingConfiguration.describe('Invoice settings').optional(),
    net_payment_term,
    ...contact,
    timezone,
    email_settings: z.array(z.enum(enums.emailSettings)).describe('Emails sent to customers, default none').optional(),
    eu_tax_management,
    einvoicing,
    logo: text
      .clone()
      .register(fieldNotes, { stored: 'image' })
      .describe('Image as data:image/png;base64,… (or jpeg), up to 800 KB')
      .optional(),
  }),
  result: 'billing_entity',
  brief: 'code name default_currency country timezone document_number_prefix net_payment_term is_default?',
  say: entity => {
    const term = entity.net_payment_term ?? null;
    return sentences(
      phrase`Created: billing entity ${named(entity.name, entity.code) ?? 'without a code'}${say`, with currency ${code(entity.default_currency)}`}${say` and time zone ${code(entity.timezone)}`}`,
      say`Its document numbers begin with ${code(entity.document_number_prefix)}`,
      term !== null && (term === 0 ? 'Invoices are due immediately' : `Invoices are due after ${count(term, 'day')}`),
      entity.is_default === true && 'It is the default billing entity',
    );
  },
  change: {
    look: ['list_catalogue', readTaken],
    request: billing_entity => ({ body: { billing_entity } }),
    prompt: args => {
      const { billing_configuration, ...fields } = args;
      const options = { selectors: ['code', 'name'], labels, words };
      const details = changesOf({ ...fields, ...billing_configuration }, null, options).map(
        ({ label, to }) => `${label} ${to ?? 'none'}`,
      );
      return asLines(`Create billing entity ${named(args.name, args.code)}?`, details);
    },
    warnings: ({ eu_tax_management }) => [
      'A billing entity cannot be deleted with these tools.',
      ...(eu_tax_management === true ? ["Its customers' countries determine their taxes."] : []),
    ],
    refuses: (_, known) => {
      const [entity] = known?.taken ?? [];
      if (entity === undefined) return null;
      const message = `is already used by billing entity ${named(entity.name, entity.code) ?? 'without a name'}: choose another`;
      return { argument: 'code', message };
    },
    revert: () => ({ impossible: 'a billing entity cannot be deleted with these tools' }),
    // A logo is sent as an image and comes back as an address; the billing configuration comes back as flat fields.
    shown: (field, entity) => {
      if (field === 'logo') return entity.logo_url;
      const record: Free = entity;
      if (field !== 'billing_configuration') return record[field];
      if (typeof record.billing_configuration === 'object') return record.billing_configuration;
      return Object.fromEntries(Object.keys(billingConfiguration.shape).map(name => [name, record[name]]));
    },
  },
});

/** The active entity that has `taken` this code, if there is one. */
async function readTaken(
  { code: wanted }: { code: string },
  api: Api,
): Promise<ReadAnswer<{ taken?: readonly BillingEntity[]; [madeRecord]?: object | null }>> {
  const answer = await api.get('/billing_entities', { key: 'billing_entities' });
  if (!answer.ok) return answer;
  const taken = (answer.body.billing_entities ?? []).filter(each => each.code === wanted);
  return { ok: true, body: { taken, [madeRecord]: taken[0] ?? null } };
}

/** Fields whose names do not say enough to a user. */
const labels: Readonly<Record<string, string>> = {
  ...labelsOf(billingEntity),
  default_currency: 'currency',
  document_number_prefix: 'document numbers that begin with',
  document_numbering: 'numbering',
  email_settings: 'emails sent for',
  document_locale: 'language',
  invoice_grace_period: 'invoices kept as drafts for',
  subscription_invoice_issuing_date_anchor: 'issuing date counted from',
  subscription_invoice_issuing_date_adjustment: 'issuing date',
};

/** The interface's words as a user says them. */
const plain: Readonly<Record<string, string>> = {
  per_customer: 'one sequence for each customer',
  per_billing_entity: 'one sequence for the whole entity',
  current_period_end: 'the end of the billing period',
  next_period_start: 'the start of the next billing period',
  align_with_finalization_date: 'moved to the finalization day',
  keep_anchor: 'not moved to the finalization day',
  'invoice.finalized': 'finalized invoices',
  'credit_note.created': 'credit notes',
  'payment_receipt.created': 'payment receipts',
};

const inPlain = (value: unknown): string => ownValue(plain, String(value)) ?? String(value);
const inDays = (value: unknown): string => count(Number(value), 'day');

const words: NonNullable<ChangeOptions['words']> = {
  document_numbering: inPlain,
  finalize_zero_amount_invoice: value => (value === true ? 'finalized' : 'skipped'),
  net_payment_term: value => (value === 0 ? 'at once' : `after ${inDays(value)}`),
  email_settings: value => listed((value as readonly string[]).map(inPlain)) ?? 'nothing',
  eu_tax_management: value => (value === true ? 'managed' : 'not managed'),
  einvoicing: value => (value === true ? 'on' : 'off'),
  invoice_grace_period: inDays,
  subscription_invoice_issuing_date_anchor: inPlain,
  subscription_invoice_issuing_date_adjustment: inPlain,
};
