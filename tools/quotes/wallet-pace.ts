/**
 * At which pace a wallet's money is used, and when it is empty (service-behaviour §11.7): what of a usage it pays, and how
 * long what is left lasts.
 */
import Big from 'big.js';
import type { Usage } from '../../src/contract/answers.ts';
import { minorUnits } from '../../src/contract/currencies.ts';
import { toCents } from '../../src/contract/pricing/money.ts';
import type { Subscription, TopUpRule, Wallet } from '../../src/contract/shown.ts';
import { isPast } from '../../src/words/dates.ts';
import { big, centsOf } from '../../src/words/money.ts';
import { isLevel, unusedCents } from './usage-parts.ts';

export const dayMs = 86_400_000;
/** Nothing is told of what is further away. */
const longestDays = 730;

/** Why no day is told. */
export type WithoutDay =
  | 'figures'
  | 'limits'
  | 'subscription'
  | 'unread'
  | 'expired'
  | 'expires'
  | 'period'
  | 'short'
  | 'periods'
  | 'first'
  | 'shared'
  | 'drafts'
  | 'usage'
  | 'far';

export interface Runway {
  readonly wallet: Wallet;
  readonly subscriptions: readonly Subscription[];
  /** What is left after the usage so far, in cents. */
  readonly left: number | null;
  /** Cents a day; null where it cannot be told. */
  readonly pace: Big | null;
  /** Cents that are used from now to a time, where a pace is known. */
  readonly used: ((at: number) => Big) | null;
  /** When it is empty without top-ups; `used` where the usage so far uses it up, `empty` where nothing was in it. */
  readonly empty: Date | 'used' | 'empty' | null;
  /** When a threshold rule tops it up; `due` where its threshold is reached. */
  readonly topUp: Date | 'due' | null;
  readonly why: WithoutDay | null;
  /** By the usage of each subscription, not by the wallet's figure alone. */
  readonly exact: boolean;
  /** Does its pace go through the steps of a price? */
  readonly hasSteps: boolean;
  /** Holds the usage amounts that come once a period? */
  readonly hasLevels: boolean;
  /** Days by the wallet's figure alone, to rank it: 0 where it is used up. */
  readonly rank: number;
  /** Has the customer no other wallet? */
  readonly isAlone: boolean;
  /** Total of the customer's drafts in the wallet's currency, in cents, as far as they were read. */
  readonly drafts: number;
}

/** The kinds of fees and the metrics that the wallet pays alone; none where it pays all. */
export function limitsOf({ applies_to }: Wallet) {
  return { kinds: applies_to?.fee_types ?? [], codes: applies_to?.billable_metric_codes ?? [] };
}

/** Days of the running usage period so far; NaN where now is not in it. */
export function elapsedDays(subscription: Subscription, now: Date): number {
  const from = Date.parse(subscription.current_billing_period_started_at ?? '');
  const to = Date.parse(subscription.current_billing_period_ending_at ?? '');
  return from <= now.getTime() && now.getTime() <= to + 1000 ? (now.getTime() - from) / dayMs : Number.NaN;
}

/** What is used: so much a day, through the steps of prices, and with each new period what does not grow with time. */
export interface Pace {
  /** Of this period so far, `stepped` in it. */
  readonly daily: Big;
  /** What of it grows evenly. */
  readonly even: Big;
  /** Cents from now to a time. */
  readonly stepped: readonly ((at: number) => Big)[];
  readonly levels: readonly Level[];
}

interface Level {
  readonly cents: Big;
  /** When the next period begins, and how long one is, in milliseconds. */
  readonly next: number;
  readonly length: number;
}

export function lasting(base: Runway, pace: Pace, now: Date): Runway {
  const { wallet, left } = base;
  const { daily, levels } = pace;
  if (left === null || (daily.lte(0) && levels.length === 0))
    return { ...base, pace: null, empty: null, topUp: null, why: 'usage' };
  const known = {
    ...base,
    pace: daily,
    used: usedBy(pace, now),
    hasLevels: levels.length > 0,
    hasSteps: pace.stepped.length > 0,
  };
  const topUp = topUpOf(wallet, left, pace, now);
  const empty = after(new Big(left), pace, now);
  const expiry = Date.parse(wallet.expiration_at ?? '');
  if (!Number.isNaN(expiry) && !(empty !== null && empty.getTime() <= expiry))
    return { ...known, empty: null, topUp: until(topUp, expiry), why: 'expires' };
  return { ...known, empty, topUp, why: empty === null ? 'far' : null };
}

/** Cents from now to a time, in milliseconds. */
function usedBy({ even, stepped, levels }: Pace, now: Date): (at: number) => Big {
  return at => {
    const daily = even.times(at - now.getTime()).div(dayMs);
    const inSteps = stepped.reduce((sum, growth) => sum.plus(growth(at)), daily);
    return levels.reduce(
      (sum, { cents, next, length }) => sum.plus(cents.times(Math.max(0, Math.floor((at - next) / length) + 1))),
      inSteps,
    );
  };
}

/**
 * The whole credits that a top-up of the wallet needs to last through a day in UTC (`2026-04-30`), at its pace and not less
 * than it takes: 0 where what is left lasts; null where that cannot be told, or the wallet expires before.
 */
