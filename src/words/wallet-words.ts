/** What a wallet may pay and how it is topped up, in a user's words. */
import type { Listed, PaymentMethod, SectionChoice, TopUpRule, Wallet, WalletLimits } from '../contract/shown.ts';
import { walletRule } from '../contract/wallet.ts';
import { labelsOf } from '../definition/field-arguments.ts';
import { ownValue } from '../lib/json.ts';
import { type ChangeOptions, changesOf } from './changes.ts';
import { wordsOf } from './code-words.ts';
import { dayNumber, formatDate } from './dates.ts';
import { isFilled } from './default-fields.ts';
import { code, listed, listedCodes, money, phrase, quantity, say, sign } from './summary.ts';
import { momentIn } from './zoned-times.ts';

/** What a wallet may pay: `plan fees and usage of geocodes`; null for a wallet without limits. */
export function limitsWords(appliesTo: WalletLimits | null | undefined): string | null {
  const { fee_types, billable_metric_codes } = appliesTo ?? {};
  const kinds = (fee_types ?? []).map(kind => wordsOf('fee', kind) ?? '');
  return listed([listed(kinds), say`usage of ${listedCodes(billable_metric_codes, 50)}`]);
}

/**
 * `$5.00 of usage is not covered`, where usage that is not invoiced yet exceeds the wallet; the service counts drafts
 * among it (service-behaviour §11.7). `drafts`: cents of them, where they were read. Null where it does not exceed it.
 */
export function notCovered(cents: unknown, currency: unknown, drafts = 0): string | null {
  if (sign(cents) !== -1) return null;
  const part = drafts > 0 ? say` (with drafts of ${money(drafts, currency)})` : '';
  return say`${money(-Number(cents), currency)} of usage${part} is not covered`;
}

/** `every month 100 credits bought and 10 granted`; times first in this zone, then in UTC. `none` for an empty list. */
export function topUpsWords(rules: Listed<TopUpRule>, zone: string | null): string {
  return listed((rules ?? []).map(rule => topUpWords(rule, zone))) ?? 'none';
}

const weekdays = ['Sundays', 'Mondays', 'Tuesdays', 'Wednesdays', 'Thursdays', 'Fridays', 'Saturdays'];
const dayMs = 86_400_000;

/**
 * ` on the 31st, or the month's last day`: the day on which a rule with an interval runs. It follows from the start of
 * the rule, or else of the wallet, in the time zone in which the customer is billed (service-behaviour §3.1). Empty
 * where that is not known, and for other rules.
 */
export function runDay(rule: TopUpRule, wallet: Wallet, zone: string | null): string {
  const number = zone === null ? null : dayNumber(rule.started_at ?? wallet.created_at, zone);
  if (number === null || rule.trigger !== 'interval') return '';
  const date = new Date(number * dayMs);
  const day = date.getUTCDate();
  if (rule.interval === 'weekly') return ` on ${weekdays[date.getUTCDay()]}`;
  const counted = rule.interval === 'monthly' ? null : say`, starting ${formatDate(date.toISOString())}`;
  return phrase` on the ${day}${suffixOf(day)}${day > 28 ? ", or the month's last day" : null}${counted}`;
}

const monthsOf: Readonly<Record<string, number>> = { monthly: 1, quarterly: 3, semiannual: 6, yearly: 12 };

/**
 * The next day on which a rule with an interval runs, today included, as a count of days in this zone (service-behaviour
 * §3.1). Null for other rules, where the rule or the wallet has ended by then, and where it cannot be known.
 */
export function nextRunDay(rule: TopUpRule, wallet: Wallet, zone: string | null, now: Date): number | null {
  if (zone === null || rule.trigger !== 'interval' || [rule, wallet].some(({ status }) => status === 'terminated'))
    return null;
  const start = dayNumber(rule.started_at ?? wallet.created_at, zone);
  const today = dayNumber(now.toISOString(), zone);
  if (start === null || today === null) return null;
  const created = dayNumber(wallet.created_at, zone);
  const first = Math.max(start, today, created === null ? start : created + 1);
  const run = rule.interval === 'weekly' ? start + Math.ceil((first - start) / 7) * 7 : runInMonth(rule, start, first);
  const ends = [rule.expiration_at, wallet.expiration_at].map(end => dayNumber(end, zone)).filter(end => end !== null);
  // On its last day the rule may end before it runs.
  return run === null || ends.some(end => end <= run) ? null : run;
}

