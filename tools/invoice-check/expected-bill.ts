/** What an invoice should be: every line, computed by the engine from the contract and the events (service-behaviour §12.8). */

import type { Fee } from '../../src/contract/shown.ts';
import { eventFee } from '../../src/engine/estimate.ts';
import { chargesPeriodAt } from '../../src/engine/periods.ts';
import { billable, type FeeContext, partFees, partQueries } from '../../src/engine/preview-fees.ts';
import { basisOf, eachFixedChargeOnce, type Subject, usageWindow } from '../../src/engine/preview-parts.ts';
import type { AddOnRecord, ChargeRecord, EventRecord } from '../../src/engine/records/index.ts';
import { usageQuery } from '../../src/engine/usage.ts';
import { blockOfLine, doubtOf, judgeablePart } from './blocked-lines.ts';
import { type Blocked, blocked, type CheckedLine, type CheckRecords } from './check-records.ts';
import { codesOf, taxRecords } from './engine-records.ts';
import { answerFromEvents, usageEventOf } from './event-usage.ts';
import { matchedLines } from './matched-lines.ts';
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
