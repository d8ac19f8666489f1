/** Invoices: previewed, and marked as paid (specification, endpoints 6 and 7; service-behaviour §3.6, §12). */
import * as z from 'zod';
import { invoicePaymentStatuses } from '../src/contract/enums.ts';
import type { Free, Invoice } from '../src/contract/shown.ts';
import * as arg from '../src/definition/args.ts';
import { type Arguments, defineTool, defineWrite, type SummaryContext } from '../src/definition/define.ts';
import { documentSubject, questionWith } from '../src/words/changes.ts';
import { wordsOf } from '../src/words/code-words.ts';
import {
  type AskedPreview,
  describeInvoice,
  describePreview,
  invoiceMetadata,
  type PreviewBeside,
} from '../src/words/invoice.ts';
import { hiddenInMetadata, metadataNow, metadataWords } from '../src/words/metadata-words.ts';
import { chargeName } from '../src/words/price.ts';
import { day, isAltered, money, opt, phrase, say, sentences, sign } from '../src/words/summary.ts';
import {
  entriesToSend,
  invalidEntry,
  type SentEntry,
  sentPairs,
  shownMetadata,
  storedPairs,
} from './invoice-metadata.ts';
import { readInAdvance } from './records/charges-by-event.ts';
import { readPassedThresholds, readPlanPrices, readPrepaidEnd, readUnusedCoupons } from './records/invoice-reads.ts';
import { readOne, withBeside } from './records/one-record.ts';

/** Of so many subscriptions a preview reads what is billed at each event. */
const mostSubscriptions = 3;
/** Metadata entries of an invoice (§3.6). */
const mostEntries = 5;

const previewCustomer = z.strictObject({
  external_id: arg.text.describe('Stored customer; other fields override its values').optional(),
  name: arg.text.optional(),
  currency: arg.currency.optional(),
  ...arg.address,
  tax_identification_number: arg.text.optional(),
  timezone: arg.timezone.optional(),
  shipping_address: z.strictObject(arg.address).optional(),
  integration_customers: z
    .array(z.strictObject({ integration_type: arg.text.optional(), integration_code: arg.text.optional() }))
    .optional(),
});

const previewCoupon = z.strictObject({
  code: arg.text.describe('Stored coupon; an unknown code uses the values here').optional(),
  name: arg.text.optional(),
  coupon_type: arg.text.describe('fixed_amount or percentage').optional(),
  amount_cents: arg.cents.optional(),
  amount_currency: arg.currency.describe('Required for fixed_amount').optional(),
  percentage_rate: arg.text.describe('"10" is 10%').optional(),
  frequency: arg.text.describe('once, recurring or forever').optional(),
  frequency_duration: z.int().describe('Periods, if recurring').optional(),
});

export const previewInvoice = defineTool({
  name: 'preview_invoice',
  title: 'Preview an invoice',
  toolset: 'invoices',
  effect: 'compute',
  endpoint: 'POST /invoices/preview',
  description:
    'Computes an invoice without storing it; returns lines, taxes, credits and totals in minor units. With plan_code alone: the first invoice of a new subscription, without usage. With subscriptions.external_ids: the invoice of the current period with usage so far; add plan_code there for a plan change, terminated_at for a termination. Use it before any plan or price change. To compare plans, use compare_plans.',
  input: z
    .strictObject({
      customer: previewCustomer.describe('Whom to bill; default an anonymous customer').optional(),
      plan_code: arg.text.describe('Plan of a new subscription').optional(),
      subscription_at: arg.dateTime().describe('Start of the new subscription, default now').optional(),
      billing_time: arg.text.describe('calendar (default) or anniversary').optional(),
      coupons: z.array(previewCoupon).describe('Coupons to apply; ignored if the customer has coupons').optional(),
      billing_entity_code: arg.text.describe("Billing entity, default the customer's").optional(),
      subscriptions: z
        .strictObject({
          external_ids: arg.texts.optional(),
          plan_code: arg.text.describe('Plan to change to').optional(),
          terminated_at: arg.dateTime().describe('End to preview').optional(),
        })
        .describe('Existing subscriptions of customer.external_id')
        .optional(),
      without_coupons: arg.flag.describe('Also give the total without coupons; default false').optional(),
    })
    // §12: effectively required.
    .refine(
      ({ plan_code, subscriptions }) => plan_code !== undefined || (subscriptions?.external_ids ?? []).length > 0,
      {
        path: ['plan_code'],
        error: 'or subscriptions.external_ids is required',
      },
    ),
  // What the summary alone needs is not sent. The interface requires a customer: an empty one is no one (§12.1).
  run: ({ without_coupons: _, customer = {}, ...body }, api) =>
    withBeside(api, 'invoice', api.preview({ customer, ...body }), async (invoice, aside): Promise<PreviewBeside> => {
      const { subscriptions, plan_code, coupons: requested } = body;
      const all = aside.mayUse('get_subscription') ? (subscriptions?.external_ids ?? []) : [];
      const ids = all.slice(0, mostSubscriptions);
      const [prices, prepaidEnd, coupons, thresholds, ...inAdvance] = await Promise.all([
        readPlanPrices(aside, invoice, subscriptions?.plan_code ?? plan_code),
        readPrepaidEnd(aside, invoice),
        readUnusedCoupons(aside, invoice, requested),
        Promise.all(ids.map(id => readPassedThresholds(aside, id))),
        ...ids.map(id => readInAdvance(aside, id)),
      ]);
      // Charges that carry over have a fee in it, although they are billed at each event.
      const billed = new Set(invoice.fees?.map(({ svc_charge_id }) => svc_charge_id));
      const unbilled = inAdvance.flatMap(charges => charges ?? []).filter(({ svc_id }) => !billed.has(svc_id));
      return { prices, prepaidEnd, coupons, thresholds, by_event: unbilled.map(chargeName) };
    }),
  result: 'invoice',
  brief: `
    currency issuing_date payment_due_date fees{item{type?charge code} amount_cents} fees_amount_cents
    coupons_amount_cents? taxes_amount_cents progressive_billing_credit_amount_cents? credit_notes_amount_cents?
    prepaid_credit_amount_cents? total_amount_cents
  `,
  more: `
    customer subscriptions fees{units precise_unit_amount from_date amount_details pricing_unit_details
    presentation_breakdowns} credits applied_taxes
    billing_periods applied_usage_thresholds applied_invoice_custom_sections error_details
  `,
  say: (record, context: SummaryContext<PreviewBeside, object, AskedPreview>) => describePreview(record, context),
});

