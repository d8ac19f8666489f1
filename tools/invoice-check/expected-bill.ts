/**
 * What an invoice should be: every line, computed by the engine from the contract and the events (service-behaviour §12.8), or
 * the reason why a line cannot be judged.
 */

import { isPerTransaction, termsOf } from '../../src/contract/pricing/models/percentage.ts';
import type { Fee } from '../../src/contract/shown.ts';
import { eventFee } from '../../src/engine/estimate.ts';
import { chargesPeriodAt } from '../../src/engine/periods.ts';
import { billable, type FeeContext, partFees, partQueries } from '../../src/engine/preview-fees.ts';
import type { InvoicePart } from '../../src/engine/preview-parts.ts';
import { basisOf, eachFixedChargeOnce, type Subject, usageWindow } from '../../src/engine/preview-parts.ts';
import type { AddOnRecord, ChargeRecord, EventRecord } from '../../src/engine/records/index.ts';
import { usageQuery } from '../../src/engine/usage.ts';
import {
  type Blocked,
  blocked,
  type CheckedLine,
  type CheckRecords,
  type JudgeablePart,
  unreadKey,
} from './check-records.ts';
import { codesOf, feeRecord, taxRecords } from './engine-records.ts';
import { answerFromEvents, usageEventOf } from './event-usage.ts';
import { matchedLines } from './matched-lines.ts';
import type { Planned } from './planned-parts.ts';
import { plannedParts } from './planned-parts.ts';

export function expectedBill(records: CheckRecords) {
  const context = contextOf(records);
  const planned = plannedParts(records);
  const blocks = new Map<string, Blocked>();
  const parts = eachFixedChargeOnce(planned.parts).map(part => judgeablePart(part, records, blocks));
  const usage = answerFromEvents(records.events, partQueries(parts, context.catalogue));
  const expected = parts.flatMap((part, i) => partFees(part, i, usage, context));
  const charges = new Map<string, ChargeRecord>();
  for (const { plan } of planned.subjects.values()) for (const charge of plan.charges) charges.set(charge.id, charge);
  const blockOf = (fee: Fee) => blockOfLine(fee, records, planned, blocks, charges);
  const advance = new Map<Fee, CheckedLine>();
  for (const fee of records.invoice.fees ?? []) {
    const subject = planned.subjects.get(fee.svc_subscription_id ?? '');
    if (fee.event_transaction_id && subject && blockOf(fee) === null)
      advance.set(fee, { charge: null, ...advanceFee(fee, subject, records, context) });
  }
  const lines = matchedLines(records, expected, blockOf, { advance, charges, context, parts });
  return { lines: lines.map(line => ({ ...line, doubt: doubtOf(line, records, planned) })), parts };
}

function contextOf({ customer, entity, contracts, metrics, add_ons }: CheckRecords): FeeContext {
  const plans = [...contracts.values()];
  const charges = plans.flatMap(({ plan }) => plan.charges ?? []);
  const fixed = plans.flatMap(({ fixed_charges }) => fixed_charges ?? []);
  const commitments = plans.flatMap(({ plan }) => plan.minimum_commitment ?? []);
  const taxed = [...plans.map(({ plan }) => plan), ...charges, ...fixed, ...commitments].map(({ taxes }) => taxes);
  return {
    taxes: taxRecords([...taxed, ...[...add_ons.values()].map(({ taxes }) => taxes), customer.taxes, entity?.taxes]),
    customer: {
      id: customer.svc_id ?? '',
      external_id: customer.external_id ?? '',
      tax_codes: codesOf(customer.taxes),
    },
    entity_tax_codes: codesOf(entity?.taxes),
    catalogue: { metrics, add_ons: new Map(fixed.map(({ add_on_code: code }) => [code ?? '', addOn(code ?? '')])) },
  };
}

/** The engine only shows the add-on of a fixed charge; the price is the charge's. */
function addOn(code: string): AddOnRecord {
  const at = { id: code, created_at: '', updated_at: '', deleted_at: null };
  const shown = { code, name: code, description: null, invoice_display_name: null };
  return { ...at, ...shown, amount_cents: 0, amount_currency: '', tax_codes: [] };
}

type Line = Pick<CheckedLine, 'billed' | 'expected' | 'blocked' | 'misplaced'>;

