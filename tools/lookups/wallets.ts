/** Prepaid wallets (docs/lookups.md §5). */

import * as z from 'zod';
import { type LifeStatus, lifeStatuses } from '../../src/contract/enums.ts';
import { walletFilters } from '../../src/contract/list-filters.ts';
import type { Wallet } from '../../src/contract/shown.ts';
import { type Api, isWhole, type ListGet, type ListPageArgs, type Rows } from '../../src/definition/api.ts';
import { customerOrName, date, flag, paging } from '../../src/definition/args.ts';
import { defineLookup } from '../../src/definition/define.ts';
import { filterArguments } from '../../src/definition/field-arguments.ts';
import { only } from '../../src/lib/collections.ts';
import { ownValue } from '../../src/lib/json.ts';
import { dayNumber, isoDay, isPast } from '../../src/words/dates.ts';
import { withLocalTimes } from '../../src/words/list-time-zone.ts';
import { count, joined, phrase, sign } from '../../src/words/summary.ts';
import { nextRunDay } from '../../src/words/wallet-words.ts';
import { totalsOf } from '../quotes/totals.ts';
import { chosenPage, readList, remarked, shownFields, shownNote } from '../records/list-pages.ts';
import { customerField, customerNote, readOfCustomer, sayMade } from '../records/named-customer.ts';
import { zoneOfCustomer } from '../records/one-record.ts';
import { pendingTopUps, zonesOfCustomers } from '../records/wallet-top-ups.ts';
import { draftsOf, readDrafts } from './runway.ts';
import { hasIntervalRule, runwayOf } from './wallet-runway.ts';
import { type DraftsByWallet, describeWallets, pendingNotes } from './wallets-summary.ts';

export const listWallets = defineLookup({
  name: 'list_wallets',
  title: 'List wallets',
  toolset: 'wallets',
  endpoint: 'GET /wallets',
  description:
    'Lists active prepaid wallets of one customer or all: balance now and after usage so far, expiry, limits and top-up rules. For top-ups and spending, use list_wallet_transactions.',
  input: z
    .strictObject({
      external_customer_id: customerOrName,
      status: z.enum(lifeStatuses).describe('Default active').optional(),
      runway: flag.describe('Estimate when each runs empty, soonest first; default false').optional(),
      until: date().describe('With runway: credits to top up so that each lasts through this day').optional(),
      ...filterArguments(walletFilters),
      ...paging,
    })
    .refine(({ runway, status }) => !(runway && status === 'terminated'), {
      path: ['runway'],
      error: 'is of active wallets: leave out status, or send active',
    })
    .refine(({ runway, per_page = 1 }) => !(runway && per_page > 10), {
      path: ['runway'],
      error: 'shows at most 10 wallets a page: send all, or a per_page of at most 10',
    })
    .refine(({ runway, until }) => until === undefined || runway === true, {
      path: ['until'],
      error: 'needs runway: true',
    }),
  async run({ external_customer_id, status, runway, until, page, per_page, all, ...query }, api) {
    const pages = { page, per_page, all };
    if (runway) {
      const list = await readOfCustomer(api, external_customer_id, customer =>
        runwayOf(api, customer, query, { ...pages, until }),
      );
      if (!list.ok) return list;
      const for_summary = [customerNote(list.customer), ...list.body.for_summary];
      return { ok: true, body: { ...customerField(list.customer), ...list.body, for_summary } };
    }
    const list = await readOfCustomer(api, external_customer_id, customer =>
      readWallets(api, customer, status, query, pages),
    );
    if (!list.ok) return list;
    const { facts, ...read } = list.body;
    const rows = read.wallets;
    const dated = rows.some(wallet => Boolean(wallet.expiration_at));
    const alone = only(rows);
    const tellsTime = dated || (alone === null ? rows.length === 0 && facts.ended != null : tellsMoments(alone));
    const customer = list.customer?.external_id ?? external_customer_id;
    const active = rows.filter(wallet => wallet.status !== 'terminated');
    const pending =
      active.length === 0 ? null : await pendingTopUps(api, active, { ofOneCustomer: customer !== undefined });
    const tellsDays = tellsTime || rows.some(hasIntervalRule) || (pending?.topUps.length ?? 0) > 0;
    const zone = !tellsDays || customer === undefined ? null : await zoneOfCustomer(api, customer);
    const zones =
      customer === undefined ? await zonesOfCustomers(api, active.filter(hasIntervalRule)) : { [customer]: zone };
    const shown = rows.map(wallet => {
      const of = customer ?? wallet.external_customer_id ?? '';
      return withNextRuns(wallet, ownValue(zones, of) ?? null, api.now);
    });
    const wallets = withLocalTimes(shown, ['expiration_at', 'terminated_at'], zone);
    const drafts = await draftsByWallet(api, active, customer);
    const clock = { now: api.now, zone };
    const body = {
      ...customerField(list.customer),
      ...read,
      wallets,
      for_export: { rows: shown.map(wallet => ({ external_customer_id: customer ?? null, ...wallet })) },
      for_summary: [
        customerNote(list.customer),
        ...describeWallets(
          { ...read, ...facts, wallets },
          { customer, currency: query.currency, status },
          clock,
          drafts,
        ),
        ...pendingNotes(pending, wallets.length === 1, clock),
      ],
    };
    return { ok: true, body };
  },
  result: 'wallets',
  answer: 'made list',
  brief: `
    svc_id external_customer_id code name?=code status?active currency rate_amount?1.0 balance_cents
    ongoing_balance_cents priority?50 expiration_at terminated_at applies_to{fee_types billable_metric_codes}
    paid_top_up_min_amount_cents paid_top_up_max_amount_cents
    recurring_transaction_rules{svc_id trigger interval threshold_credits method target_ongoing_balance paid_credits?
    granted_credits? transaction_name started_at next_run expiration_at}
    metadata left a_day empty_about top_up_about credits_needed no_day
  `,
  say: sayMade,
});

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

