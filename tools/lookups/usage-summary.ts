/** What the usage of a subscription says in sentences. */
import type { Usage } from '../../src/contract/answers.ts';
import { formatPeriod, isPast } from '../../src/words/dates.ts';
import {
  code,
  count,
  instant,
  listed,
  listedCodes,
  money,
  opt,
  phrase,
  quoted,
  roughly,
  say,
  sentences,
  sign,
} from '../../src/words/summary.ts';
import { type Total, totalsOf, totalsText } from '../quotes/totals.ts';
import type { UnstatedPeriod } from '../quotes/unstated-periods.ts';
import type { Charges, Estimate, ShownCharge } from '../quotes/usage-parts.ts';
import { issuedOn } from '../records/event-periods.ts';
import { customerNote, type NamedCustomer } from '../records/named-customer.ts';
import { partInWords, type UsageArguments } from './usage-arguments.ts';

/** The answer for the running period (`estimate`), or for past ones (`usage_periods`). */
export interface UsageBody
  extends Omit<Usage, 'charges_usage' | 'from_datetime' | 'to_datetime'>,
    Partial<Charges>,
    Period {
  readonly external_customer_id?: string;
  readonly external_subscription_id?: string;
  readonly customer?: NamedCustomer;
  readonly estimate?: Estimate | null;
  readonly shown?: string;
  readonly totals?: Total[];
  readonly usage_periods?: readonly (Omit<Usage, 'charges_usage'> & Charges)[];
  readonly for_summary: Note;
}
type Period = Pick<Usage, 'from_datetime' | 'to_datetime'>;

/** Of the running period: `levels`, and `unbilled` as in BilledUsage. Of past ones: how many there are, and a remark. */
interface Note {
  readonly levels?: boolean;
  readonly unbilled?: number;
  /** The codes of metrics whose events of earlier periods are counted too. */
  readonly carried?: readonly string[];
  /** The names of the charges with usage that are billed at each event; null where these could not be read. */
  readonly by_event?: readonly string[] | null;
  /** Cents as in BilledUsage; of past periods why customer and subscription could not be checked. */
  readonly unchecked: number | string | null;
  readonly total?: number | null;
  readonly remark?: string | null;
  /** The numbers of the invoices whose periods were told by their fees. */
  readonly by_fees?: readonly UnstatedPeriod['number'][];
  /** Why such periods may be missing; null where none is. */
  readonly unread?: string | null;
}

/** The time now, and the customer's time zone; null if it was not read. */
export interface Clock {
  now: Date;
  zone: string | null;
}

export function describeCurrent(usage: UsageBody, args: UsageArguments, clock: Clock): string {
  const { currency, amount_cents, total_amount_cents, estimate = null, for_summary } = usage;
  const { charges_usage: used = [], without_usage = [] } = usage;
  const { by_event = [], carried = [] } = for_summary;
  const when = args.full_usage === true ? ' since it began' : ' so far';
  const of = args.full_usage === true ? ',' : ' in the current period,';
  const during = opt`${of} ${periodOf(usage, clock) || null}`;
  const taxed = sign(usage.taxes_amount_cents) === 1 ? say`, ${money(total_amount_cents, currency)} with taxes` : null;
  const amount = money(amount_cents, currency) ?? 'an unknown amount';
  const levels = for_summary.levels ? '. Highest, latest or unique values stay as they are' : '';
  return sentences(
    customerNote(usage.customer),
    used.length === 0
      ? `${subjectOf(usage, args)} has no usage${when}${during}`
      : phrase`${subjectOf(usage, args)} has used ${amount}${when}${during}${taxed}: ${linesOf(used, currency)}`,
    used.length > 0 && say`No usage of ${listedCodes(without_usage, 6)}`,
    say`Billed per event, not at period end: ${listed(by_event ?? [], 4)}`,
    by_event === null && sign(for_summary.unchecked) !== 1 && 'Which charges are billed per event could not be read',
    say`Includes events from earlier periods, because the value carries over: ${listedCodes(carried, 4)}`,
    byEventNote(for_summary, currency),
    groupNote(used),
    estimate !== null &&
      say`At this pace the full period comes to about ${money(estimate.amount_cents, currency)} before taxes (${estimate.elapsed_percent}% has passed). The estimate continues the amounts so far at the same pace and ignores price tiers not reached yet${levels}`,
    'Not included: plan fee, fixed charges, minimums, coupons and credits; preview_invoice gives the expected invoice',
  );
}

