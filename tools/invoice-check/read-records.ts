/** Reads what an invoice is checked against: the contract, the customer, what takes off, and the events. */

import type { AppliedCoupon } from '../../src/contract/answers.ts';
import type { Fee, FixedCharge, Invoice, Plan, Subscription } from '../../src/contract/shown.ts';
import { type Api, isWhole } from '../../src/definition/api.ts';
import type { ToolError } from '../../src/definition/failure.ts';
import { inOrderOfUse, type UsableCoupon } from '../../src/engine/coupons.ts';
import { toInstantText } from '../../src/engine/days.ts';
import { yearlyPriceCents } from '../../src/engine/fees-subscription.ts';
import { endOfPeriod } from '../../src/engine/periods.ts';
import type { Subject } from '../../src/engine/preview-parts.ts';
import { basisOf } from '../../src/engine/preview-parts.ts';
import type { BillableMetricRecord, ChargeRecord, PlanRecord } from '../../src/engine/records/index.ts';
import { readOwnCharges } from '../quotes/quantities.ts';
import { readCoupons } from '../records/invoice-reads.ts';
import { readList } from '../records/list-pages.ts';
import { readOne, readOrNull, readShown } from '../records/one-record.ts';
import { type CheckRecords, type Contract, unreadKey } from './check-records.ts';
import {
  centsOf,
  endOf,
  instantOf,
  metricRecord,
  planRecord,
  subscriptionRecord,
  usableCoupon,
} from './engine-records.ts';
import type { EventNeed } from './event-pages.ts';
import { plannedParts } from './planned-parts.ts';

/** Each costs several reads. Lines of the others cannot be judged. */
const mostSubscriptions = 20;

/** Everything but the events. */
export type ContractRecords = Omit<CheckRecords, 'events' | 'unread'>;

export async function readContracts(api: Api, invoice: Invoice): Promise<ContractRecords> {
  const id = invoice.customer?.external_id ?? '';
  const [customer, contracts, coupons, wallet_amount, open_notes, add_ons] = await Promise.all([
    readShown(api, 'customer', id).then(read => read ?? invoice.customer ?? {}),
    readSubscriptions(api, invoice),
    readUsableCoupons(api, invoice, id),
    readWalletAmount(api, invoice, id),
    readOpenNotes(api, invoice, id),
    readAddOns(api, invoice),
  ]);
  const [entity, metrics] = await Promise.all([
    readEntity(api, customer.billing_entity_code ?? invoice.billing_entity_code),
    readMetrics(api, [...contracts.values()]),
  ]);
  return { invoice, customer, contracts, coupons, wallet_amount, open_notes, add_ons, entity, metrics };
}

async function readEntity(api: Api, code: string | null | undefined): Promise<CheckRecords['entity']> {
  if (!code || api.bound) return null;
  return (await readOrNull(api, 'billing_entity', code)) as CheckRecords['entity'];
}

async function readSubscriptions(api: Api, invoice: Invoice): Promise<Map<string, Contract>> {
  if (!api.mayUse('get_subscription')) return new Map();
  const periods = (invoice.billing_periods ?? []).slice(0, mostSubscriptions);
  const shown = invoice.subscriptions ?? [];
  const contracts = await Promise.all(
    periods.map(async ({ svc_subscription_id, external_subscription_id }) => {
      const known = shown.find(({ svc_id }) => svc_id === svc_subscription_id);
      const external_id = external_subscription_id ?? known?.external_id ?? '';
      return readContract(api, invoice, { svc_id: svc_subscription_id ?? '', external_id, known: known ?? {} });
    }),
  );
  return new Map(contracts.flatMap(contract => (contract ? [[contract.subscription.svc_id ?? '', contract]] : [])));
}

