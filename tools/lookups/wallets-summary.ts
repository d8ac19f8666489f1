/** What a list of wallets says in sentences. */
import { codeWords } from '../../src/contract/code-words.ts';
import { type LifeStatus, lifeStatuses } from '../../src/contract/enums.ts';
import type { TopUpRule, Wallet } from '../../src/contract/shown.ts';
import { only } from '../../src/lib/collections.ts';
import { ownValue } from '../../src/lib/json.ts';
import { byText } from '../../src/lib/text.ts';
import { dayNumber, isoDay, isPast } from '../../src/words/dates.ts';
import {
  code,
  count,
  day,
  listed,
  major,
  money,
  named,
  opt,
  phrase,
  quantity,
  quoted,
  say,
  sign,
} from '../../src/words/summary.ts';
import { unlistedNote } from '../../src/words/unlisted-values.ts';
import { runDay } from '../../src/words/wallet-words.ts';
import { onDay } from '../../src/words/zoned-times.ts';
import { type Total, totalsText } from '../quotes/totals.ts';
import type { PendingTopUps } from '../records/wallet-top-ups.ts';
import { describeWallet } from '../wallets.ts';

/** Cents of the customer's drafts in the wallet's currency, by the wallet's id. */
export type DraftsByWallet = Readonly<Record<string, number>>;

/** A rule with the day of its next run, in the customer's zone. */
type RuleWithNextRun = TopUpRule & { readonly next_run?: string; readonly runs_today?: boolean };

/** What the summary of the wallets reads. */
interface WalletList {
  readonly wallets: readonly Wallet[];
  readonly totals?: readonly Total[];
  /** How many wallets have ended. */
  readonly terminated?: number;
  /** There is no wallet of those that were asked for. */
  readonly none: boolean;
  /** Which part of the list this is; null for all of it. */
  readonly pages: string | null;
  /** The one that ended last. */
  readonly ended?: Wallet | null;
}

/** Wallets that a sentence names. */
const mostNamed = 3;

/** Whose wallets were asked for, and which. */
interface Asked {
  readonly customer: string | undefined;
  readonly currency?: string | undefined;
  readonly status?: LifeStatus | undefined;
}

/** The time now, and the customer's time zone; null if it was not read. */
interface Clock {
  now: Date;
  zone: string | null;
}

export function describeWallets(list: WalletList, filters: Asked, clock: Clock, drafts: DraftsByWallet) {
  const { wallets, totals = [], terminated = 0, pages } = list;
  const customer = code(filters.customer);
  const ended = terminated > 0 && `${count(terminated, 'ended wallet is', 'ended wallets are')} not shown`;
  const wallet = only(wallets);
  if (wallet !== null) return [...oneWallet(wallet, filters.customer ?? null, clock), ended, pages];
  if (filters.status === 'terminated') return [endedWallets(list, filters, clock), pages];
  if (wallets.length === 0) return [noWallets(list, filters, clock), pages];
  const usable = wallets.filter(each => !isPast(each.expiration_at, clock.now));
  return [
    unlistedNote(wallets, 'status', lifeStatuses),
    phrase`${count(usable.length, 'active wallet')}${say` of ${customer}`} ${usable.length === 1 ? 'has' : 'have'} ${totalsText(totals, 'balance_cents') ?? 'unknown amounts'}`,
    say`Left after usage so far: ${totalsText(totals, 'left_cents')}`,
    overdrawn(wallets, drafts),
    expired(wallets, clock),
    expiring(wallets, clock),
    nextTopUps(wallets, clock.now),
    ended,
    pages,
  ];
}

function oneWallet(wallet: Wallet, customer: string | null, { now, zone }: Clock): (string | null)[] {
  const { recurring_transaction_rules: rules, ...rest } = wallet;
  const { currency } = wallet;
  const smallest = money(wallet.paid_top_up_min_amount_cents, currency);
  const largest = money(wallet.paid_top_up_max_amount_cents, currency);
  return [
    describeWallet({ external_customer_id: customer, ...rest }, now, zone),
    ...(rules ?? []).map(rule => ruleInWords(rule, wallet, { now, zone })),
    say`Paid top-ups are ${listed([say`at least ${smallest}`, say`at most ${largest}`])}`,
  ];
}