/** The fee of one event that was billed when it arrived (§10.3). */
function advanceFee(fee: Fee, subject: Subject, records: CheckRecords, context: FeeContext): Line {
  const { plan, subscription } = subject;
  const charge = plan.charges.find(({ id }) => id === fee.svc_charge_id);
  const metric = records.metrics.get(charge?.billable_metric_id ?? '');
  const event = records.events.find(
    ({ transaction_id, external_subscription_id: of }) =>
      transaction_id === fee.event_transaction_id && of === subscription.external_id,
  );
  const cannot = (...why: Parameters<typeof blocked>) => ({ billed: fee, expected: null, blocked: blocked(...why) });
  if (charge === undefined || metric === undefined)
    return cannot('contract', 'charge_not_in_plan', 'The plan no longer has this charge.');
  if (event === undefined) return cannot('usage', 'event_not_found', 'The event of this line could not be found.');
  const period = chargesPeriodAt(basisOf(subject), plan, event.timestamp);
  const window = usageWindow(subject, period, subscription.terminated_at);
  if (window === null) return cannot('usage', 'event_outside', 'Its event is outside the subscription.');
  const counted = usageEventOf(event, metric);
  const before = records.events.filter(each => isBefore(each, event));
  const query = usageQuery(charge, metric, subscription.external_id, window, {
    purpose: 'event',
    probe: counted.value,
  });
  const rows = answerFromEvents(before, [query]).get(query.key) ?? [];
  const owner = { customer: context.customer, subscription };
  const input = { plan, metric, owner, window, event: { ...counted, properties: event.properties } };
  const record = eventFee(input, charge, rows, event.transaction_id);
  const expected = billable(record, plan, charge.tax_codes, metric.code, context);
  const moved = (fee.svc_charge_filter_id ?? null) !== record.charge_filter_id;
  return { billed: fee, expected, blocked: null, ...(moved && { misplaced: true }) };
}

/** Events are billed as they arrive, by their own time. */
function isBefore(other: EventRecord, event: EventRecord): boolean {
  if (other.timestamp !== event.timestamp) return other.timestamp < event.timestamp;
  return other.transaction_id < event.transaction_id;
}

/** Rules that depend on earlier invoices, which the account may not hold (§12.8), and taxes that a request named. */
function doubtOf({ billed, expected, charge }: CheckedLine, records: CheckRecords, planned: Planned): Blocked | null {
  const record = expected?.record;
  const type = billed?.item?.type ?? record?.item.type;
  if (type === 'add_on')
    return blocked('contract', 'one_off_terms', 'One-off invoices may name other taxes than the account has.');
  const subject = planned.subjects.get(billed?.svc_subscription_id ?? record?.subscription_id ?? '');
  if (subject === undefined) return null;
  if (type === 'commitment' && subject.plan.pay_in_advance) {
    const hasPast = subject.billed_fees.some(({ item }) => item.type === 'subscription');
    return hasPast ? null : blocked('contract', 'no_earlier_invoice', 'The invoice before it is not in the account.');
  }
  // Installations may keep no events of long ago.
  if (
    type === 'charge' &&
    !records.events.some(event => event.external_subscription_id === subject.subscription.external_id)
  )
    return blocked('usage', 'no_events', 'The account holds no event of this subscription in the period.');
  const metric = records.metrics.get(charge?.billable_metric_id ?? '');
  if (metric?.recurring !== true || metric.aggregation_type !== 'weighted_sum_agg') return null;
  return blocked('usage', 'carried_level', 'The level that was carried into the period is not shown anywhere.');
}

/** The part without the charges that cannot be recomputed; what was billed for these counts for a commitment as it is. */
function judgeablePart(part: InvoicePart, records: CheckRecords, blocks: Map<string, Blocked>): JudgeablePart {
  const { subject } = part;
  const { subscription, plan } = subject;
  const kept = plan.charges.filter(charge => {
    const metric = records.metrics.get(charge.billable_metric_id);
    if (!charge.invoiceable || (charge.pay_in_advance && metric?.recurring === false)) return true;
    const block = blockOfCharge(charge, subscription.external_id, records);
    if (block !== null) blocks.set(charge.id, block);
    return block === null;
  });
  if (kept.length === plan.charges.length) return { ...part, lacks: false };
  const asBilled = (records.invoice.fees ?? []).filter(fee => blocks.has(fee.svc_charge_id ?? '')).map(feeRecord);
  return {
    ...part,
    lacks: true,
    subject: { ...subject, plan: { ...plan, charges: kept }, billed_fees: [...subject.billed_fees, ...asBilled] },
  };
}

