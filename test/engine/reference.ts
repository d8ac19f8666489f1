/**
 * A second, independent calculation of price models (§9) and periods (§7), written from the rules alone: it uses fractions of
 * big integers instead of decimals, and walks local days through `Intl` instead of a calendar library.
 */

/** An exact fraction. */
export interface Fraction {
  n: bigint;
  d: bigint;
}

function fraction(text: string): Fraction {
  const [whole = '0', decimals = ''] = text.split('.');
  return { n: BigInt(whole + decimals), d: 10n ** BigInt(decimals.length) };
}

const ZERO = fraction('0');
const add = (a: Fraction, b: Fraction): Fraction => ({ n: a.n * b.d + b.n * a.d, d: a.d * b.d });
const minus = (a: Fraction, b: Fraction): Fraction => add(a, { n: -b.n, d: b.d });
const times = (a: Fraction, b: Fraction): Fraction => ({ n: a.n * b.n, d: a.d * b.d });
const less = (a: Fraction, b: Fraction): boolean => a.n * b.d < b.n * a.d;
const min = (a: Fraction, b: Fraction): Fraction => (less(b, a) ? b : a);
const ceil = (a: Fraction): Fraction => {
  const whole = a.n / a.d;
  return { n: whole * a.d < a.n ? whole + 1n : whole, d: 1n };
};
const percent = (a: Fraction, rate: Fraction): Fraction => times(times(a, rate), { n: 1n, d: 100n });

/** The fraction as decimal text with `count` digits after the point, cut off. */
export function digits(value: Fraction, count: number): string {
  const scaled = (value.n * 10n ** BigInt(count)) / value.d;
  const text = String(scaled < 0n ? -scaled : scaled).padStart(count + 1, '0');
  return `${scaled < 0n ? '-' : ''}${text.slice(0, -count)}.${text.slice(-count)}`;
}

export interface ReferenceRange {
  from: number;
  to: number | null;
  flat: string;
  rate: string;
}

export function standardPrice(units: string, amount: string): Fraction {
  return times(fraction(units), fraction(amount));
}

export function packagePrice(units: string, free: number, size: number, amount: string): Fraction {
  const paid = minus(fraction(units), fraction(String(free)));
  if (!less(ZERO, paid)) return ZERO;
  return times(ceil(times(paid, { n: 1n, d: BigInt(size) })), fraction(amount));
}

/** Every unit goes into the first tier that still has room; each tier that is reached adds its flat amount. */
export function graduatedPrice(units: string, ranges: readonly ReferenceRange[], percentage = false): Fraction {
  const all = fraction(units);
  let rest = all;
  let sum = ZERO;
  let below = ZERO; // where the tier begins to take units
  for (const [i, range] of ranges.entries()) {
    const upper = range.to === null ? null : fraction(String(range.to));
    const begun = i === 0 || less(below, all);
    if (!begun) break;
    const room = upper === null ? rest : min(rest, minus(upper, below));
    const rate = fraction(range.rate);
    sum = add(sum, add(percentage ? percent(room, rate) : times(room, rate), fraction(range.flat)));
    rest = minus(rest, room);
    below = upper ?? below;
  }
  return sum;
}

export function volumePrice(units: string, ranges: readonly ReferenceRange[]): Fraction {
  const all = fraction(units);
  const tier = ranges.find(range => range.to === null || !less(fraction(String(range.to)), all));
  return tier ? add(times(all, fraction(tier.rate)), fraction(tier.flat)) : ZERO;
}

export interface ReferencePercentage {
  rate: string;
  fixed: string;
  freeEvents: number;
  freeAmount: string;
}

