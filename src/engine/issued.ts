/**
 * What an issued invoice does otherwise than a preview (§12.8): for the recomputation of invoices that were issued.
 * `previewInvoice` prices its parts with `issued`, and `previewCoupons` takes limited coupons with it.
 */

import { localDate } from './days.ts';
import { trialEndOf } from './fees-subscription.ts';
import { billingBasis, endOfPeriod } from './periods.ts';
import { type PreviewedInvoice, type PreviewInput, previewInvoice } from './preview.ts';
import { downgradeParts, planPreview, type ScheduledSubject } from './preview-modes.ts';
import {
  basisOf,
  type InvoicePart,
  projectionPart,
  type Subject,
  startingPart,
  startOf,
  trialEndPart,
} from './preview-parts.ts';
import type { InstantText, PlanRecord } from './records/index.ts';

/** Why an invoice is issued: a start, the next billing day after `now`, an end, or a change of plan. */
export type IssuedOccasion =
  | { kind: 'start' }
  | { kind: 'period' }
  | { kind: 'termination'; at: InstantText }
  | { kind: 'plan_change'; target: PlanRecord };

/** The parts of an issued invoice. */
export function issuedParts(
  subjects: readonly ScheduledSubject[],
  occasion: IssuedOccasion,
  now: InstantText,
): InvoicePart[] {
  const parts =
    occasion.kind === 'start'
      ? subjects.map(subject => startingPart(subject, startOf(subject), false))
      : occasion.kind === 'period'
        ? subjects.flatMap(subject => nextParts(subject, now))
        : planPreview(subjects, occasion, now).parts;
  return eachFixedChargeOnce(parts);
}

/** Subscriptions that share an invoice: of one purchase order, payment method, currency and entity, unless set apart. */
export function invoiceGroups<Each extends Subject>(subjects: readonly Each[], customerEntityId: string): Each[][] {
  const groups = new Map<string, Each[]>();
  for (const subject of subjects) {
    const { subscription, plan } = subject;
    const { id, purchase_order_number, payment_method, billing_entity_id, consolidate_invoice } = subscription;
    const terms = [purchase_order_number, payment_method, plan.amount_currency, billing_entity_id ?? customerEntityId];
    const key = JSON.stringify(consolidate_invoice ? terms : id);
    groups.set(key, [...(groups.get(key) ?? []), subject]);
  }
  return [...groups.values()];
}

/** The invoices of one day, in their order: what one takes of coupons, credit notes and wallets, the next lacks. */
export function issuedInvoices(inputs: readonly PreviewInput[]): PreviewedInvoice[] {
  const used = new Map<string | null, number>();
  const usedOf = (id: string | null) => used.get(id) ?? 0;
  return inputs.map(input => {
    const invoice = previewInvoice({
      ...input,
      issued: true,
      coupons: input.coupons
        .filter(({ once, coupon_type, coupon_id }) => !once || coupon_type !== 'percentage' || !used.has(coupon_id))
        .map(each => (each.once ? { ...each, amount_cents: each.amount_cents - usedOf(each.coupon_id) } : each)),
      credit_notes: input.credit_notes.map(each => ({
        ...each,
        balance_amount_cents: each.balance_amount_cents - usedOf(each.id),
      })),
      wallets: input.wallets.map(each => ({ ...each, balance_cents: each.balance_cents - usedOf(each.id) })),
    });
    const { credits, paid_by_wallet } = invoice.totals;
    for (const { item, amount_cents } of credits) used.set(item.item_id, usedOf(item.item_id) + amount_cents);
    for (const [id, cents] of paid_by_wallet) used.set(id, usedOf(id) + cents);
    return invoice;
  });
}

/** The next invoice: that of the month where something is billed monthly, or that of a plan fee after its trial. */
function nextParts(subject: ScheduledSubject, now: InstantText): InvoicePart[] {
  const { plan, scheduled } = subject;
  const basis = basisOf(subject);
  const billedAt = endOfPeriod(billingBasis(basis, plan), now);
  const trialEnd = plan.pay_in_advance ? trialEndOf(subject) : null;
  if (trialEnd !== null && trialEnd > now && trialEnd < billedAt) return [trialEndPart(subject, trialEnd)];
  if (scheduled !== null && billedAt === endOfPeriod(basis, now)) return downgradeParts(subject, scheduled, now, true);
  return [projectionPart(subject, billedAt)];
}

/** Several subscriptions of a plan have each of its fixed charges once [quirk]; copies of a plan have their own. */
export function eachFixedChargeOnce(parts: readonly InvoicePart[]): InvoicePart[] {
  const seen = new Set<string>();
  return parts.map(part => ({
    ...part,
    plan_fee: isInTrial(part) ? null : part.plan_fee,
    fixed_charges: part.fixed_charges.filter(({ charge }) => !seen.has(charge.id) && seen.add(charge.id)),
  }));
}

/** Whether a plan in advance has no fee yet: it comes on an invoice of its own when the trial ends. */
function isInTrial({ subject, billing_date }: InvoicePart): boolean {
  const trialEnd = subject.plan.pay_in_advance ? trialEndOf(subject) : null;
  return trialEnd !== null && billing_date < localDate(trialEnd, subject.timezone);
}