const intervals: Readonly<Record<string, string>> = codeWords.interval;

/** `Top-up rule: when 20 credits are left after usage, buy 100 credits`; null for one that is not understood. */
function ruleInWords(rule: RuleWithNextRun, wallet: Wallet, { now, zone }: Clock): string | null {
  const when =
    rule.trigger === 'threshold'
      ? say`when ${quantity(rule.threshold_credits)} credits or fewer are left after usage`
      : say`${ownValue(intervals, rule.interval ?? '')?.replace('a ', 'each ') ?? null}${runDay(rule, wallet, zone)}${opt`, next ${nextRun(rule, now)}`}`;
  const credits = [
    sign(rule.paid_credits) === 1 && say`buy ${quantity(rule.paid_credits)} credits`,
    sign(rule.granted_credits) === 1 && say`grant ${quantity(rule.granted_credits)} credits`,
  ];
  const how =
    rule.method === 'target'
      ? say`${rule.grants_target_top_up === true ? 'grant' : 'buy'} credits to reach ${quantity(rule.target_ongoing_balance)}`
      : listed(credits);
  return say`Top-up rule: ${when}, ${how}${opt`, labeled ${quoted(rule.transaction_name)}`}${opt` (ends ${onDay(rule.expiration_at, zone, now)})`}`;
}

/** `50 credits bought and 5 credits granted`; null for a rule that adds none. */
export function creditsOf({ paid_credits, granted_credits }: TopUpRule): string | null {
  return listed([
    sign(paid_credits) === 1 && say`${quantity(paid_credits)} credits bought`,
    sign(granted_credits) === 1 && say`${quantity(granted_credits)} credits granted`,
  ]);
}

/** `on 1 Nov`; null for a rule without a known day. Nothing shows whether today's run is over. */
function nextRun({ next_run, runs_today }: RuleWithNextRun, now: Date): string | null {
  return say`on ${day(next_run, now)}${runs_today === true ? ' (today, unless it already ran)' : ''}`;
}

/** `Next top-ups: “Prepaid” (prepaid) of acme on 1 Nov, 50 bought and 5 granted`: the first three; null without one. */
function nextTopUps(wallets: readonly Wallet[], now: Date): string | null {
  const runs = wallets.flatMap(wallet =>
    (wallet.recurring_transaction_rules ?? []).map((rule: RuleWithNextRun) => ({ wallet, rule })),
  );
  const dated = runs.filter(({ rule }) => rule.next_run !== undefined);
  const soonest = dated.sort((a, b) => byText(a.rule.next_run ?? '', b.rule.next_run ?? ''));
  const texts = soonest.map(({ wallet, rule }) => {
    const how =
      rule.method === 'target' ? say`to reach ${quantity(rule.target_ongoing_balance)} credits` : creditsOf(rule);
    return phrase`${labelOf(wallet)} ${nextRun(rule, now)}${say` (${how})`}`;
  });
  return say`Next top-up${texts.length === 1 ? '' : 's'}: ${listed(texts, mostNamed)}`;
}

/** `Unpaid top-ups: $50.00 from 1 Oct for “Prepaid” (prepaid)`, of the first three; and what was not read. */
export function pendingNotes(pending: PendingTopUps | null, isAlone: boolean, { now, zone }: Clock) {
  if (pending === null) return [];
  const { topUps, unread } = pending;
  const texts = topUps.map(({ wallet, transaction: { amount, created_at } }) => {
    const at = day(isoDay(dayNumber(created_at, zone)), now);
    const of = opt` from ${at}${zone === null ? ' (UTC)' : ''}`;
    return phrase`${major(amount, wallet.currency) ?? 'an unknown amount'}${of}${isAlone ? null : ` for ${labelOf(wallet)}`}`;
  });
  return [
    say`Unpaid top-up${texts.length === 1 ? '' : 's'}: ${listed(texts, mostNamed)}`,
    say`Pending top-ups ${topUps.length > 0 ? 'may be missing' : 'are unknown'}: ${unread}`,
  ];
}

