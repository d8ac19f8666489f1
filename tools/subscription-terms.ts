/** Usage thresholds and activation rules of one subscription: what its record shows of them, and what they mean. */
import { type AnyOverrides, planOverrideFields } from '../src/contract/plan-overrides.ts';
import type { EntryIn, Plan, Subscription } from '../src/contract/shown.ts';
import type { Refusal } from '../src/definition/define.ts';
import { fieldOf, isGiven } from '../src/lib/json.ts';
import { hasOwnPlan, isOver } from '../src/words/subscription.ts';
import { code, phrase, quantity, quoted, say, sign } from '../src/words/summary.ts';
import { thresholdsInWords } from './plan-overrides/changes.ts';
import { planThresholds } from './plan-overrides/plan.ts';

type Threshold = EntryIn<Plan['usage_thresholds']>;
type Rules = Subscription['activation_rules'];

interface TermArguments extends Pick<Subscription, 'progressive_billing_disabled' | 'purchase_order_number'> {
  readonly usage_thresholds?: Plan['usage_thresholds'];
  readonly activation_rules?: Rules;
  readonly plan_overrides?: AnyOverrides | undefined;
}

/**
 * The thresholds that take effect, where they are not those of its plan. Undefined where the record does not show them, and
 * where the plan has the same: no record says whose they are (§3.2).
 */
export function ownThresholds(subscription: Subscription) {
  const { applicable_usage_thresholds: applicable, progressive_billing_disabled: off } = subscription;
  const thresholds = applicable ?? [];
  if (!Array.isArray(applicable) || (off === true && thresholds.length === 0)) return undefined;
  return thresholds.length > 0 && isOfPlan(subscription) ? undefined : thresholds;
}

/** Are the thresholds that take effect those of its plan, so that it has none of its own or the same? */
export function isOfPlan({ applicable_usage_thresholds: applicable, plan }: Subscription): boolean {
  const termsOf = ({ amount_cents, threshold_display_name: name, recurring }: Threshold) =>
    JSON.stringify([Number(amount_cents), name ?? '', recurring === true]);
  const terms = (list: Plan['usage_thresholds']) => JSON.stringify((list ?? []).map(termsOf).sort());
  return Array.isArray(applicable) && terms(applicable) === terms(planThresholds(plan ?? {}));
}

/** What a record shows of thresholds that were sent: those that take effect; of an empty list, that none are its own. */
export function shownThresholds(subscription: Subscription, sent: unknown): unknown {
  if (!isOfPlan(subscription)) return ownThresholds(subscription);
  return ((sent as Plan['usage_thresholds']) ?? []).length === 0 ? [] : subscription.applicable_usage_thresholds;
}

/** As an update sends them. */
export function thresholdsToSend(subscription: Subscription): object[] | undefined {
  const thresholds = ownThresholds(subscription) ?? (isOfPlan(subscription) ? [] : undefined);
  return thresholds?.map(threshold => filled(threshold, Object.keys(planOverrideFields.usage_thresholds[0])));
}

/** As an update sends them; undefined where the record does not show them. */
export function rulesToSend({ activation_rules: rules }: Subscription): object[] | undefined {
  return Array.isArray(rules) ? rules.map(rule => filled(rule, ['type', 'timeout_hours'])) : undefined;
}

function filled(record: object, fields: readonly string[]): object {
  const entries = fields.map(field => [field, fieldOf(record, field)] as const);
  return Object.fromEntries(entries.filter(([, value]) => isGiven(value)));
}

/** `its first payment, at most 48 hours`: what it waits for at its start. */
export function rulesInWords(rules: unknown): string {
  const [rule] = (rules as Rules) ?? [];
  if (rule === undefined) return 'none';
  return isGiven(rule.timeout_hours) ? `its first payment, at most ${hoursOf(rule)}` : 'its first payment';
}

function hoursOf({ timeout_hours: hours }: EntryIn<Rules>): string {
  return Number(hours) === 1 ? '1 hour' : `${quantity(hours) ?? 'an unknown number of'} hours`;
}

