/** Previews an invoice (§12): loads the records, reads all usage together, runs the engine, stores nothing. */

import { INVOICE_VERSION, issuingSettings } from '../../../engine/issuing.ts';
import { periodAt } from '../../../engine/periods.ts';
import { type PreviewedInvoice, previewInvoice } from '../../../engine/preview.ts';
import { previewCoupons } from '../../../engine/preview-credits.ts';
import { partQueries } from '../../../engine/preview-fees.ts';
import {
  endWithinPeriod,
  type PreviewMode,
  planPreview,
  type ScheduledSubject,
} from '../../../engine/preview-modes.ts';
import { basisOf, type InvoicePart } from '../../../engine/preview-parts.ts';
import {
  type BillingEntityRecord,
  type CouponRecord,
  type CreditNoteRecord,
  type InstantText,
  invoices,
} from '../../../engine/records/index.ts';
import { blankOf } from '../../../engine/records/table.ts';
import { customerAnswer } from '../../answers/account.ts';
import { type InvoiceSource, invoicePreviewAnswer } from '../../answers/invoice.ts';
import { notFound, orNotFound, validation } from '../../errors.ts';
import { type AccountLists, idLists, loadAccountLists, loadCatalogue } from '../../store/account-lists.ts';
import type { AccountStore } from '../../store/store.ts';
import { refuseHugeAmounts, withEngineRefusals } from '../engine-refusals.ts';
import { linksOf, recordsById } from '../lookups.ts';
import {
  defaultEntity,
  type PreviewCustomer,
  planByCode,
  previewCustomer,
  previewSubscriptions,
  subjectOf,
} from './records.ts';
import type { PreviewRequest } from './request.ts';
import { previewSubscriptionAnswers, proposedSubject } from './subscriptions.ts';

/** The records and the kind of a preview, loaded and checked. */
type PreviewRecords = Awaited<ReturnType<typeof loadRecords>>;

/**
 * The previewed invoice as the answer shows it, and the coupons that take nothing. Throws every refusal of §12.3, and 422
 * `out_of_scope` (§16).
 */
export function preview(account: AccountStore, request: PreviewRequest, now: Date) {
  return withEngineRefusals(async () => {
    const records = await loadRecords(account, request, now.toISOString());
    const parts = planPreview(records.subjects, records.mode, records.now);
    refuseMixture(parts, records);
    const { invoice, skipped_coupons } = await computeInvoice(account, request, records, parts);
    refuseHugeAmounts(
      invoice.totals.fees.map(fee => fee.record),
      [invoice.totals.total_amount_cents, invoice.totals.taxes_amount_cents],
    );
    return { invoice: await previewAnswer(account, records, parts, invoice), skipped_coupons };
  });
}

async function loadRecords(account: AccountStore, request: PreviewRequest, now: InstantText) {
  const lists = await loadAccountLists(account);
  const requested = requestedEntity(request, lists);
  const customer = await previewCustomer(account, request.customer, lists, now);
  const isExisting = request.external_ids.length > 0;
  if (isExisting && customer.stored === null) throw validation({ customer: ['must_be_persisted'] });
  const { subjects, mode } = isExisting
    ? await existingPreview(account, request, customer, now)
    : await proposedPreview(account, request, customer, now);
  const ownEntityId = subjects[0]?.subscription.billing_entity_id ?? customer.shown.billing_entity_id;
  // §12.4: without the code, the default entity invoices a proposal, also for a customer of another entity.
  const entity = isExisting ? lists.billingEntities.get(ownEntityId) : (requested ?? defaultEntity(lists));
  return { lists, customer, invoiceEntity: entity ?? customer.entity, subjects, mode, now };
}

/** The entity that the request names; null when it names none. Throws 404. */
function requestedEntity(request: PreviewRequest, lists: AccountLists): BillingEntityRecord | null {
  const { billing_entity_code: code } = request;
  if (code === null) return null;
  const entities = [...lists.billingEntities.values()];
  const entity = entities.find(candidate => candidate.code === code);
  return orNotFound(entity, 'billing_entity');
}

