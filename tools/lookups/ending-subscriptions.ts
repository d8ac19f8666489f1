/** What ends soon: subscriptions and trials before a day, soonest first. The API has no such filter (docs/lookups.md §3). */
import { subscriptionStatuses } from '../../src/contract/enums.ts';
import type { Subscription } from '../../src/contract/shown.ts';
import type { Api, ListPageArgs } from '../../src/definition/api.ts';
import { isGiven } from '../../src/lib/json.ts';
import { trialEnd } from '../../src/words/billing-days.ts';
import { dayNumber } from '../../src/words/dates.ts';
import { code, count, day, named, opt, phrase, say } from '../../src/words/summary.ts';
import { momentIn } from '../../src/words/zoned-times.ts';
import { chosenPage, readList, remarked, shownFields } from '../records/list-pages.ts';
import { readOrNull, zoneOfCustomer } from '../records/one-record.ts';
import { firstInstant, isMoment } from '../records/time-filters.ts';
import { zonesOfCustomers } from '../records/wallet-top-ups.ts';
import { onPlan } from './subscription-list.ts';

/** Subscriptions that a sentence names. */
const mostNamed = 3;
/** Subscriptions whose own plan is read for the trial in it. */
const mostTrials = 10;
/** Clocks are at most so many hours from UTC. */
const widestOffsetMs = 14 * 3_600_000;

interface EndFilter {
  readonly ending_before?: string | undefined;
  readonly trial_ends_before?: string | undefined;
}

/** A subscription with the instant or day that the filter is about. */
type Ending = Subscription & { readonly trial_ends_at?: string };

/** The rows that end before the day, with their sentences. Times are told in the customer's zone, if the list is of one. */
export async function readEnding(
  api: Api,
  customer: string | undefined,
  { ending_before, trial_ends_before, status, ...filters }: EndFilter & { status: readonly string[] },
  pages: ListPageArgs,
) {
  const zone = customer === undefined ? null : await zoneOfCustomer(api, customer);
  const query = { ...filters, status: subscriptionStatuses };
  const readsKept = ending_before === undefined ? mostTrials + 5 : 5;
  const list = await readList(api, 'subscriptions', customer, query, { all: pages.all || true, readsKept });
  if (!list.ok) return list;
  const wanted = status.length > 0 ? status : ['active', 'pending', 'incomplete'];
  const rows = list.rows.filter(row => wanted.includes(row.status ?? ''));
  const before = ending_before ?? trial_ends_before ?? '';
  const { endings, notes, isKnown } =
    ending_before === undefined
      ? await trialsOf(api, rows, list.rows, latest(before))
      : { endings: rows.map(row => ({ row, at: endOf(row) })), notes: [], isKnown: true };
  const dated = endings.flatMap(({ row, at }) => (at === null ? [] : [{ row, at }]));
  const due = await isBefore(api, dated, before, zone);
  const matching = dated.filter(due).sort((a, b) => Date.parse(firstInstant(a.at)) - Date.parse(firstInstant(b.at)));
  const page = chosenPage(list, matching, pages);
  const subject = ending_before === undefined ? 'trial' : 'subscription';
  const { nextPage } = page;
  return {
    ok: true as const,
    rows: page.rows.map(({ row }) => row),
    shown: shownFields(page),
    tell: () => [
      endSentence(subject, before, { matching, nextPage }, api.now, { zone, customer, isKnown }),
      ...notes,
      list.stopped
        ? `Only the first ${count(list.rows.length, 'subscription')} were checked${remarked(list)}`
        : remarked(list).trim(),
    ],
  };
}

/** When it ends or becomes another plan, whichever comes first: an instant or a day; null for neither. */
function endOf({ ending_at, downgrade_plan_date }: Subscription): string | null {
  const ends = [ending_at, downgrade_plan_date].filter(isGiven).filter(end => !Number.isNaN(Date.parse(end)));
  return ends.sort((a, b) => Date.parse(a) - Date.parse(b))[0] ?? null;
}

/** The latest instant at which the day or time of the filter begins anywhere. */
function latest(before: string): number {
  return Date.parse(firstInstant(before)) + (isMoment(before) ? 0 : widestOffsetMs);
}

/**
 * Judges by the clocks of the customers: of a day, by the local day of the end. Their zones are read where the end is near
 * the day; where one cannot be read, its clocks count as UTC.
 */
