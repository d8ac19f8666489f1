/** Previews and stored invoices in words: the amount and the due date first (service-behaviour §3.6, §12). */
import type { Fields, Invoice } from '../contract/shown.ts';
import type { SummaryContext } from '../definition/define.ts';
import { explainPeriod } from './billed-period.ts';
import { problemsInWords, wordsOf } from './code-words.ts';
import { explainCredits } from './credits.ts';
import { explainFees } from './explain.ts';
import type { PlanPrice } from './fee-price.ts';
import { explainNoTax, explainPath } from './invoice-arithmetic.ts';
import { explainMonthlyItems } from './monthly-items.ts';
import { explainPart } from './part-period.ts';
import {
  explainChange,
  explainCouponRest,
  explainStart,
  explainTerms,
  type PreviewArguments,
} from './preview-terms.ts';
import { explainUnusedCoupons, type StoredCoupons, withRequestedCoupons } from './requested-coupons.ts';
import { catalogueNoteOf } from './subscription.ts';
import { code, day, listed, money, named, phrase, quoted, say, sentences, sign } from './summary.ts';
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
  /** Requested coupons that the preview does not use. */
  readonly coupons?: StoredCoupons;
  /** The names of the charges that are billed at each event, and so not in the preview. */
  readonly by_event?: readonly string[];
  /** Usage thresholds that were passed, in a sentence for each subscription. */
  readonly thresholds?: readonly (string | null)[];
}

export type AskedPreview = PreviewArguments & Fields<'without_coupons'>;

/** A preview: the amount and its due date, how it adds up, its fees, and what in it comes from the arguments. */
export function describePreview(
  preview: Invoice,
  { args, notice, now, beside }: SummaryContext<PreviewBeside, object, AskedPreview>,
): string {
  const invoice = withRequestedCoupons(preview, args.coupons);
  const { currency } = invoice;
  const fees = invoice.fees ?? [];
  const errors = invoice.error_details ?? [];
  const customer = invoice.customer ?? {};
  const who = named(customer.name, customer.external_id);
  const total = money(invoice.total_amount_cents, currency) ?? 'An unknown total';
  const isNothing = sign(invoice.total_amount_cents) === 0;
  const due = isNothing ? ', nothing to pay' : say`, due on ${day(invoice.payment_due_date, now)}`;
  return sentences(
    phrase`${total}${due}${say`, for ${who}`}. Preview only; nothing was stored`,
    say`Issue date: ${day(invoice.issuing_date, now)}`,
    errors.length > 0 && `Attention: ${problemsInWords(errors)}`,
    catalogueNoteOf(invoice.subscriptions ?? []),
    explainPath(invoice),
    explainNoTax(invoice),
    explainPeriod(invoice, fees, now),
    explainStart(invoice, args, now),
    explainChange(invoice, now),
    ...(invoice.fees !== undefined && fees.length === 0
      ? ['There is nothing to bill']
      : explainFees(fees, currency, mostLines, {
          part: fee => explainPart(fee, invoice, args),
          prices: beside?.prices ?? [],
        })),
    explainMonthlyItems(invoice, now),
    say`Not included: ${listed([...new Set(beside?.by_event ?? [])], 4)}, billed per event`,
    ...(beside?.thresholds ?? []),
    explainCredits(invoice, beside?.prepaidEnd),
    explainUnusedCoupons(invoice, args.coupons, notice, { stored: beside?.coupons ?? new Map(), now }),
    explainCouponRest(invoice, args),
    args.without_coupons === true && explainWithoutCoupons(invoice),
    explainTerms(invoice, args),
  );
}

/**
 * The amount of a stored invoice, how its payment stands and what is wrong with it: `Invoice SKY-1 for “Acme” (acme):
 * $187.14, due on 31 Mar, not paid yet`. Only a finalized invoice is due.
 */
export function describeInvoice(invoice: Invoice, now: Date): string {
  const status = statusOf(invoice);
  const errors = invoice.error_details ?? [];
  const customer = invoice.customer ?? {};
  const terms = termsOf(invoice, now);
  return sentences(
    phrase`Invoice ${labelOf(invoice)}${say` for ${named(customer.name, customer.external_id)}`}${terms === '' ? null : `: ${terms}`}`,
    say`${status === 'finalized' || status === 'voided' ? 'Issued on' : 'Issue date:'} ${day(invoice.issuing_date, now)}`,
    errors.length > 0 && `Attention: ${problemsInWords(errors)}`,
    invoice.payment_dispute_lost_at &&
      phrase`A payment dispute was lost${say` ${onDay(invoice.payment_dispute_lost_at, zoneOf(invoice), now)}`}`,
  );
}

/** `SKY-1 of “Acme” (acme): $187.14, due on 31 Mar, not paid yet`, for a list of one customer or of many. */
export function invoiceLine(invoice: Invoice, ofMany: boolean, now: Date): string {
  const customer = invoice.customer ?? {};
  const who = ofMany ? say` of ${named(customer.name, customer.external_id)}` : null;
  const terms = termsOf(invoice, now);
  return phrase`${labelOf(invoice)}${who}${terms === '' ? null : `: ${terms}`}`;
}

/** `Metadata: cost_center “audio-7”`; null without any. */
export function invoiceMetadata(invoice: Invoice): string | null {
  const entries = (invoice.metadata ?? []).map(({ key, value }) => phrase`${code(key)} ${quoted(value) ?? '(empty)'}`);
  return say`Metadata: ${listed(entries)}`;
}

function labelOf({ number, svc_id }: Invoice): string {
  return code(number) ?? code(svc_id) ?? 'without an id';
}

function statusOf({ status }: Invoice): string {
  return code(status) ?? 'finalized';
}

/** `$187.14, due on 31 Mar, not paid yet`; `$80.00 of $187.14 left to pay, due on 31 Mar`. */
function termsOf(invoice: Invoice, now: Date): string {
  const status = statusOf(invoice);
  const issued = status === 'finalized';
  const { payment_status: payment, currency, total_amount_cents: total, total_due_amount_cents: due } = invoice;
  const words = wordsOf(issued ? 'invoicePayment' : 'invoice', issued ? payment : status);
  const left = issued && sign(due) === 1 ? money(due, currency) : null;
  const dueDay = issued && payment !== 'succeeded' ? dueDayOf(invoice, now) : null;
  const amount = money(total, currency);
  const partly = Number(due) < Number(total) ? say`${left} of ${amount}` : null;
  // The payment status is only a note: what is due changes through payments alone.
  const parts =
    left !== null && payment === 'succeeded'
      ? [amount, phrase`marked as paid, with no payment recorded${due === total ? null : ` for ${left} of it`}`]
      : partly === null
        ? [amount, dueDay, words]
        : [`${partly} left to pay`, dueDay, payment === 'failed' ? words : null];
  return parts.filter(part => part !== null).join(', ');
}

function dueDayOf({ payment_due_date, payment_overdue }: Invoice, now: Date): string | null {
  const due = day(payment_due_date, now);
  if (payment_overdue !== true) return say`due on ${due}`;
  return due === null ? 'overdue' : `overdue, due on ${due}`;
}
