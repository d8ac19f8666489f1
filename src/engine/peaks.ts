/** The net change, C, and the peak, M, of a period's sum or unique count, event by event (service-behaviour §10.3). */
import Big from 'big.js';
import { isNumeric, ZERO } from '../contract/pricing/money.ts';
import type { InstantText } from './records/index.ts';
import type { UsageEvent } from './types.ts';

export interface NetAndPeak {
  /** C after the last event: the change of the period, without what was carried into it. */
  net: Big;
  /** M after the last event: the highest C, with the quirks of §10.3. */
  peak: Big;
  /** The events that raised M, in time order, each with its units above the earlier M; always more than 0. */
  contributions: { timestamp: InstantText; amount: Big }[];
}

/**
 * C and M over the events of one bucket, which are in time order, or over those after `since`. `carried` are the values
 * that a unique count brings into the period; a sum's carried value has no effect here. Both are 0 without an event.
 */
export function netAndPeak(
  kind: 'sum' | 'unique',
  events: readonly UsageEvent[],
  carried: readonly (string | null)[] = [],
  since: InstantText | null = null,
): NetAndPeak {
  const counted = since === null ? events : events.filter(event => event.timestamp > since);
  if (kind === 'sum') return netAndPeakOfSum(counted);
  const present = new Set(carried);
  for (const event of events.slice(0, events.length - counted.length)) apply(event, present);
  return netAndPeakOfValues(counted, present);
}

function apply({ value, operation_type }: UsageEvent, present: Set<string | null>): void {
  if (operation_type === 'add') present.add(value);
  else present.delete(value);
}

function netAndPeakOfSum(events: readonly UsageEvent[]): NetAndPeak {
  const contributions: NetAndPeak['contributions'] = [];
  let net = ZERO;
  let peak: Big | null = null;
  for (const { timestamp, value } of events) {
    if (!isNumeric(value)) continue;
    net = net.plus(value);
    const amount: Big = peak === null ? new Big(value) : net.minus(peak);
    // The first event sets the peak, also below 0. From below 0 the peak then rises to the contribution itself.
    if (peak === null) peak = net;
    else if (amount.gt(ZERO)) peak = peak.lt(ZERO) ? amount : net;
    if (amount.gt(ZERO)) contributions.push({ timestamp, amount });
  }
  return { net, peak: peak ?? ZERO, contributions };
}

function netAndPeakOfValues(events: readonly UsageEvent[], present: Set<string | null>): NetAndPeak {
  const contributions: NetAndPeak['contributions'] = [];
  let [net, peak] = [0, 0];
  for (const [i, event] of events.entries()) {
    const before = present.size;
    apply(event, present);
    const change = present.size - before;
    // A removal that comes first leaves the change of the period at 0.
    net += i === 0 ? Math.max(change, 0) : change;
    if (net <= peak) continue;
    peak = net;
    contributions.push({ timestamp: event.timestamp, amount: new Big(1) });
  }
  return { net: new Big(net), peak: new Big(peak), contributions };
}
