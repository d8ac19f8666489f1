/** The sentence of a comparison of plans: figures, changes of the cheapest, first invoices and notes. */
import { codeWords } from '../../src/contract/code-words.ts';
import { ownValue } from '../../src/lib/json.ts';
import { formatPeriod } from '../../src/words/dates.ts';
import { escapeForSummary } from '../../src/words/safe-text.ts';
import { catalogueNote } from '../../src/words/subscription.ts';
import { clip, code, listed, money, opt, phrase, quantity, quoted, say, sentences } from '../../src/words/summary.ts';
import type { ComparedPlan, ComparisonArguments, Range, UsageEntry } from './compared-plans.ts';
import type { Comparison } from './comparison.ts';

/** The usage as it was sent: entries, or which usage was to be read. */
interface Arguments {
  readonly usage?: ComparisonArguments['usage'] | object;
}

/** Characters of one sentence in a summary. */
const mostCharacters = 1000;

const intervals: Readonly<Record<string, string>> = codeWords.interval;

/** `month` for `monthly`, from its words `a month`. */
function spanOf(interval = ''): string {
  return ownValue(intervals, interval)?.replace('a ', '') ?? 'billing period';
}

export function describeComparison(record: Comparison, args: Arguments): string {
  const plans = record.comparison;
  const computed = plans.filter(plan => plan.error === undefined);
  const elsewhere = plans.filter(plan => plan.error?.code === 'priced_elsewhere');
  const failed = plans.filter(plan => plan.error !== undefined && !elsewhere.includes(plan));
  return sentences(
    describeSums(record.over_periods, args),
    computed.length > 0 && describePeriod(record, computed, args),
    describeBeforeTax(computed),
    describeTaken(record.usage_of ?? {}, record.usage_interval ?? record.interval),
    computed.some(plan => plan.yearly_amount_cents !== undefined) && describeYears(computed),
    computed.length > 1 && say`${nameOf(record.cheapest_plan_code, computed)} is cheapest`,
    describeChanges(record, computed, args),
    describeFirst(computed),
    ...computed.map(describeNotes),
    say`For all plans: ${(record.notes ?? []).map(escapedSentence).join('; ') || null}`,
    escapedSentence(record.start),
    escapedSentence(record.terms),
    catalogueNote(elsewhere.map(plan => plan.plan_code)),
    failed.length > 0 &&
      `Could not be computed: ${listed(failed.map(plan => phrase`${code(plan.plan_code) ?? 'a plan'}${say` (${code(plan.error?.code)})`}`))}`,
    record.plans_problem !== undefined && 'The list of plans could not be read: intervals and usage are unknown',
  );
}

/** `Full month, without usage: Studio $271.10, Enterprise $543.29, $272.19 more`. */
function describePeriod(record: Comparison, plans: readonly ComparedPlan[], args: Arguments): string {
  const mixed = plans.some(plan => plan.yearly_amount_cents !== undefined);
  const span = `Full ${mixed ? 'billing period' : spanOf(record.interval)}`;
  const figures = plans.map(plan => {
    const unit = mixed ? ` a ${spanOf(plan.interval)}` : '';
    return `${label(plan)} ${figureOf(plan, plan.sub_total_including_taxes_amount_cents, plan.range)}${unit}${differenceOf(plan, plan.difference_cents, plan.difference_range)}`;
  });
  return phrase`${span}${say` for customer ${code(record.customer)}`}${describeUsage(record, args, mixed)}: ${joined(figures)}`;
}

/** `Over 3 invoiced periods in 1 Dec 2025 – 28 Feb 2026: Studio $1,379.85 ($1,267.40 before tax), Enterprise $1,836.30 ($1,686.63 before tax), $456.45 more`. */
function describeSums(sums: Comparison['over_periods'], { usage }: Arguments): string | null {
  if (sums === undefined) return null;
  const plans = sums.plans.map(({ plan_code, name, currency, before_tax_cents, with_tax_cents, difference_cents }) => {
    const label = plainName(name) ?? code(plan_code) ?? 'a plan';
    if (with_tax_cents === null) return `${label} unknown, because a period could not be priced exactly`;
    const before = opt` (${money(before_tax_cents, currency)} before tax)`;
    const more = difference_cents
      ? opt`, ${money(Math.abs(difference_cents), currency)} ${difference_cents > 0 ? 'more' : 'less'}`
      : '';
    return `${label} ${money(with_tax_cents, currency)}${before}${more}`;
  });
  const days = formatPeriod(sums.from_datetime, sums.to_datetime, sums.timezone);
  const { last } = (usage ?? {}) as { last?: number };
  const missing =
    last !== undefined && last > sums.periods ? `; ${last} periods were asked for, ${sums.periods} are invoiced` : '';
  return `Over ${sums.periods} invoiced periods in ${days}: ${joined(plans)}${missing}`;
}

