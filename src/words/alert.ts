/** What an alert watches, what it reads now, and which thresholds are crossed or come next (service-behaviour §14). */

import Big from 'big.js';
import type { Alert, Threshold } from '../contract/shown.ts';
import { ownValue } from '../lib/json.ts';
import { big } from './money.ts';
import { code, instant, listed, minorAmount, opt, phrase, quantity, say } from './summary.ts';

/** One-time thresholds that the last value has reached, in the alert's direction. */
export function crossings(alert: Alert): Threshold['value'][] {
  return (alert.thresholds ?? [])
    .filter(threshold => threshold.recurring !== true && isPassed(alert, threshold))
    .map(({ value }) => value);
}

/** Has the alert's last value reached the threshold's value, in the alert's direction? */
export function isPassed({ previous_value, direction }: Alert, { value }: Threshold): boolean {
  const [last, at] = [big(previous_value), big(value)];
  if (last === null || at === null) return false;
  return direction === 'decreasing' ? last.lte(at) : last.gte(at);
}

/** A value of an alert in the unit of its type: money, units or credits. */
export function valueInWords(value: unknown, alertType: string, currency: unknown): string | null {
  if (alertType.endsWith('_units')) return say`${quantity(value)} units`;
  if (isInCredits(alertType)) return say`${quantity(value)} credits`;
  return alertType.endsWith('_amount') ? minorAmount(value, currency) : quantity(value);
}

/** Is a value of this alert money, which needs a currency to be read? */
export function isMoney(alertType: unknown): boolean {
  return typeof alertType === 'string' && alertType.endsWith('_amount') && !isInCredits(alertType);
}

function isInCredits(alertType: string): boolean {
  return alertType.endsWith('credits_balance') || alertType.includes('_credits_');
}

/** What the alert compares, in a user's words; of several fees of a metric the largest one counts (§14). */
export function watched(alertType: unknown, { metric, wallet }: { metric?: unknown; wallet?: unknown } = {}): string {
  const of = code(metric) ?? 'the metric';
  const whose = code(wallet) === null ? 'the wallet' : `wallet ${code(wallet)}`;
  const what: Readonly<Record<string, string>> = {
    current_usage_amount: "this period's usage",
    billable_metric_current_usage_amount: `the charge for ${of} with the highest amount this period`,
    billable_metric_current_usage_units: `the charge for ${of} with the most units this period`,
    lifetime_usage_amount: 'all usage since the start',
    billable_metric_lifetime_usage_units: `the usage of ${of} since the start`,
    wallet_balance_amount: `the balance of ${whose}`,
    wallet_credits_balance: `the credits of ${whose}`,
    wallet_ongoing_balance_amount: `the balance of ${whose} after usage so far`,
    wallet_credits_ongoing_balance: `the credits of ${whose} after usage so far`,
  };
  return ownValue(what, String(alertType)) ?? code(alertType) ?? 'a value';
}

/** What a sentence about an alert needs besides the alert. */
interface AlertReading {
  /** Of its amounts: the alert does not hold it. Unknown where it could not be read. */
  currency: unknown;
  now: Date;
  /** The value now, where the usage or the wallet was read; else the last value that the alert holds counts. */
  value?: Big | null;
}

/**
 * `“Monthly spend” (spend) watches this period's usage: $180.06 now, next at $200.00, then $500.00 and every $100.00
 * after`; `subject` takes the place of the name.
 */
export function explainAlert(alert: Alert, subject: string, reading: AlertReading): string {
  const type = alert.alert_type ?? '';
  const inWords = (value: Big) => valueInWords(value.toFixed(), type, reading.currency) ?? value.toFixed();
  const { last_processed_at: checked, previous_value, direction } = alert;
  // Before the first check the record shows 0; a wallet's alert begins with the balance.
  const last = checked === null && direction !== 'decreasing' ? null : big(previous_value);
  const value = reading.value ?? last;
  const steps = stepsOf(alert, value);
  const crossed = listed(steps.crossed.map(inWords), steps.crossed.length);
  const what = watched(type, { metric: alert.billable_metric?.code, wallet: alert.wallet_code });
  const parts = [
    value && valueSeen(value, type, inWords, seenAt(alert, reading)),
    value === null && checked === null ? 'not yet checked' : null,
    say`already past ${crossed}`,
    nextOf(steps, inWords, value === null ? 'first' : 'next'),
  ];
  const said = parts.filter(part => part !== null).join(', ');
  return phrase`${subject} watches ${what}${said === '' ? null : `: ${said}`}`;
}