async function proposedPreview(
  account: AccountStore,
  request: PreviewRequest,
  customer: PreviewCustomer,
  now: InstantText,
) {
  const plan = await planByCode(account, request.plan_code);
  if (request.subscription_at === 'invalid') throw validation({ subscription_at: ['invalid_date'] });
  const startsAt = request.subscription_at ?? now;
  const subject = proposedSubject(plan, customer, startsAt, request.billing_time, now);
  return { subjects: [subject], mode: { kind: 'proposal' } as PreviewMode };
}

/**
 * Checks in the order of §12.3: number of subscriptions, plan, subscriptions, time, whether the plan differs. The plan is
 * not looked up for a subscription that ends first (§12.2).
 */
async function existingPreview(
  account: AccountStore,
  request: PreviewRequest,
  customer: PreviewCustomer,
  now: InstantText,
): Promise<{ subjects: ScheduledSubject[]; mode: PreviewMode }> {
  const { terminated_at: terminatedAt, target_code: targetCode } = request;
  refuseSeveralSubscriptions(request);
  const isChange = targetCode !== null && terminatedAt === null;
  const subjects = await existingSubjects(account, request, customer, now).catch(async refusal => {
    if (isChange) await planByCode(account, targetCode);
    throw refusal;
  });
  const [first] = subjects;
  if (terminatedAt === 'invalid') throw validation({ terminated_at: ['invalid_timestamp'] });
  if (terminatedAt !== null && terminatedAt < now) throw validation({ terminated_at: ['cannot_be_in_past'] });
  const endsFirst = subjects.length === 1 && first !== undefined && endWithinPeriod(first, now) !== null;
  const target = isChange && !endsFirst ? await planByCode(account, targetCode) : null;
  // Another record with the same code is another plan: an override's copy and its parent.
  if (target !== null && first?.plan.id === target.id) {
    throw validation({ base: ['new_plan_should_be_different_from_existing_plan'] });
  }
  if (subjects.length === 1 && first?.subscription.status === 'pending') {
    if (terminatedAt !== null) throw notFound('subscription');
    return { subjects: [target === null ? first : { ...first, plan: target }], mode: { kind: 'proposal' } };
  }
  if (terminatedAt !== null) return { subjects, mode: { kind: 'termination', at: terminatedAt } };
  return { subjects, mode: target === null ? { kind: 'projection' } : { kind: 'plan_change', target } };
}

async function existingSubjects(
  account: AccountStore,
  { external_ids }: PreviewRequest,
  customer: PreviewCustomer,
  now: InstantText,
) {
  const stored = orNotFound(customer.stored ?? undefined, 'subscription');
  const invoices = await account.find('invoices', { customer_id: stored.id });
  const subjects: ScheduledSubject[] = [];
  for (const subscription of await previewSubscriptions(account, stored, external_ids)) {
    subjects.push(await subjectOf(account, subscription, customer, invoices, now));
  }
  return subjects;
}

function refuseSeveralSubscriptions({ external_ids, terminated_at, target_code }: PreviewRequest): void {
  if (external_ids.length < 2) return;
  const onlyOne = 'only_one_subscription_allowed_for';
  if (terminated_at !== null) throw validation({ subscriptions: [`${onlyOne}_termination`] });
  if (target_code !== null) throw validation({ subscriptions: [`${onlyOne}_plan_change`] });
}

/** Several subscriptions on one invoice must agree in currency, end of the plan's period and billing entity. */
function refuseMixture(parts: readonly InvoicePart[], records: PreviewRecords): void {
  const { subjects, customer, mode, now } = records;
  const distinct = (values: (string | null)[]) => new Set(values).size > 1;
  // Prices in two currencies cannot be compared either: a change of plan must keep the currency.
  const target = mode.kind === 'plan_change' ? [mode.target.amount_currency] : [];
  if (distinct([...parts.map(part => part.subject.plan.amount_currency), ...target])) {
    throw validation({ base: ['subscription_currencies_does_not_match'] });
  }
  const periodEnds = subjects.map(subject => periodAt(basisOf(subject), now).to.slice(0, 10));
  if (distinct(periodEnds)) throw validation({ base: ['billing_periods_does_not_match'] });
  const entityIds = subjects.map(({ subscription }) => subscription.billing_entity_id);
  // Each subscription's own billing entity, else its customer's.
  if (distinct(entityIds.map(id => id ?? customer.shown.billing_entity_id))) {
    throw validation({ base: ['subscription_billing_entities_do_not_match'] });
  }
}

