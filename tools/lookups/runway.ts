/**
 * How long the money in wallets lasts, if usage goes on as in the running period so far (service-behaviour §11.7). First by
 * each wallet's own figure for that usage, to rank them; then, of those that are shown, by the usage of each subscription.
 */
import Big from 'big.js';
import type { Usage } from '../../src/contract/answers.ts';
import { toCents } from '../../src/contract/pricing/money.ts';
import type { Invoice, Subscription, TopUpRule, Wallet } from '../../src/contract/shown.ts';
import type { Api, ListGet, ListPageArgs, Rows } from '../../src/definition/api.ts';
import { reasonOf, type ToolError } from '../../src/definition/failure.ts';
import { isPast } from '../../src/words/dates.ts';
import { big } from '../../src/words/money.ts';
import { centsOf, isLevel, unusedCents } from '../quotes/usage-parts.ts';
import { listPageOf, listPath } from '../records/list-pages.ts';
import { draftsOf, readDrafts } from './drafts.ts';

/** Wallets of one answer. */
const mostShown = 10;
const dayMs = 86_400_000;
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
  /** When it is empty without top-ups; `used` where the usage so far uses it up, `empty` where nothing was in it. */
  readonly empty: Date | 'used' | 'empty' | null;
  /** When a threshold rule tops it up; `due` where its threshold is reached. */
  readonly topUp: Date | 'due' | null;
  readonly why: WithoutDay | null;
  /** By the usage of each subscription, not by the wallet's figure alone. */
  readonly exact: boolean;
  /** Holds the usage amounts that come once a period? */
  readonly hasLevels: boolean;
  /** Days by the wallet's figure alone, to rank it: 0 where it is used up. */
  readonly rank: number;
  /** Has the customer no other wallet? */
  readonly isAlone: boolean;
  /** Total of the customer's drafts in the wallet's currency, in cents, as far as they were read. */
  readonly drafts: number;
}

export interface RunwayList {
  readonly page: Rows<Runway>;
  readonly wallets: Rows<Wallet>;
  /** What could not be read, in the words of the service. */
  readonly unread: readonly string[];
  readonly isWhole: boolean;
}

/** The wallets by how soon they are empty, a page of at most ten, of a customer or of the account. */
export async function readRunway(
  api: Api,
  customer: string | undefined,
  query: NonNullable<ListGet<'wallets'>['query']>,
  pages: ListPageArgs,
): Promise<({ ok: true } & RunwayList) | { ok: false; error: ToolError }> {
  const of = (plural: string) => listPath(plural, customer);
  const wallets = await api.list(
    of('wallets').path,
    { key: 'wallets', path: of('wallets').values, query },
    { all: true, readsKept: 16 },
  );
  if (!wallets.ok) return wallets;
  const unread: string[] = [];
  const active = { key: 'subscriptions' as const, path: of('subscriptions').values, query: { status: ['active'] } };
  const subscriptions = api.mayUse('list_subscriptions')
    ? await api.list(of('subscriptions').path, active, { all: true, readsKept: 12 })
    : null;
  if (subscriptions === null) unread.push('list_subscriptions may not be used');
  else if (!subscriptions.ok) unread.push(reasonOf(subscriptions.error));
  const drafts = await readDrafts(api, customer);
  if (drafts !== null && !drafts.ok) unread.push(reasonOf(drafts.error));
  const known = {
    subscriptions: subscriptions?.ok ? subscriptions.rows : [],
    drafts: drafts?.ok ? drafts.rows : [],
    areSubscriptionsKnown: subscriptions?.ok === true && !subscriptions.stopped,
    areDraftsKnown: drafts?.ok === true && drafts.nextPage === null,
  };
  const held = wallets.rows.filter(wallet => wallet.status !== 'terminated');
  const ranked = held.map(wallet => roughly(wallet, held, customer, known, api.now)).sort((a, b) => a.rank - b.rank);
  const { page, per_page = mostShown } = pages;
  const listPage = listPageOf(ranked, { page, per_page: Math.min(per_page, mostShown) });
  // Of a customer whose subscriptions were not all read, the wallet's own figure is the whole.
  const isKnown = known.areSubscriptionsKnown;
  const rows = isKnown ? await exactly(api, listPage.rows, customer, unread) : [...listPage.rows];
  return {
    ok: true,
    page: { ...listPage, rows: rows.sort(soonestFirst) },
    wallets,
    unread: [...new Set(unread)],
    isWhole: !wallets.stopped && (subscriptions?.ok !== true || !subscriptions.stopped),
  };
}

interface Known {
  readonly subscriptions: readonly Subscription[];
  readonly drafts: readonly Invoice[];
  readonly areSubscriptionsKnown: boolean;
  readonly areDraftsKnown: boolean;
}

