/** Previews and stored invoices in words: the amount and the due date first (service-behaviour §3.6, §12). */
import type { Fields, Invoice } from '../contract/shown.ts';
import type { SummaryContext } from '../tool/define.ts';
import { catalogueNoteOf } from './catalogue-plan.ts';
import { problemsInWords, wordsOf } from './code-words.ts';
import { explainCredits } from './credits.ts';
import { explainFees, explainPeriod } from './explain.ts';
import type { PlanPrice } from './fee-price.ts';
import { explainNoTax, explainPath } from './invoice-arithmetic.ts';
import { explainPart } from './part-period.ts';
import { explainCouponRest, explainStart, explainTerms, type PreviewArguments } from './preview-terms.ts';
import {
  asRecord,
  asRecords,
  asText,
  code,
  day,
  listed,
  money,
  named,
  quoted,
  say,
  sentences,
  sign,
} from './summary.ts';
import { explainUnusedCoupons } from './unused-coupons.ts';
import { explainWithoutCoupons } from './without-coupons.ts';
import { onDay, zoneOf } from './zoned-times.ts';

/** A preview's summary explains at most this many fees one by one. */
const mostLines = 12;

/** What an invoice does not hold: what plans charge today, where fees do not hold their price, and its wallets. */
export interface PricesBeside {
  readonly prices?: readonly PlanPrice[];
  /** Why prepaid credits pay no more. */
  readonly prepaidEnd?: string | null;
}

export interface PreviewBeside extends PricesBeside {
  /** The names of the charges that are billed at each event, and so not in the preview. */
  readonly by_event?: readonly string[];
}

export type AskedPreview = PreviewArguments & Fields<'without_coupons'>;

/** A preview: the amount and its due date, how it adds up, its fees, and what in it comes from the arguments. */
export function describePreview(
  invoice: Invoice,
  { args, notice, now, beside }: SummaryContext<PreviewBeside, object, AskedPreview>,
): string {
  const { currency } = invoice;
  const fees = asRecords(invoice.fees);
  const errors = asRecords(invoice.error_details);
  const customer = asRecord(invoice.customer);
  const who = named(customer.name, customer.external_id);
  const total = money(invoice.total_amount_cents, currency) ?? 'An unknown total';
  return sentences(
    `${total}${dueOf(invoice, now)}${who === null ? '' : `, for ${who}`}; a preview, nothing was stored`,
    say`Issued on ${day(invoice.issuing_date, now)}`,
    errors.length > 0 && `Attention: ${problemsInWords(errors)}`,
    catalogueNoteOf(asRecords(invoice.subscriptions)),
    explainPath(invoice),
    explainNoTax(invoice),
    explainPeriod(invoice, fees, now),
    explainStart(invoice, args, now),
    ...(fees.length === 0
      ? ['There is nothing to bill']
      : explainFees(fees, currency, mostLines, {
          part: fee => explainPart(fee, invoice, args),
          prices: beside?.prices ?? [],
        })),
    say`Not in it, billed at each event: ${listed([...new Set(beside?.by_event ?? [])], 4)}`,
    explainCredits(invoice, beside?.prepaidEnd),
    explainUnusedCoupons(invoice, args.coupons, notice),
    explainCouponRest(invoice, args),
    args.without_coupons === true && explainWithoutCoupons(invoice),
    explainTerms(invoice, args),
  );
}

/** `, due on 1 May`; where there is nothing to pay, that in place of the day. */
function dueOf(invoice: Invoice, now: Date): string {
  if (sign(invoice.total_amount_cents) === 0) return ', nothing to pay';
  return say`, due on ${day(invoice.payment_due_date, now)}` ?? '';
}

/**
 * The amount of a stored invoice, how its payment stands and what is wrong with it: `Invoice SKY-1 for “Acme” (acme):
 * $187.14, due on 31 Mar, not paid yet`. Only a finalized invoice is due.
 */
export function describeInvoice(invoice: Invoice, now: Date): string {
  const { currency, total_amount_cents: total, total_due_amount_cents: dueCents } = invoice;
  const status = statusOf(invoice);
  const issued = status === 'finalized';
  const payment = issued ? invoice.payment_status : null;
  const errors = asRecords(invoice.error_details);
  const customer = asRecord(invoice.customer);
  const due = sign(dueCents) === 1 ? money(dueCents, currency) : null;
  const terms = termsOf(invoice, now);
  return sentences(
    `Invoice ${labelOf(invoice)}${say` for ${named(customer.name, customer.external_id)}` ?? ''}${terms === '' ? '' : `: ${terms}`}`,
    // The payment status is only a note: what is due changes through payments alone.
    payment === 'succeeded'
      ? say`No payment is recorded for ${due} of it`
      : issued && dueCents !== total && say`${due} of it is left`,
    say`${issued || status === 'voided' ? 'Issued on' : 'Its issuing date is'} ${day(invoice.issuing_date, now)}`,
    errors.length > 0 && `Attention: ${problemsInWords(errors)}`,
    asText(invoice.payment_dispute_lost_at) !== null &&
      `A payment dispute about it was lost${say` ${onDay(invoice.payment_dispute_lost_at, zoneOf(invoice), now)}` ?? ''}`,
  );
}

/** `SKY-1 of “Acme” (acme): $187.14, due on 31 Mar, not paid yet`, for a list of one customer or of many. */
export function invoiceLine(invoice: Invoice, ofMany: boolean, now: Date): string {
  const customer = asRecord(invoice.customer);
  const who = ofMany ? say` of ${named(customer.name, customer.external_id)}` : null;
  const terms = termsOf(invoice, now);
  return `${labelOf(invoice)}${who ?? ''}${terms === '' ? '' : `: ${terms}`}`;
}

/** `Metadata: cost_center “audio-7”`; null without any. */
export function invoiceMetadata(invoice: Invoice): string | null {
  const entries = asRecords(invoice.metadata).map(
    ({ key, value }) => `${code(key) ?? ''} ${quoted(value) ?? '(empty)'}`,
  );
  return say`Metadata: ${listed(entries)}`;
}

function labelOf({ number, svc_id }: Invoice): string {
  return code(number) ?? code(svc_id) ?? 'without an id';
}

function statusOf({ status }: Invoice): string {
  return code(status) ?? 'finalized';
}

/** `$187.14, due on 31 Mar, not paid yet`. */
function termsOf(invoice: Invoice, now: Date): string {
  const status = statusOf(invoice);
  const issued = status === 'finalized';
  const { payment_status: payment } = invoice;
  const terms = [
    money(invoice.total_amount_cents, invoice.currency),
    issued && payment !== 'succeeded' ? dueDayOf(invoice, now) : null,
    wordsOf(issued ? 'invoicePayment' : 'invoice', issued ? payment : status),
  ];
  return terms.filter(term => term !== null).join(', ');
}

function dueDayOf({ payment_due_date, payment_overdue }: Invoice, now: Date): string | null {
  const due = day(payment_due_date, now);
  if (payment_overdue !== true) return say`due on ${due}`;
  return due === null ? 'overdue' : `overdue since ${due}`;
}
