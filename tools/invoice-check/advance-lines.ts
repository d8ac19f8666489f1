/** The fee of one event that was billed when it arrived (service-behaviour §10.3). */

import type { Fee } from '../../src/contract/shown.ts';
import { eventFee } from '../../src/engine/estimate.ts';
import { chargesPeriodAt } from '../../src/engine/periods.ts';
import { billable, type FeeContext } from '../../src/engine/preview-fees.ts';
import { basisOf, type Subject, usageWindow } from '../../src/engine/preview-parts.ts';
import type { EventRecord } from '../../src/engine/records/index.ts';
import { usageQuery } from '../../src/engine/usage.ts';
import type { Blocked, CheckedLine, CheckRecords } from './check-records.ts';
import { answerFromEvents, usageEventOf } from './event-usage.ts';

type Line = Pick<CheckedLine, 'billed' | 'expected' | 'blocked' | 'misplaced'>;

export function advanceFee(fee: Fee, subject: Subject, records: CheckRecords, context: FeeContext): Line {
  const { plan, subscription } = subject;
  const charge = plan.charges.find(({ id }) => id === fee.svc_charge_id);
  const metric = records.metrics.get(charge?.billable_metric_id ?? '');
  const event = records.events.find(
    ({ transaction_id, external_subscription_id: of }) =>
      transaction_id === fee.event_transaction_id && of === subscription.external_id,
  );
  if (charge === undefined || metric === undefined)
    return cannot(fee, { level: 'contract', code: 'charge_not_in_plan', text: 'The plan no longer has this charge.' });
  if (event === undefined)
    return cannot(fee, { level: 'usage', code: 'event_not_found', text: 'The event of this line could not be found.' });
  const period = chargesPeriodAt(basisOf(subject), plan, event.timestamp);
  const window = usageWindow(subject, period, subscription.terminated_at);
  if (window === null)
    return cannot(fee, { level: 'usage', code: 'event_outside', text: 'Its event is outside the subscription.' });
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

function cannot(billed: Fee, blocked: Blocked): Line {
  return { billed, expected: null, blocked };
}