export function creditsUntil({ wallet, left, used }: Runway, day: string, now: Date): number | null {
  const end = Date.parse(`${day}T00:00:00Z`) + dayMs;
  const perCredit = (big(wallet.rate_amount) ?? new Big(0)).times(minorUnits(wallet.currency ?? ''));
  if (left === null || used === null || perCredit.lte(0)) return null;
  if (Date.parse(wallet.expiration_at ?? '') < end || end <= now.getTime()) return null;
  const missing = used(end - 1).minus(left);
  if (missing.lte(0)) return 0;
  const least = big(wallet.paid_top_up_min_amount_cents) ?? new Big(0);
  return Number((missing.gt(least) ? missing : least).div(perCredit).round(0, Big.roundUp).toFixed());
}

/** When so many cents are used up, to the millisecond; null for far away. */
function after(cents: Big, pace: Pace, now: Date): Date | null {
  const used = usedBy(pace, now);
  let [before, at] = [now.getTime(), now.getTime() + longestDays * dayMs];
  if (used(at).lt(cents)) return null;
  while (at - before > 1) {
    const middle = Math.floor((before + at) / 2);
    if (used(middle).lt(cents)) before = middle;
    else at = middle;
  }
  return new Date(at);
}

/** When what is left falls to the threshold of the wallet's rule, if it has one. */
export function topUpOf(wallet: Wallet, left: number, pace: Pace | null, now: Date): Date | 'due' | null {
  const threshold = thresholdCents(wallet, now);
  if (threshold === null) return null;
  if (left <= threshold) return 'due';
  const end = Date.parse(thresholdRule(wallet, now)?.expiration_at ?? '');
  return pace === null ? null : until(after(new Big(left - threshold), pace, now), end);
}

/** The time, if it is before the end; NaN is no end. */
function until(at: Date | 'due' | null, end: number): Date | 'due' | null {
  return at instanceof Date && at.getTime() >= end ? null : at;
}

/** The active rule that tops the wallet up at a threshold; the rules of a wallet that has ended, too, do nothing. */
export function thresholdRule(wallet: Wallet, now: Date): TopUpRule | null {
  const hasEnded = ({ status, expiration_at }: TopUpRule) => status === 'terminated' || isPast(expiration_at, now);
  const rules = wallet.recurring_transaction_rules;
  return rules?.find(rule => rule.trigger === 'threshold' && !hasEnded(rule)) ?? null;
}

function thresholdCents(wallet: Wallet, now: Date): number | null {
  const credits = big(thresholdRule(wallet, now)?.threshold_credits);
  const rate = big(wallet.rate_amount);
  const { currency } = wallet;
  return credits === null || rate === null || !currency ? null : Number(toCents(credits.times(rate), currency));
}

/** When the next period begins and how long it is about: NaN in a first period, which may be a part of one. */
export function nextPeriod(row: Subscription): { next: number; length: number } {
  const { current_billing_period_started_at: start, current_billing_period_ending_at: end, started_at } = row;
  const [from, to, since] = [start, end, started_at].map(at => Date.parse(at ?? '')) as [number, number, number];
  const isPart = since >= from && row.billing_time !== 'anniversary';
  return { next: to + 1000, length: isPart ? Number.NaN : to + 1000 - from };
}

interface Payable {
  /** Grows with time. */
  readonly growing: Big;
  readonly parts: Usage['charges_usage'] & object;
  withTax(cents: Big): Big;
  /** Comes with each period: highest, latest and unique values. */
  readonly level: Big;
}

/**
 * Cents of the usage that the wallet may pay, with the tax on it in proportion. Flat amounts of charges without any usage
 * are in neither part.
 */
export function payable(usage: Usage, wallet: Wallet): Payable | null {
  const { kinds, codes } = limitsOf(wallet);
  const { amount_cents: amount, total_amount_cents: total } = usage;
  if (typeof amount !== 'number' || typeof total !== 'number') return null;
  const isAll = kinds.includes('charge') || (kinds.length === 0 && codes.length === 0);
  const parts = (usage.charges_usage ?? []).filter(
    ({ billable_metric }) => isAll || codes.includes(billable_metric?.code ?? ''),
  );
  const sumOf = (cents: readonly number[]) => cents.reduce((sum, one) => sum.plus(one), new Big(0));
  const centsIn = (list: typeof parts) => sumOf(list.map(part => centsOf(part.amount_cents) ?? 0));
  const unused = sumOf(parts.map(unusedCents));
  const levels = parts.filter(isLevel);
  const level = centsIn(levels).minus(sumOf(levels.map(unusedCents)));
  const growing = (isAll ? new Big(amount) : centsIn(parts)).minus(unused).minus(level);
  const withTax = (cents: Big) => (amount === 0 ? cents : cents.times(total).div(amount));
  return { growing: withTax(growing), level: withTax(level), parts: parts.filter(part => !isLevel(part)), withTax };
}

/** Is nothing left already? */
export function isEmpty(empty: Runway['empty']): empty is 'used' | 'empty' {
  return empty === 'used' || empty === 'empty';
}
