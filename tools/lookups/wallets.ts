/** Prepaid wallets (docs/lookups.md §5). */

import * as z from 'zod';
import { type LifeStatus, lifeStatuses } from '../../src/contract/enums.ts';
import { walletFilters } from '../../src/contract/list-filters.ts';
import type { TopUpRule, Wallet } from '../../src/contract/shown.ts';
import { only } from '../../src/lib/collections.ts';
import { byText } from '../../src/lib/compare-text.ts';
import { ownValue } from '../../src/lib/json.ts';
import { type Api, isWhole, type ListGet, type ListPageArgs } from '../../src/tool/api.ts';
import { customerOrName, flag, paging } from '../../src/tool/args.ts';
import { defineLookup, type SummaryContext } from '../../src/tool/define.ts';
import { filterArguments } from '../../src/tool/filter-arguments.ts';
import { dayNumber, isoDay, isPast } from '../../src/words/dates.ts';
import {
  code,
  count,
  day,
  listed,
  major,
  money,
  named,
  quantity,
  quoted,
  say,
  sentences,
  sign,
} from '../../src/words/summary.ts';
import { nextRunDay, runDay } from '../../src/words/wallet-words.ts';
import { onDay } from '../../src/words/zoned-times.ts';
import { customerField, customerNote, type NamedCustomer, readOfCustomer } from '../reads/customer.ts';
import { draftsOf, readDrafts } from '../reads/drafts.ts';
import { filteredFields, readFiltered } from '../reads/filtered-list.ts';
import { withLocalTimes } from '../reads/list-time-zone.ts';
import { listPath, remarked, shownFields, shownNote } from '../reads/pages.ts';
import { type Total, totalsOf, totalsText } from '../reads/totals.ts';
import { unlistedNote } from '../reads/unlisted-values.ts';
import { type PendingTopUps, pendingTopUps, zonesOfCustomers } from '../reads/wallet-top-ups.ts';
import { zoneOfCustomer } from '../reads/written-record.ts';
import { describeWallet } from '../wallets.ts';
import { hasIntervalRule, runwayOf } from './wallet-runway.ts';

export const listWallets = defineLookup({
  name: 'list_wallets',
  title: 'List wallets',
  toolset: 'wallets',
  endpoint: 'GET /wallets',
  description:
    'Active prepaid wallets, of a customer or all: what is left, now and after usage so far, expiry, limits, top-up rules.',
  input: z
    .strictObject({
      external_customer_id: customerOrName,
      status: z.enum(lifeStatuses).describe('Default active').optional(),
      runway: flag.describe('When they will be empty, soonest first').optional(),
      ...filterArguments(walletFilters),
      ...paging,
    })
    .refine(({ runway, status }) => !(runway && status === 'terminated'), {
      path: ['runway'],
      error: 'is of active wallets: leave out status, or send active',
    })
    .refine(({ runway, per_page = 1, all }) => !(runway && (all || per_page > 10)), {
      path: ['runway'],
      error: 'shows at most 10 wallets a page: leave out all, or send a per_page of at most 10',
    }),
  async lookup({ external_customer_id, status, runway, page, per_page, all, ...query }, api) {
    if (runway) {
      const list = await readOfCustomer(api, external_customer_id, customer =>
        runwayOf(api, customer, query, { page, per_page }),
      );
      return list.ok ? { ok: true, body: { ...customerField(list.customer), ...list.body }, beside: {} } : list;
    }
    const list = await readOfCustomer(api, external_customer_id, customer =>
      readWallets(api, customer, status, query, { page, per_page, all }),
    );
    if (!list.ok) return list;
    const { wallets: rows, for_summary } = list.body;
    const dated = rows.some(wallet => Boolean(wallet.expiration_at));
    const alone = only(rows);
    const tellsTime = dated || (alone === null ? rows.length === 0 && for_summary.ended != null : tellsMoments(alone));
    const customer = list.customer?.external_id ?? external_customer_id;
    const active = rows.filter(wallet => wallet.status !== 'terminated');
    const pending =
      active.length === 0 ? null : await pendingTopUps(api, active, { ofOneCustomer: customer !== undefined });
    const tellsDays = tellsTime || rows.some(hasIntervalRule) || (pending?.topUps.length ?? 0) > 0;
    const zone = !tellsDays || customer === undefined ? null : await zoneOfCustomer(api, customer);
    const zones =
      customer === undefined ? await zonesOfCustomers(api, active.filter(hasIntervalRule)) : { [customer]: zone };
    const owned = customer === undefined ? null : customer;
    const shown = rows.map(wallet => {
      const of = owned ?? wallet.external_customer_id ?? '';
      return withNextRuns(wallet, ownValue(zones, of) ?? null, api.now);
    });
    const body = {
      ...customerField(list.customer),
      ...list.body,
      wallets: withLocalTimes(shown, ['expiration_at', 'terminated_at'], zone),
      for_export: { rows: shown.map(wallet => ({ external_customer_id: owned, ...wallet })) },
    };
    const drafts = await draftsByWallet(api, active, customer);
    return { ok: true, body, beside: { zone, pending, drafts } };
  },
  result: 'wallets',
  list: true,
  brief: `
    svc_id external_customer_id code name?=code status?active currency rate_amount?1.0 balance_cents
    ongoing_balance_cents priority?50 expiration_at terminated_at applies_to{fee_types billable_metric_codes}
    paid_top_up_min_amount_cents paid_top_up_max_amount_cents
    recurring_transaction_rules{svc_id trigger interval threshold_credits method target_ongoing_balance paid_credits?
    granted_credits? transaction_name started_at next_run expiration_at}
    metadata left a_day empty_about top_up_about no_day
  `,
  say: (record: WalletList, { args, now, beside }: SummaryContext<Beside, object, ListArguments>) => {
    const { wallets, customer, for_summary } = record;
    if (for_summary.runway !== undefined) return sentences(customerNote(customer), for_summary.runway);
    const { zone = null, pending = null, drafts = {} } = beside ?? {};
    return sentences(
      describeWallets(record, args, { now, zone }, drafts),
      pendingNote(pending, wallets.length === 1, { now, zone }),
    );
  },
});

