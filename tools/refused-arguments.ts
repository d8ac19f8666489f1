/**
 * What refusals of the service say of single tools and their arguments. It is no member of a tool, because a request that
 * fails knows its tool by name alone.
 */
import { isObject, membersOf } from '../src/lib/json.ts';

/** What the codes of `error_details` mean (§1.2, §3). */
export const meanings: Readonly<Record<string, string>> = {
  value_is_mandatory: 'is required',
  value_already_exist: 'is already taken',
  value_is_invalid: 'has a value that is not accepted',
  value_is_out_of_range: 'must be greater than 0 and within range',
  value_is_too_long: 'is too long',
  value_is_too_short: 'is too short',
  value_must_be_blank: 'must be omitted here',
  relation_must_exist: 'names something that does not exist',
  not_a_valid_country_code: 'must be a two-letter country code, e.g. FR',
  not_a_valid_language_code: 'must be a language code from the list, e.g. en',
  invalid_timezone: 'must be a time zone from the list, e.g. Europe/Paris',
  invalid_email_format: 'must be an email address',
  unsupported_value: 'has a value that is not supported',
  url_is_invalid: 'must be a URL',
  invalid_content_type: 'has a file type that is not accepted',
  invalid_size: 'is too large',
  must_be_greater_than_or_equal_min: 'must not be below the minimum',
  must_be_greater_than_or_equal_threshold: 'must not be below the threshold',
  invalid_date: 'must be a valid ISO 8601 date-time, usually in the future',
  wallet_is_terminated: 'belongs to a terminated wallet, which cannot be changed',
  invalid_number_of_recurring_rules: 'can have only one rule',
  invalid_recurring_rule: 'has a rule whose fields are inconsistent',
  invalid_fee_types: 'has a fee type that is not accepted',
  invalid_identifier: 'names a metric that does not exist',
  invalid_payment_method: 'is not a payment method of this customer',
  invalid_count: 'has too many entries',
  invalid_value: 'has a value that is not accepted',
  invalid_type: 'is not a type that is accepted here',
  too_many_thresholds: 'can have at most 20',
  duplicate_threshold_values: 'has a duplicate value',
  alert_already_exists: 'is the same as an existing alert',
  does_not_match_an_instant_charge:
    'names a metric without a pay-in-advance charge, so there is no immediate fee to estimate; preview_invoice prices usage billed at the end of the period',
  must_be_persisted: 'must be a stored customer',
  cannot_be_in_past: 'must not be in the past',
  invalid_timestamp: 'must be an ISO 8601 date-time',
  new_plan_should_be_different_from_existing_plan: 'is the plan that the subscription already has',
  subscription_currencies_does_not_match: 'has subscriptions in different currencies, which one invoice cannot bill',
  billing_periods_does_not_match: 'has subscriptions with different billing periods, which one invoice cannot bill',
  subscription_billing_entities_do_not_match: 'has subscriptions of different billing entities',
  only_one_subscription_allowed_for_termination: 'may name only one subscription for a termination',
  only_one_subscription_allowed_for_plan_change: 'may name only one subscription for a plan change',
  value_is_not_valid_number: 'has a value that is not a number',
  feature_not_available: 'needs a feature that the account does not have',
};

/** Codes for which no other value of the argument helps, with what to do instead. */
export const remedies: Readonly<Record<string, string>> = {
  wallet_is_terminated: 'A terminated wallet cannot be changed. Tell the user.',
  alert_already_exists:
    'See the existing alerts with list_subscription_alerts. To add another, choose a different alert_type or metric.',
  does_not_match_an_instant_charge: 'Use preview_invoice with subscriptions to see what this usage will cost.',
  new_plan_should_be_different_from_existing_plan: 'Name another plan, or omit plan_code.',
  billing_entity_must_be_in_eu: 'Omit eu_tax_management, or send a country in the EU.',
  feature_not_available: 'The account’s license does not include this. Tell the user.',
  invalid_recurring_rule:
    'Send the complete rule: its trigger with interval or threshold_credits, and for method target also target_ongoing_balance. Credits that it buys must be worth between the smallest and the largest paid top-up, unless it has ignore_paid_top_up_limits.',
  invalid_amount: 'For each charge, send the complete price (properties), as get_subscription shows it.',
};

/** Refusals of a preview that are about what the service has stored, and not about the argument that it names (§12.2, §12.3). */
export function refusedPreview(body: unknown, codes: unknown): { reason: string; hint: string } | null {
  const { subscriptions } = membersOf<'subscriptions'>(body);
  const { terminated_at, plan_code } = membersOf<'terminated_at' | 'plan_code'>(subscriptions);
  const [code] = Array.isArray(codes) ? codes : [codes];
  if (!isObject(subscriptions)) return null;
  if (code === 'cannot_be_in_past' && terminated_at === undefined)
    return {
      reason: `the end of the subscription (ending_at) has passed, so the service no longer previews it (${code})`,
      hint: 'get_subscription shows its end, and list_invoices shows what was billed. To preview a new subscription, send plan_code without subscriptions.',
    };
  if (code === 'billing_periods_does_not_match' && plan_code !== undefined)
    return {
      reason: `the periods of the current plan and of plan ${JSON.stringify(plan_code)} end on different days, and the service cannot preview such a change (${code})`,
      hint: 'Preview two parts. First the end of the current plan: subscriptions with terminated_at, without plan_code. Then a new subscription to the other plan: plan_code and subscription_at, without subscriptions.',
    };
  return null;
}

/** For each write: how to find out whether it was carried out after an unclear answer. */
export const readBack: Readonly<Record<string, string>> = {
  update_subscription:
    'check the subscription’s state first (preview_invoice, list_subscription_alerts, or the account itself)',
  create_subscription_alert: 'call list_subscription_alerts and check for the code',
  update_wallet: 'check the wallet in the account itself, or its alerts with get_wallet_alert',
  update_invoice: 'check the invoice in the account itself; repeating the same update is safe',
  update_credit_note: 'check the credit note in the account itself; repeating the same update is safe',
  update_add_on: 'repeating the same update is safe after the user approves it',
  delete_add_on: 'deleting it again returns add_on_not_found if it is already deleted',
  create_billing_entity: 'creating it again returns value_already_exist for code if it already exists',
};

/** The next step where a value is taken. An entry of an invoice is known by its id alone (§3.6). */
export const stepsAfterTaken: Readonly<Record<string, string>> = {
  update_invoice:
    'The invoice already has an entry with this key. Send its id, which is the svc_id of the entry in get_invoice.',
};

/** What callers who are bound to customers may ask for, where a call is about the whole account. */
export const insteadOfAccount: Readonly<Record<string, string>> = {
  list_catalogue:
    'For this caller, kind accepts billable_metrics, applied_coupons and fees. list_plans lists the plans.',
};
