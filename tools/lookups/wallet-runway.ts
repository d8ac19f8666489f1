/** Whose money will not last: wallets by the day on which they are empty (docs/lookups.md §5). */

import type { Subscription, Wallet } from '../../src/contract/shown.ts';
import type { Api, ListGet, ListPageArgs } from '../../src/definition/api.ts';
import { nextBillingDay } from '../../src/words/billing-days.ts';
import { wordsOf } from '../../src/words/code-words.ts';
import { dayNumber, isoDay } from '../../src/words/dates.ts';
import { big } from '../../src/words/money.ts';
import * as w from '../../src/words/summary.ts';
import { nextRunDay, notCovered } from '../../src/words/wallet-words.ts';
import { withIntervals } from '../quotes/quantities.ts';
import { creditsUntil, isEmpty, type Runway, thresholdRule, type WithoutDay } from '../quotes/wallet-pace.ts';
import { remarked } from '../records/list-pages.ts';
import { zoneOfCustomer } from '../records/one-record.ts';
import { zonesOfCustomers } from '../records/wallet-top-ups.ts';
import { readRunway } from './runway.ts';
import { creditsOf } from './wallets-summary.ts';

/** Wallets that the sentence names. */
const mostNamed = 3;

const reasons: Readonly<Record<WithoutDay, string>> = {
  figures: 'its figures are missing',
  limits: 'it pays no usage',
  subscription: 'there is no active subscription in its currency',
  unread: 'its subscriptions were not read',
  expired: 'it has expired',
  expires: 'it expires before it is empty',
  period: 'the usage period is unknown',
  short: 'the usage period started less than a day ago',
  periods: 'its subscriptions have different periods',
  first: 'its first usage period may be shorter than the next ones',
  shared: 'it shares the usage with another wallet',
  drafts: 'its usage so far may include drafts',
  usage: 'there is no usage in this period',
  far: 'it lasts over two years',
};

/** The body of `list_wallets` with `runway`, with its sentences. */
export async function runwayOf(
  api: Api,
  customer: string | undefined,
  query: NonNullable<ListGet<'wallets'>['query']>,
  { until, ...pages }: ListPageArgs & { readonly until?: string | undefined },
) {
  const list = await readRunway(api, customer, query, pages);
  if (!list.ok) return list;
  const { page, wallets, unread, isWhole } = list;
  const zone = customer === undefined || page.rows.length === 0 ? null : await zoneOfCustomer(api, customer);
  const clock = { now: api.now, zone, until };
  // A rule runs on a day of its customer's zone.
  const ruled = page.rows.slice(0, mostNamed).map(({ wallet }) => wallet);
  const zones = customer === undefined ? await zonesOfCustomers(api, ruled.filter(hasIntervalRule)) : {};
  const paying = page.rows.slice(0, mostNamed).filter(({ wallet }) => paysPlanFees(wallet));
  const charged = paying.flatMap(({ subscriptions }) => subscriptions);
  const priced = await withIntervals(api, charged);
  const intervals = new Map(priced.map(({ plan_code, plan_interval }) => [plan_code, plan_interval]));
  const lines = page.rows.map(runway => lineOf(runway, customer, { ...clock, zones, intervals }));
  const { rows, total, nextPage } = page;
  const body = {
    wallets: rows.map(runway => rowOf(runway, customer, clock)),
    shown: `${rows.length} of ${isWhole ? total : 'an unknown number'}`,
    ...(nextPage !== null && { next_page: nextPage }),
    for_summary: [
      rows.length === 0 && w.phrase`No active wallet${w.say` of customer ${w.code(customer)}`}`,
      ...(customer === undefined ? [rankedLines(lines, total ?? rows.length)] : lines),
      rows.some(({ pace }) => pace !== null) && assumption(rows, customer),
      !isWhole &&
        `not all wallets and subscriptions were checked: only ${wallets.rows.length} wallets were${remarked(wallets)}`,
      w.say`could not be read: ${w.listed(unread)}`,
    ],
  };
  return { ok: true as const, body };
}

const emptyNow = { used: 'used up by the usage so far', empty: 'empty' } as const;

