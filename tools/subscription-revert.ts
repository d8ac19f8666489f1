/** The call that takes an update of a subscription back, or why there is none (service-behaviour §3.2). */
import type { AnyOverrides } from '../src/contract/plan-overrides.ts';
import type { Subscription } from '../src/contract/shown.ts';
import { subscription } from '../src/contract/subscription.ts';
import type { Arguments, WayBack } from '../src/definition/define.ts';
import { clearedFields } from '../src/definition/field-arguments.ts';
import { fieldOf, isText } from '../src/lib/json.ts';
import { hasOwnPlan } from '../src/words/subscription.ts';
import { overridesBack } from './plan-overrides/revert.ts';
import { rulesToSend, thresholdsToSend } from './subscription-terms.ts';

const unsendable = Symbol('the earlier value cannot be sent again');

interface UpdateArguments {
  readonly external_id: string;
  readonly status?: string | undefined;
  readonly plan_overrides?: AnyOverrides | undefined;
}

/** `before` is the subscription with its plan before the update, `answer` what the service answered. */
export function revertOfUpdate(args: UpdateArguments, before: Subscription, after: Subscription): WayBack {
  const { external_id, status, plan_overrides, ...fields } = args;
  const back: Arguments = {};
  const clear: string[] = [];
  for (const [field, value] of Object.entries(fields)) {
    if (value === undefined) continue;
    const [earlierShown, presentShown] = [shownValue(before, field), shownValue(after, field)];
    const isSections = field === 'invoice_custom_section';
    if (!isSections && earlierShown === undefined)
      return { impossible: `the earlier ${field.replaceAll('_', ' ')} was not shown` };
    if (!isSections && same(earlierShown, presentShown)) continue;
    if (
      field === 'usage_thresholds' &&
      (before.plan?.usage_thresholds ?? []).length > 0 &&
      hasOwnPlan(before.plan ?? {}) === true
    )
      return { impossible: "it removed the usage thresholds of the subscription's own plan" };
    if (field === 'subscription_at' && before.status === 'pending' && after.status !== 'pending')
      return { impossible: 'a subscription that has started cannot become pending again' };
    const earlier = earlierValue(field, before, after);
    if (earlier === unsendable) return { impossible: `the earlier ${field.replaceAll('_', ' ')} cannot be set again` };
    if (earlier === null) clear.push(field);
    else if (earlier !== undefined) back[field] = earlier;
  }
  if (plan_overrides !== undefined) {
    const prices = overridesBack(plan_overrides, before.plan ?? {}, after.plan ?? {});
    if (typeof prices === 'string') return { impossible: prices };
    if (Object.keys(prices).length > 0) back.plan_overrides = prices;
  }
  if (clear.length > 0) back.clear = clear;
  if (Object.keys(back).length === 0) return { impossible: 'the answer shows no change' };
  return { arguments: { external_id, ...(status !== undefined && { status }), ...back } };
}

/** As an update sends it. */
function shownValue(record: Subscription, field: string): unknown {
  if (field === 'usage_thresholds') return thresholdsToSend(record);
  return field === 'activation_rules' ? rulesToSend(record) : fieldOf(record, field);
}

const clearableFields = [...clearedFields(subscription), 'on_termination_credit_note'];

/** Null: to be cleared; undefined: unchanged. */
function earlierValue(field: string, before: Subscription, after: Subscription): unknown {
  const value = shownValue(before, field);
  if (Array.isArray(value) || typeof value === 'boolean') return value;
  // A name that was never set is blank; null clears the setting of a credit note at the end (§3.2).
  if (clearableFields.includes(field)) return value === '' ? null : (value ?? null);
  if (field === 'invoice_custom_section') {
    const [earlier, now] = [sectionsOf(before), sectionsOf(after)];
    if (same(earlier, now)) return undefined;
    return earlier.length === 0 ? unsendable : { invoice_custom_section_codes: earlier };
  }
  if (field !== 'payment_method') return isText(value) ? value : unsendable;
  const method = Object.entries(before.payment_method ?? {}).filter(([, part]) => part !== null);
  return method.length === 0 ? unsendable : Object.fromEntries(method);
}

function sectionsOf({ applied_invoice_custom_sections: applied }: Subscription): string[] {
  return (applied ?? []).map(entry => entry.invoice_custom_section?.code ?? fieldOf(entry, 'code')).filter(isText);
}

function same(left: unknown, right: unknown): boolean {
  return JSON.stringify(left ?? null) === JSON.stringify(right ?? null);
}