interface Beside {
  readonly zone?: string | null;
  readonly pending?: PendingTopUps | null;
  readonly drafts?: DraftsByWallet;
}

/** Cents of the customer's drafts in the wallet's currency, by the wallet's id. */
type DraftsByWallet = Readonly<Record<string, number>>;

/** They are read only where usage that is not invoiced yet exceeds a wallet. */
async function draftsByWallet(
  api: Api,
  wallets: readonly Wallet[],
  customer: string | undefined,
): Promise<DraftsByWallet> {
  const exceeded = wallets.filter(({ ongoing_balance_cents: rest }) => wallets.length > 1 && sign(rest) === -1);
  const drafts = exceeded.length > 0 ? await readDrafts(api, customer) : null;
  if (!drafts?.ok || !isWhole(drafts)) return {};
  const entries = exceeded.map(({ svc_id, currency, external_customer_id: owner }) => {
    return [svc_id ?? '', draftsOf(drafts.rows, customer ?? owner ?? null, currency, customer)] as const;
  });
  return Object.fromEntries(entries);
}

/** A rule with the day of its next run, in the customer's zone. */
type RuleWithNextRun = TopUpRule & { readonly next_run?: string; readonly runs_today?: boolean };

/** What the summary of the wallets reads. */
interface WalletList {
  readonly wallets: readonly Wallet[];
  readonly customer?: NamedCustomer;
  readonly totals?: readonly Total[];
  /** How many wallets have ended. */
  readonly terminated?: number;
  readonly for_summary: {
    readonly none?: boolean;
    readonly pages?: string | null;
    readonly ended?: Wallet | null;
    /** Where the list is of how long they last. */
    readonly runway?: string;
    /** Ended wallets were asked for, and there is none. */
    readonly no_ended?: boolean;
  };
}

/** The API cannot filter the list by status: all wallets are read, and those of another status only counted. */
async function readWallets(
  api: Api,
  customer: string | undefined,
  status: LifeStatus | undefined,
  query: NonNullable<ListGet<'wallets'>['query']>,
  pages: ListPageArgs,
) {
  const { path, values } = listPath('wallets', customer);
  const get = { key: 'wallets' as const, path: values, query };
  const hasEnded = (wallet: Wallet) => wallet.status === 'terminated';
  if (status === 'terminated')
    return readEnded(await readFiltered(api, path, get, pages, { wanted: hasEnded }), customer);
  const list = await api.list(path, get, pages);
  if (!list.ok) return list;
  const active = list.rows.filter(wallet => !hasEnded(wallet));
  const usable = active.filter(wallet => !isPast(wallet.expiration_at, api.now));
  const terminated = list.rows.length - active.length;
  const whole = isWhole(list) && (pages.page ?? 1) === 1;
  const shown = list.stopped || active.length === 0 ? list : { ...list, rows: active };
  const body: WalletList = {
    wallets: withoutKnownCustomer(active, customer),
    ...shownFields(list, active.length),
    ...(terminated > 0 && { terminated }),
    ...(active.length !== 1 && { totals: totalsOf(usable.map(withRest), ['balance_cents', 'left_cents']) }),
    for_summary: {
      none: list.rows.length === 0 && (list.total ?? 0) === 0 && remarked(list) === '',
      pages: whole ? null : shownNote(shown, 'wallet'),
      ended: newestEnded(list.rows),
    },
  };
  return { ok: true as const, body };
}

