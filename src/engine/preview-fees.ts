/** Prices the parts of a previewed invoice (§10, §12.5): each becomes complete fees with their taxes. */

import { decimal } from '../contract/pricing/money.ts';
import { wholeUtcDays } from './days.ts';
import { type BillableFee, type FeeOwner, sumOfFees } from './fees.ts';
import { type BilledSpan, commitmentFee, fixedChargeFee, fixedChargeQuantities, paidAhead } from './fees-fixed.ts';
import { planFee } from './fees-subscription.ts';
import { invoicedUsageFees } from './fees-usage.ts';
import { chargesBasis, fixedChargesBasis, nextPeriod } from './periods.ts';
import {
  basisOf,
  type Catalogue,
  type InvoicePart,
  planFeeTerms,
  type Subject,
  type SubscriptionEnd,
} from './preview-parts.ts';
import type {
  BillableMetricRecord,
  ChargeRecord,
  CustomerRecord,
  FeeRecord,
  FixedChargeRecord,
  PlanRecord,
  TaxRecord,
} from './records/index.ts';
import { applicableTaxes } from './taxes.ts';
import type { Bounds, UsageAnswer, UsageQuery, UsageWindow } from './types.ts';
import { usageBuckets, usageQuery } from './usage.ts';

/** What decides a fee's taxes besides its own codes and those of its plan (§11.2). */
export interface TaxSources {
  /** Taxes by code. */
  taxes: ReadonlyMap<string, TaxRecord>;
  customer: Pick<CustomerRecord, 'tax_codes'> | null;
  /** Tax codes of the customer's own billing entity. */
  entity_tax_codes: readonly string[];
}

/** What fees are computed from besides the subscription. */
export interface FeeContext extends TaxSources {
  catalogue: Catalogue;
  customer: Pick<CustomerRecord, 'id' | 'external_id' | 'tax_codes'> | null;
}

/** The usage queries of all parts, to be run together. */
export function partQueries(parts: readonly InvoicePart[], catalogue: Catalogue): UsageQuery[] {
  return parts.flatMap((part, i) =>
    billedCharges(part, catalogue).map(({ charge, metric, window }) =>
      usageQuery(charge, metric, part.subject.subscription.external_id, window, { key: usageKey(i, charge) }),
    ),
  );
}

/** All fees of one part: plan, usage with true-ups, fixed charges, commitment. */
export function partFees(part: InvoicePart, index: number, usage: UsageAnswer, context: FeeContext): BillableFee[] {
  const { subject } = part;
  const { plan, subscription } = subject;
  const owner = { customer: context.customer, subscription };
  const usageFees = billedCharges(part, context.catalogue).flatMap(({ charge, metric, window, shown }) => {
    const buckets = usageBuckets(charge, metric, usage.get(usageKey(index, charge)) ?? [], window);
    return invoicedUsageFees({ charge, metric, window, currency: plan.amount_currency, owner }, buckets).map(fee =>
      billable({ ...fee, ...shown }, plan, charge.tax_codes, metric.code, context),
    );
  });
  const fixedFees = part.fixed_charges.flatMap(({ charge, span }) => {
    const fee = fixedFee(subject, charge, span, owner, context.catalogue.add_ons);
    const isEmpty = fee === null || (fee.amount_cents === 0 && decimal(fee.units).eq(0));
    return isEmpty ? [] : [billable(fee, plan, charge.tax_codes, null, context)];
  });
  const planFees = part.plan_fee ? [billable(planFee(part.plan_fee, owner), plan, [], null, context)] : [];
  const fees = [...planFees, ...usageFees, ...fixedFees];
  return [...fees, ...commitmentPartFees(part, fees, owner, context)];
}

/** The fee with the taxes of the first level that has any (§11.2). */
export function billable(
  record: FeeRecord,
  plan: PlanRecord,
  ownTaxCodes: readonly string[],
  metricCode: string | null,
  { taxes, customer, entity_tax_codes }: TaxSources,
): BillableFee {
  const levels = [ownTaxCodes, plan.tax_codes, customer?.tax_codes ?? [], entity_tax_codes];
  return { record, plan_code: plan.code, metric_code: metricCode, taxes: applicableTaxes(levels, taxes) };
}

interface BilledCharge {
  charge: ChargeRecord;
  metric: BillableMetricRecord;
  window: UsageWindow;
  /** The span that its fees show, where it is not the window. */
  shown?: Pick<FeeRecord, 'from_date' | 'to_date'>;
}

/**
 * Invoiceable charges in arrears, and invoiceable pay-in-advance charges of recurring metrics. These are billed with their
 * whole value as if in arrears, never prorated (§12.5), and show the UTC days of the period that starts (§4).
 */