/** `€0.00 left now; €12.00 of usage is not covered`, where usage that is not invoiced yet exceeds a wallet (§11.7). */
function valueSeen(value: Big, type: string, inWords: (value: Big) => string, at: string): string {
  if (!type.startsWith('wallet_') || value.gte(0)) return `${inWords(value)}${at}`;
  return `${inWords(new Big(0))} left${at}; ${inWords(value.abs())} of usage ${isMoney(type) ? 'is' : 'are'} not covered`;
}

/** An older value is said with its time. */
const freshForMs = 3_600_000;

function seenAt({ last_processed_at: at }: Alert, { now, value }: AlertReading): string {
  if (value) return ' now';
  // A wallet's alert begins with the value of its wallet.
  if (at === null) return ' when created';
  if (at === undefined) return '';
  const age = now.getTime() - Date.parse(at);
  return age > freshForMs ? opt` on ${instant(at, now)}` : ' now';
}

interface Steps {
  /** Thresholds that the value has reached, the first one first. */
  crossed: Big[];
  /** One-time thresholds that the value has not reached, the next one first. */
  open: Big[];
  /** The next step after the one-time thresholds; null where nothing recurs. */
  recurring: { next: Big; step: Big } | null;
}

/** The thresholds that a value has reached on its way up; of one that recurs the last step. */
export function crossedSteps(thresholds: readonly Threshold[], value: Big): Big[] {
  return stepsOf({ thresholds }, value).crossed;
}

/**
 * Which thresholds a value has reached, and what comes next. Without a value, none are reached. Computed upwards: for an alert
 * on a falling value, all signs are reversed.
 */
export function stepsOf({ thresholds, direction }: Alert, value: Big | null): Steps {
  const falling = direction === 'decreasing';
  const mirrored = (amount: Big) => (falling ? amount.neg() : amount);
  const valuesOf = (recurs: boolean) =>
    (thresholds ?? [])
      .filter(({ recurring }) => (recurring === true) === recurs)
      .flatMap(threshold => big(threshold.value) ?? []);
  const once = valuesOf(false)
    .map(mirrored)
    .sort((a, b) => a.cmp(b));
  const at = value === null ? null : mirrored(value);
  const crossed = once.filter(each => at?.gte(each));
  const [step] = valuesOf(true);
  // Steps are counted from the highest one-time threshold.
  const base = once.at(-1) ?? new Big(0);
  let recurring: Steps['recurring'] = null;
  if (step?.gt(0)) {
    const passed = at?.gt(base) ? at.minus(base).div(step).round(0, Big.roundDown) : new Big(0);
    if (passed.gt(0)) crossed.push(base.plus(step.times(passed)));
    recurring = { next: mirrored(base.plus(step.times(passed.plus(1)))), step };
  }
  return { crossed: crossed.map(mirrored), open: once.filter(each => !at?.gte(each)).map(mirrored), recurring };
}

/** `next at $200.00, then $500.00 and every $100.00 after`; null without any threshold. */
function nextOf({ crossed, open, recurring }: Steps, inWords: (value: Big) => string, word: string): string | null {
  const [first, ...others] = open.map(inWords);
  const every = recurring === null ? [] : [`every ${inWords(recurring.step)}`];
  if (first === undefined && recurring !== null) return `${word} at ${inWords(recurring.next)}, then ${every[0]}`;
  if (first === undefined) return crossed.length === 0 ? null : 'no threshold left';
  const then = listed([...others, ...every.map(step => `${step} after`)], others.length + 1);
  return phrase`${word} at ${first}${say`, then ${then}`}`;
}