/** By the wallet's own figure: what its usage of the running period is, over the days of that period so far. */
function roughly(
  wallet: Wallet,
  all: readonly Wallet[],
  customer: string | undefined,
  known: Known,
  now: Date,
): Runway {
  const ownerOf = (record: Pick<Wallet, 'external_customer_id'>) => customer ?? record.external_customer_id ?? null;
  const owner = ownerOf(wallet);
  const { currency } = wallet;
  const subscriptions = known.subscriptions.filter(
    row => ownerOf(row) === owner && row.plan_amount_currency === currency && row.status === 'active',
  );
  const drafts = draftsOf(known.drafts, owner, currency, customer);
  const left = centsOf(wallet.ongoing_balance_cents);
  const others = all.filter(
    other => other !== wallet && ownerOf(other) === owner && other.currency === currency && other.balance_cents !== 0,
  );
  const usage = centsOf(wallet.ongoing_usage_balance_cents);
  const base: Runway = {
    wallet,
    subscriptions,
    left,
    pace: null,
    empty: null,
    topUp: null,
    why: null,
    exact: false,
    hasLevels: false,
    drafts,
    isAlone: all.filter(other => ownerOf(other) === owner).length === 1,
    rank: Number.MAX_SAFE_INTEGER,
  };
  const why = whyNoDay(wallet, subscriptions, { left, usage, isShared: others.length > 0 }, now);
  if (isPast(wallet.expiration_at, now)) return { ...base, why: 'expired' };
  if (left !== null && left <= 0) {
    const empty = (centsOf(wallet.balance_cents) ?? left) <= 0 ? 'empty' : 'used';
    return { ...base, rank: 0, empty, topUp: topUpOf(wallet, left, null, now), why: null };
  }
  if (why === 'subscription' && !known.areSubscriptionsKnown) return { ...base, why: 'unread' };
  if (why !== null || left === null || usage === null) return { ...base, why };
  const days = new Set(subscriptions.map(row => row.current_billing_period_started_at));
  const pace = new Big(usage).div(Math.max(...subscriptions.map(row => elapsedDays(row, now))));
  const rank = pace.gt(0) ? Number(new Big(left).div(pace).toFixed()) : base.rank;
  if (days.size > 1) return { ...base, rank, why: 'periods' };
  // The figure holds drafts, too: with some, or where they are not known, it is no pace.
  if (drafts !== 0 || !known.areDraftsKnown) return { ...base, rank, why: 'drafts' };
  return lasting({ ...base, rank }, { daily: pace, levels: [] }, now);
}

function whyNoDay(
  wallet: Wallet,
  subscriptions: readonly Subscription[],
  { left, usage, isShared }: { left: number | null; usage: number | null; isShared: boolean },
  now: Date,
): WithoutDay | null {
  const { kinds, codes } = limitsOf(wallet);
  if (left === null || usage === null) return 'figures';
  if (kinds.length > 0 && !kinds.includes('charge') && codes.length === 0) return 'limits';
  if (subscriptions.length === 0) return 'subscription';
  const days = subscriptions.map(row => elapsedDays(row, now));
  if (days.some(Number.isNaN)) return 'period';
  if (days.some(day => day < 1)) return 'short';
  return isShared ? 'shared' : null;
}

/** The kinds of fees and the metrics that the wallet pays alone; none where it pays all. */
function limitsOf({ applies_to }: Wallet) {
  return { kinds: applies_to?.fee_types ?? [], codes: applies_to?.billable_metric_codes ?? [] };
}

/** Days of the running usage period so far; NaN where now is not in it. */
function elapsedDays(subscription: Subscription, now: Date): number {
  const from = Date.parse(subscription.current_billing_period_started_at ?? '');
  const to = Date.parse(subscription.current_billing_period_ending_at ?? '');
  return from <= now.getTime() && now.getTime() <= to + 1000 ? (now.getTime() - from) / dayMs : Number.NaN;
}

/** What is used: so much a day, and with each new period the amounts that do not grow with time. */
interface Pace {
  readonly daily: Big;
  readonly levels: readonly Level[];
}

interface Level {
  readonly cents: Big;
  /** When the next period begins, and how long one is, in milliseconds. */
  readonly next: number;
  readonly length: number;
}

function lasting(base: Runway, pace: Pace, now: Date): Runway {
  const { wallet, left } = base;
  const { daily, levels } = pace;
  if (left === null || (daily.lte(0) && levels.length === 0))
    return { ...base, pace: null, empty: null, topUp: null, why: 'usage' };
  const topUp = topUpOf(wallet, left, pace, now);
  const empty = after(new Big(left), pace, now);
  const expiry = Date.parse(wallet.expiration_at ?? '');
  if (!Number.isNaN(expiry) && !(empty !== null && empty.getTime() <= expiry))
    return {
      ...base,
      pace: daily,
      hasLevels: levels.length > 0,
      empty: null,
      topUp: until(topUp, expiry),
      why: 'expires',
    };
  return { ...base, pace: daily, hasLevels: levels.length > 0, empty, topUp, why: empty === null ? 'far' : null };
}