/** Percentage of a sum whose events are `values`, none negative, without limits per transaction. */
export function percentagePrice(values: readonly string[], terms: ReferencePercentage): Fraction {
  const running: Fraction[] = [];
  for (const value of values) running.push(add(running.at(-1) ?? ZERO, fraction(value)));
  const units = running.at(-1) ?? ZERO;
  if (!less(ZERO, units)) return ZERO;
  const limit = fraction(terms.freeAmount);
  const kept: Fraction[] = [];
  if (terms.freeEvents > 0) kept.push(...running.slice(0, terms.freeEvents));
  else if (less(ZERO, limit)) {
    for (const total of running) {
      kept.push(total);
      if (less(limit, total)) break;
    }
  }
  const last = kept.at(-1) ?? ZERO;
  const freeUnits = less(ZERO, limit) ? min(last, limit) : last;
  const below = kept.filter(total => less(total, limit)).length;
  const candidates = [terms.freeEvents, below].filter(count => count > 0);
  const freeEvents = Math.min(candidates.length > 0 ? Math.min(...candidates) : 0, values.length);
  const fixed = times(fraction(String(values.length - freeEvents)), fraction(terms.fixed));
  return add(percent(minus(units, freeUnits), fraction(terms.rate)), fixed);
}

/** Percentage priced event by event with limits per transaction; `null` means no limit. */
export function perTransactionPrice(
  values: readonly string[],
  terms: ReferencePercentage & { min: string | null; max: string | null },
): Fraction {
  let freeAmount = fraction(terms.freeAmount);
  let freeEvents = less(ZERO, freeAmount) ? 0 : terms.freeEvents;
  let sum = ZERO;
  for (const text of values) {
    let value = fraction(text);
    if (freeEvents > 0) {
      freeEvents -= 1;
      continue;
    }
    if (less(ZERO, freeAmount)) {
      const taken = min(freeAmount, value);
      freeAmount = minus(freeAmount, taken);
      value = minus(value, taken);
      if (!less(ZERO, value)) continue;
    }
    let price = add(percent(value, fraction(terms.rate)), fraction(terms.fixed));
    if (terms.min !== null && less(price, fraction(terms.min))) price = fraction(terms.min);
    if (terms.max !== null && less(fraction(terms.max), price)) price = fraction(terms.max);
    sum = add(sum, price);
  }
  return sum;
}

/** Half up, to whole numbers of `count` decimals: 1.005 with 2 decimals is 101. */
export function rounded(value: Fraction, count: number): bigint {
  const doubled = times(value, { n: 2n * 10n ** BigInt(count), d: 1n });
  const half = add(doubled, { n: doubled.n < 0n ? -1n : 1n, d: 1n });
  return half.n / (half.d * 2n);
}

/** A fee in cents and the sum of its tax rates in percent. */
export interface ReferenceFee {
  cents: bigint;
  taxRate: string;
}

export type ReferenceCoupon = { cents: bigint } | { rate: string };

/** Cents of coupons, of taxes and of the total with tax, of an invoice whose coupons cover all its fees (§11). */
export function invoiceTotals(fees: readonly ReferenceFee[], coupons: readonly ReferenceCoupon[]) {
  let subTotal = fees.reduce((sum, fee) => sum + fee.cents, 0n);
  const before = subTotal;
  let left = fees.map(fee => ({ n: fee.cents, d: 1n }));
  for (const coupon of coupons) {
    if (subTotal <= 0n) break;
    const wanted =
      'cents' in coupon ? coupon.cents : rounded(percent({ n: subTotal, d: 1n }, fraction(coupon.rate)), 0);
    const taken = wanted < subTotal ? wanted : subTotal;
    const base = subTotal;
    left = left.map(cents => {
      const share = rounded(times(cents, { n: taken, d: base }), 5);
      return minus(cents, { n: share, d: 100_000n });
    });
    subTotal -= taken;
  }
  const taxes = left.reduce((sum, cents, i) => add(sum, percent(cents, fraction(fees[i]?.taxRate ?? '0'))), ZERO);
  return { coupons: before - subTotal, taxes: rounded(taxes, 0), total: subTotal + rounded(taxes, 0) };
}

