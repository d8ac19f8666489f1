/** One customer on several plans, side by side: two previews for each plan (specification, endpoint 7; service-behaviour §12). */
import * as z from 'zod';
import type { Plan } from '../src/contract/shown.ts';
import type { Api, ReadAnswer } from '../src/definition/api.ts';
import { idText, text, texts } from '../src/definition/args.ts';
import { defineTool } from '../src/definition/define.ts';
import { asJsonText, briefly, keyed } from '../src/definition/free-form.ts';
import { planMeant } from '../src/words/plan-meant.ts';
import { previewInvoice } from './invoices.ts';
import type { ComparisonArguments, PlansRead, PreviewAnswer } from './quotes/compared-plans.ts';
import type { Comparison } from './quotes/comparison.ts';
import { describeComparison } from './quotes/comparison-words.ts';
import type { WantedUsage } from './quotes/taken-usage.ts';

const { customer, subscription_at, billing_time, coupons, billing_entity_code } = previewInvoice.input.shape;
const mostUses = 50;
const mostUnits = 1e15;

const periods = z.enum(['current', 'last_period']);
const mostPast = 6;
const past = z
  .strictObject({
    period: z
      .string()
      .refine(value => /^\d{4}-(0[1-9]|1[0-2])$/.test(value), { error: 'must be a month as YYYY-MM, e.g. 2026-01' })
      .optional(),
    last: z
      .int()
      .refine(count => count >= 1 && count <= mostPast, { error: `must be from 1 to ${mostPast}` })
      .optional(),
  })
  .refine(({ period, last }) => (period === undefined) !== (last === undefined), {
    error: 'needs either period, a month, or last, a number of periods',
  });

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
    .describe('Number of events, for percentage charges')
    .optional(),
});

const input = z
  .strictObject({
    plan_codes: texts
      .describe('1 to 10 plan codes')
      .refine(codes => codes.length >= 1, { error: 'needs 1 to 10 plan codes' })
      .refine(codes => codes.length <= 10, { error: 'takes at most 10 plan codes; compare the rest in another call' })
      .refine(codes => new Set(codes).size === codes.length, { error: 'names a plan twice' }),
    usage: z
      .union([periods, z.array(use).max(mostUses, { error: `takes at most ${mostUses} entries` }), past])
      .describe(
        'Units assumed in one period of the first plan, or usage of external_subscription_id, also of a month (period, YYYY-MM) or summed over last periods; default none',
      )
      .optional(),
    external_subscription_id: idText().describe('Subscription whose usage is taken').optional(),
    customer: briefly(customer.unwrap(), listedCustomer).describe('As in preview_invoice').optional(),
    subscription_at,
    billing_time: billing_time.unwrap().describe('Of the first invoice: calendar (default) or anniversary').optional(),
    coupons: briefly(coupons.unwrap(), listedCoupon).describe('As in preview_invoice').optional(),
    billing_entity_code,
  })
  .refine(
    ({ usage, customer: of, external_subscription_id }) =>
      !isRead(usage) || (of?.external_id && external_subscription_id),
    {
      path: ['usage'],
      error: 'current, last_period, period and last also need external_subscription_id and customer.external_id',
    },
  )
  .refine(({ usage, external_subscription_id }) => isRead(usage) || external_subscription_id === undefined, {
    path: ['external_subscription_id'],
    error: 'goes with usage: "current" or "last_period", or with its period or last, only',
  });

export const comparePlans = defineTool({
  name: 'compare_plans',
  title: 'Compare plans',
  toolset: 'plans',
  effect: 'compute',
  endpoint: 'POST /invoices/preview',
  description:
    'Compares what 1 to 10 plans cost a new subscription: a whole billing period with tax, before credits, and the first invoice, which may cover part of a period. With usage, returns a quote and, for two plans, the units of the first metric from which the other is cheaper. Stores nothing. To preview a plan change, use preview_invoice.',
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
    const { usage: _, ...others } = args;
    const kept = keepingReads(api);
    const compared = (prepared: object) =>
      comparisonFrom({ ...others, ...prepared }, answers.map(asPreviewed), plans, kept);
    const body = await compared(taken.prepared);
    if (taken.earlier.length === 0) return { ok: true, body };
    const { sumOfPeriods } = await import('./quotes/comparison.ts');
    const all = [body, ...(await Promise.all(taken.earlier.map(compared)))];
    return { ok: true, body: { ...body, over_periods: sumOfPeriods(all as Comparison[]) } };
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

type CompareArguments = z.output<typeof input>;

/** Reads the usage of the subscription that the arguments name. */
async function readTakenUsage({ usage, customer: of, external_subscription_id }: CompareArguments, api: Api) {
  if (!isRead(usage)) return { ok: true as const, prepared: usage === undefined ? {} : { usage }, earlier: [] };
  const { readUsage } = await import('./quotes/taken-usage.ts');
  // The schema asks for both ids.
  return readUsage(api, usage, of?.external_id ?? '', external_subscription_id ?? '');
}

/** Is the usage read, instead of assumed? */
function isRead(usage: WantedUsage | readonly object[] | undefined): usage is WantedUsage {
  return usage !== undefined && !Array.isArray(usage);
}

/** Each record is read once, also for several periods. */
function keepingReads(api: Api): Api {
  const reads = new Map<string, ReturnType<Api['get']>>();
  return {
    ...api,
    get(path, get) {
      const key = JSON.stringify([path, get.path, get.query]);
      const read = reads.get(key) ?? api.get(path, get);
      reads.set(key, read);
      return read;
    },
  };
}

/** With this billing time a subscription's first period is a whole one. */
const wholePeriod = 'anniversary';

/** A preview of a whole period and of the first invoice of each plan. */
export function previewRequests({
  plan_codes,
  usage: _,
  external_subscription_id: __,
  // The interface requires a customer: an empty one is no one (§12.1).
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

/** What a user calls a plan is often almost its code. */
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
  const { recurringOf } = await import('./records/charges-by-event.ts');
  return recurringOf(api, metrics);
}

function previewsOf(codes: readonly string[], answers: readonly PreviewAnswer[]) {
  return codes.flatMap(code => {
    const [whole, first = whole] = answers.filter(answer => answer.key === code);
    return whole === undefined || first === undefined ? [] : [{ code, whole, first }];
  });
}
