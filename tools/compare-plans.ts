/** One customer on several plans, side by side: two previews for each plan (specification, endpoint 7; service-behaviour §12). */
import * as z from 'zod';
import type { Plan } from '../src/contract/shown.ts';
import type { Api, ReadAnswer } from '../src/definition/api.ts';
import { idText, text, texts } from '../src/definition/args.ts';
import { defineTool } from '../src/definition/define.ts';
import { asJsonText, briefly, keyed } from '../src/definition/free-form.ts';
import { catalogueNote } from '../src/words/catalogue-plan.ts';
import { formatPeriod } from '../src/words/dates.ts';
import { planMeant } from '../src/words/plan-meant.ts';
import { escapeForSummary } from '../src/words/safe-text.ts';
import { clip, code, listed, money, opt, phrase, quantity, quoted, say, sentences } from '../src/words/summary.ts';
import { previewInvoice } from './invoices.ts';
import type {
  ComparedPlan,
  Comparison,
  ComparisonArguments,
  PlansRead,
  PreviewAnswer,
  Range,
  UsageEntry,
} from './quotes/compared-plans.ts';

const { customer, subscription_at, billing_time, coupons, billing_entity_code } = previewInvoice.input.shape;
const mostUses = 50;
const mostUnits = 1e15;
/** Characters of one sentence in a summary. */
const mostCharacters = 1000;

const periods = z.enum(['current', 'last_period']);

/** What prices and taxes depend on: the other fields of preview_invoice are taken too. */
const listedCustomer = ['external_id', 'currency', 'country', 'zipcode', 'tax_identification_number', 'timezone'];
const listedCoupon = ['code', 'coupon_type', 'amount_cents', 'amount_currency', 'percentage_rate'];

const properties = asJsonText(keyed(text), '{key: value}');

const notNegative = [(value: number) => value >= 0, { error: 'must not be negative' }] as const;

const use = z.strictObject({
  billable_metric_code: text,
  units: z
    .number()
    .refine(...notNegative)
    .refine(units => units <= mostUnits, { error: `is more than ${mostUnits}` }),
  filter: properties.optional(),
  groups: properties.optional(),
  events: z
    .int()
    .refine(...notNegative)
    .describe('For percentages')
    .optional(),
});

const input = z
  .strictObject({
    plan_codes: texts
      .refine(codes => codes.length >= 1, { error: 'needs 1 to 10 plan codes' })
      .refine(codes => codes.length <= 10, { error: 'takes at most 10 plan codes; compare the rest in another call' })
      .refine(codes => new Set(codes).size === codes.length, { error: 'names a plan twice' }),
    usage: z
      .union([periods, z.array(use).max(mostUses, { error: `takes at most ${mostUses} entries` })])
      .describe('Assumed, in one period (of the first plan); or that of external_subscription_id')
      .optional(),
    external_subscription_id: idText().optional(),
    customer: briefly(customer.unwrap(), listedCustomer).describe('As in preview_invoice').optional(),
    subscription_at,
    billing_time: billing_time.unwrap().describe('Of the first invoice: calendar (default) or anniversary').optional(),
    coupons: briefly(coupons.unwrap(), listedCoupon).describe('As in preview_invoice').optional(),
    billing_entity_code,
  })
  .refine(
    ({ usage, customer: of, external_subscription_id }) =>
      typeof usage !== 'string' || (of?.external_id && external_subscription_id),
    {
      path: ['usage'],
      error: 'current and last_period also need external_subscription_id and customer.external_id',
    },
  )
  .refine(
    ({ usage, external_subscription_id }) => typeof usage === 'string' || external_subscription_id === undefined,
    {
      path: ['external_subscription_id'],
      error: 'goes with usage: "current" or "last_period" only',
    },
  );

export const comparePlans = defineTool({
  name: 'compare_plans',
  title: 'Compare plans',
  toolset: 'plans',
  effect: 'compute',
  endpoint: 'POST /invoices/preview',
  description:
    "What 1 to 10 plans cost a new subscription over a whole billing period, with tax, before credits, and each one's first invoice, which may cover part of a period. With usage: a quote, and for two plans the units of its first metric from which the other is cheaper. Stores nothing.",
  input,
  async run(args, api) {
    const taken = await readTakenUsage(args, api);
    if (!taken.ok) return taken;
    const reading = readPlans(api, args.plan_codes);
    const previews = await previewAll(api, previewRequests(args));
    const plans = await reading;
    const answers = previews.map(preview => withPlanHint(preview, plans));
    const refused = answers.map(({ answer }) => answer).filter(answer => !answer.ok);
    if (refused.length === answers.length && refused[0]) return refused[0];
    return {
      ok: true,
      body: await comparisonFrom({ ...args, ...taken.prepared }, answers.map(asPreviewed), plans, api),
    };
  },
  result: 'comparison',
  answer: 'made list',
  brief: `
    plan_code interval currency sub_total_including_taxes_amount_cents difference_cents
    range difference_range yearly_amount_cents yearly_difference_cents yearly_range yearly_difference_range left_out
    first_invoice{sub_total_including_taxes_amount_cents total_amount_cents} error
  `,
  more: `
    name covers usage_amount_cents fees_amount_cents coupons_amount_cents taxes_amount_cents notes first_invoice{covers}
    terms start
  `,
  say: (record: Comparison, { args }) => describeComparison(record, args),
});