/** What the service would refuse of these arguments (§3.2). */
export function refusedTerms(args: TermArguments, known: Subscription | null): Refusal | null {
  const status = known?.status ?? null;
  const { usage_thresholds, activation_rules, purchase_order_number: number, plan_overrides } = args;
  if (status === 'incomplete') {
    const message =
      'names a subscription that is waiting for its first payment (incomplete) and cannot be changed until then';
    return { argument: 'external_id', message };
  }
  if (usage_thresholds !== undefined && plan_overrides?.usage_thresholds !== undefined) {
    const message =
      'cannot be sent together with plan_overrides.usage_thresholds, which is deprecated: send only usage_thresholds';
    return { argument: 'usage_thresholds', message };
  }
  if (activation_rules !== undefined && status !== null && status !== 'pending') {
    const message = `can be set only before a subscription starts, and this one is ${status}: omit them`;
    return { argument: 'activation_rules', message };
  }
  if (number !== undefined && isOver(status) && (number || null) !== (known?.purchase_order_number ?? null)) {
    const message = `can no longer change, because the subscription is ${status}: omit it`;
    return { argument: 'purchase_order_number', message };
  }
  return null;
}

/** What the answer shows of these arguments, for the list after `Changed:`. */
export function changedTerms(
  args: TermArguments,
  record: Subscription,
  isSet: (
    field: 'billing_entity_code' | 'consolidate_invoice' | 'purchase_order_number' | 'activation_rules',
  ) => boolean,
): (string | null | false)[] {
  const rules = record.activation_rules ?? [];
  const { progressive_billing_disabled: off } = record;
  return [
    isSet('purchase_order_number') &&
      (say`its order number is ${quoted(record.purchase_order_number)}` ?? 'it has no order number'),
    isSet('billing_entity_code') &&
      say`billing entity ${code(record.billing_entity_code)} bills it, from the next invoice`,
    isSet('consolidate_invoice') &&
      (record.consolidate_invoice === false
        ? 'it is always billed on a separate invoice'
        : 'it is billed together with other subscriptions'),
    args.progressive_billing_disabled !== undefined &&
      off === args.progressive_billing_disabled &&
      `progressive billing is ${off === true ? 'off' : 'on'}`,
    args.usage_thresholds !== undefined && thresholdsNow(record, (args.usage_thresholds ?? []).length === 0),
    isSet('activation_rules') &&
      (rules.length === 0 ? 'its start has no condition' : `its start waits for ${rulesInWords(rules)}`),
  ];
}

/** `its usage thresholds are $50.00`; null where the answer does not show them. */
function thresholdsNow(record: Subscription, emptied: boolean): string | null {
  const { applicable_usage_thresholds: applicable, plan_amount_currency: currency } = record;
  const isOwn = ownThresholds(record) !== undefined;
  if (!isOwn && !isOfPlan(record)) return null;
  const thresholds = thresholdsInWords(applicable, currency);
  if (thresholds === null) return 'it no longer has its own usage thresholds';
  if (!isOwn && emptied) return `the usage thresholds of its plan apply: ${thresholds}`;
  return phrase`its ${isOwn ? 'own ' : null}usage thresholds are ${thresholds}`;
}

/** What a user must know of these arguments. */
export function termWarnings(args: TermArguments, known: Subscription | null, currency: unknown): string[] {
  return [...thresholdWarnings(args, known, currency), ...overrideWarnings(args, known), ...ruleWarnings(args, known)];
}

function thresholdWarnings(args: TermArguments, known: Subscription | null, currency: unknown): string[] {
  const { usage_thresholds: sent, progressive_billing_disabled: off } = args;
  if (sent === undefined) return off === true ? ['After this change, its usage thresholds create no invoices.'] : [];
  const plan = known?.plan ?? {};
  const thresholds = planThresholds(plan);
  const ofPlan = thresholdsInWords(thresholds, plan.amount_currency ?? currency);
  const isShown = Array.isArray(thresholds);
  const removed = hasOwnPlan(plan) === true ? thresholdsInWords(plan.usage_thresholds, plan.amount_currency) : null;
  const instead = isShown ? (ofPlan ?? 'the plan has none') : 'which could not be read';
  return [
    removed !== null && (sent ?? []).length > 0
      ? `This removes the usage thresholds of its plan copy: ${removed}.`
      : (sent ?? []).length > 0
        ? `They override the usage thresholds of its plan: ${instead}.`
        : `The usage thresholds of its plan then apply: ${instead}.`,
    ...((off ?? known?.progressive_billing_disabled) === true
      ? ['Progressive billing is off for this subscription: its usage thresholds create no invoices.']
      : []),
  ];
}

