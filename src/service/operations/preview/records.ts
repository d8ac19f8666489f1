/** Loads the records that a preview is computed from (§12.4); refuses in the order of §12.3. */
import { isOneOf } from '../../../contract/enums.ts';
import { OutOfScope } from '../../../contract/pricing/out-of-scope.ts';
import { yearlyPriceCents } from '../../../engine/fees-subscription.ts';
import { chargesPeriodAt } from '../../../engine/periods.ts';
import type { ScheduledSubject } from '../../../engine/preview-modes.ts';
import { basisOf } from '../../../engine/preview-parts.ts';
import {
  type BillingEntityRecord,
  type CustomerRecord,
  customers,
  type InstantText,
  type InvoiceRecord,
  type PlanRecord,
  type SubscriptionRecord,
} from '../../../engine/records/index.ts';
import { blankOf } from '../../../engine/records/table.ts';
import type { CustomerSource } from '../../answers/account.ts';
import { notFound, orNotFound, unprocessable } from '../../errors.ts';
import type { AccountLists } from '../../store/account-lists.ts';
import type { AccountStore } from '../../store/store.ts';
import { billedStatuses, customerByExternalId } from '../lookups.ts';
import type { CustomerOverlay } from './request.ts';

/** The customer of a preview. `stored` is null for an anonymous one. */
export interface PreviewCustomer {
  stored: CustomerRecord | null;
  shown: CustomerSource;
  entity: BillingEntityRecord;
  timezone: string;
}

/** The stored customer with the sent values in its fields, or an anonymous one of the default entity. Throws 404. */
export async function previewCustomer(
  account: AccountStore,
  overlay: CustomerOverlay | null,
  lists: AccountLists,
  now: InstantText,
): Promise<PreviewCustomer> {
  const stored = overlay?.external_id ? await customerByExternalId(account, overlay.external_id) : null;
  if (overlay !== null) refuseIntegrations(overlay, stored);
  const ownEntity = stored ? lists.billingEntities.get(stored.billing_entity_id) : defaultEntity(lists);
  const entity = orNotFound(ownEntity, 'billing_entity');
  if (overlay !== null && entity.eu_tax_management) refuseVatNumber(overlay, stored);
  const base = stored ?? anonymousCustomer(entity, now);
  const shown = overlay === null ? base : { ...base, ...overlay.fields, shipping_address: overlay.shipping_address };
  return { stored, shown, entity, timezone: shown.timezone ?? entity.timezone };
}

/** Throws 404 for an integration that the customer lacks, else `OutOfScope`: its provider computes the taxes (§16). */
function refuseIntegrations(overlay: CustomerOverlay, stored: CustomerRecord | null): void {
  for (const { type, code } of overlay.integrations) {
    const isKnown = stored?.integration_customers.some(
      link => (link.type ?? link.integration_type) === type && (code === null || link.integration_code === code),
    );
    if (!isKnown) throw notFound(`${type || 'unknown'}_integration`);
    const reason = `Taxes of the integration ${JSON.stringify(type)} are computed by its provider (§16).`;
    throw new OutOfScope('tax_provider', reason);
  }
}

/** Throws `OutOfScope` for another VAT number: where EU taxes are managed, it changes them after a check (§16). */
function refuseVatNumber({ fields }: CustomerOverlay, stored: CustomerRecord | null): void {
  const vatNumber = fields.tax_identification_number ?? null;
  if (vatNumber === null || vatNumber === stored?.tax_identification_number) return;
  throw new OutOfScope('vies_check', 'Taxes of another tax identification number follow from a VIES check (§16).');
}

/** The account's default billing entity. */
export function defaultEntity(lists: AccountLists): BillingEntityRecord | undefined {
  const entities = [...lists.billingEntities.values()];
  return entities.find(entity => entity.is_default) ?? entities[0];
}

function anonymousCustomer(entity: BillingEntityRecord, now: InstantText): CustomerSource {
  return {
    ...blankOf(customers.columns),
    id: null,
    external_id: null,
    sequential_id: null,
    slug: null,
    billing_entity_id: entity.id,
    account_type: 'customer',
    finalize_zero_amount_invoice: 'inherit',
    created_at: now,
    updated_at: now,
  };
}

/** A catalogue plan by its code, never the copy that an override made. Throws 404. */
export async function planByCode(account: AccountStore, code: string | null): Promise<PlanRecord> {
  return orNotFound(code === null ? undefined : await account.first('plans', { code, parent_id: null }), 'plan');
}

