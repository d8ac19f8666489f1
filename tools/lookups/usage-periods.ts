/** Usage of the running period and of invoiced ones: what is read of it, and its sentences. */
import type { Usage } from '../../src/contract/answers.ts';
import type { Charge } from '../../src/contract/shown.ts';
import type { Api, NoAnswer } from '../../src/definition/api.ts';
import { grouped } from '../../src/lib/collections.ts';
import { byText } from '../../src/lib/text.ts';
import { formatPeriod, isPast } from '../../src/words/dates.ts';
import * as w from '../../src/words/summary.ts';
import { totalsOf, totalsText } from '../quotes/totals.ts';
import { readUnstated, type UnstatedPeriod } from '../quotes/unstated-periods.ts';
import { chargesOf, estimateOf, hasLevels, type ShownCharge, sumOf } from '../quotes/usage-parts.ts';
import { billedUsage, readInAdvance, recurringOf } from '../records/charges-by-event.ts';
import { issuedOn } from '../records/event-periods.ts';
import { readOne } from '../records/one-record.ts';
import { partOfUsage, type UsageArguments } from './usage-arguments.ts';

type Period = Pick<Usage, 'from_datetime' | 'to_datetime'>;

/** The time now, and the customer's time zone; null if it was not read. */
interface Clock {
  now: Date;
  zone: string | null;
}

/** `used`: the usage as it was read. `tell` gives the sentences about the subject. */
interface PeriodRead {
  readonly ok: true;
  readonly usage: object;
  readonly used: readonly Usage[];
  tell(subject: string, clock: Clock): (string | null | false)[];
}

export async function readCurrent(
  api: Api,
  customer: string,
  subscription: string,
  args: UsageArguments,
): Promise<PeriodRead | NoAnswer> {
  const [answer, inAdvance] = await Promise.all([
    readOne(api, 'customer_usage', customer, {
      query: { external_subscription_id: subscription, ...partOfUsage(args) },
    }),
    api.mayUse('get_subscription') ? readInAdvance(api, subscription) : undefined,
  ]);
  if (!answer.ok) {
    const { error } = answer;
    if (error.code !== 'charge_not_found') return answer;
    const hint = args.billable_metric_code === undefined ? noSuchCharge : noCharge;
    return { ok: false, error: { ...error, hint } };
  }
  const { usage, unbilled, unchecked } = await billedUsage(api, answer.body, subscription, undefined, inAdvance);
  const { charges_usage, ...rest } = usage;
  const { currency } = rest;
  const recurring = await recurringOf(api, summedIn(usage));
  const carried = [...recurring].flatMap(([metric, recurs]) => (recurs ? metric : []));
  const charges = chargesOf(charges_usage);
  const { charges_usage: used, without_usage } = charges;
  const isSinceStart = args.full_usage === true;
  // The pace of all the time since the subscription began says nothing of the running period.
  const estimate = isSinceStart ? null : estimateOf(usage, api.now);
  const levels = hasLevels(usage) ? '. Highest, latest or unique values stay as they are' : '';
  const tell = (subject: string, clock: Clock) => {
    const when = isSinceStart ? ' since it began' : ' so far';
    const during = w.opt`${isSinceStart ? ',' : ' in the current period,'} ${periodOf(usage, clock) || null}`;
    const isTaxed = w.sign(usage.taxes_amount_cents) === 1;
    const taxed = isTaxed ? w.say`, ${w.money(usage.total_amount_cents, currency)} with taxes` : null;
    const amount = w.money(usage.amount_cents, currency) ?? 'an unknown amount';
    return [
      used.length === 0
        ? `${subject} has no usage${when}${during}`
        : w.phrase`${subject} has used ${amount}${when}${during}${taxed}: ${linesOf(used, currency)}`,
      used.length > 0 && w.say`No usage of ${w.listedCodes(without_usage, 6)}`,
      inAdvance !== null && w.say`Billed per event, not at period end: ${w.listed(billedByEvent(usage, inAdvance), 4)}`,
      inAdvance === null && w.sign(unchecked) !== 1 && 'Which charges are billed per event could not be read',
      w.say`Includes events from earlier periods, because the value carries over: ${w.listedCodes(carried, 4)}`,
      byEventNote({ unbilled, unchecked }, currency),
      groupNote(used),
      estimate !== null &&
        w.say`At this pace the full period comes to about ${w.money(estimate.amount_cents, currency)} before taxes (${estimate.elapsed_percent}% has passed). The estimate continues the amounts so far at the same pace and ignores price tiers not reached yet${levels}`,
      'Not included: plan fee, fixed charges, minimums, coupons and credits; preview_invoice gives the expected invoice',
    ];
  };
  return { ok: true, used: [usage], usage: { ...rest, estimate, ...charges }, tell };
}