/** The wallets that have ended, the first three by name. */
function endedWallets(
  { wallets, none }: WalletList,
  { customer, currency }: Asked,
  { now, zone }: Clock,
): string | null {
  const whose = opt` of customer ${code(customer)}`;
  if (wallets.length === 0) return none ? phrase`No wallet${say` in ${code(currency)}`}${whose} has ended` : null;
  const texts = wallets.map(wallet => {
    const left = say`, ${money(wallet.balance_cents, wallet.currency)} left`;
    return phrase`${labelOf(wallet)}${say` ${onDay(wallet.terminated_at, zone, now)}`}${left}`;
  });
  return `${count(wallets.length, 'wallet')}${whose} ${wallets.length === 1 ? 'has' : 'have'} ended: ${listed(texts, mostNamed)}`;
}

/** No wallet at all, or none that is active; null for a list page beyond the last one. */
function noWallets(
  { terminated, none, ended, pages }: WalletList,
  { customer, currency }: Asked,
  { now, zone }: Clock,
): string | null {
  const subject = `${say`Customer ${code(customer)}` ?? 'The account'} has no`;
  const kind = phrase`wallet${say` in ${code(currency)}`}`;
  if (none) return `${subject} ${kind}`;
  if (terminated === undefined) return null;
  const { name, code: key, svc_id, terminated_at } = ended ?? {};
  const newest = say`, most recently ${named(name, key ?? svc_id)}${opt` ${onDay(terminated_at, zone, now)}`}`;
  const where = pages === null ? '' : ' among those read';
  return phrase`${subject} active ${kind}${where}; ${terminated} ${terminated === 1 ? 'has' : 'have'} ended${newest}`;
}

/** The service counts drafts among the usage that is not invoiced yet. */
function overdrawn(wallets: readonly Wallet[], drafts: DraftsByWallet): string | null {
  const names = wallets
    .filter(wallet => sign(wallet.ongoing_balance_cents) === -1)
    .map(wallet => {
      const cents = ownValue(drafts, wallet.svc_id ?? '') ?? 0;
      const part = cents > 0 ? say` (with drafts of ${money(cents, wallet.currency)})` : null;
      return phrase`${labelOf(wallet)} by ${money(-Number(wallet.ongoing_balance_cents), wallet.currency)}${part}`;
    });
  return say`Uninvoiced usage exceeds ${listed(names, 4)}`;
}

/** `“Prepaid” (prepaid) expired on 14 Mar and is not counted`: the first three. */
function expired(wallets: readonly Wallet[], { now, zone }: Clock): string | null {
  const past = wallets.filter(({ expiration_at }) => isPast(expiration_at, now));
  const texts = past.map(wallet => phrase`${labelOf(wallet)} expired ${onDay(wallet.expiration_at, zone, now)}`);
  return say`Not counted: ${listed(texts, mostNamed)}`;
}

function expiring(wallets: readonly Wallet[], { now, zone }: Clock): string | null {
  const dated = wallets
    .map(wallet => ({ wallet, at: Date.parse(wallet.expiration_at ?? '') }))
    .filter(({ at }) => at > now.getTime());
  const next = dated.sort((a, b) => a.at - b.at)[0];
  return next === undefined
    ? null
    : say`Next to expire: ${labelOf(next.wallet)}, ${onDay(next.wallet.expiration_at, zone, now)}`;
}

function labelOf({ name, code: key, svc_id, external_customer_id: customer }: Wallet): string {
  return phrase`${named(name, key) ?? code(svc_id) ?? 'one'}${say` of ${code(customer)}`}`;
}