/** `known`: what the invoice shows of the subscription. Null where the plan or this subscription can no longer be read. */
async function readContract(
  api: Api,
  invoice: Invoice,
  { svc_id, external_id, known }: { svc_id: string; external_id: string; known: Subscription },
): Promise<Contract | null> {
  const status = known.status || undefined;
  const stored = (await readOrNull(api, 'subscription', external_id, { status })) ?? {};
  // Another subscription may have the same id by now.
  if (stored.svc_id !== svc_id) return null;
  const subscription = { ...known, ...stored };
  const plan = stored.plan ?? (await readOrNull(api, 'plan', stored.plan_code ?? ''));
  if (plan === null) return null;
  const [fixed_charges, previous, next, earlier, first] = await Promise.all([
    fixedChargesOf(api, subscription, plan, status),
    planNamed(api, subscription.previous_plan_code),
    planNamed(api, subscription.next_plan_code),
    earlierFees(api, invoice, subscription, plan),
    firstStart(api, subscription, plan),
  ]);
  return {
    subscription,
    plan,
    fixed_charges,
    follows: previous === null ? 'nothing' : followsBy(previous, planRecord(plan)),
    previous_plan: previous,
    next_plan: next,
    first_started_at: first,
    earlier,
  };
}

async function planNamed(api: Api, code: string | null | undefined): Promise<PlanRecord | null> {
  const plan = await readShown(api, 'plan', code);
  return plan && planRecord(plan);
}

function followsBy(previous: PlanRecord, plan: PlanRecord): Contract['follows'] {
  return yearlyPriceCents(plan).gte(yearlyPriceCents(previous)) ? 'upgrade' : 'downgrade';
}

/** Null where they could not be read. A copy of a plan has ids of its own: without them, those of its parent stand in. */
async function fixedChargesOf(
  api: Api,
  { external_id, svc_id }: Subscription,
  plan: Plan,
  subscription_status: string | undefined,
): Promise<readonly FixedCharge[] | null> {
  if (plan.fixed_charges) return plan.fixed_charges;
  const ownCharges = await readOwnCharges(api, external_id ?? '', subscription_status);
  if (ownCharges !== null) return ownCharges;
  const shared = await readShown(api, 'plan', plan.code);
  const charges = shared?.fixed_charges ?? null;
  if (charges === null || !plan.parent_id) return charges;
  return charges.map(charge => ({ ...charge, svc_id: `${svc_id}${charge.svc_id}` }));
}

/** Lines on other invoices count for a commitment, and for what an upgrade takes off. */
async function earlierFees(api: Api, invoice: Invoice, subscription: Subscription, plan: Plan): Promise<Fee[]> {
  const { external_id, previous_plan_code } = subscription;
  if ((!plan.minimum_commitment && !previous_plan_code) || !external_id || !api.mayUse('list_catalogue')) return [];
  const list = await readList(api, 'fees', undefined, { external_subscription_id: external_id }, { all: true });
  if (!list.ok) return [];
  const at = invoice.created_at ?? '';
  return list.rows.filter(fee => fee.svc_invoice_id !== invoice.svc_id && (fee.created_at ?? '') <= at);
}

/** Trials count from the first subscription with this id. */
async function firstStart(api: Api, subscription: Subscription, plan: Plan): Promise<string | null> {
  if (!subscription.previous_plan_code || !plan.trial_period) return null;
  const query = { external_id: subscription.external_id ?? '', status: ['active', 'terminated'] };
  const list = await api.list('/subscriptions', { key: 'subscriptions', query }, { per_page: 100 });
  const starts = list.ok ? list.rows.flatMap(({ started_at }) => instantOf(started_at) ?? []) : [];
  return starts.sort()[0] ?? null;
}

async function readMetrics(api: Api, contracts: readonly Contract[]): Promise<Map<string, BillableMetricRecord>> {
  const codes = new Set(
    contracts.flatMap(({ plan }) => (plan.charges ?? []).flatMap(charge => charge.billable_metric_code ?? [])),
  );
  const metrics = new Map<string, BillableMetricRecord>();
  if (codes.size === 0) return metrics;
  if (api.mayUse('list_catalogue')) {
    const list = await api.list('/billable_metrics', { key: 'billable_metrics' }, { per_page: 100 });
    if (list.ok) for (const row of list.rows) metrics.set(row.code ?? '', metricRecord(row));
  }
  const rest = [...codes].filter(code => !metrics.has(code)).slice(0, 20);
  for (const code of rest) {
    const metric = await readOrNull(api, 'billable_metric', code);
    if (metric !== null) metrics.set(code, metricRecord(metric));
  }
  return metrics;
}

