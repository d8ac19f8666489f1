/** A customer's subscription to a plan (specification, endpoint 2; service-behaviour §3.2). */
import * as z from 'zod';
import { terminationCreditNotes, terminationInvoices } from '../src/contract/enums.ts';
import { type AnyOverrides, setsOnlyUnits } from '../src/contract/plan-overrides.ts';
import type { Fields, Subscription } from '../src/contract/shown.ts';
import { subscription as subscriptionResource } from '../src/contract/subscription.ts';
import { customSection, pathText, paymentMethod } from '../src/tool/args.ts';
import { defineWrite, type SummaryContext } from '../src/tool/define.ts';
import { argumentsOf, labelsOf } from '../src/tool/field-arguments.ts';
import { wordsOf } from '../src/words/code-words.ts';
import { chargeName } from '../src/words/price.ts';
import { changesOf, codeInWords, subjectOf, updateQuestion } from '../src/words/questions.ts';
import { describePrices, describeSubscription, hasOwnPlan, isOver } from '../src/words/subscription.ts';
import { asRecord, asRecords, asText, code, day, listed, money, quoted, say, sentences } from '../src/words/summary.ts';
import { paymentMethodWords, sectionWords } from '../src/words/wallet-words.ts';
import { whenIn, zoneOf } from '../src/words/zoned-times.ts';
import { planParts, shownOfSubscription } from './plan-overrides/answer.ts';
import { planOverrides, taxesIn, withUnitsAsNumbers } from './plan-overrides/arguments.ts';
import { overrideChanges } from './plan-overrides/changes.ts';
import { lostBetween, overrideLosses, overrideNotes, sharedPlan } from './plan-overrides/losses.ts';
import { readSubscription, type SubscriptionAsRead } from './reads/written-record.ts';
import { revertOfUpdate } from './subscription-revert.ts';

const selectors = ['external_id', 'status'];

/** The end is listed before the start. */
const { subscription_at, ...plainArguments } = argumentsOf(subscriptionResource);

export const updateSubscription = defineWrite({
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
    ...plainArguments,
    subscription_at,
    plan_overrides: planOverrides.optional(),
    on_termination_credit_note: z.enum(terminationCreditNotes).describe('Pay-in-advance plans only').optional(),
    on_termination_invoice: z.enum(terminationInvoices).optional(),
    payment_method: paymentMethod.optional(),
    invoice_custom_section: customSection.optional(),
  }),
  request: ({ external_id, status, ...fields }) => ({
    path: { external_id },
    ...(status === undefined ? {} : { query: { status } }),
    body: { subscription: withUnitsAsNumbers(fields), ...(status === undefined ? {} : { status }) },
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
  summary: (record, context: UpdateContext) => {
    const subscription = asRecord(record);
    const { ending_at, plan_overrides } = context.args;
    return sentences(
      changesInWords(subscription, context),
      // A new end is said with the change.
      describeSubscription(
        ending_at === undefined ? subscription : { ...subscription, ending_at: null },
        context.now,
        zoneOf(context.before ?? null),
      ),
      plan_overrides !== undefined && describePrices(subscription, plan_overrides),
    );
  },
  write: {
    selectors,
    look: {
      tool: 'get_subscription',
      read: ({ external_id, status, plan_overrides }, reads) =>
        readSubscription(reads, external_id, status, plan_overrides !== undefined),
    },
    question,
    warnings: (args, known, now = new Date()) => [
      ...(args.plan_overrides === undefined ? [] : overrideNotes(args.plan_overrides, asRecord(known?.plan))),
      ...startWarnings(args.subscription_at, known, now),
      ...endWarnings(args, known),
    ],
    refuses,
    names: ({ plan_overrides }) => ({ taxes: taxesIn(plan_overrides ?? {}) }),
    drops: ({ plan_overrides }, known) =>
      plan_overrides === undefined
        ? []
        : [
            ...sharedPlan(plan_overrides, asRecord(known.plan)),
            ...overrideLosses(plan_overrides, asRecord(known.plan)),
          ],
    revert: (args, known, answer) => revertOfUpdate(args, known, answer),
    shown: shownOfSubscription,
  },
});

type UpdateArguments = Fields<
  | 'external_id'
  | 'status'
  | 'name'
  | 'ending_at'
  | 'subscription_at'
  | 'on_termination_credit_note'
  | 'on_termination_invoice'
  | 'payment_method'
  | 'invoice_custom_section'
