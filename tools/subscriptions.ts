/** A customer's subscription to a plan (specification, endpoint 2; service-behaviour §3.2). */

import * as z from 'zod';
import { activationRuleTypes, terminationCreditNotes, terminationInvoices } from '../src/contract/enums.ts';
import { setsOnlyUnits } from '../src/contract/plan-overrides.ts';
import type { Plan, Subscription } from '../src/contract/shown.ts';
import { subscription as subscriptionResource } from '../src/contract/subscription.ts';
import { customSection, hours, paymentMethod, subscriptionId } from '../src/definition/args.ts';
import { fieldNotes } from '../src/definition/argument-fields.ts';
import { defineWrite, type SummaryContext, type Warning } from '../src/definition/define.ts';
import { argumentsOf, labelsOf } from '../src/definition/field-arguments.ts';
import { isGiven } from '../src/lib/json.ts';
import { type ChangeOptions, changesOf, codeInWords, updateQuestion } from '../src/words/changes.ts';
import { wordsOf } from '../src/words/code-words.ts';
import {
  catalogueNoteOf,
  describePrices,
  describeSubscription,
  hasOwnPlan,
  isOnCataloguePlan,
} from '../src/words/subscription.ts';
import { code, day, listed, money, opt, phrase, quoted, say, sentences } from '../src/words/summary.ts';
import { paymentMethodWords, sectionWords } from '../src/words/wallet-words.ts';
import { momentIn, zoneOf } from '../src/words/zoned-times.ts';
import { ownThresholdList, planOverrides, taxesIn, withUnitsAsNumbers } from './plan-overrides/arguments.ts';
import { overrideChanges, thresholdsInWords } from './plan-overrides/changes.ts';
import {
  lostBetween,
  notCopied,
  overrideLosses,
  overrideNotes,
  planParts,
  sharedPlan,
  shownOverrides,
  stayNotes,
} from './plan-overrides/notes.ts';
import { overridesToSend } from './plan-overrides/plan.ts';
import { refusedOverrides } from './plan-overrides/refusals.ts';
import { withoutBlankNumber } from './records/one-record.ts';
import { readSubscription, type SubscriptionAsRead } from './records/written-record.ts';
import { type AroundUpdate, invoiceChange, readRunningInvoice } from './running-invoice.ts';
import { revertOfUpdate } from './subscription-revert.ts';
import {
  changedTerms,
  dayInUtc,
  endWarnings,
  isOfPlan,
  ownThresholds,
  refusedTerms,
  rulesInWords,
  shownThresholds,
  startWarnings,
  termWarnings,
} from './subscription-terms.ts';

const selectors = ['external_id', 'status'];

/** The end is listed before the start, and the entity after both. */
const { billing_entity_code, subscription_at, ...plainArguments } = argumentsOf(subscriptionResource);

const input = z.strictObject({
  external_id: subscriptionId,
  status: z
    .enum(['active', 'pending'])
    .describe('Which one to update if several share the ID; default active')
    .optional()
    .register(fieldNotes, { changes: false }),
  ...plainArguments,
  subscription_at,
  billing_entity_code,
  usage_thresholds: ownThresholdList.optional(),
  activation_rules: z
    .array(z.strictObject({ type: z.enum(activationRuleTypes), timeout_hours: hours.optional() }))
    .describe('What must happen before it starts; pending subscriptions only')
    .optional(),
  plan_overrides: planOverrides.describe('Prices and terms of this subscription only').optional(),
  on_termination_credit_note: z
    .enum(terminationCreditNotes)
    .nullable()
    .describe('Unused prepaid time at the end; pay-in-advance plans only; null acts as credit')
    .optional(),
  on_termination_invoice: z.enum(terminationInvoices).describe('Final invoice at the end').optional(),
  payment_method: paymentMethod.optional(),
  invoice_custom_section: customSection.optional(),
});
type UpdateArguments = z.output<typeof input>;
type UpdateContext = SummaryContext<AroundUpdate, SubscriptionAsRead, UpdateArguments>;