async function computeInvoice(
  account: AccountStore,
  request: PreviewRequest,
  { lists, customer, subjects, now }: PreviewRecords,
  parts: readonly InvoicePart[],
) {
  const plans = parts.map(part => part.subject.plan);
  const catalogue = await loadCatalogue(account, plans);
  const currency = parts[0]?.subject.plan.amount_currency ?? '';
  const queries = partQueries(parts, catalogue);
  const ofCustomer = customer.stored && { customer_id: customer.stored.id };
  const notes = ofCustomer ? await account.find('credit_notes', ofCustomer) : [];
  const { coupons, skipped } = previewCoupons({
    applied: ofCustomer ? await appliedCoupons(account, ofCustomer.customer_id) : [],
    requested: request.coupons,
    stored: await requestedCoupons(account, request),
    plan_code: subjects[0]?.plan.code ?? '',
    now,
  });
  const taxes = { taxes: lists.taxes, entity_tax_codes: customer.entity.tax_codes };
  const invoice = previewInvoice({
    parts,
    context: { catalogue, ...taxes, customer: customer.stored },
    usage: queries.length > 0 ? await account.usage(queries) : new Map(),
    currency,
    coupons,
    credit_notes: notes,
    payment_statuses: await paymentStatuses(account, notes),
    wallets: ofCustomer ? await account.find('wallets', { ...ofCustomer, status: 'active' }) : [],
    issuing: issuingSettings(customer.shown, customer.entity),
    now,
  });
  return { invoice, skipped_coupons: [...skipped, ...invoice.totals.skipped_coupons] };
}

/** Payment status of the credit notes' invoices, by invoice id. */
async function paymentStatuses(account: AccountStore, notes: readonly CreditNoteRecord[]) {
  const ids = notes.filter(note => note.balance_amount_cents > 0).map(note => note.invoice_id);
  const invoices = await recordsById(account, 'invoices', ids);
  return new Map([...invoices].map(([id, { payment_status }]) => [id, payment_status]));
}

async function appliedCoupons(account: AccountStore, customerId: string) {
  const applied = await account.find('applied_coupons', { customer_id: customerId, status: 'active' });
  const couponOf = await linksOf(account, applied, 'coupon_id');
  return applied.map(each => ({ applied: each, coupon: couponOf(each) }));
}

async function requestedCoupons(account: AccountStore, { coupons }: PreviewRequest) {
  const stored: CouponRecord[] = [];
  for (const code of idLists(coupons.map(coupon => coupon.code).filter(code => code !== '')))
    stored.push(...(await account.find('coupons', { code })));
  return new Map(stored.map(coupon => [coupon.code, coupon]));
}

async function previewAnswer(
  account: AccountStore,
  records: PreviewRecords,
  parts: readonly InvoicePart[],
  preview: PreviewedInvoice,
) {
  const { lists, customer, invoiceEntity: entity, now } = records;
  const { totals } = preview;
  const invoice: InvoiceSource = {
    ...blankOf(invoices.columns),
    ...totals,
    id: null,
    invoice_type: 'subscription',
    status: 'finalized',
    payment_status: 'pending',
    version_number: INVOICE_VERSION,
    customer_id: customer.stored?.id ?? '',
    billing_entity_id: entity.id,
    issuing_date: preview.issuing_date,
    payment_due_date: preview.payment_due_date,
    net_payment_term: issuingSettings(customer.shown, customer.entity).net_payment_term,
    currency: parts[0]?.subject.plan.amount_currency ?? '',
    // Taxes are listed on the invoice; the fees inside it list none (§4).
    fees: totals.fees.map(({ record }) => record),
    purchase_order_number: records.subjects[0]?.subscription.purchase_order_number ?? null,
    created_at: now,
    updated_at: now,
  };
  return invoicePreviewAnswer(invoice, {
    customer: customerAnswer(customer.shown, lists),
    subscriptions: await previewSubscriptionAnswers(account, parts, customer.shown, lists, now),
    offsetCents: 0,
    lists,
  });
}