export const updateInvoice = defineWrite({
  name: 'update_invoice',
  title: 'Update an invoice',
  toolset: 'invoices',
  effect: 'write',
  endpoint: 'PUT /invoices/{svc_id}',
  description:
    'Records the payment status of an invoice or sets its metadata, and returns a receipt. Moves no money and records no payment or refund. Voided invoices cannot be updated. Draft invoices accept neither field. To see payments, use list_payments.',
  input: z.strictObject({
    svc_id: arg.recordId('invoice'),
    payment_status: arg
      .wordOf(invoicePaymentStatuses, {
        paid: 'succeeded',
        success: 'succeeded',
        settled: 'succeeded',
        unpaid: 'pending',
        open: 'pending',
        due: 'pending',
        declined: 'failed',
      })
      .optional(),
    metadata: z
      .array(
        z.strictObject({
          id: arg.text.describe('svc_id of the entry to keep or change').optional(),
          key: arg.textUpTo(20).refine(key => key.trim() !== '', { error: 'must not be empty' }),
          value: arg
            .textUpTo(140)
            .refine(value => value !== '', {
              error: 'must not be empty: to remove a key, send the entries to keep, without that key and without merge',
            })
            .optional(),
        }),
      )
      .refine(entries => entries.length <= mostEntries, { error: `has more than ${mostEntries} entries` })
      .refine(entries => new Set(entries.map(({ key }) => key)).size === entries.length, { error: 'has a key twice' })
      .describe('At most 5 entries; replaces the list, so entries left out are removed')
      .optional(),
    merge: arg.mergesMetadata,
  }),
  result: 'invoice',
  brief: 'svc_id number status payment_status payment_due_date currency total_amount_cents',
  more: `
    invoice_type issuing_date total_due_amount_cents customer subscriptions fees credits applied_taxes billing_periods
    purchase_order_number voided_at payment_dispute_lost_at applied_usage_thresholds applied_invoice_custom_sections
    metadata error_details
  `,
  say: (invoice, { args, before, now }) => {
    const changed = sayChanged(invoice, args, before);
    // What the change says of the metadata is not said twice.
    const isSaid = changed !== null && args.metadata !== undefined;
    return sentences(changed, describeInvoice(invoice, now), !isSaid && invoiceMetadata(invoice));
  },
  change: {
    look: ['get_invoice', ({ svc_id }, api) => readOne(api, 'invoice', svc_id)],
    request: ({ svc_id, merge, ...invoice }, known) => ({
      path: { svc_id },
      body: {
        invoice: invoice.metadata ? { ...invoice, metadata: entriesToSend(invoice.metadata, merge, known) } : invoice,
      },
    }),
    prompt: (args, known) => {
      const terms = [money(known?.total_amount_cents, known?.currency), say`due ${day(known?.payment_due_date)}`];
      const subject = documentSubject('invoice', known, args.svc_id, terms);
      const metadata = args.metadata && {
        verb: args.merge ? ('add to' as const) : ('replace' as const),
        words: metadataWords(storedPairs(known), sentPairs(args, known)),
      };
      const stays = metadata !== undefined && args.payment_status === known?.payment_status;
      const was = wordsOf('invoicePayment', known?.payment_status);
      const mark = phrase`Mark ${subject} as ${wordsOf('invoicePayment', args.payment_status)}${say` (was: ${was})`}`;
      const marks = args.payment_status !== undefined && !stays;
      return questionWith(subject, [], metadata ?? null, marks ? mark : null);
    },
    // §3.6: a status moves no money, but settles a top-up; a metadata list replaces the stored one.
    warnings: ({ payment_status, metadata, merge }, known) => {
      const warnings: string[] = [];
      if (payment_status !== undefined) {
        const due =
          sign(known?.total_due_amount_cents) === 1 ? money(known?.total_due_amount_cents, known?.currency) : null;
        if (payment_status !== known?.payment_status)
          warnings.push(
            payment_status === 'succeeded' && due !== null
              ? `The change moves no money and records no payment of ${due}.`
              : 'The change moves no money.',
          );
        if (known?.invoice_type === 'credit' && payment_status !== 'pending')
          warnings.push(
            payment_status === 'succeeded'
              ? 'The invoice pays for wallet credits: they are added to the wallet.'
              : 'The invoice pays for wallet credits: the top-up fails, and they are not added.',
          );
      }
      if (metadata !== undefined && known === null && merge !== true)
        warnings.push('Stored metadata that this change does not name is removed.');
      return warnings;
    },
    refuses: (args, known) => {
      const invalid = invalidEntry(args.metadata, known);
      if (invalid !== null) return { argument: 'metadata', message: invalid };
      if (known === null)
        return args.merge ? { argument: 'merge', message: 'needs the invoice, which could not be read' } : null;
      const { status } = known;
      if (status === 'voided' || status === 'deleted')
        return { argument: 'svc_id', message: `names a ${status} invoice, which cannot be changed` };
      if (status === 'draft') {
        const message = 'cannot be set on a draft invoice: wait until it is finalized';
        if (args.metadata !== undefined) return { argument: 'metadata', message };
        return args.payment_status === known.payment_status ? null : { argument: 'payment_status', message };
      }
      if (args.merge && args.metadata && isAltered(known, 'metadata'))
        return { argument: 'merge', message: hiddenInMetadata };
      const entries = entriesToSend(args.metadata ?? [], args.merge, known);
      if (entries.length <= mostEntries) return null;
      return { argument: 'metadata', message: `would have ${entries.length} entries; the maximum is ${mostEntries}` };
    },
    revert: (args, known, record) => {
      const back: Arguments = { svc_id: args.svc_id };
      if (args.payment_status !== undefined) {
        if (known.invoice_type === 'credit' && args.payment_status !== known.payment_status)
          return { impossible: 'the wallet top-up that this invoice pays for was settled or failed with it' };
        back.payment_status = known.payment_status;
      }
      if (args.metadata !== undefined) {
        const there = new Set((record.metadata ?? []).map(entry => entry.svc_id));
        const entries = (known.metadata ?? []).map(({ svc_id: id, key, value }) =>
          there.has(id) ? { id, key, value } : { key, value },
        );
        back.metadata = entries;
      }
      return { arguments: back };
    },
    shown: (field, record) => (field === 'metadata' ? shownMetadata(record.metadata) : (record as Free)[field]),
  },
});

/** `Changed: invoice SKY-1 is marked as paid (was: pending)`, from what the answer shows. */
function sayChanged(
  invoice: Invoice,
  args: { readonly payment_status?: string | undefined; readonly metadata?: readonly SentEntry[] | undefined },
  before: Invoice | undefined,
): string | null {
  const status = invoice.payment_status;
  const marked =
    args.payment_status === status && before?.payment_status !== status ? wordsOf('invoicePayment', status) : null;
  const was = opt` (was: ${wordsOf('invoicePayment', before?.payment_status)})`;
  const metadata = args.metadata === undefined ? null : metadataNow(storedPairs(before), storedPairs(invoice) ?? []);
  const topUp =
    marked === null || invoice.invoice_type !== 'credit' || status === 'pending'
      ? null
      : status === 'succeeded'
        ? 'the wallet credits that it pays for were added'
        : 'the wallet top-up that it pays for failed';
  const others = [topUp, metadata].filter(other => other !== null);
  if (marked === null && others.length === 0) return null;
  return `Changed: ${[say`marked as ${marked}${was}`, ...others].filter(part => part !== null).join('; ')}`;
}