/** The codes of sums with events: where the metric recurs, those of earlier periods are among these (service-behaviour §8). */
function summedIn({ charges_usage }: Usage): string[] {
  const codes = (charges_usage ?? [])
    .filter(({ events_count }) => w.sign(events_count) === 1)
    .flatMap(({ billable_metric: metric }) => (metric?.aggregation_type === 'sum_agg' && metric.code) || []);
  return [...new Set(codes)];
}

function billedByEvent(usage: Usage, inAdvance: readonly Charge[] = []): string[] {
  const ids = new Set(inAdvance.map(({ svc_id }) => svc_id));
  const byEvent = (usage.charges_usage ?? []).filter(
    entry => ids.has(entry.charge?.svc_id) && w.sign(entry.events_count) === 1,
  );
  return byEvent.flatMap(
    ({ charge, billable_metric: metric }) =>
      w.quoted(charge?.invoice_display_name) ?? w.quoted(metric?.name) ?? w.code(metric?.code) ?? [],
  );
}

const noCharge = 'No charge of the subscription is on this metric. Leave billable_metric_code out to see its charges.';
const noSuchCharge = 'No charge of the subscription has this id or code. Leave it out to see the charges.';
const defaultPeriods = 3;

/**
 * The API's totals of a period are those of whole invoices: so the charges that are shown here are added up. `check`: why an
 * empty list may be that of an unknown customer or subscription, or the error that says so.
 */
export async function readPast(
  api: Api,
  customer: string,
  subscription: string,
  { billable_metric_code, periods_count = defaultPeriods }: UsageArguments,
  check: () => Promise<{ unchecked: string } | NoAnswer | null>,
): Promise<PeriodRead | NoAnswer> {
  const get = {
    key: 'usage_periods' as const,
    path: { external_customer_id: customer },
    query: { external_subscription_id: subscription, billable_metric_code, periods_count },
  };
  const path = '/customers/{external_customer_id}/past_usage';
  const list = await api.list(path, get, { per_page: periods_count });
  if (!list.ok) return list;
  const problem = list.rows.length > 0 ? null : await check();
  if (problem !== null && 'ok' in problem) return problem;
  const more = list.nextPage !== null || (list.total ?? 0) > list.rows.length;
  const wanted = { customer, subscription, metric: billable_metric_code, listed: list.rows, more };
  const unstated = await readUnstated(api, wanted);
  const all = [...list.rows, ...unstated.periods].sort((a, b) => byText(b.from_datetime ?? '', a.from_datetime ?? ''));
  const used: readonly (Usage & Pick<UnstatedPeriod, 'number'>)[] =
    unstated.periods.length === 0 ? list.rows : all.slice(0, periods_count);
  const periods = used.map(({ charges_usage, ...period }) => ({
    ...period,
    amount_cents: sumOf(charges_usage),
    ...chargesOf(charges_usage),
  }));
  const total = list.total === null ? null : list.total + unstated.periods.length;
  const totals = totalsOf(periods, ['amount_cents']);
  const tell = (subject: string, clock: Clock) => {
    const { remark = null } = list;
    const mayLack = w.say`Usage on invoices that state no period may be missing (${unstated.unread})`;
    if (periods.length === 0)
      return [
        remark === null
          ? `${subject} has no invoiced usage period yet`
          : `${subject}: no invoiced usage period was listed (${remark})`,
        w.say`Whether the customer and the subscription exist could not be checked (${w.code(problem?.unchecked)})`,
        mayLack,
      ];
    // Charges that are billed at each event have an invoice for each, with the same period.
    const byPeriod = grouped(periods, period => pastPeriod(period, clock));
    const amounts = byPeriod.map(rows => {
      const invoices = rows.length === 1 ? '' : ` on ${w.count(rows.length, 'invoice')}`;
      return `${totalsText(totalsOf(rows, ['amount_cents']), 'amount_cents') ?? 'an unknown amount'} ${pastPeriod(rows[0] ?? {}, clock)}${invoices}`;
    });
    const byFees = new Set(used.filter(period => 'number' in period).map(({ number }) => number));
    const isPart = total !== null && total > periods.length;
    return [
      `${subject} used ${w.listed(amounts, 6)}`,
      byPeriod.length > 1 &&
        w.say`Total for these ${w.count(byPeriod.length, 'period')}: ${totalsText(totals, 'amount_cents')}`,
      w.say`About the periods: ${remark}`,
      isPart && `${periods.length} of ${total} invoices with this usage are shown; periods_count gives more`,
      w.say`Dated by their fees, because they state no period: ${w.listed([...byFees].map(number => w.code(number) ?? 'one without a number'))}`,
      mayLack,
      groupNote(periods.flatMap(({ charges_usage }) => charges_usage)),
      'These are sums of the usage charges shown, before taxes, not invoice totals',
    ];
  };
  const shown = `${periods.length} of ${total ?? 'an unknown number'}`;
  return { ok: true, used, usage: { shown, totals, usage_periods: periods }, tell };
}