> & {
  readonly plan_overrides?: AnyOverrides | undefined;
};
type UpdateContext = SummaryContext<object, SubscriptionAsRead, UpdateArguments>;

/** A subscription with its own plan keeps that plan's currency, whatever an override names (§3.2). */
function currencyOf(overrides: Fields<'amount_currency'> | undefined, known: SubscriptionAsRead | null): unknown {
  const plan = asRecord(known?.plan);
  const present = asText(known?.plan_amount_currency) ?? plan.amount_currency;
  const keeps = asText(plan.parent_id) !== null && present !== undefined;
  return keeps ? present : (overrides?.amount_currency ?? present);
}

const labels = {
  ...labelsOf(subscriptionResource),
  plan_overrides: 'prices',
  payment_method: 'payment',
  on_termination_credit_note: 'credit note at its end',
  on_termination_invoice: 'invoice at its end',
  invoice_custom_section: 'sections of its invoices',
};

/** `Change the end of subscription “Main” of “Acme” from 1 Dec 2026 to none?`; prices have a line each. */
function question(args: UpdateArguments, known: SubscriptionAsRead | null): string {
  const status = asText(known?.status) ?? asText(args.status);
  const which = status === null || (status === 'active' && known !== null) ? 'subscription' : `${status} subscription`;
  const overrides = args.plan_overrides ?? null;
  const prices = currencyOf(overrides ?? undefined, known);
  if (known === null)
    return updateQuestion(
      subjectOf(which, known, String(args.external_id)),
      changesOf(args, known, { selectors, labels, currency: prices }),
    );
  const plan = asRecord(known.plan);
  const isRead = overrides !== null && hasOwnPlan(plan) !== null;
  const fields = isRead ? { ...args, plan_overrides: undefined } : args;
  const options = { selectors, labels, currency: prices, words: wordsIn(zoneOf(known)) };
  const customer = quoted(asRecord(known.customer).name);
  const subject = `${which} ${quoted(known.name) ?? codeInWords(args.external_id)}${say` of ${customer}` ?? ''}`;
  const priced = isRead ? overrideChanges(overrides, plan, prices) : [];
  return updateQuestion(subject, changesOf(fields, known, options), ...priced);
}

function wordsIn(zone: string | null): Record<string, (value: unknown) => string> {
  const momentInWords = (value: unknown) => whenIn(value, zone) ?? 'none';
  return {
    ending_at: momentInWords,
    subscription_at: momentInWords,
    payment_method: paymentMethodWords,
    invoice_custom_section: sectionWords,
    on_termination_credit_note: value => wordsOf('creditNoteAtEnd', value) ?? 'none',
    on_termination_invoice: value => wordsOf('invoiceAtEnd', value) ?? 'none',
  };
}

/** §3.2: what the service would refuse, as far as the subscription and its plan show. */
function refuses(
  { ending_at, subscription_at, plan_overrides }: UpdateArguments,
  known: SubscriptionAsRead | null,
  now: Date,
): { argument: string; message: string } | null {
  if (known?.status === 'incomplete') {
    const message = 'names a subscription that waits for its first payment (incomplete): it cannot be changed before';
    return { argument: 'external_id', message };
  }
  const end = dayInUtc(ending_at);
  const start = dayInUtc(
    known?.status === 'pending' ? (subscription_at ?? known.subscription_at) : known?.subscription_at,
  );
  const today = now.toISOString().slice(0, 10);
  if (end !== null && end <= today)
    return { argument: 'ending_at', message: `must be after today, ${day(today)} (UTC)` };
  if (end !== null && start !== null && end <= start)
    return { argument: 'ending_at', message: `must be after the start, ${day(start)} (UTC)` };
  const charges = known === null ? undefined : asRecord(known.plan).fixed_charges;
  const ids = asRecords(charges).flatMap(charge => [charge.svc_id, charge.svc_parent_id]);
  const unknown = asRecords(plan_overrides?.fixed_charges).find(({ id }) => !ids.includes(id));
  if (!Array.isArray(charges) || unknown === undefined) return null;
  const choices = asRecords(charges).map(charge => `${chargeName(charge)} is ${code(charge.svc_id)}`);
  const message = `holds ${code(unknown.id) ?? 'no id'}, which is no fixed charge of its plan: ${listed(choices, 3) ?? 'it has none'}`;
  return { argument: 'plan_overrides.fixed_charges', message };
}