export function describePast(usage: UsageBody, args: UsageArguments, clock: Clock): string {
  const { total, unchecked, remark = null, by_fees = [], unread = null } = usage.for_summary;
  const mayLack = say`Usage on invoices that state no period may be missing (${unread})`;
  const { usage_periods: periods = [], totals = [] } = usage;
  const subject = subjectOf(usage, args);
  if (periods.length === 0)
    return sentences(
      customerNote(usage.customer),
      remark === null
        ? `${subject} has no invoiced usage period yet`
        : `${subject}: no invoiced usage period was listed (${remark})`,
      say`Whether the customer and the subscription exist could not be checked (${code(unchecked)})`,
      mayLack,
    );
  // Charges that are billed at each event have an invoice for each, with the same period.
  const byPeriod = new Map<string, (typeof periods)[number][]>();
  for (const period of periods) {
    const when = pastPeriod(period, clock);
    byPeriod.set(when, [...(byPeriod.get(when) ?? []), period]);
  }
  const amounts = [...byPeriod].map(([when, rows]) => {
    const invoices = rows.length === 1 ? '' : ` on ${count(rows.length, 'invoice')}`;
    return `${totalsText(totalsOf(rows, ['amount_cents']), 'amount_cents') ?? 'an unknown amount'} ${when}${invoices}`;
  });
  const more = typeof total === 'number' && total > periods.length;
  return sentences(
    customerNote(usage.customer),
    `${subject} used ${listed(amounts, 6)}`,
    byPeriod.size > 1 && say`Total for these ${count(byPeriod.size, 'period')}: ${totalsText(totals, 'amount_cents')}`,
    say`About the periods: ${remark}`,
    more && `${periods.length} of ${total} invoices with this usage are shown; periods_count gives more`,
    say`Dated by their fees, because they state no period: ${listed(by_fees.map(number => code(number) ?? 'one without a number'))}`,
    mayLack,
    groupNote(periods.flatMap(({ charges_usage }) => charges_usage)),
    'These are sums of the usage charges shown, before taxes, not invoice totals',
  );
}

/** `in 9 Aug – 8 Sep (a draft, …)`; an invoice of one event may have no period. */
function pastPeriod(period: Usage, clock: Clock): string {
  const { from_datetime, to_datetime, issuing_date } = period;
  if (from_datetime && from_datetime === to_datetime) return 'at single events';
  const days = periodOf(period, clock) || 'a period without dates';
  const isDraft = Boolean(issuing_date) && !isPast(issuing_date, clock.now);
  return phrase`in ${days}${isDraft ? ` (${issuedOn(period, clock.now)})` : null}`;
}

function subjectOf(usage: UsageBody, args: UsageArguments): string {
  const alone = args.external_subscription_id === undefined ? ' (the only active one)' : '';
  const subject = phrase`Subscription${say` ${code(usage.external_subscription_id)}`}${alone}${say` of customer ${code(usage.external_customer_id)}`}`;
  return `${subject}${partInWords(args)}`;
}

/**
 * In days of the customer's time zone. If that is unknown: in days if the period begins at midnight in UTC, else with
 * times, because days of another zone would be read wrongly.
 */
function periodOf({ from_datetime, to_datetime }: Period, { now, zone }: Clock): string {
  if (zone !== null || from_datetime?.includes('T00:00:00')) return formatPeriod(from_datetime, to_datetime, zone, now);
  return opt`${instant(from_datetime, now)} to ${instant(to_datetime, now)}`;
}

const mostLines = 4;

/** What the service shows for charges that have no event, and are or may be billed by event. */
function byEventNote({ unbilled, unchecked }: Note, currency: unknown): string | null {
  const amountOf = (cents: unknown) => (sign(cents) === 1 ? money(cents, currency) : null);
  return sentences(
    say`Not counted: ${amountOf(unbilled)} shown for charges without events, which the service bills per event. Taxes are left out for this reason`,
    say`${amountOf(unchecked)} of this is for charges without events. It costs nothing if the service bills them per event, which could not be read`,
  );
}

/** `“API calls” 1,240 in 52 events = $310.00 and “Storage” 12 = $2.40`. */
function linesOf(used: readonly ShownCharge[], currency: unknown): string {
  const lines = used.map(({ name, billable_metric_code, units, events_count, amount_cents }) => {
    const events = typeof events_count === 'number' ? count(events_count, 'event') : null;
    const label = quoted(name) ?? code(billable_metric_code) ?? 'a charge';
    return phrase`${label} ${roughly(units)}${say` in ${events}`}${say` = ${money(amount_cents, currency)}`}`;
  });
  return listed(lines, mostLines) ?? '';
}

function groupNote(used: readonly ShownCharge[]): string | null {
  const cut = used.filter(({ groups_count }) => groups_count !== undefined);
  const parts = cut.map(
    charge =>
      `${charge.grouped_usage.length} of ${charge.groups_count} groups of ${code(charge.billable_metric_code) ?? 'a charge'}`,
  );
  return say`Shown, largest first: ${listed(parts, 4)}`;
}
