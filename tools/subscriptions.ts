/** A customer's subscription to a plan (specification, endpoint 2; service-behaviour §3.2). */
import * as z from 'zod';
import type { JsonRecord } from '../src/lib/json.ts';
import { chargeName, priceLine } from '../src/present/price.ts';
import {
  asRecord,
  asRecords,
  asText,
  asTexts,
  code,
  day,
  instant,
  listed,
  money,
  named,
  say,
  sentences,
} from '../src/present/summary.ts';
import { changesOf, subjectOf, updateQuestion } from '../src/present/words.ts';
import {
  briefly,
  brieflyListed,
  cents,
  clearableText,
  currency,
  customSection,
  dateTime,
  flag,
  pathText,
  paymentMethod,
  properties,
  text,
  texts,
} from '../src/tool/args.ts';
import { defineTool, type Known } from '../src/tool/define.ts';

const selectors = ['external_id', 'status'];

const threshold = z.strictObject({
  amount_cents: cents,
  threshold_display_name: text.optional(),
  recurring: flag.optional(),
});

const chargeOverride = z.strictObject({
  id: text.optional(),
  billable_metric_id: text.optional(),
  code: text.optional(),
  charge_model: text.optional(),
  min_amount_cents: cents.optional(),
  invoice_display_name: text.optional(),
  properties: properties.optional(),
  filters: brieflyListed(
    z.strictObject({
      invoice_display_name: text.optional(),
      properties: properties.optional(),
      values: z.record(z.string(), texts).optional(),
    }),
  ).optional(),
  tax_codes: texts.optional(),
});

const fixedChargeOverride = z.strictObject({
  id: text.optional(),
  units: z
    .union([z.number(), z.string()])
    .meta({ listed: { type: 'number' } })
    .optional(),
  invoice_display_name: text.optional(),
  apply_units_immediately: flag.optional(),
  properties: properties.optional(),
  tax_codes: texts.optional(),
});

const planOverrides = z.strictObject({
  amount_cents: cents.optional(),
  amount_currency: currency.optional(),
  name: text.optional(),
  invoice_display_name: text.optional(),
  description: text.optional(),
  trial_period: z.number().describe('Days').optional(),
  tax_codes: texts.optional(),
  minimum_commitment: briefly(
    z.strictObject({
      amount_cents: cents.optional(),
      invoice_display_name: text.optional(),
      tax_codes: texts.optional(),
    }),
  ).optional(),
  charges: brieflyListed(
    chargeOverride,
    '{id (svc_id of the charge in its present plan), properties (replaces the price settings, amounts as decimal strings), min_amount_cents, tax_codes, invoice_display_name, filters [{values: {key: [value]}, properties, invoice_display_name}], billable_metric_id, code, charge_model}',
  ).optional(),
  fixed_charges: brieflyListed(fixedChargeOverride).optional(),
  usage_thresholds: brieflyListed(threshold).optional(),
});

export const updateSubscription = defineTool({
  name: 'update_subscription',
  title: 'Update a subscription',
  toolset: 'subscriptions',
  effect: 'write',
  endpoint: 'PUT /subscriptions/{external_id}',
  description:
    'Changes a subscription: name, start, end, termination settings, or prices of this subscription alone (plan_overrides). Cannot move it to another plan. Preview price changes first. The first override drops plan and charge taxes and the minimum commitment unless sent; on later ones charges not listed are deleted: send the full charge list with tax_codes.',
  input: z.strictObject({
    external_id: pathText().describe('Your own id of the subscription'),
    status: z.enum(['active', 'pending']).describe('Which one, if several share the id; default active').optional(),
    name: clearableText.optional(),
    ending_at: dateTime().nullable().describe('Ends it then; after today').optional(),
    subscription_at: dateTime().describe('Start; pending ones only. Today or past activates it').optional(),
    plan_overrides: planOverrides.optional(),
    on_termination_credit_note: text.describe('credit, skip, refund or offset; pay-in-advance plans only').optional(),
    on_termination_invoice: text.describe('generate or skip').optional(),
    payment_method: paymentMethod.optional(),
    invoice_custom_section: customSection.optional(),
  }),
  selectors,
  request: ({ external_id, status, ...fields }) => ({
    path: { external_id },
    ...(status === undefined ? {} : { query: { status } }),
    body: status === undefined ? { subscription: fields } : { subscription: fields, status },
  }),
  result: 'subscription',
  brief: `
    external_id external_customer_id name status plan_code plan_amount_cents plan_amount_currency subscription_at
    ending_at
  `,
  more: `
    billing_time current_billing_period_started_at current_billing_period_ending_at trial_ended_at terminated_at
    canceled_at cancellation_reason previous_plan_code next_plan_code downgrade_plan_date activation_rules
    on_termination_credit_note on_termination_invoice consolidate_invoice payment_method purchase_order_number plan
    applicable_usage_thresholds applied_invoice_custom_sections
  `,
  detail: true,
  summary: (record, { args, now }) =>
    sentences(
      describeSubscription(asRecord(record), now),
      args.plan_overrides !== undefined && describePrices(asRecord(record), asRecord(args.plan_overrides)),
    ),
  target: ({ external_id }) => ({ resource: 'subscription', id: external_id }),
  question: (args, known) => {
    const which = args.status === undefined ? 'subscription' : `${args.status} subscription`;
    const labels = { ending_at: 'end', subscription_at: 'start', plan_overrides: 'plan overrides' };
    const prices = currencyOf(args.plan_overrides, known);
    return updateQuestion(
      subjectOf(which, known, args.external_id),
      changesOf(args, known, { selectors, labels, currency: prices }),
    );
  },
  warnings: (args, known) => [
    ...(args.plan_overrides === undefined ? [] : overrideWarnings(args.plan_overrides, known)),
    ...startWarnings(args.subscription_at, known),
    ...endWarnings(args.ending_at, known),
  ],
  shown,
});

