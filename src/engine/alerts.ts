/** Alerts (§14): the usage that a subscription's alerts watch, and the values of alerts. Crossed thresholds are not reported. */
import type Big from 'big.js';
import type { AlertType } from '../contract/enums.ts';
import { decimal, ZERO } from '../contract/pricing/money.ts';
import { currentUsageFees, currentUsageQueries } from './current-usage.ts';
import type { OngoingBalance } from './ongoing.ts';
import { chargesBasis, chargesPeriodAt, nextPeriod, periodAt } from './periods.ts';
import { basisOf, type Catalogue, type Subject, startOf, usageWindow } from './preview-parts.ts';
import type { AlertRecord, DecimalText, FeeRecord, InstantText, WalletRecord } from './records/index.ts';
import type { Period, UsageAnswer, UsageQuery, UsageWindow } from './types.ts';

/** The usage fees that an alert's value is read from; `lifetime` values cover all time since the subscription began. */
export interface AlertUsage {
  current: readonly FeeRecord[];
  /** Of all time as one window. */
  lifetime: readonly FeeRecord[];
  lifetime_amount_cents: number;
}

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
): AlertUsage {
  const owner = { customer: null, subscription: null };
  const fees: { [scope in WatchedWindow['scope']]: FeeRecord[] } = { current: [], past: [], lifetime: [] };
  for (const { key, window, scope } of watchedWindows(subject, alerts, now)) {
    for (const { fee } of currentUsageFees(subject, catalogue, usage, window, key, owner)) fees[scope].push(fee);
  }
  const lifetimeCents = [...fees.past, ...fees.current].reduce((total, fee) => total + fee.amount_cents, 0);
  return { current: fees.current, lifetime: fees.lifetime, lifetime_amount_cents: lifetimeCents };
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
    const basis = chargesBasis(basisOf(subject), subject.plan);
    let period = periodAt(basis, startOf(subject));
    for (let n = 0; n < MAX_PERIODS && period.from < current.from; n += 1) {
      add('past', period);
      period = nextPeriod(period, basis);
    }
  }
  if (alerts.some(alert => alert.alert_type === 'billable_metric_lifetime_usage_units')) {
    add('lifetime', { ...current, from: startOf(subject) });
  }
  return windows;
}

/**
 * Value of a subscription alert: cents without tax, or units. Metric alerts take the largest single fee of the metric,
 * not the sum over its filters and groups (§14). An alert on a wallet has none: 0.
 */
export function subscriptionAlertValue(
  alert: Pick<AlertRecord, 'alert_type' | 'billable_metric_id'>,
  { current, lifetime, lifetime_amount_cents }: AlertUsage,
): Big {
  const largestOf = (fees: readonly FeeRecord[], of: (fee: FeeRecord) => DecimalText | number) =>
    largest(fees.filter(fee => fee.item.item_id === alert.billable_metric_id).map(fee => decimal(of(fee))));
  switch (alert.alert_type) {
    case 'current_usage_amount':
      return current.reduce((total, fee) => total.plus(fee.amount_cents), ZERO);
    case 'billable_metric_current_usage_amount':
      return largestOf(current, fee => fee.amount_cents);
    case 'billable_metric_current_usage_units':
      return largestOf(current, fee => fee.units);
    case 'lifetime_usage_amount':
      return decimal(lifetime_amount_cents);
    case 'billable_metric_lifetime_usage_units':
      return largestOf(lifetime, fee => fee.units);
    default:
      return ZERO;
  }
}

/** Value of a wallet alert: balances in cents, or in credits (§14). An alert on usage has none: 0. */
export function walletAlertValue(alertType: AlertType, wallet: WalletRecord, ongoing: OngoingBalance): Big {
  switch (alertType) {
    case 'wallet_balance_amount':
      return decimal(wallet.balance_cents);
    case 'wallet_credits_balance':
      return decimal(wallet.credits_balance);
    case 'wallet_ongoing_balance_amount':
      return decimal(ongoing.ongoing_balance_cents);
    case 'wallet_credits_ongoing_balance':
      return decimal(ongoing.credits_ongoing_balance);
    default:
      return ZERO;
  }
}

function largest(values: readonly Big[]): Big {
  return values.reduce<Big | null>((max, value) => (max === null || value.gt(max) ? value : max), null) ?? ZERO;
}