/** The first day from `first` on with the start's day of the month, or the month's last one, in every so many months. */
function runInMonth({ interval }: TopUpRule, start: number, first: number): number | null {
  const step = ownValue(monthsOf, String(interval));
  if (step === undefined) return null;
  const [from, to] = [new Date(start * dayMs), new Date(first * dayMs)];
  const between = (to.getUTCFullYear() - from.getUTCFullYear()) * 12 + to.getUTCMonth() - from.getUTCMonth();
  const inMonth = (months: number) => {
    const month = from.getUTCMonth() + months;
    const last = new Date(Date.UTC(from.getUTCFullYear(), month + 1, 0)).getUTCDate();
    return Date.UTC(from.getUTCFullYear(), month, Math.min(from.getUTCDate(), last)) / dayMs;
  };
  const months = Math.ceil(between / step) * step;
  return inMonth(months) >= first ? inMonth(months) : inMonth(months + step);
}

function suffixOf(day: number): string {
  if (day > 10 && day < 14) return 'th';
  return ['th', 'st', 'nd', 'rd'][day % 10] ?? 'th';
}

const every: Readonly<Record<string, string>> = {
  weekly: 'every week',
  monthly: 'every month',
  quarterly: 'every quarter',
  semiannual: 'every half year',
  yearly: 'every year',
};

/** Fields that the sentence says already, or that do not say what a rule does. */
const fieldsSaidElsewhere = [
  ...['svc_id', 'status', 'created_at', 'trigger', 'method', 'interval', 'threshold_credits', 'target_ongoing_balance'],
  ...['paid_credits', 'granted_credits', 'grants_target_top_up', 'started_at', 'expiration_at'],
  'applied_invoice_custom_sections',
];

const ruleWords: ChangeOptions = {
  selectors: [],
  labels: {
    ...labelsOf(walletRule),
    invoice_custom_section: 'invoice sections',
    payment_method: 'paid',
  },
  words: { payment_method: paymentMethodWords, invoice_custom_section: sectionWords },
};

function topUpWords(rule: TopUpRule, zone: string | null): string {
  const when =
    rule.trigger === 'threshold'
      ? `at ${quantity(rule.threshold_credits) ?? 'an unknown number of'} credits or fewer,`
      : ownValue(every, String(rule.interval));
  const credits = [
    (sign(rule.paid_credits) ?? 0) !== 0 ? `${quantity(rule.paid_credits)} credits bought` : null,
    (sign(rule.granted_credits) ?? 0) !== 0 ? `${quantity(rule.granted_credits)} credits granted` : null,
  ];
  const target = phrase`${rule.grants_target_top_up === true ? 'grant' : 'buy'} credits to reach ${quantity(rule.target_ongoing_balance) ?? 'an unknown number'}`;
  const what = rule.method === 'target' ? target : (listed(credits) ?? 'no credits');
  const rest = Object.entries(rule).filter(
    ([field, value]) =>
      !fieldsSaidElsewhere.includes(field) &&
      isFilled(value) &&
      value !== false &&
      !(field === 'payment_method' && isUsualMethod(rule.payment_method)),
  );
  const others = changesOf(Object.fromEntries(rest), null, ruleWords).map(({ label, to }) => `${label} ${to}`);
  const parts = [
    when === undefined ? what : `${when} ${what}`,
    say`from ${momentIn(rule.started_at, zone)}`,
    say`until ${momentIn(rule.expiration_at, zone)}`,
    ...others,
  ];
  return parts.filter(part => part !== null).join(', ');
}

/** Is this the customer's own method at the payment provider? */
export function isUsualMethod(method: PaymentMethod | null | undefined): boolean {
  return method?.payment_method_type === 'provider' && !method.payment_method_id;
}

/** `terms and vat_note`; `none` where they are skipped. */
export function sectionWords(sections: SectionChoice | null | undefined): string {
  const { skip_invoice_custom_sections, invoice_custom_section_codes: codes } = sections ?? {};
  if (skip_invoice_custom_sections === true) return 'none';
  return listedCodes(codes, 50) ?? (codes ? 'none' : 'as usual');
}

/** `by hand`, `through the payment provider (pm_1)`. */
export function paymentMethodWords(method: PaymentMethod | null | undefined): string {
  if (method?.payment_method_type === 'manual') return 'by hand';
  return phrase`through the payment provider${say` (${code(method?.payment_method_id)})`}`;
}