export const updateSubscription = defineWrite({
  name: 'update_subscription',
  title: 'Update a subscription',
  toolset: 'subscriptions',
  effect: 'write',
  endpoint: 'PUT /subscriptions/{external_id}',
  description:
    'Updates a subscription: name, start, end, termination settings, or prices of this subscription only (plan_overrides). Returns a receipt. Cannot move it to another plan. Preview price changes first with preview_invoice. The first override drops taxes, metadata and the minimum commitment unless you send them. In later overrides, a charges list deletes the charges it leaves out.',
  input,
  result: 'subscription',
  brief: `
    external_id external_customer_id name status plan_code plan_amount_cents plan_amount_currency subscription_at
    ending_at
  `,
  more: `
    billing_time current_billing_period_started_at current_billing_period_ending_at trial_ended_at terminated_at
    canceled_at cancellation_reason previous_plan_code next_plan_code downgrade_plan_date activated_at activation_rules
    on_termination_credit_note on_termination_invoice billing_entity_code consolidate_invoice payment_method
    purchase_order_number progressive_billing_disabled plan applicable_usage_thresholds applied_invoice_custom_sections
  `,
  say: (subscription, context: UpdateContext) => {
    const { ending_at, plan_overrides } = context.args;
    return sentences(
      changesInWords(subscription, context),
      // A new end is said with the change.
      describeSubscription(
        ending_at === undefined ? subscription : { ...subscription, ending_at: null },
        context.now,
        zoneOf(context.before ?? null),
      ),
      plan_overrides !== undefined && invoiceChange(context.beside),
      plan_overrides !== undefined && describePrices(subscription, plan_overrides, context.before?.plan ?? {}),
    );
  },
  change: {
    look: [
      'get_subscription',
      ({ external_id, status, plan_overrides }, api) =>
        readSubscription(api, external_id, status, plan_overrides !== undefined),
      ({ plan_overrides }) => (plan_overrides === undefined ? null : readRunningInvoice),
    ],
    request: ({ external_id, status, ...fields }, known) => ({
      path: { external_id },
      ...(status === undefined ? {} : { query: { status } }),
      body: { subscription: subscriptionToSend(fields, known), ...(status === undefined ? {} : { status }) },
    }),
    prompt: question,
    warnings: (args, known, now = new Date()) => [
      ...(args.plan_overrides !== undefined && known !== null && isOnCataloguePlan(known)
        ? [`${catalogueNoteOf([known])}: a price set here may be only a part of its price.`]
        : []),
      ...(args.plan_overrides === undefined
        ? []
        : [...overrideNotes(args.plan_overrides, known?.plan ?? {}), ...stayNotes(args.plan_overrides, known)]),
      ...startWarnings(args.subscription_at, known, now),
      ...endWarnings(args, known),
      ...(isGiven(args.billing_entity_code) ? ['The billing entity takes effect from the next invoice.'] : []),
      ...termWarnings(args, known, currencyOf(args.plan_overrides, known)),
      ...unsaid(args, known),
    ],
    // §3.2: as far as the subscription and its plan show.
    refuses: (args, known, now) => {
      const { ending_at, subscription_at, plan_overrides } = args;
      const refusal = refusedTerms(args, known);
      if (refusal !== null) return refusal;
      const end = dayInUtc(ending_at);
      const start = dayInUtc(
        known?.status === 'pending' ? (subscription_at ?? known.subscription_at) : known?.subscription_at,
      );
      const today = now.toISOString().slice(0, 10);
      if (end !== null && end <= today)
        return { argument: 'ending_at', message: `must be after today, ${day(today)} (UTC)` };
      if (end !== null && start !== null && end <= start)
        return { argument: 'ending_at', message: `must be after the start, ${day(start)} (UTC)` };
      return plan_overrides === undefined ? null : refusedOverrides(plan_overrides, known?.plan ?? {});
    },
    names: ({ plan_overrides, billing_entity_code: code }) => ({
      taxes: plan_overrides === undefined ? [] : taxesIn(plan_overrides),
      billing_entities: isGiven(code) ? [{ argument: 'billing_entity_code', code }] : [],
    }),
    revert: revertOfUpdate,
    shown: (field, record, requested) => {
      if (field === 'usage_thresholds') return shownThresholds(record, requested);
      return field === 'plan_overrides' ? shownOverrides(record, requested) : undefined;
    },
  },
});

