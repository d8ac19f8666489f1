/** The next step after a refusal, and the service's validation codes as phrases. */

import { cutText } from '../../../lib/cut-text.ts';
import { isObject, membersOf, ownValue } from '../../../lib/json.ts';
import type { CallFacts } from './call-facts.ts';
import { inUnits, probeNote, waitFrom } from './limits.ts';
import type { Headers } from './wire/exchange.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** What the codes of `error_details` mean (§1.2, §3). */
export const meanings: Readonly<Record<string, string>> = {
  value_is_mandatory: 'is required',
  value_already_exist: 'is already taken',
  value_is_invalid: 'has a value that is not accepted',
  value_is_out_of_range: 'must be greater than 0 and within range',
  value_is_too_long: 'is too long',
  value_is_too_short: 'is too short',
  value_must_be_blank: 'must be left out here',
  relation_must_exist: 'names something that does not exist',
  not_a_valid_country_code: 'must be a two-letter country code, e.g. FR',
  not_a_valid_language_code: 'must be a language code of the list, e.g. en',
  invalid_timezone: 'must be a time zone of the list, e.g. Europe/Paris',
  invalid_email_format: 'must be an e-mail address',
  unsupported_value: 'has a value that is not supported',
  url_is_invalid: 'must be a web address',
  invalid_content_type: 'has a file type that is not accepted',
  invalid_size: 'is too large',
  must_be_greater_than_or_equal_min: 'must not be below the minimum',
  must_be_greater_than_or_equal_threshold: 'must not be below the threshold',
  invalid_date: 'must be an ISO 8601 date-time that is possible here (usually in the future)',
  wallet_is_terminated: 'belongs to a terminated wallet, which cannot be changed',
  invalid_number_of_recurring_rules: 'may hold one rule only',
  invalid_recurring_rule: 'has a rule whose fields do not fit together',
  invalid_fee_types: 'has a fee type that is not accepted',
  invalid_identifier: 'names a metric that does not exist',
  invalid_payment_method: 'is not a payment method of this customer',
  invalid_count: 'has too many entries',
  invalid_value: 'has a value that is not accepted',
  invalid_type: 'is not a type that is accepted here',
  too_many_thresholds: 'may hold 20 at most',
  duplicate_threshold_values: 'names one value twice',
  alert_already_exists: 'is the same as an alert that exists',
  does_not_match_an_instant_charge:
    'is a metric without a charge that is paid in advance, so an event costs nothing at once; preview_invoice prices usage in arrears',
  must_be_persisted: 'must be a stored customer for this',
  cannot_be_in_past: 'must not be in the past',
  invalid_timestamp: 'must be an ISO 8601 date-time',
  new_plan_should_be_different_from_existing_plan: 'names the plan that the subscription already has',
  subscription_currencies_does_not_match:
    'holds subscriptions of different currencies, which no single invoice can bill',
  billing_periods_does_not_match:
    'holds subscriptions with different billing periods, which no single invoice can bill',
  subscription_billing_entities_do_not_match: 'holds subscriptions of different billing entities',
  only_one_subscription_allowed_for_termination: 'may name one subscription only for a termination',
  only_one_subscription_allowed_for_plan_change: 'may name one subscription only for a plan change',
  value_is_not_valid_number: 'holds a value that is no number',
  feature_not_available: 'needs a feature that the account does not have',
};

/** The service's names in `error_details` for arguments, where they differ from the argument's own name. */
const argumentNames: Readonly<Record<string, string>> = {
  wallet_id: 'svc_id',
  allowed_fee_types: 'applies_to.fee_types',
  billable_metrics: 'applies_to.billable_metric_codes',
  billable_metric: 'billable_metric_code',
  'thresholds:value': 'thresholds[].value',
  base: 'the request',
};

/** Codes for which no other value of the argument helps, with what to do instead. */
const remedies: Readonly<Record<string, string>> = {
  wallet_is_terminated: 'A terminated wallet cannot be changed: tell the person.',
  alert_already_exists:
    'Look at the alerts with list_subscription_alerts; choose another alert_type or metric if a further one is wanted.',
  does_not_match_an_instant_charge: 'Use preview_invoice with subscriptions to see what this usage will cost.',
  new_plan_should_be_different_from_existing_plan: 'Name another plan, or leave plan_code out.',
  billing_entity_must_be_in_eu: 'Leave eu_tax_management out, or give a country of the EU.',
  feature_not_available: 'The account’s licence does not include this. Tell the person.',
  invalid_recurring_rule:
    'Send the rule whole: its trigger with interval or threshold_credits, and with method target a target_ongoing_balance. Credits that it buys must be worth no less than the smallest and no more than the largest paid top-up, unless it has ignore_paid_top_up_limits.',
  invalid_amount: 'Send the whole price (properties) of each charge that is named, as get_subscription shows it.',
};

