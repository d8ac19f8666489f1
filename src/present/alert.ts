/** What the thresholds and the last value of an alert say (service-behaviour §14). */
import type { JsonRecord } from '../lib/json.ts';
import { asRecords, minorAmount, quantity, say } from './summary.ts';

/** One-time thresholds that the last value has reached, in the alert's direction. */
export function crossings(alert: JsonRecord): unknown[] {
  return asRecords(alert.thresholds)
    .filter(threshold => threshold.recurring !== true && isPassed(alert, threshold))
    .map(({ value }) => value);
}

/** Has the alert's last value reached the threshold's value, in the alert's direction? */
export function isPassed({ previous_value, direction }: JsonRecord, { value }: JsonRecord): boolean {
  if (quantity(previous_value) === null || quantity(value) === null) return false;
  const difference = Number(previous_value) - Number(value);
  return direction === 'decreasing' ? difference <= 0 : difference >= 0;
}

/** A value of an alert in the unit of its type: money, units or credits. */
export function valueInWords(value: unknown, alertType: string, currency: unknown): string | null {
  if (alertType.endsWith('_units')) return say`${quantity(value)} units`;
  if (alertType.endsWith('credits_balance') || alertType.includes('_credits_')) return say`${quantity(value)} credits`;
  return alertType.endsWith('_amount') ? minorAmount(value, currency) : quantity(value);
}