/** The coupons that the invoice could use, in their order; null where they could not be read. */
async function readUsableCoupons(api: Api, invoice: Invoice, customer: string): Promise<UsableCoupon[] | null> {
  if (invoice.invoice_type !== 'subscription') return [];
  if (!api.mayUse('list_catalogue')) return null;
  const query = { status: ['active', 'terminated'] };
  const list = await readList(api, 'applied_coupons', customer, query, { per_page: 100 });
  if (!list.ok || !isWhole(list)) return null;
  const coupons = list.rows.length === 0 ? new Map() : await readCoupons(api);
  if (coupons === null) return null;
  const usable = list.rows
    .filter(applied => wasUsable(applied, invoice))
    .map(applied => usableCoupon(applied, coupons.get(applied.coupon_code ?? ''), usedElsewhere(applied, invoice)));
  const inOrder = inOrderOfUse(usable);
  // Previews leave out coupons that are limited to metrics, and take others that are limited off all lines (§12.6).
  if (invoice.svc_id) return inOrder;
  const inPreview = inOrder.filter(({ metric_codes }) => metric_codes.length === 0);
  return inPreview.map(coupon => (coupon.plan_codes.length > 0 ? { ...coupon, full_base: true } : coupon));
}

/** Applied before the invoice and not ended by then; one that ended with this invoice was still used on it. */
function wasUsable(applied: AppliedCoupon, invoice: Invoice): boolean {
  if (usesOf(applied).some(({ svc_id }) => svc_id === invoice.svc_id)) return true;
  const at = invoice.svc_id ? (instantOf(invoice.created_at) ?? '') : '9999';
  const [from, to] = [instantOf(applied.created_at) ?? '', instantOf(applied.terminated_at)];
  if (from > at || (to !== null && to <= at) || (to !== null && !invoice.svc_id)) return false;
  const isOnce = applied.frequency === 'once' && applied.percentage_rate != null;
  return !isOnce || usesOf(applied).length === 0;
}

function usesOf({ credits }: AppliedCoupon): { svc_id: string | null; cents: number }[] {
  return (credits ?? []).map(credit => {
    const { invoice } = credit as { invoice?: { svc_id?: string | null } | null };
    return { svc_id: invoice?.svc_id ?? null, cents: centsOf(credit.amount_cents) };
  });
}

function usedElsewhere(applied: AppliedCoupon, invoice: Invoice): number {
  const others = usesOf(applied).filter(({ svc_id }) => svc_id !== invoice.svc_id);
  return others.reduce((sum, { cents }) => sum + cents, 0);
}

/** In major units, what wallets say they paid of this invoice; null where that could not be read, or it is no issued invoice. */
async function readWalletAmount(api: Api, invoice: Invoice, external_customer_id: string): Promise<number | null> {
  if (!isIssued(invoice) || !api.mayUse('list_wallet_transactions')) return null;
  const list = await readList(api, 'wallets', external_customer_id, {}, { per_page: 100 });
  if (!list.ok || !isWhole(list) || list.rows.length > 5) return null;
  const paid = await Promise.all(
    list.rows.map(async ({ svc_id, currency }) => {
      if (currency !== invoice.currency) return 0;
      const [path, query] = [{ svc_id: svc_id ?? '' }, { transaction_type: 'outbound' }];
      const get = { key: 'wallet_transactions' as const, path, query };
      const rows = await api.list('/wallets/{svc_id}/wallet_transactions', get, { all: true });
      if (!rows.ok || !isWhole(rows)) return null;
      return rows.rows
        .filter(row => row.transaction_type === 'outbound' && row.status === 'settled')
        .filter(row => row.svc_invoice_id === invoice.svc_id && row.transaction_status === 'invoiced')
        .reduce((sum, { amount }) => sum + Number(amount ?? 0), 0);
    }),
  );
  return paid.reduce<number | null>((sum, one) => (sum === null || one === null ? null : sum + one), 0);
}

/** Credit notes that had something left when the invoice was issued, and still have. */
async function readOpenNotes(api: Api, invoice: Invoice, id: string): Promise<CheckRecords['open_notes']> {
  if (!isIssued(invoice) || invoice.invoice_type !== 'subscription' || !api.mayUse('list_credit_notes')) return null;
  const list = await readList(api, 'credit_notes', id, {}, { all: true });
  if (!list.ok || !isWhole(list)) return null;
  return list.rows
    .filter(note => note.credit_status === 'available' && note.currency === invoice.currency)
    .filter(note => (note.created_at ?? '') < (invoice.created_at ?? ''))
    .map(note => ({ number: note.number ?? '', cents: centsOf(note.balance_amount_cents) }))
    .filter(({ cents }) => cents > 0);
}