/** `amount_cents must be greater than 0 (value_is_out_of_range); …`, from any JSON value. */
export function phrases(call: CallFacts, details: unknown): string {
  if (typeof details === 'string') return cutText(details, 300);
  if (details === null || typeof details !== 'object') return String(details);
  const parts = refusedFields(call, details).map(
    ([field, codes]) => refusedPreview(call, codes)?.reason ?? `${field} ${meaningsOf(codes)}`,
  );
  const text = parts.slice(0, 8).join('; ');
  return parts.length > 8 ? `${text}; and ${parts.length - 8} more` : text || 'no details';
}

/** Each refused argument with its codes. The entries of a batch of alerts have errors of their own, by index (§3.9). */
function refusedFields({ tool }: CallFacts, details: object): [argument: string, codes: unknown][] {
  const mayBeBatch = tool === 'create_subscription_alert';
  return Object.entries(details).flatMap(([field, codes]): [string, unknown][] => {
    if (!mayBeBatch || !isObject(codes) || !/^\d+$/.test(field)) return [[argumentOf(field), codes]];
    const { errors } = membersOf<'errors'>(codes);
    if (errors === undefined || (isObject(errors) && Object.keys(errors).length === 0))
      return [[argumentOf(field), codes]];
    const place = `alerts[${field}]`;
    if (!isObject(errors)) return [[place, errors]];
    return Object.entries(errors).map(([name, each]) => [
      name === 'base' ? place : `${place}.${argumentOf(name)}`,
      each,
    ]);
  });
}

interface PreviewRefusal {
  reason: string;
  hint: string;
}

/** Refusals of a preview that are about what the service has stored, and not about the argument that it names (§12.2, §12.3). */
function refusedPreview({ body }: CallFacts, codes: unknown): PreviewRefusal | null {
  const { subscriptions } = membersOf<'subscriptions'>(body);
  const { terminated_at, plan_code } = membersOf<'terminated_at' | 'plan_code'>(subscriptions);
  const [code] = Array.isArray(codes) ? codes : [codes];
  if (!isObject(subscriptions)) return null;
  if (code === 'cannot_be_in_past' && terminated_at === undefined)
    return {
      reason: `the subscription has an end of its own (ending_at) that has passed, so the service previews nothing more of it (${code})`,
      hint: 'get_subscription shows its end, and list_invoices what was billed. To preview what would follow, send plan_code without subscriptions.',
    };
  if (code === 'billing_periods_does_not_match' && plan_code !== undefined)
    return {
      reason: `the periods of the present plan and of plan ${JSON.stringify(plan_code)} end on different days, and the service previews no such change (${code})`,
      hint: 'Preview the two parts: the end of the present plan (subscriptions with terminated_at, without plan_code) and a new subscription to the other plan (plan_code and subscription_at, without subscriptions).',
    };
  return null;
}

function argumentOf(field: string): string {
  return ownValue(argumentNames, field) ?? field;
}

function meaningsOf(codes: unknown): string {
  const list = Array.isArray(codes) ? codes : [codes];
  return list
    .map(code => {
      if (typeof code !== 'string') return cutText(JSON.stringify(code) ?? '', 200);
      const known = ownValue(meanings, code);
      return known === undefined ? cutText(code, 200) : `${known} (${code})`;
    })
    .join(' and ');
}

/** The next step for a code or a status; undefined when `statusHint` is enough. */
export function findHint(
  call: CallFacts,
  status: number,
  code: string,
  details: unknown,
  headers: Headers,
): string | undefined {
  if (status === 404) return notFoundHint(call, code);
  if (status === 403) return permissionHint(code);
  if (status === 422 && code === 'validation_errors') return fieldHint(call, details);
  if (code === 'lock_acquisition_failed')
    return 'Somebody else is changing the same record: try again in a few seconds.';
  if (code === 'too_many_provider_requests') return 'The payment provider is throttling: try again later.';
  if (status === 429) {
    const wait = waitFrom(headers['retry-after'] ?? headers['x-ratelimit-reset'], Date.now());
    return `Wait ${wait === undefined ? 'a little' : inUnits(wait)}, then call again.${probeNote(wait ?? 0)}`;
  }
  return ownValue(hintsByCode, code);
}

const hintsByCode: Record<string, string> = {
  update_on_voided_invoice: 'A voided invoice cannot be changed. Tell the person.',
  metadata_on_draft_invoice: 'A draft invoice takes no metadata: wait until it is finalized.',
  payment_status_update_on_draft_invoice:
    'The payment status of a draft cannot be changed: wait until it is finalized.',
  subscription_incomplete: 'The subscription is waiting for its first payment and cannot be changed until then.',
  premium_integration_missing: 'The account’s licence does not include this. Tell the person.',
  database_unavailable:
    'Try again in a minute. If it stays so, tell the person that the database of the billing service does not answer.',
  disk_full: 'Tell the person: until there is room on the disk of the billing service, it can only be read.',
  'BadRequest: param is missing or the value is empty or invalid: alert':
    'This installation may take one alert at a time: send each by itself, without alerts.',
  coupons_must_be_an_array: 'Send coupons as a list: [{"code": "…"}].',
  subscriptions_must_be_an_object: 'Send subscriptions as an object: {"external_ids": ["…"]}.',
};