/** The wallets that have ended, in the list's order, with what was looked at for them. */
function readEnded(list: Awaited<ReturnType<typeof readFiltered<'wallets'>>>, customer: string | undefined) {
  if (!list.ok) return list;
  const { matching, rows, nextPage, stopped, read } = list;
  const notes = [
    rows.length < matching.length && `${matching.length} match; ${rows.length} on this page`,
    nextPage !== null && `page: ${nextPage} has more`,
    stopped && `only the first ${count(read, 'wallet')} were looked at`,
  ].filter(note => typeof note === 'string');
  const body: WalletList = {
    wallets: withoutKnownCustomer(rows, customer),
    ...filteredFields(list),
    for_summary: {
      none: false,
      pages: `${notes.join(', ')}${remarked(list)}`.trim() || null,
      ended: null,
      no_ended: matching.length === 0,
    },
  };
  return { ok: true as const, body };
}

/** The customer is known where one was asked for. */
function withoutKnownCustomer(wallets: readonly Wallet[], customer: string | undefined): readonly Wallet[] {
  return customer === undefined ? wallets : wallets.map(({ external_customer_id: _, ...wallet }) => wallet);
}

/** The wallet's rules with the days of their start and next run in the zone, and their end by its clocks. */
function withNextRuns(wallet: Wallet, zone: string | null, now: Date): Wallet {
  const stored = wallet.recurring_transaction_rules ?? [];
  if (stored.length === 0) return wallet;
  const rules = stored.map(rule => {
    const next_run = isoDay(nextRunDay(rule, wallet, zone, now));
    const runs_today = next_run === isoDay(dayNumber(now.toISOString(), zone));
    const started_at = zone === null ? rule.started_at : isoDay(dayNumber(rule.started_at, zone));
    return { ...rule, started_at, ...(next_run !== null && { next_run, runs_today }) };
  });
  return { ...wallet, recurring_transaction_rules: withLocalTimes(rules, ['expiration_at'], zone) };
}

function newestEnded(wallets: readonly Wallet[]): Wallet | null {
  const ended = wallets.filter(wallet => wallet.status === 'terminated');
  const at = (wallet: Wallet) => Date.parse(wallet.terminated_at ?? '') || 0;
  return ended.sort((a, b) => at(b) - at(a))[0] ?? null;
}

/** Wallets that a sentence names. */
const mostNamed = 3;

interface ListArguments {
  readonly external_customer_id?: string | undefined;
  readonly currency?: string | undefined;
  readonly status?: LifeStatus | undefined;
}

/** The time now, and the customer's time zone; null if it was not read. */
interface Clock {
  now: Date;
  zone: string | null;
}

function describeWallets(record: WalletList, args: ListArguments, clock: Clock, drafts: DraftsByWallet): string {
  const { wallets, totals = [], terminated = 0 } = record;
  const { pages = null } = record.for_summary;
  const customer = record.customer?.external_id ?? args.external_customer_id ?? null;
  const ended =
    terminated > 0 && `${count(terminated, 'wallet that has ended is', 'wallets that have ended are')} not shown`;
  const customerLine = customerNote(record.customer);
  const wallet = only(wallets);
  if (wallet !== null) return sentences(customerLine, ...oneWallet(wallet, customer, clock), ended, pages);
  if (args.status === 'terminated')
    return sentences(customerLine, endedWallets(record, code(customer), args, clock), pages);
  const usable = wallets.filter(each => !isPast(each.expiration_at, clock.now));
  if (wallets.length === 0) return sentences(customerLine, noWallets(record, code(customer), args, clock), pages);
  return sentences(
    customerLine,
    unlistedNote(wallets, 'status', lifeStatuses),
    `${count(usable.length, 'active wallet')}${say` of ${code(customer)}` ?? ''} ${usable.length === 1 ? 'holds' : 'hold'} ${totalsText(totals, 'balance_cents') ?? 'unknown amounts'}`,
    say`After the usage so far ${totalsText(totals, 'left_cents')} is left`,
    overdrawn(wallets, drafts),
    expired(wallets, clock),
    expiring(wallets, clock),
    nextTopUps(wallets, clock.now),
    ended,
    pages,
  );
}