function isIssued({ svc_id, status }: Invoice): boolean {
  return Boolean(svc_id) && status === 'finalized';
}

async function readAddOns(api: Api, invoice: Invoice): Promise<CheckRecords['add_ons']> {
  const lines = (invoice.fees ?? []).filter(({ item }) => item?.type === 'add_on');
  const codes = [...new Set(lines.flatMap(({ item }) => item?.code ?? []))].slice(0, 10);
  if (!api.mayUse('list_catalogue')) return new Map();
  const read = await Promise.all(
    codes.map(async code => {
      const addOn = await readOrNull(api, 'add_on', code);
      return addOn === null ? [] : ([[code, addOn]] as const);
    }),
  );
  return new Map(read.flat());
}

/** The events of the charges in their periods. `isWanted`: of which charges, by id. */
export function eventNeeds(records: ContractRecords, isWanted: (chargeId: string) => boolean): EventNeed[] {
  const needs = new Map<string, EventNeed>();
  const add = (subject: Subject, charge: ChargeRecord, from: string | null, to: string) => {
    const metric = records.metrics.get(charge.billable_metric_id);
    const isScript = charge.charge_model === 'custom' || metric?.aggregation_type === 'custom_agg';
    if (metric === undefined || isScript || !isWanted(charge.id)) return;
    const { external_id } = subject.subscription;
    const key = unreadKey(external_id, metric.code);
    const known = needs.get(key);
    const start = metric.recurring ? null : from;
    needs.set(key, {
      key,
      external_id,
      code: metric.code,
      from: known ? earlierOf(known.from, start) : start,
      to: known && known.to > to ? known.to : to,
    });
  };
  const { parts, subjects } = plannedParts(records);
  for (const { subject, usage } of parts)
    for (const charge of usage === null ? [] : subject.plan.charges) {
      // Charges that are paid at each event are on the invoice of a period only where the metric carries its value.
      const isBilled = !charge.pay_in_advance || records.metrics.get(charge.billable_metric_id)?.recurring === true;
      if (usage !== null && charge.invoiceable && isBilled) add(subject, charge, usage.from, usage.to);
    }
  for (const fee of records.invoice.fees ?? []) {
    const subject = subjects.get(fee.svc_subscription_id ?? '');
    const charge = subject?.plan.charges.find(({ id }) => id === fee.svc_charge_id);
    const [from, to] = [instantOf(fee.from_date), endOf(fee.to_date)];
    if (fee.event_transaction_id && subject && charge && to !== null) add(subject, charge, from, to);
  }
  return [...needs.values()];
}

function earlierOf(a: string | null, b: string | null): string | null {
  if (a === null || b === null) return null;
  return a < b ? a : b;
}

export type InvoiceRead = { ok: true; invoice: Invoice } | { ok: false; error: ToolError };

/** The preview of a running period, in the form of an issued invoice. */
export async function readRunning(api: Api, external_id: string): Promise<InvoiceRead> {
  const answer = await readOne(api, 'subscription', external_id);
  if (!answer.ok) return answer;
  const { body: subscription } = answer;
  const { svc_id, external_customer_id } = subscription;
  const preview = await api.preview({
    customer: { external_id: external_customer_id },
    subscriptions: { external_ids: [external_id] },
  });
  if (!preview.ok) return preview;
  const invoice = preview.body.invoice ?? {};
  const plan = planRecord(subscription.plan ?? (await readOrNull(api, 'plan', subscription.plan_code ?? '')) ?? {});
  const timezone = invoice.customer?.applicable_timezone || invoice.customer?.timezone || 'UTC';
  // By the service's own clock.
  const started = instantOf(subscription.current_billing_period_started_at) ?? api.now.toISOString();
  const basis = basisOf({ subscription: subscriptionRecord(subscription), plan, timezone });
  const to = toInstantText(Date.parse(endOfPeriod(basis, started)) - 1);
  const period = {
    svc_subscription_id: svc_id,
    external_subscription_id: external_id,
    charges_to_datetime: to,
    invoicing_reason: 'subscription_periodic',
  } as const;
  const fees = (invoice.fees ?? []).map(fee => ({ ...fee, svc_subscription_id: svc_id }));
  return { ok: true, invoice: { ...invoice, fees, billing_periods: [period], subscriptions: [subscription] } };
}