/** When so many cents are used up; null for far away. */
function after(cents: Big, { daily, levels }: Pace, now: Date): Date | null {
  const end = now.getTime() + longestDays * dayMs;
  const steps = levels.flatMap(({ cents: step, next, length }) =>
    Array.from({ length: Math.max(0, Math.floor((end - next) / length) + 1) }, (_, n) => ({
      at: next + n * length,
      cents: step,
    })),
  );
  let [left, at] = [cents, now.getTime()];
  for (const step of [...steps.sort((a, b) => a.at - b.at), { at: end, cents: new Big(0) }]) {
    const used = daily.times(step.at - at).div(dayMs);
    if (used.gte(left)) return new Date(at + Number(left.div(daily).times(dayMs).toFixed(0)));
    left = left.minus(used).minus(step.cents);
    at = step.at;
    if (left.lte(0)) return new Date(at);
  }
  return null;
}

/** When what is left falls to the threshold of the wallet's rule, if it has one. */
function topUpOf(wallet: Wallet, left: number, pace: Pace | null, now: Date): Date | 'due' | null {
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

/** The same by the usage of each subscription: what the wallet may pay of it, with its tax. */
async function exactly(
  api: Api,
  rows: readonly Runway[],
  customer: string | undefined,
  unread: string[],
): Promise<Runway[]> {
  if (!api.mayUse('get_usage')) return [...rows];
  let left = Math.max(0, api.left() - 1);
  const isRead = rows.map(({ why, empty, subscriptions }) => {
    const isOpen = why === null || why === 'periods' || why === 'drafts' || why === 'usage' || why === 'far';
    const needed = isOpen && !isEmpty(empty) && subscriptions.length > 0 && subscriptions.length <= left;
    if (needed) left -= subscriptions.length;
    return needed;
  });
  return Promise.all(
    rows.map(async (row, index) => {
      const pace = isRead[index] ? await paceOf(api, row, customer, unread) : null;
      if (pace === null) return row;
      const unknown = { ...row, pace: null, empty: null, topUp: row.topUp === 'due' ? row.topUp : null };
      return {
        ...(pace === 'first' ? { ...unknown, why: pace } : lasting({ ...row, why: null }, pace, api.now)),
        exact: true,
      };
    }),
  );
}

/** `first`: how long later periods are is not known, and the amounts that come with each of them are not 0. */
async function paceOf(
  api: Api,
  row: Runway,
  customer: string | undefined,
  unread: string[],
): Promise<Pace | 'first' | null> {
  const paces = await Promise.all(
    row.subscriptions.map(async subscription => {
      const owner = customer ?? subscription.external_customer_id;
      const id = subscription.external_id;
      if (!owner || !id) return null;
      const answer = await api.get('/customers/{external_customer_id}/current_usage', {
        key: 'customer_usage',
        path: { external_customer_id: owner },
        query: { external_subscription_id: id },
      });
      if (!answer.ok) unread.push(reasonOf(answer.error));
      const cents = answer.ok ? payable(answer.body.customer_usage ?? {}, row.wallet) : null;
      if (cents === null) return null;
      const level = cents.level.eq(0) ? null : { cents: cents.level, ...nextPeriod(subscription) };
      return { daily: cents.growing.div(elapsedDays(subscription, api.now)), level };
    }),
  );
  const known = paces.filter(pace => pace !== null);
  if (known.length < paces.length) return null;
  const levels = known.flatMap(({ level }) => level ?? []);
  if (levels.some(({ length }) => !(length > 0))) return 'first';
  return { daily: known.reduce((sum, { daily }) => sum.plus(daily), new Big(0)), levels };
}

/** When the next period begins and how long it is about: NaN in a first period, which may be a part of one. */
function nextPeriod(row: Subscription): { next: number; length: number } {
  const { current_billing_period_started_at: start, current_billing_period_ending_at: end, started_at } = row;
  const [from, to, since] = [start, end, started_at].map(at => Date.parse(at ?? '')) as [number, number, number];
  const isPart = since >= from && row.billing_time !== 'anniversary';
  return { next: to + 1000, length: isPart ? Number.NaN : to + 1000 - from };
}

interface Payable {
  /** Grows with time. */
  readonly growing: Big;
  /** Comes with each period: highest, latest and unique values. */
  readonly level: Big;
}

/**
 * Cents of the usage that the wallet may pay, with the tax on it in proportion. Flat amounts of charges without any usage
 * are in neither part.
 */
function payable(usage: Usage, wallet: Wallet): Payable | null {
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
  return { growing: withTax(growing), level: withTax(level) };
}

/** Those that are used up, then by the day; those without a day last. */
function soonestFirst(a: Runway, b: Runway): number {
  return orderOf(a) - orderOf(b);
}

function orderOf({ empty }: Runway): number {
  if (isEmpty(empty)) return 0;
  return empty === null ? Number.MAX_SAFE_INTEGER : empty.getTime();
}

/** Is nothing left already? */
export function isEmpty(empty: Runway['empty']): empty is 'used' | 'empty' {
  return empty === 'used' || empty === 'empty';
}
