/** Monthly recurring revenue (lookups §13): plan fees that were invoiced, spread over the months that they pay for. */
import type Big from 'big.js';
import { Temporal } from 'temporal-polyfill';
import type { Interval } from '../contract/enums.ts';
import { decimal, ZERO } from '../contract/pricing/money.ts';
import { grouped } from '../lib/collections.ts';
import { MONTHS } from './periods.ts';
import type { DateText, InstantText } from './records/index.ts';

/** `YYYY-MM`. */
export type MonthText = string;

/** Equal plan fees of one issuing date. */
export interface InvoicedPlanFees {
  issuing_date: DateText;
  currency: string;
  interval: Interval;
  pay_in_advance: boolean;
  /** The fees' period; null where the invoice does not state it. */
  from: InstantText | null;
  to: InstantText | null;
  /** Cents of one fee: amount − coupons + taxes. */
  cents: Big;
  /** How many there are. */
  count: number;
}

/** Cents of the fees by currency and month. */
export type Revenue = Map<string, Map<MonthText, Big>>;

/** Weeks of a month, as the service counts them. */
const WEEKS_PER_MONTH = '4.33';
/** Days of a month, as the service counts them. */
const DAYS_PER_MONTH = '30.44';
const MINUTES_OF_DAY = 1440;

/** The revenue of each month: weekly fees as an average, longer ones spread by their period. */
export function monthlyRevenue(fees: readonly InvoicedPlanFees[]): Revenue {
  const revenue: Revenue = new Map();
  const add = (currency: string, month: MonthText, cents: Big) => {
    const months = revenue.get(currency) ?? new Map<MonthText, Big>();
    revenue.set(currency, months.set(month, (months.get(month) ?? ZERO).plus(cents)));
  };
  for (const fee of fees.filter(({ interval }) => interval !== 'weekly')) {
    for (const [month, cents] of centsByMonth(fee)) add(fee.currency, month, cents.times(fee.count));
  }
  const weekly = fees.filter(({ interval }) => interval === 'weekly');
  for (const group of grouped(weekly, fee => `${fee.currency} ${monthOf(fee.issuing_date)}`)) {
    const [first] = group;
    const sum = group.reduce((all, { cents, count }) => all.plus(cents.times(count)), ZERO);
    const count = group.reduce((all, fee) => all + fee.count, 0);
    if (first) add(first.currency, monthOf(first.issuing_date), sum.div(count).times(WEEKS_PER_MONTH));
  }
  return revenue;
}

/** The month that is `count` months later, or earlier when below 0. */
export function monthsLater(month: MonthText, count: number): MonthText {
  return Temporal.PlainYearMonth.from(month).add({ months: count }).toString();
}

/** The month of a date or an instant. */
export function monthOf(date: DateText | InstantText): MonthText {
  return date.slice(0, 7);
}

/**
 * One fee's cents by month; they add up to the fee. A monthly fee is its issuing month's. A longer one covers n months: its
 * length in months, b, rounded up. In arrears these end with the issuing month, and in advance they start with it. Each
 * has cents ÷ b; the one farthest from the issuing month has the rest. In advance, the issuing month has cents ÷ b × its
 * remaining days ÷ its days.
 */
function centsByMonth(fee: InvoicedPlanFees): [MonthText, Big][] {
  const issued = monthOf(fee.issuing_date);
  if (fee.interval === 'monthly' || fee.interval === 'weekly') return [[issued, fee.cents]];
  const length = lengthInMonths(fee, MONTHS[fee.interval]);
  const n = Math.max(1, Number(length.round(0, 3).toFixed()));
  const share = n === 1 ? fee.cents : fee.cents.div(length);
  const shares = Array.from({ length: n - 1 }, () => share);
  if (fee.pay_in_advance && n > 1) shares[0] = share.times(remainingPart(fee.issuing_date));
  const rest = shares.reduce((left, cents) => left.minus(cents), fee.cents);
  const step = fee.pay_in_advance ? 1 : -1;
  return [...shares, rest].map((cents, i) => [monthsLater(issued, i * step), cents]);
}

/** Days with hours and minutes as fractions ÷ 30.44; the interval's months when the period is not known. */
function lengthInMonths({ from, to }: InvoicedPlanFees, intervalMonths: number): Big {
  if (from === null || to === null) return decimal(intervalMonths);
  const minutes = Math.floor((Date.parse(to) - Date.parse(from)) / 60_000);
  return decimal(Math.max(minutes, 0)).div(MINUTES_OF_DAY).div(DAYS_PER_MONTH);
}

/** Days from the date to the end of its month, the date included, ÷ days of the month. */
function remainingPart(date: DateText): Big {
  const { day, daysInMonth } = Temporal.PlainDate.from(date);
  return decimal(daysInMonth - day + 1).div(daysInMonth);
}