interface Clock {
  readonly now: Date;
  readonly zone: string | null;
  /** Through which day a top-up is to last: `2026-04-30`. */
  readonly until?: string | undefined;
  /** The zones of customers, where the days are those of no customer. */
  readonly zones?: Readonly<Record<string, string | null>>;
  /** Of plan fees, by the code of the plan. */
  readonly intervals?: ReadonlyMap<unknown, unknown>;
}

export function hasIntervalRule({ recurring_transaction_rules: rules }: Wallet): boolean {
  return (rules ?? []).some(({ trigger }) => trigger === 'interval');
}

function rankedLines(lines: readonly string[], total: number): string | null {
  const more = total - Math.min(lines.length, mostNamed);
  const rest = more > 0 ? `; and ${more} more` : '';
  return lines.length === 0 ? null : `Soonest first: ${lines.slice(0, mostNamed).join('; ')}${rest}`;
}

/** What every "about" assumes. */
function assumption(rows: readonly Runway[], customer: string | undefined): string {
  const dated = rows.filter(({ pace }) => pace !== null);
  const rough = dated.filter(({ exact }) => !exact).length;
  const levels = dated.some(({ hasLevels }) => hasLevels)
    ? '. Highest, latest and unique values count once a period'
    : '';
  const steps = dated.some(({ hasSteps }) => hasSteps) ? ' and through its price tiers' : '';
  const by =
    rough === 0
      ? `each subscription's usage with tax${steps}, within the wallet's limits`
      : rough === dated.length
        ? "the wallet's own figure for the period's usage, as if it all grew daily"
        : `each subscription's usage; for ${w.count(rough, 'wallet')}, the wallet's own figure`;
  const drafts = draftsOf(rows);
  return `"About" and "empty" assume no top-ups and the daily pace of this usage period (${by})${levels}. Plan fees, fixed charges and coupons are not included${customer === undefined ? '. Days are in UTC' : drafts}`;
}

/** `. The customer's drafts of $5.00 …`: of the wallets of one customer, once for each currency. */
function draftsOf(rows: readonly Runway[]): string {
  const amounts = new Map(rows.map(({ wallet, drafts }) => [wallet.currency, drafts]));
  const texts = [...amounts].map(([currency, cents]) => cents > 0 && w.money(cents, currency));
  return w.opt`. The customer's drafts of ${w.listed(texts)} are not part of the pace`;
}

/** `“Prepaid” (prepaid) of acme: $142.19 left, empty about 27 Mar; topped up to 400 credits when 100 are left, about 18 Mar`. */
function lineOf(runway: Runway, customer: string | undefined, clock: Clock): string {
  const { wallet, left, pace, empty, why } = runway;
  const who = w.code(wallet.external_customer_id);
  const label = w.named(wallet.name, wallet.code) ?? w.code(wallet.svc_id) ?? 'one';
  const which = w.opt` (${w.code(wallet.code) ?? w.quoted(wallet.name)})`;
  const subject = customer === undefined ? (w.say`${who}${which}` ?? label) : `Wallet ${label}`;
  const { currency } = wallet;
  const rest = notCovered(left, currency, runway.drafts) ?? w.say`${w.money(left, currency)} left`;
  const daily =
    customer === undefined || pace === null || pace.eq(0) ? null : w.say`${w.money(cents(pace), currency)} used a day`;
  const until = isEmpty(empty)
    ? emptyNow[empty]
    : empty === null
      ? w.say`no date, because ${why === null ? null : reasons[why]}`
      : w.say`empty about ${dayIn(empty, clock)}`;
  const further = [neededOf, expiryOf, topUpOf, planFeesOf].map(part => part(runway, clock));
  const parts = [rest, daily, until, ...further];
  return w.phrase`${subject}: ${w.joined(parts, ', ')}`;
}

/** `a top-up of 120 credits ($120.00) lasts through 30 Apr`; without `until`, null. */
function neededOf(runway: Runway, { now, until }: Clock): string | null {
  const credits = until === undefined ? null : creditsUntil(runway, until, now);
  if (until === undefined || credits === null) return null;
  if (credits === 0) return w.say`which lasts through ${w.day(until, now)}`;
  const worth = big(runway.wallet.rate_amount)?.times(credits).toFixed();
  return w.say`a top-up of ${w.count(credits, 'credit')}${w.opt` (${w.major(worth, runway.wallet.currency)})`} lasts through ${w.day(until, now)}`;
}