/** `in 9 Aug – 8 Sep (a draft, …)`; an invoice of one event may have no period. */
function pastPeriod(period: Usage, clock: Clock): string {
  const { from_datetime, to_datetime, issuing_date } = period;
  if (from_datetime && from_datetime === to_datetime) return 'at single events';
  const days = periodOf(period, clock) || 'a period without dates';
  const isDraft = Boolean(issuing_date) && !isPast(issuing_date, clock.now);
  return w.phrase`in ${days}${isDraft ? ` (${issuedOn(period, clock.now)})` : null}`;
}

/**
 * In days of the customer's time zone. If that is unknown: in days if the period begins at midnight in UTC, else with
 * times, because days of another zone would be read wrongly.
 */
function periodOf({ from_datetime, to_datetime }: Period, { now, zone }: Clock): string {
  if (zone !== null || from_datetime?.includes('T00:00:00')) return formatPeriod(from_datetime, to_datetime, zone, now);
  return w.opt`${w.instant(from_datetime, now)} to ${w.instant(to_datetime, now)}`;
}

const mostLines = 4;

/** What the service shows for charges that have no event, and are or may be billed by event. */
function byEventNote(
  { unbilled, unchecked }: { unbilled: number; unchecked: number },
  currency: unknown,
): string | null {
  const amountOf = (cents: unknown) => (w.sign(cents) === 1 ? w.money(cents, currency) : null);
  return w.sentences(
    w.say`Not counted: ${amountOf(unbilled)} shown for charges without events, which the service bills per event. Taxes are left out for this reason`,
    w.say`${amountOf(unchecked)} of this is for charges without events. It costs nothing if the service bills them per event, which could not be read`,
  );
}

/** `“API calls” 1,240 in 52 events = $310.00 and “Storage” 12 = $2.40`. */
function linesOf(used: readonly ShownCharge[], currency: unknown): string {
  const lines = used.map(({ name, billable_metric_code, units, events_count, amount_cents }) => {
    const events = typeof events_count === 'number' ? w.count(events_count, 'event') : null;
    const label = w.quoted(name) ?? w.code(billable_metric_code) ?? 'a charge';
    return w.phrase`${label} ${w.roughly(units)}${w.say` in ${events}`}${w.say` = ${w.money(amount_cents, currency)}`}`;
  });
  return w.listed(lines, mostLines) ?? '';
}

function groupNote(used: readonly ShownCharge[]): string | null {
  const cut = used.filter(({ groups_count }) => groups_count !== undefined);
  const parts = cut.map(
    charge =>
      `${charge.grouped_usage.length} of ${charge.groups_count} groups of ${w.code(charge.billable_metric_code) ?? 'a charge'}`,
  );
  return w.say`Shown, largest first: ${w.listed(parts, 4)}`;
}
