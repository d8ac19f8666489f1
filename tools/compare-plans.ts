/** One customer on several plans, side by side: a preview for each plan (specification, endpoint 7; service-behaviour §12). */
import * as z from 'zod';
import type { JsonRecord } from '../src/lib/json.ts';
import { explainPeriod } from '../src/present/explain.ts';
import { asRecord, asRecords, asText, code, listed, money, say, sentences } from '../src/present/summary.ts';
import { explainUnusedCoupons } from '../src/present/unused-coupons.ts';
import { briefly, brieflyListed, texts } from '../src/tool/args.ts';
import { defineTool, type FannedAnswer } from '../src/tool/define.ts';
import { previewInvoice } from './invoices.ts';

const { customer, subscription_at, billing_time, coupons, billing_entity_code } = previewInvoice.input.shape;
const description = 'As in preview_invoice';

/** Amounts of a preview that a comparison shows, in minor units of the plan's currency. */
const amounts = [
  'fees_amount_cents',
  'coupons_amount_cents',
  'sub_total_excluding_taxes_amount_cents',
  'taxes_amount_cents',
  'sub_total_including_taxes_amount_cents',
  'credit_notes_amount_cents',
  'prepaid_credit_amount_cents',
  'total_amount_cents',
] as const;

export const comparePlans = defineTool({
  name: 'compare_plans',
  title: 'Compare plans',
  toolset: 'plans',
  effect: 'compute',
  endpoint: 'POST /invoices/preview',
  description:
    'Previews the first invoice of a new subscription to each of 2 to 10 plans and lays them side by side; it can cover part of a period, so that the order may differ for a whole one. Differences are to the first plan, with tax, before credits. Usage is not included. Stores nothing.',
  input: z.strictObject({
    plan_codes: texts
      .refine(codes => codes.length >= 2, { error: 'needs 2 to 10 plan codes; for one plan use preview_invoice' })
      .refine(codes => codes.length <= 10, { error: 'takes at most 10 plan codes; compare the rest in another call' })
      .refine(codes => new Set(codes).size === codes.length, { error: 'names a plan twice' }),
    customer: briefly(customer.unwrap(), description).optional(),
    subscription_at,
    billing_time,
    coupons: brieflyListed(coupons.unwrap().element, description).optional(),
    billing_entity_code,
  }),
  request: ({ plan_codes, ...body }) => ({ body: { ...body, plan_code: plan_codes[0] } }),
  fanOut: {
    requests: ({ plan_codes, ...body }) =>
      plan_codes.map(plan_code => ({ key: plan_code, request: { body: { ...body, plan_code } } })),
    combine: (args, answers) => compare(asRecord(args.customer), args.coupons, answers),
  },
  result: 'comparison',
  list: true,
  summary: record => describeComparison(asRecord(record)),
});

function compare(customer: JsonRecord, coupons: unknown, answers: readonly FannedAnswer[]): JsonRecord {
  const rows = answers.map(answer => row(answer, coupons));
  const computed = rows.filter(plan => isCents(withTax(plan)));
  const baseline = asRecord(rows[0]);
  for (const plan of computed) {
    // No difference between amounts in two currencies.
    if (plan.currency === baseline.currency && isCents(withTax(baseline))) {
      plan.difference_cents = withTax(plan) - withTax(baseline);
    }
  }
  // Amounts in two currencies, or for different days, cannot be ranked.
  const first = asRecord(computed[0]);
  const comparable =
    computed.length > 1 && computed.every(plan => plan.currency === first.currency && plan.covers === first.covers);
  const cheapest = asRecord([...computed].sort((a, b) => withTax(a) - withTax(b))[0]);
  return {
    ...(customer.external_id !== undefined && { customer: customer.external_id }),
    baseline_plan_code: baseline.plan_code,
    ...(comparable && { cheapest_plan_code: cheapest.plan_code }),
    comparison: rows,
  };
}

function row(answer: FannedAnswer, coupons: unknown): JsonRecord {
  if (!('body' in answer)) return { plan_code: answer.key, error: answer.error };
  const whole = asRecord(answer.body);
  const invoice = asRecord(whole.invoice ?? whole);
  const { currency, issuing_date, payment_due_date } = invoice;
  const covers = explainPeriod(invoice, planFees(invoice))?.replace(/^Period /, '');
  const figures = Object.fromEntries(amounts.filter(name => isCents(invoice[name])).map(name => [name, invoice[name]]));
  const unused = explainUnusedCoupons(invoice, coupons, answer.notice);
  return {
    plan_code: answer.key,
    currency,
    ...(covers && { covers }),
    issuing_date,
    payment_due_date,
    ...figures,
    ...(unused && { coupons_not_applied: unused }),
  };
}

/** The fees for the plan's own price, which give the days covered; usage may cover others. */
function planFees(invoice: JsonRecord): JsonRecord[] {
  return asRecords(invoice.fees).filter(fee => asRecord(fee.item).type === 'subscription');
}

function withTax(plan: JsonRecord): number {
  return plan.sub_total_including_taxes_amount_cents as number;
}

function isCents(value: unknown): value is number {
  return Number.isSafeInteger(value);
}

function describeComparison(record: JsonRecord): string {
  const plans = asRecords(record.comparison);
  const computed = plans.filter(plan => plan.error === undefined);
  const failed = plans.filter(plan => plan.error !== undefined);
  const baseline = code(record.baseline_plan_code);
  return sentences(
    describeBasis(computed, code(record.customer)),
    failed.length > 0 &&
      `Could not be computed: ${listed(failed.map(plan => `${code(plan.plan_code) ?? 'a plan'}${say` (${code(asRecord(plan.error).code)})` ?? ''}`))}`,
    say`Plan ${code(record.cheapest_plan_code)} costs least by its first invoice`,
    ...computed.map(plan => describePlan(plan, baseline)),
    'Usage comes on top; nothing was stored',
  );
}

/** First invoices often cover a part of a month or year, from the start day: they must not be taken for prices. */
function describeBasis(computed: readonly JsonRecord[], customer: string | null): string {
  const spans = [...new Set(computed.map(plan => asText(plan.covers)))];
  const days =
    spans.length === 1
      ? spans[0]
      : listed(computed.map(plan => `${code(plan.plan_code) ?? 'a plan'}: ${asText(plan.covers) ?? 'no plan price'}`));
  return `Compared are first invoices alone${say` for customer ${customer}` ?? ''}${say` (${days ?? null})` ?? ''}, which may cover part of a period: over a whole one the order of the plans can be another`;
}

function describePlan(plan: JsonRecord, baseline: string | null): string {
  const name = code(plan.plan_code);
  const difference = Number(plan.difference_cents ?? 0);
  const amount = money(Math.abs(difference), plan.currency);
  const compared =
    difference === 0 || name === baseline
      ? null
      : say`, ${amount} ${difference > 0 ? 'more' : 'less'} than ${baseline ?? 'the first'}`;
  const toPay =
    plan.total_amount_cents === plan.sub_total_including_taxes_amount_cents
      ? null
      : say`, ${money(plan.total_amount_cents, plan.currency)} to pay after credits`;
  return `Plan ${name ?? 'without a code'}: ${money(plan.sub_total_including_taxes_amount_cents, plan.currency) ?? 'unknown'} with tax${compared ?? ''}${toPay ?? ''}${say`; ${asText(plan.coupons_not_applied)}` ?? ''}`;
}