/** The API cannot filter the list by status: all wallets are read, and those of another status only counted. */
async function readWallets(
  api: Api,
  customer: string | undefined,
  status: LifeStatus | undefined,
  query: NonNullable<ListGet<'wallets'>['query']>,
  pages: ListPageArgs,
) {
  const hasEnded = (wallet: Wallet) => wallet.status === 'terminated';
  const isOfEnded = status === 'terminated';
  const list = await readList(api, 'wallets', customer, query, isOfEnded ? { all: pages.all || true } : pages);
  if (!list.ok) return list;
  if (isOfEnded) return endedOf(list, list.rows.filter(hasEnded), pages, customer);
  const active = list.rows.filter(wallet => !hasEnded(wallet));
  const usable = active.filter(wallet => !isPast(wallet.expiration_at, api.now));
  const terminated = list.rows.length - active.length;
  const whole = isWhole(list) && (pages.page ?? 1) === 1;
  const shown = list.stopped || active.length === 0 ? list : { ...list, rows: active };
  const body = {
    wallets: withoutKnownCustomer(active, customer),
    ...shownFields(list, active.length),
    ...(terminated > 0 && { terminated }),
    ...(active.length !== 1 && { totals: totalsOf(usable.map(withRest), ['balance_cents', 'left_cents']) }),
    facts: {
      none: list.rows.length === 0 && (list.total ?? 0) === 0 && remarked(list) === '',
      pages: whole ? null : shownNote(shown, 'wallet'),
      ended: newestEnded(list.rows),
    },
  };
  return { ok: true as const, body };
}

/** The wallets that have ended, in the list's order, with what was looked at for them. */
function endedOf(list: Rows<Wallet>, matching: readonly Wallet[], pages: ListPageArgs, customer: string | undefined) {
  const page = chosenPage(list, matching, pages);
  const notes = [
    page.rows.length < matching.length && `${matching.length} match; ${page.rows.length} on this page`,
    page.nextPage !== null && `page: ${page.nextPage} has more`,
    list.stopped && `only the first ${count(list.rows.length, 'wallet')} were checked`,
  ];
  const facts = {
    none: matching.length === 0,
    pages: phrase`${joined(notes, ', ')}${remarked(list)}`.trim() || null,
    ended: null,
  };
  return {
    ok: true as const,
    body: { wallets: withoutKnownCustomer(page.rows, customer), ...shownFields(page), facts },
  };
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

/** Whether the words for this wallet hold moments: when its rules run and end. */
function tellsMoments({ recurring_transaction_rules: rules }: Wallet): boolean {
  return (rules ?? []).some(rule => rule.trigger !== 'threshold');
}

/** What is left of a wallet for sums: no usage of one customer is paid from the wallet of another. */
function withRest({
  balance_cents,
  ongoing_balance_cents: rest,
  ...wallet
}: Wallet): Wallet & { readonly left_cents?: Wallet['balance_cents'] } {
  return { ...wallet, balance_cents, left_cents: sign(rest) === -1 ? 0 : rest };
}