/** The customer's subscriptions of these external ids: the active one, else the pending one. Throws 404. */
export async function previewSubscriptions(
  account: AccountStore,
  customer: CustomerRecord,
  externalIds: readonly string[],
): Promise<SubscriptionRecord[]> {
  const subscriptions = await account.find('subscriptions', { customer_id: customer.id });
  return externalIds.map(externalId => {
    const candidates = subscriptions.filter(subscription => subscription.external_id === externalId);
    const current = candidates.find(s => s.status === 'active') ?? candidates.find(s => s.status === 'pending');
    if (current === undefined && candidates.some(s => s.status === 'incomplete')) {
      const reason = `The subscription ${JSON.stringify(externalId)} waits for its first payment (§16).`;
      throw unprocessable('out_of_scope', { payment_gated_activation: [reason] });
    }
    return orNotFound(current, 'subscription');
  });
}

/** A subscription with its plan, what it follows and the fees that were billed for it. */
export async function subjectOf(
  account: AccountStore,
  subscription: SubscriptionRecord,
  customer: { timezone: string },
  invoices: readonly InvoiceRecord[],
  now: InstantText,
): Promise<ScheduledSubject> {
  const plan = orNotFound(await account.get('plans', subscription.plan_id), 'plan');
  const { id, customer_id, external_id } = subscription;
  const chain = await account.find('subscriptions', { customer_id, external_id });
  const starts = chain.map(link => link.started_at).filter(start => start !== null);
  const billedInvoices = invoices.filter(
    invoice => isOneOf(billedStatuses, invoice.status) && invoice.subscription_ids.includes(id),
  );
  const periods = billedInvoices.flatMap(invoice => invoice.billing_periods);
  const subject: ScheduledSubject = {
    subscription,
    plan,
    timezone: customer.timezone,
    first_started_at: starts.sort()[0] ?? subscription.subscription_at,
    follows: await howItFollows(account, subscription, plan, chain),
    billed_fees: billedInvoices.flatMap(invoice => invoice.fees.filter(fee => fee.subscription_id === id)),
    billed_periods: periods.filter(
      period => period.subscription_id === id && period.invoicing_reason !== 'subscription_starting',
    ),
    scheduled: await scheduledPlan(account, subscription, chain),
  };
  refuseProgressiveBilling(subject, billedInvoices, now);
  return subject;
}

async function howItFollows(
  account: AccountStore,
  subscription: SubscriptionRecord,
  plan: PlanRecord,
  chain: readonly SubscriptionRecord[],
): Promise<ScheduledSubject['follows']> {
  const previous = chain.find(link => link.id === subscription.previous_subscription_id);
  const previousPlan = previous && (await account.get('plans', previous.plan_id));
  if (previousPlan === undefined) return 'nothing';
  return yearlyPriceCents(plan).gte(yearlyPriceCents(previousPlan)) ? 'upgrade' : 'downgrade';
}

/** The plan of a scheduled change: the pending successor's, or the one that the subscription names. */
async function scheduledPlan(
  account: AccountStore,
  subscription: SubscriptionRecord,
  chain: readonly SubscriptionRecord[],
): Promise<PlanRecord | null> {
  if (subscription.status !== 'active') return null;
  const next = chain.find(link => link.previous_subscription_id === subscription.id && link.status === 'pending');
  if (next !== undefined) return (await account.get('plans', next.plan_id)) ?? null;
  if (subscription.next_plan_code === null) return null;
  return (await account.first('plans', { code: subscription.next_plan_code, parent_id: null })) ?? null;
}

/** Throws `OutOfScope` if the running period has progressive invoices: they would have to be credited (§16). */
function refuseProgressiveBilling(subject: ScheduledSubject, invoices: readonly InvoiceRecord[], now: InstantText) {
  if (subject.subscription.status !== 'active') return;
  const from = chargesPeriodAt(basisOf(subject), subject.plan, now).from;
  const hasProgressiveInvoice = invoices.some(
    invoice =>
      invoice.invoice_type === 'progressive_billing' &&
      invoice.fees.some(fee => fee.subscription_id === subject.subscription.id && (fee.from_date ?? '') >= from),
  );
  if (!hasProgressiveInvoice) return;
  throw new OutOfScope('progressive_billing', 'The running period has progressive billing invoices (§16).');
}
