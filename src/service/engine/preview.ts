/** Computes a previewed invoice (§12): its amounts and dates, from planned parts and usage answers. Stores nothing. */
import type { InvoicePaymentStatus } from '../../model/enums.ts';
import type { CreditNoteRecord, DateText, InstantText, WalletRecord } from '../records/index.ts';
import type { UsableCoupon } from './coupons.ts';
import { type UsableCreditNote, usableCreditNotes, usableWallets } from './credits.ts';
import { planFee } from './fees-subscription.ts';
import { type IssuingSettings, issuingDates } from './issuing.ts';
import { decimal, ZERO } from './money.ts';
import { creditedCents, unusedPartNote } from './preview-credits.ts';
import { billable, type FeeContext, ownerOf, partFees } from './preview-fees.ts';
import type { PlannedPreview } from './preview-modes.ts';
import { type InvoicePart, termsOfLastPeriod } from './preview-parts.ts';
import { type Totals, totalsOf } from './totals.ts';
import type { UsageAnswer } from './types.ts';

export interface PreviewInput {
  context: FeeContext;
  planned: PlannedPreview;
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
  const { planned, context, currency, now } = input;
  const [first] = planned.parts;
  if (first === undefined) throw new RangeError('a preview needs a subscription');
  const totals = totalsOf({
    currency,
    fees: planned.parts.flatMap((part, i) => partFees(part, i, input.usage, context)),
    coupons: input.coupons,
    creditNotes: [...storedNotes(input), ...unusedPart(input, first)],
    wallets: usableWallets(input.wallets, currency, now),
  });
  return { totals, ...issuingDates(first.billing_date, first.recurring, input.issuing) };
}

function storedNotes({ credit_notes, currency, payment_statuses }: PreviewInput): UsableCreditNote[] {
  return usableCreditNotes(credit_notes, currency).map(note => ({
    id: note.id,
    number: note.number,
    balance_amount_cents: note.balance_amount_cents,
    invoice: { id: note.invoice_id, payment_status: payment_statuses.get(note.invoice_id) ?? 'pending' },
  }));
}

/**
 * The credit for the unused days of a pay-in-advance plan that ends (§12.6); none when the subscription asks for no
 * credit note, or for a refund.
 */
function unusedPart({ planned, context, credit_notes }: PreviewInput, part: InvoicePart): UsableCreditNote[] {
  const { plan, subscription } = part.subject;
  if (planned.ends === null || part.ended_at === null || !plan.pay_in_advance) return [];
  if ((subscription.on_termination_credit_note ?? 'credit') !== 'credit') return [];
  const terms = termsOfLastPeriod(part, planned.ends);
  if (terms === null) return [];
  const billed = part.subject.billed_fees.find(
    fee =>
      fee.item.type === 'subscription' &&
      fee.from_date !== null &&
      fee.from_date >= terms.period.from &&
      fee.from_date <= terms.period.to,
  );
  const owner = ownerOf(part.subject, context);
  const { taxes } = billable(planFee(terms, owner), plan, [], null, context);
  const note = unusedPartNote({
    terms,
    terminated_at: part.ended_at,
    billed: billed ?? null,
    credited_cents: creditedCents(billed ?? null, credit_notes),
    taxes_rate: taxes.reduce((rate, tax) => rate.plus(decimal(tax.rate)), ZERO).toFixed(),
  });
  return note.balance_amount_cents > 0 ? [note] : [];
}