/** The local date and clock of an instant, through `Intl`. */
export function localClock(instant: number, timezone: string): { date: string; seconds: number } {
  const zone = timezone === 'GMT+12' ? 'Etc/GMT+12' : timezone;
  let format = formats.get(zone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-CA', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    });
    formats.set(zone, format);
  }
  const parts = new Map(format.formatToParts(instant).map(part => [part.type, part.value]));
  const date = `${parts.get('year')}-${parts.get('month')}-${parts.get('day')}`;
  const seconds = Number(parts.get('hour')) * 3600 + Number(parts.get('minute')) * 60 + Number(parts.get('second'));
  return { date, seconds };
}
const formats = new Map<string, Intl.DateTimeFormat>();

const DAY_MS = 86_400_000;

/** Whether a date starts a period, decided from the calendar alone (§7.1). Dates are at 00:00 UTC. */
function startsPeriod(date: Date, interval: string, billingTime: string, start: Date): boolean {
  if (interval === 'weekly') return date.getUTCDay() === (billingTime === 'calendar' ? 1 : start.getUTCDay());
  const months = { monthly: 1, quarterly: 3, semiannual: 6, yearly: 12 }[interval] ?? 0;
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
  if (billingTime === 'calendar') return day === 1 && month % months === 0;
  const apart = (year - start.getUTCFullYear()) * 12 + month - start.getUTCMonth();
  if (((apart % months) + months) % months !== 0) return false;
  const lastOfMonth = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return day === Math.min(start.getUTCDate(), lastOfMonth);
}

/** First and last day of the period that holds a date, found by stepping a day at a time. */
export function periodByStepping(
  date: string,
  interval: string,
  billingTime: string,
  startDate: string,
): [string, string] {
  const start = new Date(`${startDate}T00:00:00Z`);
  const starts = (ms: number) => startsPeriod(new Date(ms), interval, billingTime, start);
  let first = Date.parse(`${date}T00:00:00Z`);
  let next = first + DAY_MS;
  while (!starts(first)) first -= DAY_MS;
  while (!starts(next)) next += DAY_MS;
  return [dateOf(first), dateOf(next - DAY_MS)];
}

function dateOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/** One event of a pay-in-advance charge (§10.3): units shown, contribution, and T, all units up to and including it. */
interface ReferenceStep {
  units: number;
  contribution: number;
  total: number;
}

/** A period of a pay-in-advance charge: its events, and what current usage shows and prices at the end (§8). */
export interface ReferencePeak {
  steps: ReferenceStep[];
  shown: number;
  priced: number;
}

/** The events of a sum in time order; C and M restart with the period, `carried` is what earlier periods left. */
export function peakOfSum(values: readonly number[], carried: number): ReferencePeak {
  let [c, m] = [0, 0];
  const steps = values.map((v, i) => {
    const reached = c + v;
    let contribution = 0;
    let units = Math.max(v, 0);
    if (i === 0) {
      contribution = Math.max(v, 0);
      m = v;
    } else if (reached > m) {
      contribution = reached - m;
      units = contribution;
      m = m < 0 ? reached - m : reached;
    }
    c = reached;
    return { units, contribution, total: carried + c };
  });
  // Current units − C + M, the current units being what is carried + C.
  return { steps, shown: Math.max(carried + c, 0), priced: Math.max(carried + m, 0) };
}

/** The events of a unique count in time order; `carried` are the values that earlier periods left. */
export function peakOfValues(
  events: readonly { value: string | null; remove: boolean }[],
  carried: readonly (string | null)[],
): ReferencePeak {
  let present = [...carried];
  let [c, m] = [0, 0];
  const steps = events.map(({ value, remove }, i) => {
    const isPresent = present.includes(value);
    const isNew = !remove && !isPresent;
    const goes = remove && isPresent;
    if (isNew) present.push(value);
    if (goes) present = present.filter(one => one !== value);
    if (isNew) c += 1;
    if (goes && i > 0) c -= 1;
    const contribution = c > m ? 1 : 0;
    m = Math.max(m, c);
    return { units: isNew ? 1 : 0, contribution, total: present.length };
  });
  return { steps, shown: present.length, priced: Math.max(present.length - c + m, 0) };
}