/** What the question does not say: a better argument, and what is lost although none names it. */
function unsaid({ plan_overrides, usage_thresholds }: UpdateArguments, known: SubscriptionAsRead | null): Warning[] {
  const drops = [
    // Its own may be the same as those of its plan.
    ...(usage_thresholds !== undefined && known !== null && isOfPlan(known)
      ? ['usage thresholds that may be its own']
      : []),
    ...(plan_overrides === undefined || known === null
      ? []
      : [...sharedPlan(plan_overrides, known.plan ?? {}), ...overrideLosses(plan_overrides, known.plan ?? {})]),
  ];
  return plan_overrides?.usage_thresholds === undefined ? [{ drops }] : [{ drops }, { advice: oldThresholds }];
}

const oldThresholds =
  'plan_overrides.usage_thresholds is deprecated: usage_thresholds sets them without copying the plan.';

/** What the service takes whole comes from the record. */
function subscriptionToSend(fields: Omit<UpdateArguments, 'external_id' | 'status'>, known?: SubscriptionAsRead) {
  const sent = withoutBlankNumber(fields);
  if (sent.plan_overrides === undefined) return sent;
  const overrides = withUnitsAsNumbers(sent.plan_overrides);
  return { ...sent, plan_overrides: known === undefined ? overrides : overridesToSend(overrides, known.plan ?? {}) };
}

/** A subscription with its own plan keeps that plan's currency, whatever an override names (§3.2). */
function currencyOf(overrides: Pick<Plan, 'amount_currency'> | undefined, known: SubscriptionAsRead | null): unknown {
  const plan = known?.plan ?? {};
  const present = known?.plan_amount_currency ?? plan.amount_currency;
  const keeps = isGiven(plan.parent_id) && present !== undefined;
  return keeps ? present : (overrides?.amount_currency ?? present);
}

const labels = {
  ...labelsOf(subscriptionResource),
  plan_overrides: 'prices',
  usage_thresholds: 'usage thresholds',
  activation_rules: 'start condition',
  payment_method: 'payment',
  on_termination_credit_note: 'credit note at its end',
  on_termination_invoice: 'invoice at its end',
  invoice_custom_section: 'sections of its invoices',
};

/** `Change the end of subscription “Main” of “Acme” from 1 Dec 2026 to none?`; prices have a line each. */
function question(args: UpdateArguments, known: SubscriptionAsRead | null): string {
  const status = known?.status ?? args.status ?? null;
  const which = status === null || (status === 'active' && known !== null) ? 'subscription' : `${status} subscription`;
  const overrides = args.plan_overrides ?? null;
  const prices = currencyOf(overrides ?? undefined, known);
  if (known === null)
    return updateQuestion(
      phrase`${which} ${code(args.external_id)}`,
      changesOf(args, known, {
        selectors,
        labels,
        currency: prices,
        words: { ...plainWords, activation_rules: rulesInWords, usage_thresholds: thresholdWords(prices) },
      }),
    );
  const plan = known.plan ?? {};
  const isRead = overrides !== null && hasOwnPlan(plan) !== null;
  const fields = isRead ? { ...args, plan_overrides: undefined } : args;
  const words = { ...wordsIn(zoneOf(known)), usage_thresholds: thresholdWords(prices) };
  // As a request sends it, where the record shows it in another form.
  const shown = (field: string, record: Subscription) =>
    field === 'usage_thresholds' ? ownThresholds(record) : undefined;
  const options = { selectors, labels, currency: prices, words, shown };
  const customer = quoted(known.customer?.name);
  const subject = `${which} ${quoted(known.name) ?? codeInWords(args.external_id)}${opt` of ${customer}`}`;
  const priced = isRead ? overrideChanges(overrides, plan, prices) : [];
  return updateQuestion(subject, changesOf(fields, known, options), ...priced);
}