/** A subscription with its own plan keeps that plan's currency, whatever an override names (§3.2). */
function currencyOf(overrides: JsonRecord | undefined, known: Known): unknown {
  const plan = asRecord(known?.plan);
  const present = asText(known?.plan_amount_currency) ?? plan.amount_currency;
  const keeps = asText(plan.parent_id) !== null && present !== undefined;
  return keeps ? present : (overrides?.amount_currency ?? present);
}

/** §3.2: what a first and a later override lose silently. Only a plan that was read earlier shows which one this is. */
function overrideWarnings(overrides: JsonRecord, known: Known): string[] {
  if (Object.keys(overrides).every(key => key === 'fixed_charges') && onlyUnits(overrides.fixed_charges)) return [];
  const plan = asRecord(known?.plan);
  const later = asText(plan.parent_id) !== null;
  const first = known !== null && 'parent_id' in plan && !later;
  const warnings: string[] = [];
  if (!later) {
    const lost = ['tax_codes', 'minimum_commitment'].filter(key => !(key in overrides));
    if (lost.length > 0)
      warnings.push(
        `${first ? 'This is the first override' : 'If this is the first override'}: without ${lost.join(' and ')} the subscription's own plan has no ${lost.map(key => (key === 'tax_codes' ? 'plan taxes' : 'minimum commitment')).join(' and no ')}.`,
      );
    if (!first || asRecords(plan.charges).length > 0)
      warnings.push(
        'Taxes set on charges are dropped by a first override unless each charge is sent with its tax_codes.',
      );
  }
  if (!first) warnings.push(laterWarning(overrides, plan, later));
  return warnings;
}

function laterWarning(overrides: JsonRecord, plan: JsonRecord, later: boolean): string {
  const sent = new Set(asRecords(overrides.charges).map(charge => charge.id));
  const missing = asRecords(plan.charges).filter(charge => !sent.has(charge.svc_id));
  const names = missing
    .map(charge => code(charge.billable_metric_code) ?? code(charge.svc_id))
    .filter(name => name !== null);
  const which = later && names.length > 0 ? ` Not listed: ${names.slice(0, 10).join(', ')}.` : '';
  const ignored = ['amount_currency', 'trial_period'].filter(key => key in overrides);
  return `${later ? 'The subscription already has its own plan' : 'If it already has an override'}: charges that are not listed are deleted, entries without a known id are added.${which}${ignored.length > 0 ? ` ${ignored.join(' and ')} would be ignored.` : ''}`;
}

function onlyUnits(fixedCharges: unknown): boolean {
  return asRecords(fixedCharges).every(charge => Object.keys(charge).every(key => key === 'id' || key === 'units'));
}

/** §3.2: an end must be after today. A subscription that has ended cannot end again. */
function endWarnings(end: string | null | undefined, known: Known): string[] {
  if (!end) return [];
  const status = asText(known?.status);
  if (isOver(status)) return [`The subscription is ${status} already: an end changes nothing that is billed.`];
  if (Date.parse(end) < tomorrow()) return ['An end must be after today (UTC): the service refuses an earlier one.'];
  return [`The subscription ends at ${instant(end)}; nothing is billed after it.`];
}

function isOver(status: string | null): boolean {
  return status === 'terminated' || status === 'canceled';
}

/** §3.2: a start of today or earlier activates a pending subscription; for any other it is ignored. */
function startWarnings(start: string | undefined, known: Known): string[] {
  if (start === undefined) return [];
  const status = asText(known?.status);
  if (status !== null && status !== 'pending') return [`The subscription is ${status}: a new start is ignored.`];
  if (Date.parse(start) >= tomorrow() + 12 * 3600_000)
    return ['A new start is applied to a pending subscription only.'];
  return [`A start of ${instant(start)} is today or past: it activates the subscription at once, and billing begins.`];
}