/** `Before tax: Studio $422.46, Enterprise $562.21`; null where no plan has tax, or an amount is not certain. */
function describeBeforeTax(plans: readonly ComparedPlan[]): string | null {
  const isCertain = plans.every(
    ({ range, fees_amount_cents, coupons_amount_cents }) =>
      range === undefined && typeof fees_amount_cents === 'number' && typeof coupons_amount_cents === 'number',
  );
  if (!isCertain || !plans.some(({ taxes_amount_cents }) => (taxes_amount_cents ?? 0) !== 0)) return null;
  const figures = plans.map(plan => {
    const cents = Number(plan.fees_amount_cents) - Number(plan.coupons_amount_cents);
    return phrase`${label(plan)} ${money(cents, plan.currency)}`;
  });
  return `Before tax: ${joined(figures)}`;
}

function describeYears(plans: readonly ComparedPlan[]): string {
  const figures = plans.map(
    plan =>
      `${label(plan)} ${figureOf(plan, plan.yearly_amount_cents, plan.yearly_range)}${differenceOf(plan, plan.yearly_difference_cents, plan.yearly_difference_range)}`,
  );
  return `Per year: ${joined(figures)}`;
}

function describeUsage(record: Comparison, args: Arguments, mixed: boolean): string {
  const usage = usageOf(record, args);
  if (usage === null) return ', without usage';
  const isUnique = new Set(usage.map(entry => metricOf(entry))).size === usage.length;
  const uses = usage.map(entry => `${quantity(entry.units) ?? 'some'} ${metricOf(entry, !isUnique)}`);
  const { interval, usage_interval } = record;
  const spread = mixed || usage_interval !== undefined;
  const per = spread ? ` a ${spanOf(usage_interval ?? interval)}, evenly spread` : '';
  return ` with ${listed(uses) ?? 'no usage'}${per}`;
}

/** The usage that was read, else that of the arguments; null for none. */
function usageOf(record: Comparison, args: Arguments): readonly UsageEntry[] | null {
  const usage = record.usage ?? args.usage;
  return Array.isArray(usage) ? (usage as readonly UsageEntry[]) : null;
}

/** Whose usage it is, over which days, and what of it does not count as it was. */
function describeTaken(taken: NonNullable<Comparison['usage_of']>, interval: string | undefined): string | false {
  const whose = say`Usage is from ${code(taken.external_subscription_id)}`;
  if (whose === null) return false;
  const days = formatPeriod(taken.from_datetime, taken.to_datetime, taken.timezone);
  const over =
    taken.period === 'current'
      ? `in the current period so far (${days})`
      : `in ${taken.period === 'past' ? 'the past period' : 'its last invoiced period'}, ${days}`;
  const parts = [
    `${whose} ${over}`,
    taken.period === 'current' || taken.other_span === true ? `treated as a full ${spanOf(interval)}` : null,
    say`changed: ${listed((taken.changed ?? []).map(escapedSentence))}`,
  ];
  return parts.filter(part => part !== null).join('; ');
}

/** The metric of assumed usage with its filter and groups: `audio_minutes (accurate)`, with keys `(mode accurate)`. */
function metricOf(entry: UsageEntry, withKeys = false): string {
  const values = Object.entries({ ...entry.filter, ...entry.groups });
  const where = listed(
    values.map(([key, one]) => phrase`${withKeys ? `${code(key)} ` : null}${code(one)}`),
    3,
  );
  return phrase`${code(entry.billable_metric_code) ?? 'units'}${say` (${where})`}`;
}

/** `Enterprise is cheaper from 8,334 audio_minutes a month on`; the units are those of the first usage. */
function describeChanges(record: Comparison, plans: readonly ComparedPlan[], args: Arguments): string | false {
  const points = record.break_even ?? [];
  const [first] = usageOf(record, args) ?? [];
  const varied = first && metricOf(first);
  const changes = points.map((point, i) => {
    const next = points[i + 1];
    const unit = i === 0 ? ` ${varied} a ${spanOf(record.interval)}` : '';
    const upTo = next === undefined ? `${unit} on` : ` to ${quantity(Number(next.units) - 1)}${unit}`;
    return `${nameOf(point.cheaper_plan_code, plans)} is cheaper from ${quantity(point.units)}${upTo}`;
  });
  const [point] = points;
  // With several points, each says up to where it counts.
  const edge =
    points.length === 1 && point !== undefined && point.units > 0 ? opt`, not yet at ${quantity(point.units - 1)}` : '';
  return changes.length > 0 && `${changes.join(', ')}${edge}`;
}