type Arguments = Pick<ComparisonArguments, 'usage'>;
type CompareArguments = z.output<typeof input>;

/** Reads the usage of the subscription that the arguments name. */
async function readTakenUsage({ usage, customer: of, external_subscription_id }: CompareArguments, api: Api) {
  if (usage !== 'current' && usage !== 'last_period') return { ok: true as const, prepared: {} };
  const { readUsage } = await import('./quotes/taken-usage.ts');
  // The schema asks for both ids.
  return readUsage(api, usage, of?.external_id ?? '', external_subscription_id ?? '');
}

/** With this billing time a subscription's first period is a whole one. */
const wholePeriod = 'anniversary';

/** A preview of a whole period and of the first invoice of each plan. */
export function previewRequests({
  plan_codes,
  usage: _,
  external_subscription_id: __,
  // The interface requires a customer: an empty one is nobody (§12.1).
  customer: of = {},
  ...body
}: CompareArguments): { key: string; body: object }[] {
  return plan_codes.flatMap(plan_code => {
    const preview = { customer: of, ...body, plan_code };
    const first = { key: plan_code, body: preview };
    if (body.billing_time === wholePeriod) return [first];
    return [{ key: plan_code, body: { ...preview, billing_time: wholePeriod } }, first];
  });
}

interface Preview {
  key: string;
  answer: ReadAnswer;
}

async function previewAll(api: Api, requests: readonly { key: string; body: object }[]): Promise<Preview[]> {
  let finished = 0;
  return Promise.all(
    requests.map(async ({ key, body }) => {
      const answer = await api.preview(body);
      finished += 1;
      api.tell(`${finished} of ${requests.length} done`);
      return { key, answer };
    }),
  );
}

const mostPages = 50;

/** The account's plans, at least those that are asked for and exist; or why they cannot be read. */
async function readPlans(api: Api, codes: readonly string[]): Promise<PlansRead> {
  if (!api.mayUse('list_plans'))
    return { problem: 'list_plans is not available to this caller, and neither is what it reads.' };
  const plans: Plan[] = [];
  for (let page = 1; page <= mostPages; page += 1) {
    const answer = await api.get('/plans', { key: 'plans', query: { page, per_page: 100 } });
    if (!answer.ok) return { problem: `${answer.error.message} ${answer.error.hint}` };
    const rows = answer.body.plans ?? [];
    plans.push(...rows);
    const known = new Set(plans.map(plan => plan.code));
    if (codes.every(code => known.has(code)) || !answer.body.meta?.next_page || rows.length === 0) break;
  }
  return { plans };
}

/** What a person calls a plan is often almost its code. */
function withPlanHint({ key, answer }: Preview, read: PlansRead): Preview {
  if (answer.ok || answer.error.code !== 'plan_not_found' || 'problem' in read) return { key, answer };
  const hint = planMeant(key, read.plans);
  return hint === null ? { key, answer } : { key, answer: { ok: false, error: { ...answer.error, hint } } };
}

function asPreviewed({ key, answer }: Preview): PreviewAnswer {
  if (answer.ok) return { key, body: answer.body, ...(answer.notice && { notice: answer.notice }) };
  const { code, message, hint } = answer.error;
  return { key, error: { code, message, hint } };
}

/** The record of the answers, which come in the order of the requests. */
export async function comparisonFrom(
  args: ComparisonArguments & { plan_codes: readonly string[] },
  answers: readonly PreviewAnswer[],
  plans: PlansRead,
  api?: Api,
): Promise<object> {
  // Decimals and price models are loaded when they are first needed.
  const { comparisonOf } = await import('./quotes/comparison.ts');
  const recurring = await readRecurring(args, plans, api);
  return comparisonOf(args, previewsOf(args.plan_codes, answers), plans, recurring);
}

/** Reads which metrics recur, if their charges would cost something without usage: one read for each. */
async function readRecurring(
  { plan_codes, usage }: ComparisonArguments & { plan_codes: readonly string[] },
  plansRead: PlansRead,
  api: Api | undefined,
): Promise<ReadonlyMap<string, boolean>> {
  if (usage === undefined || api === undefined || 'problem' in plansRead) return new Map();
  const { metricsByEvent } = await import('./quotes/assumed-usage.ts');
  const metrics = metricsByEvent(
    plansRead.plans.filter(({ code }) => plan_codes.some(requestedCode => requestedCode === code)),
  );
  const { recurringOf } = await import('./records/metrics.ts');
  return recurringOf(api, metrics);
}

function previewsOf(codes: readonly string[], answers: readonly PreviewAnswer[]) {
  return codes.flatMap(code => {
    const [whole, first = whole] = answers.filter(answer => answer.key === code);
    return whole === undefined || first === undefined ? [] : [{ code, whole, first }];
  });
}

