/** Invoices: previewed, and marked as paid (specification, endpoints 6 and 7; service-behaviour §3.6, §12). */
import * as z from 'zod';
import type { JsonRecord } from '../src/lib/json.ts';
import { explainCredits } from '../src/present/credits.ts';
import { explainDates, explainFees, explainPeriod, explainTaxes } from '../src/present/explain.ts';
import { explainPart } from '../src/present/part-period.ts';
import { explainCouponRest, explainStart, explainTerms } from '../src/present/quote.ts';
import {
  asRecord,
  asRecords,
  asText,
  asTexts,
  code,
  day,
  listed,
  money,
  named,
  say,
  sentences,
  sign,
} from '../src/present/summary.ts';
import { explainUnusedCoupons } from '../src/present/unused-coupons.ts';
import { explainWithoutCoupons } from '../src/present/without-coupons.ts';
import { changesOf, subjectOf, updateQuestion } from '../src/present/words.ts';
import {
  address,
  briefly,
  brieflyListed,
  cents,
  country,
  currency,
  dateTime,
  flag,
  recordId,
  text,
  texts,
  timezone,
} from '../src/tool/args.ts';
import { defineTool, type Known, type SummaryContext } from '../src/tool/define.ts';
import { describeErrors } from './customers.ts';

const selectors = ['svc_id'];

const previewCustomer = z.strictObject({
  external_id: text.describe('A stored customer; other fields then override it. Left out: anonymous').optional(),
  name: text.optional(),
  currency: currency.optional(),
  address_line1: text.optional(),
  address_line2: text.optional(),
  city: text.optional(),
  state: text.optional(),
  country: country.optional(),
  zipcode: text.optional(),
  tax_identification_number: text.optional(),
  timezone: timezone.optional(),
  shipping_address: briefly(z.strictObject(address), 'Address as above').optional(),
  integration_customers: brieflyListed(
    z.strictObject({ integration_type: text.optional(), integration_code: text.optional() }),
  ).optional(),
});

const previewCoupon = z.strictObject({
  code: text.describe('Stored; unknown codes use these values').optional(),
  name: text.optional(),
  coupon_type: text.describe('fixed_amount or percentage').optional(),
  amount_cents: cents.optional(),
  amount_currency: currency.describe('Needed if fixed').optional(),
  percentage_rate: text.describe('"10" is 10%').optional(),
  frequency: text.describe('once, recurring or forever').optional(),
  frequency_duration: z.int().optional(),
});

export const previewInvoice = defineTool({
  name: 'preview_invoice',
  title: 'Preview an invoice',
  toolset: 'invoices',
  effect: 'compute',
  endpoint: 'POST /invoices/preview',
  description:
    "Computes an invoice without storing anything. plan_code alone: the first invoice of a new subscription, without usage. subscriptions.external_ids: the running period's invoice with usage so far; plus plan_code: a plan change; plus terminated_at: a termination. Use before any plan or price change. Amounts are in minor units.",
  input: z.strictObject({
    customer: previewCustomer.optional(),
    plan_code: text.optional(),
    subscription_at: dateTime().describe('Default: now').optional(),
    billing_time: text.describe('calendar (default) or anniversary').optional(),
    coupons: z.array(previewCoupon).describe('Ignored if the customer has coupons').optional(),
    billing_entity_code: text.optional(),
    subscriptions: z
      .strictObject({
        external_ids: texts.optional(),
        plan_code: text.optional(),
        terminated_at: dateTime().optional(),
      })
      .describe('Of customer.external_id')
      .optional(),
    without_coupons: flag.describe('Both totals').optional(),
  }),
  // What the summary alone needs is not sent.
  request: ({ without_coupons: _, ...body }) => ({ body }),
  result: 'invoice',
  brief: `
    currency issuing_date payment_due_date fees{item{type?charge code} amount_cents} fees_amount_cents
    coupons_amount_cents? taxes_amount_cents progressive_billing_credit_amount_cents? credit_notes_amount_cents?
    prepaid_credit_amount_cents? total_amount_cents
  `,
  more: `
    customer subscriptions fees{units precise_unit_amount from_date amount_details} credits applied_taxes
    billing_periods applied_usage_thresholds applied_invoice_custom_sections error_details
  `,
  detail: true,
  summary: (record, context) => describePreview(asRecord(record), context),
});

export const updateInvoice = defineTool({
  name: 'update_invoice',
  title: 'Update an invoice',
  toolset: 'invoices',
  effect: 'write',
  endpoint: 'PUT /invoices/{svc_id}',
  description:
    'Records how payment of an invoice went, or sets its metadata. Moves no money and pays or refunds nothing. Voided invoices refuse; drafts take neither.',
  input: z.strictObject({
    svc_id: recordId(),
    payment_status: text.describe('pending, succeeded or failed').optional(),
    metadata: z
      .array(
        z.strictObject({
          id: text.describe('svc_id of an entry to keep or change').optional(),
          key: text,
          value: text.optional(),
        }),
      )
      .describe('At most 5. Replaces the list: entries left out are removed')
      .optional(),
  }),
  selectors,
  request: ({ svc_id, ...invoice }) => ({ path: { svc_id }, body: { invoice } }),
  result: 'invoice',
  brief: 'svc_id number status payment_status payment_due_date currency total_amount_cents',
  more: `
    invoice_type issuing_date total_due_amount_cents customer subscriptions fees credits applied_taxes billing_periods
    purchase_order_number voided_at payment_dispute_lost_at applied_usage_thresholds applied_invoice_custom_sections
    metadata error_details
  `,
  detail: true,
  summary: record => describeInvoice(asRecord(record)),
  target: ({ svc_id }) => ({ resource: 'invoice', id: svc_id }),
  question: (args, known) => {
    const total = money(known?.total_amount_cents, known?.currency);
    const subject = `${subjectOf('invoice', known, args.svc_id, 'number')}${total === null ? '' : ` over ${total}`}`;
    return updateQuestion(subject, changesOf(args, known, { selectors }));
  },
  warnings: invoiceWarnings,
  shown: (field, record) => (field === 'metadata' ? shownMetadata(record.metadata) : record[field]),
});