/** The first millisecond after today, in UTC. */
function tomorrow(): number {
  return new Date().setUTCHours(24, 0, 0, 0);
}

function shown(field: string, record: JsonRecord): unknown {
  if (field !== 'plan_overrides') return record[field];
  const plan = asRecord(record.plan);
  if (Object.keys(plan).length === 0) {
    const { plan_amount_cents: amount_cents, plan_amount_currency: amount_currency } = record;
    return amount_cents === undefined ? undefined : { amount_cents, amount_currency };
  }
  const taxes = Array.isArray(plan.taxes) ? asTexts(asRecords(plan.taxes).map(tax => tax.code)) : undefined;
  const { amount_cents, amount_currency, name, invoice_display_name, description, trial_period } = plan;
  const { charges, fixed_charges, minimum_commitment, usage_thresholds } = plan;
  return {
    ...{ amount_cents, amount_currency, name, invoice_display_name, description, trial_period, tax_codes: taxes },
    ...{ charges, fixed_charges, minimum_commitment, usage_thresholds },
  };
}

const MAX_PRICES = 3;
const MAX_CHARGES = 6;

/** What its plan charges now, at most six prices; null where the plan was not sent or has no charges. */
export function describePlanPrices({ plan: own }: JsonRecord): string | null {
  const plan = asRecord(own);
  const prices = [...asRecords(plan.fixed_charges), ...asRecords(plan.charges)].map(
    charge => say`${chargeName(charge)} ${priceLine(charge, plan.amount_currency)}`,
  );
  const told = prices.filter(price => price !== null);
  const rest = told.length - MAX_CHARGES;
  return told.length === 0
    ? null
    : `Its prices now: ${told.slice(0, MAX_CHARGES).join('; ')}${rest > 0 ? `; and ${rest} more` : ''}`;
}

/** After an override: the prices that it set, as the subscription's own plan has them, and what else this plan charges. */
function describePrices({ plan: own }: JsonRecord, overrides: JsonRecord): string | null {
  const plan = asRecord(own);
  const charges = [...asRecords(plan.fixed_charges), ...asRecords(plan.charges)];
  const sent = [...asRecords(overrides.fixed_charges), ...asRecords(overrides.charges)].flatMap(({ id, code }) => [
    id,
    code,
  ]);
  const ids = new Set<unknown>(sent.filter(id => id !== undefined));
  // The charges of an own plan have new ids.
  const isSent = (charge: JsonRecord) => [charge.svc_id, charge.svc_parent_id, charge.code].some(id => ids.has(id));
  const told = charges
    .filter(isSent)
    .slice(0, MAX_PRICES)
    .map(charge => ({ charge, price: say`${chargeName(charge)} ${priceLine(charge, plan.amount_currency)}` }))
    .filter(({ price }) => price !== null);
  const others = charges.filter(charge => told.every(one => one.charge !== charge)).map(chargeName);
  return sentences(
    told.length > 0 && `Its prices now: ${told.map(({ price }) => price).join('; ')}`,
    say`Its own plan ${told.length > 0 ? 'also charges' : 'charges'} ${listed(others, MAX_CHARGES)}`,
  );
}

/** Its state, plan, price, and what ends or follows. */
export function describeSubscription(subscription: JsonRecord, now: Date): string {
  const subject = named(subscription.name, subscription.external_id) ?? 'without an id';
  const status = code(subscription.status);
  const price = money(subscription.plan_amount_cents, subscription.plan_amount_currency);
  const unusual = status !== null && status !== 'active';
  const ending = asText(subscription.ending_at);
  const past = ending !== null && Date.parse(ending) < now.getTime();
  const over = isOver(status);
  return sentences(
    unusual && `Subscription ${subject} is ${status}`,
    say`It was terminated at ${instant(subscription.terminated_at)}`,
    say`It was canceled at ${instant(subscription.canceled_at)}`,
    `${unusual ? 'It' : `Subscription ${subject}`} is on plan ${code(subscription.plan_code) ?? 'unknown'}${price === null ? '' : ` at ${price}${say` ${code(asRecord(subscription.plan).interval)}` ?? ''}`}${say` for customer ${code(subscription.external_customer_id)}` ?? ''}`,
    // `ending_at` does not apply to a terminated or canceled subscription: that has already ended.
    !over && say`${past ? 'Its end was due' : 'It ends'} at ${instant(ending)}`,
    status === 'pending' && say`It starts at ${instant(subscription.subscription_at)}`,
    !over &&
      say`Plan ${code(subscription.next_plan_code)} follows${say` on ${day(subscription.downgrade_plan_date)}` ?? ''}`,
  );
}
