/** Computes a previewed invoice (§12): its amounts and dates, from planned parts and usage answers. Stores nothing. */
import type { InvoicePaymentStatus } from '../contract/enums.ts';
import type { UsableCoupon } from './coupons.ts';
import { type UsableCreditNote, usableCreditNotes, usableWallets } from './credits.ts';
import { latestFee } from './fees.ts';
import { type IssuingSettings, issuingDates } from './issuing.ts';
import { creditedCents, unusedPartCents } from './preview-credits.ts';
import { type FeeContext, partFees } from './preview-fees.ts';
import { type InvoicePart, termsOfLastPeriod } from './preview-parts.ts';
import type { CreditNoteRecord, DateText, InstantText, WalletRecord } from './records/index.ts';
import { type Totals, totalsOf } from './totals.ts';
import type { UsageAnswer } from './types.ts';

export interface PreviewInput {
  context: FeeContext;
  /** First subscription first. */
  parts: readonly InvoicePart[];
  usage: UsageAnswer;
  currency: string;
  coupons: readonly UsableCoupon[];
  /** All credit notes of the customer, in any state and currency. */
  credit_notes: readonly CreditNoteRecord[];
  /** Payment status of the credit notes' invoices, by id. */
  payment_statuses: ReadonlyMap<string, InvoicePaymentStatus>;
  wallets: readonly WalletRecord[];
  issuing: IssuingSettings;
  now: InstantText;
}

export interface PreviewedInvoice {
  totals: Totals;
  issuing_date: DateText;
  payment_due_date: DateText;
}

/** Throws `OutOfScope` for what §16 leaves out. */
export function previewInvoice(input: PreviewInput): PreviewedInvoice {
  const { parts, context, currency, now } = input;
  const [first] = parts;
  if (first === undefined) throw new RangeError('a preview needs a subscription');
  const totals = totalsOf({
    currency,
    fees: parts.flatMap((part, i) => partFees(part, i, input.usage, context)),
    coupons: input.coupons,
    creditNotes: [...unusedPartNotes(input, first), ...storedCreditNotes(input)],
    wallets: usableWallets(input.wallets, currency, now),
  });
  return { totals, ...issuingDates(first.billing_date, first.recurring, input.issuing) };
}

function storedCreditNotes({ credit_notes, currency, payment_statuses }: PreviewInput): UsableCreditNote[] {
  return usableCreditNotes(credit_notes, currency).map(note => ({
    id: note.id,
    number: note.number,
    balance_amount_cents: note.balance_amount_cents,
    invoice: { id: note.invoice_id, payment_status: payment_statuses.get(note.invoice_id) ?? 'pending' },
  }));
}

/**
 * The credit for the unused days of a pay-in-advance plan that is terminated or upgraded (§12.6), used before stored notes.
 * None when the subscription asks for no credit note, or for a refund, and none without a plan fee that it comes from.
 */
function unusedPartNotes({ credit_notes }: PreviewInput, { subject, end }: InvoicePart): UsableCreditNote[] {
  const { plan, subscription, billed_fees } = subject;
  if (end === null || end.how === 'downgraded' || !plan.pay_in_advance) return [];
  if ((subscription.on_termination_credit_note ?? 'credit') !== 'credit') return [];
  const terms = termsOfLastPeriod(subject, end.at, end.how);
  const billed = latestFee(billed_fees.filter(fee => fee.item.type === 'subscription'));
  if (terms === null || billed === null) return [];
  const credited_cents = creditedCents(billed, credit_notes);
  const cents = unusedPartCents({ terms, terminated_at: end.at, billed, credited_cents });
  return cents > 0 ? [{ id: null, number: '', balance_amount_cents: cents, invoice: null }] : [];
}
