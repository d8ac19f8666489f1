/** What coupons are worth, what they are limited to, and until when (docs/lookups.md §10). */
import type { AppliedCoupon, Coupon } from '../contract/answers.ts';
import { wordsOf } from './code-words.ts';
import { isPast } from './dates.ts';
import { count, day, listedCodes, money, quantity, say } from './summary.ts';

/** `$10.00` or `20%`, and on how many invoices. */
export function worthOf(coupon: Coupon | AppliedCoupon): string | null {
  const { amount_cents, amount_currency, percentage_rate, frequency, frequency_duration } = coupon;
  const worth = say`${quantity(percentage_rate)}%` ?? money(amount_cents, amount_currency);
  const invoices = frequency === 'recurring' ? (frequency_duration ?? null) : null;
  const times = invoices === null ? wordsOf('frequency', frequency) : `on ${count(invoices, 'invoice')}`;
  return say`${worth} ${times}` ?? worth;
}

/** `limited to usage of calls`, `limited to plans basic and pro`; null without limits. */
export function limitsOf({ billable_metric_codes, plan_codes }: Coupon | AppliedCoupon): string | null {
  const plans = plan_codes ?? [];
  return (
    say`limited to usage of ${listedCodes(billable_metric_codes, 5)}` ??
    say`limited to plan${plans.length === 1 ? '' : 's'} ${listedCodes(plans, 5)}`
  );
}

/** `expired on 3 Mar`, `ended on 3 Mar`; null while it can be used. */
export function endOf({ terminated_at, expiration_at }: Coupon, now: Date): string | null {
  return (
    say`ended on ${day(terminated_at, now)}` ??
    (isPast(expiration_at, now) ? `expired on ${day(expiration_at, now)}` : null)
  );
}
