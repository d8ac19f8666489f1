/** What coupons are worth, what they are limited to, and until when (docs/lookups.md §10). */
import type { AppliedCoupon, Coupon } from '../contract/answers.ts';
import type { Listed } from '../contract/shown.ts';
import { wordsOf } from './code-words.ts';
import { isPast } from './dates.ts';
import { code, count, day, listed, money, quantity, say } from './summary.ts';

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
    say`limited to usage of ${codesOf(billable_metric_codes)}` ??
    say`limited to plan${plans.length === 1 ? '' : 's'} ${codesOf(plans)}`
  );
}

/** `expired on 3 Mar`, `ended on 3 Mar`; null while it can be used. */
export function endOf({ terminated_at, expiration_at }: Coupon, now: Date): string | null {
  return (
    say`ended on ${day(terminated_at, now)}` ??
    (isPast(expiration_at, now) ? `expired on ${day(expiration_at, now)}` : null)
  );
}

function codesOf(codes: Listed<string>): string | null {
  return listed(
    (codes ?? []).map(each => code(each) ?? ''),
    5,
  );
}