function cents(pace: NonNullable<Runway['pace']>): number {
  return Number(pace.round().toFixed());
}

function dayIn(at: Date, { now, zone }: Clock): string | null {
  return w.day(isoDay(dayNumber(at.toISOString(), zone)), now);
}

/** Where it expires before it is empty. */
function expiryOf({ wallet, why }: Runway, clock: Clock): string | null {
  return why === 'expires' ? w.say`on ${dayIn(new Date(wallet.expiration_at ?? ''), clock)}` : null;
}

/** What its rule does, and about when. */
function topUpOf({ wallet, topUp }: Runway, clock: Clock): string | null {
  const rule = thresholdRule(wallet, clock.now);
  if (rule !== null && topUp !== null) {
    const how =
      rule.method === 'target' ? w.say`to ${w.quantity(rule.target_ongoing_balance)}` : w.say`by ${creditsOf(rule)}`;
    const when = topUp === 'due' ? 'which is due' : w.say`about ${dayIn(topUp, clock)}`;
    return w.say`topped up${w.opt` ${how}`} when ${w.quantity(rule.threshold_credits)} credits are left, ${when}`;
  }
  const run = nextRunOf(wallet, clock);
  return run === null ? null : w.say`next top-up on ${w.day(run, clock.now)}`;
}

function nextRunOf(wallet: Wallet, { now, zone, zones = {} }: Clock): string | null {
  const rules = wallet.recurring_transaction_rules ?? [];
  const its = zone ?? zones[wallet.external_customer_id ?? ''] ?? null;
  const days = rules.map(rule => nextRunDay(rule, wallet, its, now));
  return isoDay(days.find(run => run !== null) ?? null);
}

function paysPlanFees({ applies_to }: Wallet): boolean {
  const kinds = applies_to?.fee_types ?? [];
  const metrics = applies_to?.billable_metric_codes ?? [];
  return kinds.includes('subscription') || (kinds.length === 0 && metrics.length === 0);
}

/** Plan fees that the wallet pays as well, with the day of the next invoice. */
function planFeesOf({ wallet, subscriptions }: Runway, clock: Clock): string | null {
  if (!paysPlanFees(wallet)) return null;
  const charging = subscriptions.filter(row => w.sign(row.plan_amount_cents) === 1);
  const fees = charging.flatMap(row => feeOf(row, clock) ?? []);
  return w.say`not counting plan fees of ${w.listed(fees, mostNamed)}`;
}

function feeOf(row: Subscription, { now, zone, intervals }: Clock): string | null {
  const interval = intervals?.get(row.plan_code);
  // A longer plan may bill usage each month, on invoices without its fee.
  const isLong = interval !== undefined && interval !== 'monthly' && interval !== 'weekly';
  const at = isLong ? '' : w.opt` (next invoice on ${w.day(nextBillingDay(row, zone, now), now)})`;
  return w.say`${w.money(row.plan_amount_cents, row.plan_amount_currency)}${w.opt` ${wordsOf('interval', interval)}`}${at}`;
}

/** A row of the list: what is left, and days in ISO form. */
function rowOf(runway: Runway, customer: string | undefined, clock: Clock) {
  const { wallet, left, pace, empty, topUp, why } = runway;
  const { external_customer_id, code: key, currency } = wallet;
  const iso = (at: Date) => isoDay(dayNumber(at.toISOString(), clock.zone));
  return {
    ...(customer === undefined && { external_customer_id }),
    ...(customer === undefined && runway.isAlone ? {} : { code: key }),
    left: w.money(left, currency),
    ...(customer !== undefined && pace !== null && !pace.eq(0) && { a_day: w.money(cents(pace), currency) }),
    empty_about: isEmpty(empty) ? (empty === 'used' ? 'used up' : 'empty') : empty && iso(empty),
    top_up_about: topUp === 'due' ? 'due' : topUp && iso(topUp),
    // Whole credits of a top-up; 0 where none is needed, null where that cannot be told.
    ...(clock.until !== undefined && { credits_needed: creditsUntil(runway, clock.until, clock.now) }),
    no_day: why === null ? null : reasons[why],
  };
}
