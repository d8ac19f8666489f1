/**
 * How long the money in wallets lasts, if usage goes on as in the running period so far (service-behaviour §11.7). First by
 * each wallet's own figure for that usage, to rank them; then, of those that are shown, by the usage of each subscription.
 */
import Big from 'big.js';
import type { ChargeUsage } from '../../src/contract/answers.ts';
import type { Invoice, Subscription, Wallet } from '../../src/contract/shown.ts';
import type { Api, ListGet, ListPageArgs } from '../../src/definition/api.ts';
import { reasonOf } from '../../src/definition/failure.ts';
import { isPast } from '../../src/words/dates.ts';
import { centsOf } from '../../src/words/money.ts';
import { growthOf, hasSteps, steppedFees } from '../quotes/unit-pace.ts';
import {
  dayMs,
  elapsedDays,
  isEmpty,
  lasting,
  limitsOf,
  nextPeriod,
  type Pace,
  payable,
  type Runway,
  topUpOf,
  type WithoutDay,
} from '../quotes/wallet-pace.ts';
import { listPageOf, readList } from '../records/list-pages.ts';
import { readOne, readShown } from '../records/one-record.ts';

/** Wallets of one answer. */
const mostShown = 10;

/** The wallets by how soon they are empty, a page of at most ten; `unread`: what could not be read, in the words of the service. */
export async function readRunway(
  api: Api,
  customer: string | undefined,
  query: NonNullable<ListGet<'wallets'>['query']>,
  pages: ListPageArgs,
) {
  const wallets = await readList(api, 'wallets', customer, query, { all: true, readsKept: 16 });
  if (!wallets.ok) return wallets;
  const unread: string[] = [];
  const subscriptions = api.mayUse('list_subscriptions')
    ? await readList(api, 'subscriptions', customer, { status: ['active'] }, { all: true, readsKept: 12 })
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
  const { page, per_page = mostShown, all } = pages;
  const listPage = listPageOf(ranked, all ? { all } : { page, per_page: Math.min(per_page, mostShown) });
  // Of a customer whose subscriptions were not all read, the wallet's own figure is the whole.
  const isKnown = known.areSubscriptionsKnown;
  const rows = isKnown ? await exactly(api, listPage.rows, customer, unread) : [...listPage.rows];
  return {
    ok: true as const,
    page: { ...listPage, rows: rows.sort((a, b) => orderOf(a) - orderOf(b)) },
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
    used: null,
    empty: null,
    topUp: null,
    why: null,
    exact: false,
    hasSteps: false,
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
  return lasting({ ...base, rank }, { daily: pace, even: pace, stepped: [], levels: [] }, now);
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
      const answer = await readOne(api, 'customer_usage', owner, { query: { external_subscription_id: id } });
      if (!answer.ok) unread.push(reasonOf(answer.error));
      const cents = answer.ok ? payable(answer.body, row.wallet) : null;
      if (cents === null) return null;
      const [period, days] = [nextPeriod(subscription), elapsedDays(subscription, api.now)];
      const fees = period.length > 0 ? await stepsOf(api, id, cents.parts, row.wallet.currency ?? '') : [];
      const inSteps = cents.withTax(fees.reduce((sum, fee) => sum.plus(fee.cents), new Big(0)));
      const passed = { now: api.now.getTime(), passed: days * dayMs, ...period };
      return {
        daily: cents.growing.div(days),
        even: cents.growing.minus(inSteps).div(days),
        stepped: fees.length > 0 ? [growthOf(fees, passed, cents.withTax)] : [],
        level: cents.level.eq(0) ? null : { cents: cents.level, ...period },
      };
    }),
  );
  const known = paces.filter(pace => pace !== null);
  if (known.length < paces.length) return null;
  const levels = known.flatMap(({ level }) => level ?? []);
  if (levels.some(({ length }) => !(length > 0))) return 'first';
  const sumOf = (key: 'daily' | 'even') => known.reduce((sum, pace) => sum.plus(pace[key]), new Big(0));
  return { daily: sumOf('daily'), even: sumOf('even'), stepped: known.flatMap(({ stepped }) => stepped), levels };
}

/** The fees whose price has steps, at the subscription's own prices; none where these cannot be read. */
async function stepsOf(api: Api, external_id: string, parts: readonly ChargeUsage[], currency: string) {
  if (!parts.some(hasSteps) || api.left() < 1) return [];
  const subscription = await readShown(api, 'subscription', external_id);
  return steppedFees(parts, subscription?.plan?.charges ?? [], currency);
}

/** Sorts wallets: those that are used up, then by the day, then those without a day. */
function orderOf({ empty }: Runway): number {
  if (isEmpty(empty)) return 0;
  return empty === null ? Number.MAX_SAFE_INTEGER : empty.getTime();
}

/**
 * The drafts of a customer or of the account: the service counts their totals among the usage that wallets have yet to pay.
 * A page of 100; null for a caller who may not see invoices.
 */
export async function readDrafts(api: Api, customer: string | undefined) {
  if (!api.mayUse('list_invoices')) return null;
  return readList(api, 'invoices', customer, { status: ['draft'] }, { per_page: 100 });
}

/** Cents of a customer's drafts in a currency. `customer`: whose list it is, where its rows name no customer. */
export function draftsOf(
  drafts: readonly Invoice[],
  owner: string | null,
  currency: string | null | undefined,
  customer?: string,
): number {
  const ownDrafts = drafts.filter(
    row => (row.customer?.external_id ?? customer) === owner && row.currency === currency,
  );
  return ownDrafts.reduce((sum, { total_amount_cents: cents }) => (typeof cents === 'number' ? sum + cents : sum), 0);
}