async function isBefore(
  api: Api,
  endings: readonly { row: Subscription; at: string }[],
  before: string,
  zone: string | null,
): Promise<(ending: { row: Subscription; at: string }) => boolean> {
  const limit = Date.parse(firstInstant(before));
  const isNear = ({ at }: { at: string }) => isMoment(at) && Math.abs(Date.parse(at) - limit) < widestOffsetMs;
  const near = zone === null && !isMoment(before) ? endings.filter(isNear).map(({ row }) => row) : [];
  const zones = await zonesOfCustomers(api, near);
  return ({ row, at }) => {
    if (isMoment(before)) return Date.parse(firstInstant(at)) < limit;
    const local = zone ?? zones[row.external_customer_id ?? ''] ?? null;
    const [end, day] = [dayNumber(at, local), dayNumber(before)];
    return end !== null && day !== null && end < day;
  };
}

/** The running trials that may end before the instant, by the plan of each subscription, which is read. */
async function trialsOf(api: Api, rows: readonly Subscription[], all: readonly Subscription[], limit: number) {
  const candidates = rows.filter(row => row.status === 'active' && !row.trial_ended_at);
  if (candidates.length === 0) return { endings: [], notes: [], isKnown: true };
  if (!api.mayUse('list_plans'))
    return { endings: [], notes: ['Trials are set in plans, which this caller may not read'], isKnown: false };
  const plans = await api.list('/plans', { key: 'plans' }, { all: true, readsKept: mostTrials + 1 });
  if (!plans.ok)
    return {
      endings: [],
      notes: [`Trials are set in plans, which could not be read: ${plans.error.message}`],
      isKnown: false,
    };
  const planOf = new Map(plans.rows.map(plan => [plan.code, plan]));
  const firstStart = (row: Subscription) =>
    all
      .filter(other => other.external_id === row.external_id && other.external_customer_id === row.external_customer_id)
      .flatMap(other => other.started_at ?? [])
      .sort((a, b) => Date.parse(a) - Date.parse(b))[0];
  const onTrial = candidates
    .map(row => ({ row, at: trialEnd({ ...row, plan: planOf.get(row.plan_code) ?? null }, firstStart(row)) }))
    .filter(({ at }) => at !== null && Date.parse(at) > api.now.getTime() && Date.parse(at) < limit)
    .sort((a, b) => Date.parse(a.at ?? '') - Date.parse(b.at ?? ''));
  const read = onTrial.slice(0, Math.min(mostTrials, api.left()));
  const records = await Promise.all(
    read.map(async ({ row: { external_id } }) =>
      external_id ? readOrNull(api, 'subscription', external_id, { status: 'active' }) : null,
    ),
  );
  const endings = read.map(({ row }, index) => {
    const record = records[index] ?? null;
    const at = record === null ? null : trialEnd({ ...row, plan: record.plan }, firstStart(row));
    return { row: { ...row, trial_ends_at: at ?? undefined } as Ending, at };
  });
  const unread = onTrial.length - records.filter(record => record !== null).length;
  const notes = [
    unread > 0 && `${count(unread, 'more trial')} may end by then: not all records were read`,
    plans.stopped && 'Not all plans were read',
    "This search does not cover trials that exist only in a subscription's own copy of the plan",
  ];
  return { endings, notes, isKnown: unread === 0 };
}

/** `2 subscriptions end before 1 Jul: “Main” (main) of customer acme on plan pro at $99.00 on 30 Jun, 23:59 in …`, the first three. */
function endSentence(
  subject: 'trial' | 'subscription',
  before: string,
  { matching, nextPage }: { matching: readonly { row: Ending; at: string }[]; nextPage: number | null },
  now: Date,
  { zone, customer, isKnown }: { zone: string | null; customer: string | undefined; isKnown: boolean },
): string {
  const limit = momentIn(before, zone, now) ?? before;
  if (matching.length === 0)
    return isKnown ? `No ${subject} ends before ${limit}` : `No ${subject} is known to end before ${limit}`;
  const lines = matching.slice(0, mostNamed).map(({ row, at }) => {
    const of = customer === undefined ? opt` of customer ${code(row.external_customer_id)}` : '';
    const becomes = at === row.downgrade_plan_date ? say`, when it changes to plan ${code(row.next_plan_code)}` : null;
    const when = isMoment(at) ? momentIn(at, zone, now) : day(at, now);
    return phrase`${named(row.name, row.external_id) ?? 'one without an id'}${of}${onPlan(row)} on ${when ?? at}${becomes}`;
  });
  const more = matching.length - lines.length;
  const rest = more > 0 ? `; and ${more} more` : '';
  const next = nextPage === null ? '' : `, more on page ${nextPage}`;
  return `${count(matching.length, `${subject} ends`, `${subject}s end`)} before ${limit}: ${lines.join('; ')}${rest}${next}`;
}