/** `First invoice for 21 – 30 Nov 2026 (UTC): $199.24 and $181.09`. */
function describeFirst(plans: readonly ComparedPlan[]): string | false {
  const invoices = plans.map(plan => ({ plan, first: plan.first_invoice ?? {} }));
  const shownInvoices = invoices.filter(({ first }) => first.sub_total_including_taxes_amount_cents !== undefined);
  if (shownInvoices.length === 0) return false;
  const amounts = shownInvoices.map(({ plan, first }) => {
    const amount = money(first.sub_total_including_taxes_amount_cents, plan.currency) ?? 'unknown';
    const credited = first.total_amount_cents !== first.sub_total_including_taxes_amount_cents;
    const toPay = credited ? say`, ${money(first.total_amount_cents, plan.currency)} to pay after credits` : null;
    return {
      plan,
      amount: phrase`${amount}${toPay === null ? null : ` (${toPay.slice(2)})`}`,
      covers: first.covers ?? null,
    };
  });
  const [{ covers } = { covers: null }] = amounts;
  if (amounts.every(one => one.covers === covers) && amounts.length === plans.length) {
    return phrase`First invoice${say` for ${covers}`}: ${listed(
      amounts.map(one => one.amount),
      10,
    )}`;
  }
  return `First invoices, without usage: ${joined(amounts.map(one => phrase`${label(one.plan)} ${one.amount}${say` for ${one.covers}`}`))}`;
}

function describeNotes(plan: ComparedPlan): string | null {
  const [missing, notes] = [plan.left_out, plan.notes].map(list => (list ?? []).map(text => escapedSentence(text)));
  const parts = [say`without ${listed(missing ?? [])}`, ...(notes ?? [])].filter(part => part !== null);
  return parts.length === 0 ? null : `${label(plan)}: ${parts.join('; ')}`;
}

/** A sentence of the record, made safe for the summary: it may name codes of the account. */
function escapedSentence(text = ''): string {
  return clip(escapeForSummary(text), mostCharacters);
}

/** `$12.00`, or the bounds of what is not certain: `$12.00 to $15.00`, `at least $12.00`. */
function figureOf({ currency }: ComparedPlan, cents: unknown, range: Range | undefined): string {
  const amount = money(cents, currency) ?? 'unknown';
  if (range === undefined) return amount;
  const [from, to] = [range.from_cents, range.to_cents].map(bound => money(bound, currency));
  if (from !== null && to !== null) return `${from} to ${to}`;
  return from !== null ? `at least ${from}` : to !== null ? `at most ${to}` : `about ${amount}`;
}

function differenceOf({ currency }: ComparedPlan, cents: unknown, range: Range | undefined): string {
  const size = (of: number) => money(Math.abs(of), currency);
  if (range === undefined)
    return typeof cents !== 'number' || cents === 0 ? '' : opt`, ${size(cents)} ${cents > 0 ? 'more' : 'less'}`;
  const { from_cents: from, to_cents: to } = range;
  if (from !== null && to !== null) {
    if (from >= 0) return `, ${size(from)} to ${size(to)} more`;
    return to <= 0 ? `, ${size(to)} to ${size(from)} less` : `, between ${size(from)} less and ${size(to)} more`;
  }
  // One bound that leaves open which plan costs more says nothing.
  if (from !== null && from >= 0) return `, at least ${size(from)} more`;
  if (to !== null && to <= 0) return `, at least ${size(to)} less`;
  return '';
}

/** Two figures are told with commas, as in a sentence; more are told apart. */
function joined(figures: readonly string[]): string {
  return figures.join(figures.length === 2 ? ', ' : '; ');
}

function label(plan: ComparedPlan): string {
  return plainName(plan.name) ?? code(plan.plan_code) ?? 'a plan';
}

function nameOf(planCode: unknown, plans: readonly ComparedPlan[]): string | null {
  const plan = plans.find(one => one.plan_code === planCode);
  return planCode === null || plan === undefined ? null : label(plan);
}

/** A plan's name without quotes when it is one plain word, so that a list of figures stays readable. */
function plainName(name: unknown): string | null {
  return typeof name === 'string' && /^[\p{L}\p{N}]{1,30}$/u.test(name) ? name : quoted(name);
}
