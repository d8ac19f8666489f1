/** What a list of wallets says in sentences. */
import { codeWords } from '../../src/contract/code-words.ts';
import { type LifeStatus, lifeStatuses } from '../../src/contract/enums.ts';
import type { TopUpRule, Wallet } from '../../src/contract/shown.ts';
import { only } from '../../src/lib/collections.ts';
import { ownValue } from '../../src/lib/json.ts';
import { byText } from '../../src/lib/text.ts';
import { dayNumber, isoDay, isPast } from '../../src/words/dates.ts';
import * as w from '../../src/words/summary.ts';
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
  const customer = w.code(filters.customer);
  const ended = terminated > 0 && `${w.count(terminated, 'ended wallet is', 'ended wallets are')} not shown`;
  const wallet = only(wallets);
  if (wallet !== null) return [...oneWallet(wallet, filters.customer ?? null, clock), ended, pages];
  if (filters.status === 'terminated') return [endedWallets(list, filters, clock), pages];
  if (wallets.length === 0) return [noWallets(list, filters, clock), pages];
  const usable = wallets.filter(each => !isPast(each.expiration_at, clock.now));
  return [
    unlistedNote(wallets, 'status', lifeStatuses),
    w.phrase`${w.count(usable.length, 'active wallet')}${w.say` of ${customer}`} ${usable.length === 1 ? 'has' : 'have'} ${totalsText(totals, 'balance_cents') ?? 'unknown amounts'}`,
    w.say`Left after usage so far: ${totalsText(totals, 'left_cents')}`,
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
  const smallest = w.money(wallet.paid_top_up_min_amount_cents, currency);
  const largest = w.money(wallet.paid_top_up_max_amount_cents, currency);
  return [
    describeWallet({ external_customer_id: customer, ...rest }, now, zone),
    ...(rules ?? []).map(rule => ruleInWords(rule, wallet, { now, zone })),
    w.say`Paid top-ups are ${w.listed([w.say`at least ${smallest}`, w.say`at most ${largest}`])}`,
  ];
}

const intervals: Readonly<Record<string, string>> = codeWords.interval;

/** `Top-up rule: when 20 credits are left after usage, buy 100 credits`; null for one that is not understood. */
function ruleInWords(rule: RuleWithNextRun, wallet: Wallet, { now, zone }: Clock): string | null {
  const when =
    rule.trigger === 'threshold'
      ? w.say`when ${w.quantity(rule.threshold_credits)} credits or fewer are left after usage`
      : w.say`${ownValue(intervals, rule.interval ?? '')?.replace('a ', 'each ') ?? null}${runDay(rule, wallet, zone)}${w.opt`, next ${nextRun(rule, now)}`}`;
  const credits = [
    w.sign(rule.paid_credits) === 1 && w.say`buy ${w.quantity(rule.paid_credits)} credits`,
    w.sign(rule.granted_credits) === 1 && w.say`grant ${w.quantity(rule.granted_credits)} credits`,
  ];
  const how =
    rule.method === 'target'
      ? w.say`${rule.grants_target_top_up === true ? 'grant' : 'buy'} credits to reach ${w.quantity(rule.target_ongoing_balance)}`
      : w.listed(credits);
  return w.say`Top-up rule: ${when}, ${how}${w.opt`, labeled ${w.quoted(rule.transaction_name)}`}${w.opt` (ends ${onDay(rule.expiration_at, zone, now)})`}`;
}

/** `50 credits bought and 5 credits granted`; null for a rule that adds none. */
export function creditsOf({ paid_credits, granted_credits }: TopUpRule): string | null {
  return w.listed([
    w.sign(paid_credits) === 1 && w.say`${w.quantity(paid_credits)} credits bought`,
    w.sign(granted_credits) === 1 && w.say`${w.quantity(granted_credits)} credits granted`,
  ]);
}

/** `on 1 Nov`; null for a rule without a known day. Nothing shows whether today's run is over. */
function nextRun({ next_run, runs_today }: RuleWithNextRun, now: Date): string | null {
  return w.say`on ${w.day(next_run, now)}${runs_today === true ? ' (today, unless it already ran)' : ''}`;
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
      rule.method === 'target' ? w.say`to reach ${w.quantity(rule.target_ongoing_balance)} credits` : creditsOf(rule);
    return w.phrase`${labelOf(wallet)} ${nextRun(rule, now)}${w.say` (${how})`}`;
  });
  return w.say`Next top-up${texts.length === 1 ? '' : 's'}: ${w.listed(texts, mostNamed)}`;
}