/** Records that an argument refers to, beside the one that the call is about. */
const referencedRecords: ReadonlySet<string> = new Set(['tax', 'billable_metric', 'billing_entity', 'fixed_charge']);

/** The arguments that hold a record's id, by the word before `_not_found`; any other record has `usualIdArguments`. */
const idArguments: Readonly<Record<string, readonly string[]>> = {
  customer: ['external_customer_id'],
  subscription: ['external_id'],
  wallet: ['wallet_code', 'svc_id'],
  plan: ['plan_code'],
  alert: ['code'],
};
const usualIdArguments = ['svc_id', 'code', 'transaction_id'];

/**
 * `there is no customer "acme-corp"`, for a 404 about a record, and never with another id of the call; null for any other
 * answer.
 */
export function missingRecord(call: CallFacts, status: number, code: string): string | null {
  const resource = missingResource(status, code);
  if (resource === null) return null;
  const words = resourceWords(resource);
  if (referencedRecords.has(resource)) return `no ${words} has the code or id that the arguments name`;
  const missingId = (ownValue(idArguments, resource) ?? usualIdArguments)
    .map(name => call.ids?.[name])
    .find(id => id !== undefined);
  return missingId === undefined
    ? `there is no such ${words}`
    : `there is no ${words} ${JSON.stringify(cutText(missingId, 80))}`;
}

function missingResource(status: number, code: string): string | null {
  if (status !== 404 || !code.endsWith('_not_found') || code === 'resource_not_found') return null;
  return code.slice(0, -'_not_found'.length);
}

function resourceWords(resource: string): string {
  return resource === 'add_on' ? 'add-on' : resource.replaceAll('_', ' ');
}

function notFoundHint(call: CallFacts, code: string): string {
  if (code === 'resource_not_found') {
    return 'The address knows no such route: tell the person to check BILLING_BASE_URL (with `usage-billing-mcp check`).';
  }
  const resource = missingResource(404, code) ?? 'record';
  const existing = ownValue(call.demoIds ?? {}, resource);
  const demo = existing === undefined ? '' : ` The demo has ${existing}.`;
  const customer = call.ids?.external_customer_id;
  if (resource === 'customer' && customer !== undefined && uuid.test(customer)) {
    return `It looks like the service’s own id: send the customer’s external id, the one your company gave.${demo}`;
  }
  if (resource === 'plan') return `Check the plan code with list_plans.${demo}`;
  // These records are only referred to by an argument; the record in the path is the one that the call is about.
  if (referencedRecords.has(resource)) return `Check it with the person; codes are exact, letter case included.${demo}`;
  return `Check the id with the person; ids are exact, letter case included.${demo}`;
}

function permissionHint(code: string): string {
  const [, action, resource] = /^(read|write)_action_not_allowed_for_(\w+)$/.exec(code) ?? [];
  if (resource !== undefined) {
    return `The API key lacks the permission “${action} ${resource.replaceAll('_', ' ')}”: the person can grant it to the key in the account’s settings.`;
  }
  if (code === 'feature_unavailable')
    return 'The licence of the billing service does not include this. Tell the person once, and do not call this tool again.';
  return 'The API key may not do this. Tell the person to check its permissions.';
}

function fieldHint(call: CallFacts, details: unknown): string {
  if (details === null || typeof details !== 'object') return 'Correct the arguments, then call again.';
  const refused = refusedFields(call, details);
  const previewHints = refused.flatMap(([, each]) => refusedPreview(call, each)?.hint ?? []);
  if (previewHints.length > 0) return previewHints.join(' ');
  const codes = refused.flatMap(([, each]) => each);
  // An entry is known by its id alone (§3.6).
  if (call.tool === 'update_invoice' && codes.includes('value_already_exist'))
    return 'The invoice has an entry with this key: send its id, which is the svc_id of the entry in get_invoice.';
  const remediesOfCodes = codes.map(code => ownValue(remedies, String(code)));
  if (codes.length > 0 && remediesOfCodes.every(each => each !== undefined))
    return [...new Set(remediesOfCodes)].join(' ');
  const fields = refused
    .slice(0, 5)
    .map(([argument]) => argument)
    .join(', ');
  const inCents = /_cents\b/.test(fields)
    ? ' Amounts are positive integers in the minor unit, e.g. 1250 for $12.50.'
    : '';
  return `Correct ${fields || 'the arguments'}, then call again.${inCents}`;
}

/** The next step by status alone. */
export function statusHint(status: number): string {
  if (status === 401)
    return 'The API key is missing, wrong or expired. Tell the person to check it: BILLING_API_KEY, or over HTTP what their client sends in X-Billing-Api-Key.';
  if (status === 400) return 'The request was not understood. Check the arguments against the tool’s description.';
  if (status === 405) return 'The record is in a state that does not allow this. Read it, then tell the person.';
  if (status >= 300 && status < 400) {
    return 'The address answers with a redirect: tell the person to set BILLING_BASE_URL to the final address.';
  }
  if (status >= 500)
    return 'The billing service has a problem. Try again in a minute; if it stays so, tell the person.';
  return 'Correct the request, then call again.';
}