/** Whether the words for this wallet hold moments: when its rules run and end. */
function tellsMoments({ recurring_transaction_rules: rules }: Wallet): boolean {
  return (rules ?? []).some(rule => rule.trigger !== 'threshold');
}

function oneWallet(wallet: Wallet, customer: string | null, { now, zone }: Clock): (string | null)[] {
  const { recurring_transaction_rules: rules, ...rest } = wallet;
  const { currency } = wallet;
  const smallest = money(wallet.paid_top_up_min_amount_cents, currency);
  const largest = money(wallet.paid_top_up_max_amount_cents, currency);
  const limits = [say`at least ${smallest}`, say`at most ${largest}`].filter(limit => limit !== null);
  return [
    describeWallet({ external_customer_id: customer, ...rest }, now, zone),
    ...(rules ?? []).map(rule => ruleInWords(rule, wallet, { now, zone })),
    say`Paid top-ups are ${listed(limits)}`,
  ];
}

const eachInterval: Readonly<Record<string, string>> = {
  weekly: 'each week',
  monthly: 'each month',
  quarterly: 'each quarter',
  semiannual: 'each half-year',
  yearly: 'each year',
};

/** `Top-up rule: when 20 credits are left after usage, 100 credits are bought`; null for one that is not understood. */
function ruleInWords(rule: RuleWithNextRun, wallet: Wallet, { now, zone }: Clock): string | null {
  const when =
    rule.trigger === 'threshold'
      ? say`when ${quantity(rule.threshold_credits)} credits are left after usage`
      : say`${eachInterval[rule.interval ?? ''] ?? null}${runDay(rule, wallet, zone)}${say`, next ${nextRun(rule, now)}` ?? ''}`;
  const credits = [
    sign(rule.paid_credits) === 1 && say`${quantity(rule.paid_credits)} credits are bought`,
    sign(rule.granted_credits) === 1 && say`${quantity(rule.granted_credits)} credits are granted`,
  ].filter(part => typeof part === 'string');
  const how =
    rule.method === 'target'
      ? say`credits are ${rule.grants_target_top_up === true ? 'granted' : 'bought'} up to ${quantity(rule.target_ongoing_balance)}${rule.trigger === 'threshold' ? '' : ', how many follows from what is left then'}`
      : listed(credits);
  return say`Top-up rule: ${when}, ${how}${say`, labelled ${quoted(rule.transaction_name)}` ?? ''}${say` (it ends ${onDay(rule.expiration_at, zone, now)})` ?? ''}`;
}

/** `on 1 Nov`; null for a rule without a known day. Nothing shows whether today's run is over. */
function nextRun({ next_run, runs_today }: RuleWithNextRun, now: Date): string | null {
  return say`on ${day(next_run, now)}${runs_today === true ? ' (today, unless it has run already)' : ''}`;
}

/** `Next top-ups: “Prepaid” (prepaid) of acme on 1 Nov, 50 bought and 5 granted`: the first three; null without one. */
function nextTopUps(wallets: readonly Wallet[], now: Date): string | null {
  const runs = wallets.flatMap(wallet =>
    (wallet.recurring_transaction_rules ?? []).map((rule: RuleWithNextRun) => ({ wallet, rule })),
  );
  const dated = runs.filter(({ rule }) => rule.next_run !== undefined);
  const soonest = dated.sort((a, b) => byText(a.rule.next_run ?? '', b.rule.next_run ?? ''));
  const texts = soonest.map(({ wallet, rule }) => {
    const credits = [
      sign(rule.paid_credits) === 1 && say`${quantity(rule.paid_credits)} credits bought`,
      sign(rule.granted_credits) === 1 && say`${quantity(rule.granted_credits)} credits granted`,
    ].filter(part => typeof part === 'string');
    const how =
      rule.method === 'target' ? say`up to ${quantity(rule.target_ongoing_balance)} credits` : listed(credits);
    return `${labelOf(wallet)} ${nextRun(rule, now) ?? ''}${say` (${how})` ?? ''}`;
  });
  return say`Next top-up${texts.length === 1 ? '' : 's'}: ${listed(texts, mostNamed)}`;
}

/** `Top-ups not paid yet: $50.00 of 1 Oct for “Prepaid” (prepaid)`, of the first three; and what was not read. */
function pendingNote(pending: PendingTopUps | null, isAlone: boolean, { now, zone }: Clock): string | null {
  if (pending === null) return null;
  const { topUps, unread } = pending;
  const texts = topUps.map(({ wallet, transaction: { amount, created_at } }) => {
    const at = day(isoDay(dayNumber(created_at, zone)), now);
    const of = say` of ${at}${zone === null ? ' (UTC)' : ''}` ?? '';
    return `${major(amount, wallet.currency) ?? 'an unknown amount'}${of}${isAlone ? '' : ` for ${labelOf(wallet)}`}`;
  });
  return (
    sentences(
      say`Top-up${texts.length === 1 ? '' : 's'} not paid yet: ${listed(texts, mostNamed)}`,
      say`Pending top-ups ${topUps.length > 0 ? 'may be missing' : 'are not known'}: ${unread}`,
    ) || null
  );
}