/** The day of a date-time in UTC; null for anything else. */
function dayInUtc(value: unknown): string | null {
  const at = typeof value === 'string' ? new Date(value) : null;
  return at === null || Number.isNaN(at.getTime()) ? null : at.toISOString().slice(0, 10);
}

/** §3.2: a subscription that has ended cannot end again; a credit note at the end needs payment in advance. */
function endWarnings(
  { ending_at: end, on_termination_credit_note: note }: UpdateArguments,
  known: SubscriptionAsRead | null,
): string[] {
  const status = asText(known?.status);
  const arrears = note !== undefined && asRecord(known?.plan).pay_in_advance === false;
  return [
    ...(end && isOver(status) ? [`The subscription is ${status} already: an end changes nothing that is billed.`] : []),
    ...(end && !isOver(status) ? ['Nothing is billed after its end.'] : []),
    ...(arrears
      ? ['Its plan is paid in arrears: there is no credit note at the end, and this setting is ignored.']
      : []),
  ];
}

/** §3.2: a start of today or earlier activates a pending subscription; for any other it is ignored. */
function startWarnings(start: unknown, known: SubscriptionAsRead | null, now: Date): string[] {
  const day = dayInUtc(start);
  if (day === null) return [];
  const status = asText(known?.status);
  if (status !== null && status !== 'pending') return [`The subscription is ${status}: a new start is ignored.`];
  const previous = code(known?.previous_plan_code);
  if (previous !== null) return [`It follows the subscription to plan ${previous}: a new start is ignored.`];
  if (day > now.toISOString().slice(0, 10))
    return status === null ? ['A new start is applied to a pending subscription only.'] : [];
  return [
    'This start is today or earlier: the subscription becomes active at once, billing begins, and it cannot be made pending again.',
  ];
}

/** `Changed: its name is “Main”; it ends at …`: what the answer shows, against the record before it. */
function changesInWords(record: Subscription, { args, before }: UpdateContext): string | null {
  const zone = zoneOf(before ?? null);
  const isSet = (field: keyof Subscription, argument = field as keyof UpdateArguments): boolean =>
    args[argument] !== undefined && (before === undefined || before[field] !== record[field]);
  const overrides = args.plan_overrides ?? null;
  const lost = overrides !== null && before ? lostBetween(asRecord(before.plan), asRecord(record.plan)) : [];
  const parts = [
    isSet('name') && `its name is ${quoted(record.name) ?? 'empty'}`,
    isSet('ending_at') && (say`it ends on ${whenIn(record.ending_at, zone)}` ?? 'it has no end'),
    isSet('subscription_at') && say`it starts on ${whenIn(record.subscription_at, zone)}`,
    args.subscription_at !== undefined &&
      before?.status === 'pending' &&
      say`it is ${wordsOf('subscription', record.status)} now`,
    overrides !== null && isSet('plan_amount_cents', 'plan_overrides') && priceNow(record, before),
    overrides !== null && setsOnlyUnits(overrides) && 'quantities of its fixed charges',
    overrides !== null && !setsOnlyUnits(overrides) && planParts(overrides, record, before),
    isSet('on_termination_credit_note') &&
      say`credit note at its end: ${wordsOf('creditNoteAtEnd', record.on_termination_credit_note)}`,
    isSet('on_termination_invoice') &&
      say`invoice at its end: ${wordsOf('invoiceAtEnd', record.on_termination_invoice)}`,
    args.payment_method !== undefined && 'how it is paid',
    args.invoice_custom_section !== undefined && 'the sections of its invoices',
  ].filter(part => typeof part === 'string');
  return sentences(
    parts.length > 0 && `Changed: ${parts.join('; ')}`,
    lost.length > 0 && `Lost: ${listed(lost, lost.length)}`,
  );
}

/** `the plan price is $89.00 (was $99.00)` */
function priceNow(record: Subscription, before: SubscriptionAsRead | undefined): string | null {
  const was = say` (was ${money(before?.plan_amount_cents, before?.plan_amount_currency)})` ?? '';
  return say`the plan price is ${money(record.plan_amount_cents, record.plan_amount_currency)}${was}`;
}