function billedCharges({ subject, usage, end }: InvoicePart, { metrics }: Catalogue): BilledCharge[] {
  const { plan } = subject;
  if (usage === null) return [];
  return plan.charges.flatMap(charge => {
    const metric = metrics.get(charge.billable_metric_id);
    if (metric === undefined || !charge.invoiceable || isNotBilled(charge, metric, end)) return [];
    if (!charge.pay_in_advance) return [{ charge, metric, window: usage }];
    const started = nextPeriod(usage.period, chargesBasis(basisOf(subject), plan));
    const whole = { ...charge, pay_in_advance: false, prorated: false, min_amount_cents: 0 };
    return [{ charge: whole, metric, window: usage, shown: wholeUtcDays(started) }];
  });
}

/** Whether this invoice leaves a charge out: see the sentences on terminations and upgrades in §12.5. */
function isNotBilled(charge: ChargeRecord, metric: BillableMetricRecord, end: SubscriptionEnd | null): boolean {
  if (charge.pay_in_advance) return !metric.recurring || (end !== null && end.how !== 'downgraded');
  if (end?.how !== 'upgraded' || !metric.recurring || charge.prorated) return false;
  return end.next_plan?.charges.some(next => next.billable_metric_id === metric.id) ?? false;
}

/** Null when the add-on was deleted: its fixed charges are deleted with it (§3.5). */
function fixedFee(
  { plan, subscription, replaced }: Subject,
  charge: FixedChargeRecord,
  span: BilledSpan,
  owner: FeeOwner,
  addOns: Catalogue['add_ons'],
): FeeRecord | null {
  const addOn = addOns.get(charge.add_on_id);
  if (addOn === undefined || addOn.deleted_at !== null) return null;
  const terms = {
    charge,
    addOn,
    quantities: fixedChargeQuantities(charge, subscription, span),
    currency: plan.amount_currency,
    span,
    paid_cents: replaced === undefined ? 0 : paidAhead(charge, span, replaced),
  };
  return fixedChargeFee(terms, owner);
}

function commitmentPartFees(
  part: InvoicePart,
  fees: readonly BillableFee[],
  owner: FeeOwner,
  context: FeeContext,
): BillableFee[] {
  const { subject, commitment: span } = part;
  const { add_ons: addOns } = context.catalogue;
  if (span === null || subject.plan.minimum_commitment === null) return [];
  const records = fees.map(fee => fee.record);
  const inPeriod = [
    ...subject.billed_fees.filter(fee => countsInPeriod(fee, span.bounds)),
    ...records.filter(fee => fee.item.type === 'charge' || countsInPeriod(fee, span.bounds)),
  ];
  // An account may not hold the invoice on which the fees in advance were billed when the period began.
  const whole = { ...span, bounds: { ...span.bounds, to: span.period.to } };
  const isUnstored = subject.plan.pay_in_advance && inPeriod.every(fee => fee.item.type !== 'subscription');
  const unstored = [
    ...(isUnstored ? [planFee({ ...planFeeTerms(subject, whole, 'no'), already_billed: false }, owner)] : []),
    ...unstoredFixedFees(subject, whole, inPeriod, records, owner, addOns),
  ];
  const fee = commitmentFee(subject.plan, sumOfFees([...inPeriod, ...unstored]), span, owner);
  return fee === null ? [] : [billable(fee, subject.plan, subject.plan.minimum_commitment.tax_codes, null, context)];
}

/**
 * Fees of pay-in-advance fixed charges without a stored fee in the period: those that this invoice bills for the next
 * period stand for them (§12.5); else the ones that were billed at that time, if they are not billed monthly.
 */
function unstoredFixedFees(
  subject: Subject,
  span: BilledSpan,
  inPeriod: readonly FeeRecord[],
  onInvoice: readonly FeeRecord[],
  owner: FeeOwner,
  addOns: Catalogue['add_ons'],
): FeeRecord[] {
  const { plan, subscription } = subject;
  const isUnknown = subscription.id === '' || fixedChargesBasis(span.basis, plan) !== span.basis;
  const billed = new Set(inPeriod.map(fee => fee.fixed_charge_id));
  return plan.fixed_charges
    .filter(charge => charge.pay_in_advance && !billed.has(charge.id) && !billed.has(charge.parent_id ?? charge.id))
    .flatMap(charge => {
      const next = onInvoice.find(fee => fee.fixed_charge_id === charge.id);
      return next ?? (isUnknown ? [] : (fixedFee(subject, charge, span, owner, addOns) ?? []));
    });
}

/** Whether a fee counts for a commitment's period: plan, usage and fixed charge fees whose dates start in it. */
function countsInPeriod(fee: FeeRecord, period: Bounds): boolean {
  const counts = ['subscription', 'charge', 'fixed_charge'].includes(fee.item.type);
  return counts && fee.from_date !== null && fee.from_date >= period.from && fee.from_date <= period.to;
}

function usageKey(partIndex: number, charge: ChargeRecord): string {
  return `${partIndex} ${charge.id}`;
}