/** §3.6: a status moves no money; a metadata list replaces the stored one. */
function invoiceWarnings(args: JsonRecord, known: Known): string[] {
  const warnings: string[] = [];
  if (args.payment_status !== undefined) {
    warnings.push('A payment status is a note only: it moves no money, and total_paid_amount_cents stays.');
    if (known?.invoice_type === 'credit')
      warnings.push(
        'This invoice pays for wallet credits: succeeded adds them to the wallet, failed fails the top-up.',
      );
  }
  if (Array.isArray(args.metadata)) {
    const kept = new Set(asRecords(args.metadata).map(entry => entry.id));
    const stored = known === null ? null : asRecords(known.metadata);
    const lost = stored?.filter(entry => !kept.has(entry.svc_id)).map(entry => code(entry.key) ?? '') ?? [];
    if (stored === null) warnings.push('metadata replaces the list: stored entries whose id is not sent are removed.');
    else if (lost.length > 0) warnings.push(`metadata replaces the list; removed: ${listed(lost)}.`);
  }
  return warnings;
}

/** The answer has `svc_id` for what the request calls `id`. */
function shownMetadata(metadata: unknown): unknown {
  if (!Array.isArray(metadata)) return undefined;
  return asRecords(metadata).map(({ svc_id, key, value }) => ({ id: svc_id, key, value }));
}

/** How many fees of a preview its summary explains one by one. */
const mostLines = 12;

function describePreview(invoice: JsonRecord, { args, notice, recall }: SummaryContext): string {
  const { currency: unit } = invoice;
  const fees = asRecords(invoice.fees);
  const errors = asRecords(invoice.error_details);
  const customer = asRecord(invoice.customer);
  const who = named(customer.name, customer.external_id);
  const total = money(invoice.total_amount_cents, unit);
  return sentences(
    errors.length > 0 && `Attention: ${describeErrors(errors)}`,
    `${who === null ? 'This preview' : `The preview for ${who}`} comes to ${total ?? 'an unknown total'}; nothing was stored`,
    explainPeriod(invoice, fees),
    explainStart(invoice, args),
    ...(fees.length === 0
      ? ['There is nothing to bill']
      : explainFees(fees, unit, mostLines, fee =>
          explainPart(fee, invoice, args, plan => recall?.('plan', plan) ?? null),
        )),
    fees.length > 1 && say`Fees ${money(invoice.fees_amount_cents, unit)}`,
    explainCredits(invoice),
    explainUnusedCoupons(invoice, args.coupons, notice),
    explainCouponRest(invoice, args),
    explainTaxes(invoice),
    args.without_coupons === true && explainWithoutCoupons(invoice),
    explainTerms(invoice, args),
    explainDates(invoice),
  );
}

/** What a stored invoice is over, how its payment stands and what is wrong with it. Only a finalized one has anything due. */
export function describeInvoice(invoice: JsonRecord): string {
  const { currency: unit } = invoice;
  const status = code(invoice.status);
  const payment = code(invoice.payment_status);
  const errors = asRecords(invoice.error_details);
  const customer = asRecord(invoice.customer);
  const number = code(invoice.number) ?? code(invoice.svc_id) ?? 'without an id';
  const due = sign(invoice.total_due_amount_cents) === 1 ? money(invoice.total_due_amount_cents, unit) : null;
  return sentences(
    invoice.payment_overdue === true &&
      `Invoice ${number} is overdue${say` since ${day(invoice.payment_due_date)}` ?? ''}`,
    payment === 'failed' && `Payment of invoice ${number} failed`,
    asText(invoice.payment_dispute_lost_at) !== null && 'A payment dispute about it was lost',
    errors.length > 0 && `Attention: ${describeErrors(errors)}`,
    status !== null && status !== 'finalized' && `Invoice ${number} is ${status}`,
    `Invoice ${number}${say` for ${named(customer.name, customer.external_id)}` ?? ''}${say` is over ${money(invoice.total_amount_cents, unit)}` ?? ''}${status === 'draft' ? '' : (say`, payment ${payment}` ?? '')}`,
    status === 'draft' && 'Its amounts may still change',
    // A status is only a note: the paid amount changes through payments alone.
    payment === 'succeeded'
      ? say`No payment is recorded for ${due} of it`
      : (status ?? 'finalized') === 'finalized' && say`${due} of it is due`,
    datesOf(invoice),
    say`Metadata: ${listed(asTexts(asRecords(invoice.metadata).map(entry => code(entry.key))))}`,
  );
}

/** Only a finalized invoice is due; one that is not issued yet has a date for it. */
function datesOf(invoice: JsonRecord): string | null {
  const { status, issuing_date } = invoice;
  if (status === 'voided') return say`Issued ${day(issuing_date)}`;
  const unissued = status === 'draft' || status === 'pending' || status === 'failed';
  return unissued ? say`Its issuing date is ${day(issuing_date)}` : explainDates(invoice);
}
