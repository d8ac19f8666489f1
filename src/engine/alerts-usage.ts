/** The usage that subscription alerts watch (§14): the current period's fees, and all usage since the start. */

import { decimal, ZERO } from '../contract/pricing/money.ts';
import type { AlertUsage } from './alerts.ts';
import { currentUsageFees, currentUsageQueries } from './current-usage.ts';
import { chargesBasis, chargesPeriodAt, nextPeriod, periodAt } from './periods.ts';
import { basisOf, type Catalogue, type Subject, startOf, usageWindow } from './preview-parts.ts';
import type { AlertRecord, FeeRecord, InstantText } from './records/index.ts';
import type { Period, UsageAnswer, UsageQuery, UsageWindow } from './types.ts';

/** The most periods that are added up, from the first on: 50 years of months. */
const MAX_PERIODS = 600;

interface WatchedWindow {
  key: string;
  window: UsageWindow;
  /** `current` is the current usage period; the others are for lifetime alerts. */
  scope: 'current' | 'past' | 'lifetime';
}

/** The usage queries that a subscription's alerts need. */
export function alertQueries(
  subject: Subject,
  alerts: readonly AlertRecord[],
  catalogue: Catalogue,
  now: InstantText,
): UsageQuery[] {
  return watchedWindows(subject, alerts, now).flatMap(({ key, window }) =>
    currentUsageQueries(subject, catalogue, window, key),
  );
}

/** The answered queries as alerts read them: usage fees of all charges, without coupons and taxes. */
export function alertUsage(
  subject: Subject,
  alerts: readonly AlertRecord[],
  catalogue: Catalogue,
  usage: UsageAnswer,
  now: InstantText,
): { of(alert: AlertRecord): AlertUsage } {
  const owner = { customer: null, subscription: null };
  const fees: { [scope in WatchedWindow['scope']]: FeeRecord[] } = { current: [], past: [], lifetime: [] };
  for (const { key, window, scope } of watchedWindows(subject, alerts, now)) {
    for (const { fee } of currentUsageFees(subject, catalogue, usage, window, key, owner)) fees[scope].push(fee);
  }
  const lifetimeCents = [...fees.past, ...fees.current].reduce((total, fee) => total + fee.amount_cents, 0);
  return {
    of: alert => ({
      current: fees.current,
      lifetime_amount_cents: lifetimeCents,
      lifetime_units: fees.lifetime
        .filter(fee => fee.item.item_id === alert.billable_metric_id)
        .map(fee => decimal(fee.units))
        .reduce((most, units) => (units.gt(most) ? units : most), ZERO),
    }),
  };
}

/** The current usage period; for lifetime alerts also every earlier one (amounts) or all time as one window (units). */
function watchedWindows(subject: Subject, alerts: readonly AlertRecord[], now: InstantText): WatchedWindow[] {
  const current = chargesPeriodAt(basisOf(subject), subject.plan, now);
  const windows: WatchedWindow[] = [];
  const add = (scope: WatchedWindow['scope'], period: Period) => {
    const window = usageWindow(subject, period, null);
    if (window !== null) windows.push({ key: `${scope} ${period.from}`, window, scope });
  };
  add('current', current);
  if (alerts.some(alert => alert.alert_type === 'lifetime_usage_amount')) {
    for (const period of earlierPeriods(subject, current)) add('past', period);
  }
  if (alerts.some(alert => alert.alert_type === 'billable_metric_lifetime_usage_units')) {
    add('lifetime', { ...current, from: startOf(subject) });
  }
  return windows;
}

function earlierPeriods(subject: Subject, current: Period): Period[] {
  const basis = chargesBasis(basisOf(subject), subject.plan);
  const periods: Period[] = [];
  for (let period = periodAt(basis, startOf(subject)); period.from < current.from; period = nextPeriod(period, basis)) {
    if (periods.push(period) >= MAX_PERIODS) break;
  }
  return periods;
}