/** A newer service may have others. */
const aggregations: ReadonlySet<string> = new Set(
  'count_agg sum_agg max_agg unique_count_agg weighted_sum_agg latest_agg'.split(' '),
);

function blockOfCharge(charge: ChargeRecord, externalId: string, records: CheckRecords): Blocked | null {
  const open = records.open?.get(charge.id);
  if (open !== undefined) return open;
  const metric = records.metrics.get(charge.billable_metric_id);
  const shown = [...records.contracts.values()]
    .flatMap(({ plan }) => plan.charges ?? [])
    .find(({ svc_id }) => svc_id === charge.id);
  if (charge.charge_model === 'custom' || metric?.aggregation_type === 'custom_agg')
    return blocked('usage', 'custom', 'The account’s own script computes this line.');
  if (shown?.applied_pricing_unit) return blocked('contract', 'pricing_unit', 'It is priced in a unit of your own.');
  if (
    shown?.accepts_target_wallet === true &&
    records.events.some(({ properties }) => 'target_wallet_code' in properties)
  )
    return blocked('contract', 'target_wallet', 'Its events name the wallet that pays.');
  if (charge.prorated && charge.charge_model === 'graduated')
    return blocked('usage', 'prorated_tiers', 'Prorated tiers are outside what can be recomputed.');
  if (metric === undefined) return blocked('usage', 'metric_not_read', 'The metric could not be read.');
  if (!aggregations.has(metric.aggregation_type))
    return blocked('usage', 'aggregation', 'The aggregation of its metric is unknown here.');
  const limited = [charge, ...charge.filters].some(({ properties }) => isPerTransaction(termsOf(properties)));
  if (metric.aggregation_type === 'weighted_sum_agg' && charge.charge_model === 'percentage' && limited)
    return blocked('usage', 'weighted_limits', 'Limits per transaction on a weighted sum cannot be recomputed.');
  const key = unreadKey(externalId, metric.code);
  if (records.readable === null) return blocked('usage', 'events_hidden', 'This caller may not read events.');
  if (records.readable?.has(key) === false) return blocked('usage', 'not_asked', 'Its events were not asked for.');
  return records.unread.get(key) ?? null;
}

function blockOfLine(
  fee: Fee,
  records: CheckRecords,
  planned: Planned,
  blocks: Map<string, Blocked>,
  charges: ReadonlyMap<string, ChargeRecord>,
): Blocked | null {
  const subscription = fee.svc_subscription_id ?? '';
  const unplanned = planned.unplanned.get(subscription);
  if (unplanned !== undefined) return unplanned;
  if (fee.pricing_unit_details) return blocked('contract', 'pricing_unit', 'It is priced in a unit of your own.');
  const { type } = fee.item ?? {};
  if (type === 'product')
    return blocked('contract', 'product', 'Products of the newer catalogue cannot be recomputed.');
  if (type === 'credit') return blocked('contract', 'credit_purchase', 'The price of bought credits is not checked.');
  if (type === 'add_on') return records.open?.get(fee.svc_id ?? '') ?? null;
  if ((records.invoice.billing_periods ?? []).length === 0)
    return blocked('contract', 'no_period', 'The invoice does not say which period it is for.');
  const contract = records.contracts.get(subscription);
  if (contract === undefined)
    return blocked('contract', 'subscription_not_read', 'The subscription could not be read.');
  if (fee.svc_original_fee_id) return blocked('contract', 'adjusted', 'This line was adjusted by hand.');
  if (type === 'fixed_charge' && contract.fixed_charges === null)
    return blocked('contract', 'fixed_charges_not_read', 'The fixed charges of the plan could not be read.');
  const dependent = records.open?.get(subscription) ?? [...blocks.values()][0];
  if (type === 'commitment' && dependent !== undefined)
    return blocked(dependent.level, 'depends', 'It depends on lines that cannot be judged.');
  if (type !== 'charge') return null;
  const charge = charges.get(fee.svc_charge_id ?? '');
  if (charge === undefined) return blocked('contract', 'charge_not_in_plan', 'The plan no longer has this charge.');
  return blocks.get(charge.id) ?? blockOfCharge(charge, fee.external_subscription_id ?? '', records);
}