/** The wallets that have ended, the first three by name. */
function endedWallets(
  { wallets, for_summary }: WalletList,
  customer: string | null,
  { currency }: ListArguments,
  { now, zone }: Clock,
): string | null {
  const whose = say` of customer ${customer}` ?? '';
  if (wallets.length === 0)
    return for_summary.no_ended ? `No wallet${say` in ${code(currency)}` ?? ''}${whose} has ended` : null;
  const texts = wallets.map(wallet => {
    const left = say`, ${money(wallet.balance_cents, wallet.currency)} left`;
    return `${labelOf(wallet)}${say` ${onDay(wallet.terminated_at, zone, now)}` ?? ''}${left ?? ''}`;
  });
  return `${count(wallets.length, 'wallet')}${whose} ${wallets.length === 1 ? 'has' : 'have'} ended: ${listed(texts, mostNamed)}`;
}

/** No wallet at all, or none that is active; null for a list page beyond the last one. */
function noWallets(
  { terminated, for_summary: { none, ended, pages } }: WalletList,
  customer: string | null,
  { currency }: ListArguments,
  { now, zone }: Clock,
): string | null {
  const subject = `${say`Customer ${customer}` ?? 'The account'} has no`;
  const kind = `wallet${say` in ${code(currency)}` ?? ''}`;
  if (none) return `${subject} ${kind}`;
  if (terminated === undefined) return null;
  const { name, code: key, svc_id, terminated_at } = ended ?? {};
  const newest = say`, the last of them ${named(name, key ?? svc_id)}${say` ${onDay(terminated_at, zone, now)}` ?? ''}`;
  const where = pages === null ? '' : ' among those read';
  return `${subject} active ${kind}${where}; ${terminated} ${terminated === 1 ? 'has' : 'have'} ended${newest ?? ''}`;
}

/** What is left of a wallet for sums: no usage of one customer is paid from the wallet of another. */
function withRest({
  balance_cents,
  ongoing_balance_cents: rest,
  ...wallet
}: Wallet): Wallet & { readonly left_cents?: Wallet['balance_cents'] } {
  return { ...wallet, balance_cents, left_cents: sign(rest) === -1 ? 0 : rest };
}

/** The service counts drafts among the usage that is not invoiced yet. */
function overdrawn(wallets: readonly Wallet[], drafts: DraftsByWallet): string | null {
  const names = wallets
    .filter(wallet => sign(wallet.ongoing_balance_cents) === -1)
    .map(wallet => {
      const cents = ownValue(drafts, wallet.svc_id ?? '') ?? 0;
      const part = cents > 0 ? say` (with drafts of ${money(cents, wallet.currency)})` : null;
      return `${labelOf(wallet)} by ${money(-Number(wallet.ongoing_balance_cents), wallet.currency) ?? ''}${part ?? ''}`;
    });
  return say`Usage that is not invoiced yet exceeds ${listed(names, 4)}`;
}

/** `“Prepaid” (prepaid) expired on 14 Mar and is not counted`: the first three. */
function expired(wallets: readonly Wallet[], { now, zone }: Clock): string | null {
  const past = wallets.filter(({ expiration_at }) => isPast(expiration_at, now));
  const texts = past.map(wallet => `${labelOf(wallet)} expired ${onDay(wallet.expiration_at, zone, now) ?? ''}`);
  return say`Not counted: ${listed(texts, mostNamed)}`;
}

function expiring(wallets: readonly Wallet[], { now, zone }: Clock): string | null {
  const dated = wallets
    .map(wallet => ({ wallet, at: Date.parse(wallet.expiration_at ?? '') }))
    .filter(({ at }) => at > now.getTime());
  const next = dated.sort((a, b) => a.at - b.at)[0];
  return next === undefined
    ? null
    : say`The next to expire is ${labelOf(next.wallet)}, ${onDay(next.wallet.expiration_at, zone, now)}`;
}

function labelOf({ name, code: key, svc_id, external_customer_id: customer }: Wallet): string {
  return `${named(name, key) ?? code(svc_id) ?? 'one'}${say` of ${code(customer)}` ?? ''}`;
}