const spans = new Map([
  ['weekly', 'week'],
  ['monthly', 'month'],
  ['quarterly', 'quarter'],
  ['semiannual', 'half-year'],
  ['yearly', 'year'],
]);

function spanOf(interval = ''): string {
  return spans.get(interval) ?? 'billing period';
}

function describeComparison(record: Comparison, args: Arguments): string {
  const plans = record.comparison;
  const computed = plans.filter(plan => plan.error === undefined);
  const elsewhere = plans.filter(plan => plan.error?.code === 'priced_elsewhere');
  const failed = plans.filter(plan => plan.error !== undefined && !elsewhere.includes(plan));
  return sentences(
    computed.length > 0 && describePeriod(record, computed, args),
    describeTaken(record.usage_of ?? {}, record.usage_interval ?? record.interval),
    computed.some(plan => plan.yearly_amount_cents !== undefined) && describeYears(computed),
    computed.length > 1 && say`${nameOf(record.cheapest_plan_code, computed)} costs least`,
    describeChanges(record, computed, args),
    describeFirst(computed),
    ...computed.map(describeNotes),
    say`For all: ${(record.notes ?? []).map(escapedSentence).join('; ') || null}`,
    escapedSentence(record.start),
    escapedSentence(record.terms),
    catalogueNote(elsewhere.map(plan => plan.plan_code)),
    failed.length > 0 &&
      `Could not be computed: ${listed(failed.map(plan => phrase`${code(plan.plan_code) ?? 'a plan'}${say` (${code(plan.error?.code)})`}`))}`,
    record.plans_problem !== undefined && 'The list of plans could not be read: intervals and usage are not known',
  );
}

/** `A whole month, without usage: Studio $271.10, Enterprise $543.29, $272.19 more`. */
function describePeriod(record: Comparison, plans: readonly ComparedPlan[], args: Arguments): string {
  const mixed = plans.some(plan => plan.yearly_amount_cents !== undefined);
  const span = `A whole ${mixed ? 'billing period' : spanOf(record.interval)}`;
  const figures = plans.map(plan => {
    const unit = mixed ? ` a ${spanOf(plan.interval)}` : '';
    return `${label(plan)} ${figureOf(plan, plan.sub_total_including_taxes_amount_cents, plan.range)}${unit}${differenceOf(plan, plan.difference_cents, plan.difference_range)}`;
  });
  return phrase`${span}${say` for customer ${code(record.customer)}`}${describeUsage(record, args, mixed)}: ${joined(figures)}`;
}

function describeYears(plans: readonly ComparedPlan[]): string {
  const figures = plans.map(
    plan =>
      `${label(plan)} ${figureOf(plan, plan.yearly_amount_cents, plan.yearly_range)}${differenceOf(plan, plan.yearly_difference_cents, plan.yearly_difference_range)}`,
  );
  return `Brought to a year: ${joined(figures)}`;
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
  return typeof usage === 'object' ? usage : null;
}

/** Whose usage it is, over which days, and what of it does not count as it was. */
function describeTaken(taken: NonNullable<Comparison['usage_of']>, interval: string | undefined): string | false {
  const whose = say`The usage is that of ${code(taken.external_subscription_id)}`;
  if (whose === null) return false;
  const days = formatPeriod(taken.from_datetime, taken.to_datetime, taken.timezone);
  const over =
    taken.period === 'current' ? `in the running period (${days}), so far` : `in its last invoiced period, ${days}`;
  const parts = [
    `${whose} ${over}`,
    taken.period === 'current' || taken.other_span === true
      ? `counted here as that of a whole ${spanOf(interval)}`
      : null,
    say`not as it was: ${listed((taken.changed ?? []).map(escapedSentence))}`,
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
    const upTo = next === undefined ? ' on' : ` to ${quantity(Number(next.units) - 1)}`;
    const unit = i === 0 ? ` ${varied} a ${spanOf(record.interval)}` : '';
    const from = `${quantity(point.units)}`;
    return `${nameOf(point.cheaper_plan_code, plans)} is cheaper from ${next === undefined ? `${from}${unit} on` : `${from}${upTo}${unit}`}`;
  });
  return changes.length > 0 && changes.join(', ');
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
  const usage = 'without usage';
  if (amounts.every(one => one.covers === covers) && amounts.length === plans.length) {
    return phrase`First invoice${say` for ${covers}`}: ${listed(
      amounts.map(one => one.amount),
      10,
    )}`;
  }
  return `First invoices, ${usage}: ${joined(amounts.map(one => phrase`${label(one.plan)} ${one.amount}${say` for ${one.covers}`}`))}`;
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
  const [from, to] = boundsOf(range, currency);
  if (from !== null && to !== null) return `${from} to ${to}`;
  return from !== null ? `at least ${from}` : to !== null ? `at most ${to}` : `about ${amount}`;
}

function boundsOf({ from_cents, to_cents }: Range, currency: unknown): (string | null)[] {
  return [from_cents, to_cents].map(cents => money(cents, currency));
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