const thresholdWords = (currency: unknown) => (value: unknown) =>
  thresholdsInWords(value as Plan['usage_thresholds'], currency) ?? 'none';

const plainWords: Record<string, (value: unknown) => string> = {
  purchase_order_number: value => quoted(value) ?? 'none',
  progressive_billing_disabled: value => (value === true ? 'off' : 'on'),
  consolidate_invoice: value => (value === false ? 'no' : 'yes'),
};

function wordsIn(zone: string | null): NonNullable<ChangeOptions['words']> {
  const momentInWords = (value: unknown) => momentIn(value, zone) ?? 'none';
  return {
    ...plainWords,
    ending_at: momentInWords,
    subscription_at: momentInWords,
    activation_rules: rulesInWords,
    payment_method: paymentMethodWords,
    invoice_custom_section: sectionWords,
    on_termination_credit_note: (value: Subscription['on_termination_credit_note']) =>
      wordsOf('creditNoteAtEnd', value) ?? 'not set, which acts as credit',
    on_termination_invoice: (value: Subscription['on_termination_invoice']) => wordsOf('invoiceAtEnd', value) ?? 'none',
  };
}

/** `Changed: its name is “Main”; it ends at …`: what the answer shows, against the record before it. */
function changesInWords(record: Subscription, { args, before }: UpdateContext): string | null {
  const zone = zoneOf(before ?? null);
  // Without a record before, an answer that shows nothing of a value that was sent shows no change.
  const isSet = (field: keyof Subscription, argument = field as keyof UpdateArguments): boolean =>
    args[argument] !== undefined &&
    record[field] !== undefined &&
    (before === undefined
      ? record[field] !== null || args[argument] === null
      : JSON.stringify(before[field]) !== JSON.stringify(record[field]));
  const overrides = args.plan_overrides ?? null;
  const was = opt` (was ${money(before?.plan_amount_cents, before?.plan_amount_currency)})`;
  const lost = overrides !== null && before ? lostBetween(before.plan ?? {}, record.plan ?? {}) : [];
  const parts = [
    isSet('name') && `its name is ${quoted(record.name) ?? 'empty'}`,
    isSet('ending_at') && (say`it ends on ${momentIn(record.ending_at, zone)}` ?? 'it has no end'),
    isSet('subscription_at') && say`it starts on ${momentIn(record.subscription_at, zone)}`,
    args.subscription_at !== undefined &&
      before?.status === 'pending' &&
      say`it is ${wordsOf('subscription', record.status)} now`,
    overrides !== null &&
      isSet('plan_amount_cents', 'plan_overrides') &&
      say`the plan price is ${money(record.plan_amount_cents, record.plan_amount_currency)}${was}`,
    overrides !== null && setsOnlyUnits(overrides) && 'quantities of its fixed charges',
    overrides !== null && !setsOnlyUnits(overrides) && planParts(overrides, record, before),
    ...changedTerms(args, record, field => isSet(field)),
    isSet('on_termination_credit_note') &&
      say`credit note at its end: ${wordsOf('creditNoteAtEnd', record.on_termination_credit_note)}`,
    isSet('on_termination_invoice') &&
      say`invoice at its end: ${wordsOf('invoiceAtEnd', record.on_termination_invoice)}`,
    args.payment_method !== undefined && 'how it is paid',
    args.invoice_custom_section !== undefined && 'the sections of its invoices',
  ].filter(part => typeof part === 'string');
  return sentences(
    overrides !== null && before !== undefined && notCopied(before.plan ?? {}, record.plan ?? {}),
    parts.length > 0 && `Changed: ${parts.join('; ')}`,
    lost.length > 0 && `Lost: ${listed(lost, lost.length)}`,
  );
}