/** `Unpaid top-ups: $50.00 from 1 Oct for “Prepaid” (prepaid)`, of the first three; and what was not read. */
export function pendingNotes(pending: PendingTopUps | null, isAlone: boolean, { now, zone }: Clock) {
  if (pending === null) return [];
  const { topUps, unread } = pending;
  const texts = topUps.map(({ wallet, transaction: { amount, created_at } }) => {
    const at = w.day(isoDay(dayNumber(created_at, zone)), now);
    const of = w.opt` from ${at}${zone === null ? ' (UTC)' : ''}`;
    return w.phrase`${w.major(amount, wallet.currency) ?? 'an unknown amount'}${of}${isAlone ? null : ` for ${labelOf(wallet)}`}`;
  });
  return [
    w.say`Unpaid top-up${texts.length === 1 ? '' : 's'}: ${w.listed(texts, mostNamed)}`,
    w.say`Pending top-ups ${topUps.length > 0 ? 'may be missing' : 'are unknown'}: ${unread}`,
  ];
}

/** The wallets that have ended, the first three by name. */
function endedWallets(
  { wallets, none }: WalletList,
  { customer, currency }: Asked,
  { now, zone }: Clock,
): string | null {
  const whose = w.opt` of customer ${w.code(customer)}`;
  if (wallets.length === 0) return none ? w.phrase`No wallet${w.say` in ${w.code(currency)}`}${whose} has ended` : null;
  const texts = wallets.map(wallet => {
    const left = w.say`, ${w.money(wallet.balance_cents, wallet.currency)} left`;
    return w.phrase`${labelOf(wallet)}${w.say` ${onDay(wallet.terminated_at, zone, now)}`}${left}`;
  });
  return `${w.count(wallets.length, 'wallet')}${whose} ${wallets.length === 1 ? 'has' : 'have'} ended: ${w.listed(texts, mostNamed)}`;
}

/** No wallet at all, or none that is active; null for a list page beyond the last one. */
function noWallets(
  { terminated, none, ended, pages }: WalletList,
  { customer, currency }: Asked,
  { now, zone }: Clock,
): string | null {
  const subject = `${w.say`Customer ${w.code(customer)}` ?? 'The account'} has no`;
  const kind = w.phrase`wallet${w.say` in ${w.code(currency)}`}`;
  if (none) return `${subject} ${kind}`;
  if (terminated === undefined) return null;
  const { name, code: key, svc_id, terminated_at } = ended ?? {};
  const newest = w.say`, most recently ${w.named(name, key ?? svc_id)}${w.opt` ${onDay(terminated_at, zone, now)}`}`;
  const where = pages === null ? '' : ' among those read';
  return w.phrase`${subject} active ${kind}${where}; ${terminated} ${terminated === 1 ? 'has' : 'have'} ended${newest}`;
}

/** The service counts drafts among the usage that is not invoiced yet. */
function overdrawn(wallets: readonly Wallet[], drafts: DraftsByWallet): string | null {
  const names = wallets
    .filter(wallet => w.sign(wallet.ongoing_balance_cents) === -1)
    .map(wallet => {
      const cents = ownValue(drafts, wallet.svc_id ?? '') ?? 0;
      const part = cents > 0 ? w.say` (with drafts of ${w.money(cents, wallet.currency)})` : null;
      return w.phrase`${labelOf(wallet)} by ${w.money(-Number(wallet.ongoing_balance_cents), wallet.currency)}${part}`;
    });
  return w.say`Uninvoiced usage exceeds ${w.listed(names, 4)}`;
}

/** `“Prepaid” (prepaid) expired on 14 Mar and is not counted`: the first three. */
function expired(wallets: readonly Wallet[], { now, zone }: Clock): string | null {
  const past = wallets.filter(({ expiration_at }) => isPast(expiration_at, now));
  const texts = past.map(wallet => w.phrase`${labelOf(wallet)} expired ${onDay(wallet.expiration_at, zone, now)}`);
  return w.say`Not counted: ${w.listed(texts, mostNamed)}`;
}

function expiring(wallets: readonly Wallet[], { now, zone }: Clock): string | null {
  const dated = wallets
    .map(wallet => ({ wallet, at: Date.parse(wallet.expiration_at ?? '') }))
    .filter(({ at }) => at > now.getTime());
  const next = dated.sort((a, b) => a.at - b.at)[0];
  return next === undefined
    ? null
    : w.say`Next to expire: ${labelOf(next.wallet)}, ${onDay(next.wallet.expiration_at, zone, now)}`;
}

function labelOf({ name, code: key, svc_id, external_customer_id: customer }: Wallet): string {
  return w.phrase`${w.named(name, key) ?? w.code(svc_id) ?? 'one'}${w.say` of ${w.code(customer)}`}`;
}