/** The list of the overrides, which is deprecated. */
function overrideWarnings({ plan_overrides: overrides }: TermArguments, known: Subscription | null): string[] {
  const sent = overrides?.usage_thresholds;
  if (sent === undefined) return [];
  const hasOwn = known !== null && (ownThresholds(known)?.length ?? 0) > 0;
  const isOwnPlan = known === null ? null : hasOwnPlan(known.plan ?? {});
  return [
    ...(hasOwn ? ['The subscription has its own usage thresholds, which override those of its plan.'] : []),
    ...(sent.length > 0 ? [] : [emptyListWarnings[String(isOwnPlan)] ?? emptyListWarnings.null]),
  ];
}

const emptyListWarnings: Readonly<Record<string, string>> & { readonly null: string } = {
  false: "A first price change ignores an empty list of usage thresholds: the plan's thresholds stay.",
  true: 'An empty list removes only usage thresholds from an earlier price change: inherited ones stay.',
  null: 'A first price change ignores an empty list of usage thresholds, and inherited ones always stay.',
};

/** A payment rule of a plan in advance, outside a trial, keeps the subscription incomplete until it is paid. */
function ruleWarnings(args: TermArguments, known: Subscription | null): string[] {
  const [rule] = args.activation_rules ?? [];
  if (args.activation_rules === undefined) return [];
  if (rule === undefined) return ['It starts without waiting for a payment.'];
  const plan = known?.plan ?? {};
  if (plan.pay_in_advance === false) return ['Its plan is paid in arrears: it starts without waiting for a payment.'];
  if (sign(args.plan_overrides?.trial_period ?? plan.trial_period) === 1)
    return ['Its plan has a trial: it starts without waiting for a payment.'];
  const condition = plan.pay_in_advance === true ? '' : 'If its plan is paid in advance and has no trial: ';
  const late = isGiven(rule.timeout_hours) ? `, or none within ${hoursOf(rule)},` : '';
  return [
    `${condition}${condition === '' ? 'From' : 'from'} its start it stays incomplete until its first payment succeeds. A failed payment${late} cancels it.`,
  ];
}

/** The day of a date-time in UTC; null for anything else. */
export function dayInUtc(value: string | null | undefined): string | null {
  const at = isGiven(value) ? new Date(value) : null;
  return at === null || Number.isNaN(at.getTime()) ? null : at.toISOString().slice(0, 10);
}

/** §3.2: a subscription that has ended cannot end again; a credit note at the end needs payment in advance. */
export function endWarnings(
  { ending_at: end, on_termination_credit_note: note }: Pick<Subscription, 'ending_at' | 'on_termination_credit_note'>,
  known: Subscription | null,
): string[] {
  const status = known?.status ?? null;
  const arrears = note !== undefined && known?.plan?.pay_in_advance === false;
  return [
    ...(end && isOver(status) ? [`The subscription is already ${status}: an end does not change what is billed.`] : []),
    ...(end && !isOver(status) ? ['Time and usage after its end are not billed.'] : []),
    ...(arrears
      ? ['Its plan is paid in arrears: there is no credit note at the end, and this setting is ignored.']
      : []),
  ];
}

/** §3.2: a start that has passed activates a pending subscription; for any other it is ignored. */
export function startWarnings(start: string | null | undefined, known: Subscription | null, now: Date): string[] {
  if (dayInUtc(start) === null) return [];
  const status = known?.status ?? null;
  if (status !== null && status !== 'pending') return [`The subscription is ${status}: a new start is ignored.`];
  const previous = code(known?.previous_plan_code);
  if (previous !== null) return [`It follows the subscription to plan ${previous}: a new start is ignored.`];
  if (Date.parse(start ?? '') > now.getTime())
    return status === null ? ['A new start is applied to a pending subscription only.'] : [];
  return [
    'This start has passed: the subscription becomes active at once, billing begins, and it cannot be made pending again.',
  ];
}
