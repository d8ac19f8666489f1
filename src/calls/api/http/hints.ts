/** The next step after a refusal, and which arguments it is about. */
import { listers } from '../../../../tools/listers.ts';
import { meanings, refusedPreview, remedies, stepsAfterTaken } from '../../../../tools/refused-arguments.ts';
import type { Effect } from '../../../definition/define.ts';
import { isGiven, isObject, membersOf, ownValue } from '../../../lib/json.ts';
import { cutText } from '../../../lib/text.ts';
import { inUnits, probeNote, waitFrom } from './limits.ts';
import type { Headers } from './request.ts';

export const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The service's names in `error_details` for arguments, where they differ from the argument's own name. */
const argumentNames: Readonly<Record<string, string>> = {
  wallet_id: 'svc_id',
  allowed_fee_types: 'applies_to.fee_types',
  billable_metrics: 'applies_to.billable_metric_codes',
  billable_metric: 'billable_metric_code',
  'thresholds:value': 'thresholds[].value',
  base: 'the request',
};

/** `amount_cents must be greater than 0 (value_is_out_of_range); …`, from any JSON value. */
export function phrases(call: CallFacts, details: unknown): string {
  if (typeof details === 'string') return cutText(details, 300);
  if (details === null || typeof details !== 'object') return String(details);
  const parts = refusedFields(call, details).map(
    ([field, codes]) => refusedPreview(call.body, codes)?.reason ?? `${field} ${meaningsOf(codes)}`,
  );
  const text = parts.slice(0, 8).join('; ');
  return parts.length > 8 ? `${text}; and ${parts.length - 8} more` : text || 'no details';
}

/** Each refused argument with its codes. The entries of a batch of alerts have errors of their own, by index (§3.9). */
function refusedFields({ body }: CallFacts, details: object): [argument: string, codes: unknown][] {
  const mayBeBatch = membersOf<'alerts'>(body).alerts !== undefined;
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
  if (code === 'lock_acquisition_failed') return 'Someone else is changing the same record. Retry in a few seconds.';
  if (code === 'too_many_provider_requests') return 'The payment provider is throttling requests. Retry later.';
  if (status === 429) {
    const wait = waitFrom(headers['retry-after'] ?? headers['x-ratelimit-reset'], Date.now());
    return `Wait ${wait === undefined ? 'a moment' : inUnits(wait)}, then call again.${probeNote(wait ?? 0)}`;
  }
  return ownValue(hintsByCode, code);
}

const hintsByCode: Record<string, string> = {
  update_on_voided_invoice: 'A voided invoice cannot be changed. Tell the user.',
  metadata_on_draft_invoice: 'A draft invoice accepts no metadata. Wait until it is finalized.',
  payment_status_update_on_draft_invoice:
    'The payment status of a draft cannot be changed. Wait until the invoice is finalized.',
  subscription_incomplete: 'The subscription is waiting for its first payment and cannot be changed until then.',
  premium_integration_missing: 'The account’s license does not include this. Tell the user.',
  database_unavailable:
    'Retry in a minute. If this persists, tell the user that the database of the billing service is not responding.',
  disk_full: 'Tell the user that the disk of the billing service is full. Until it has space again, only reads work.',
  'BadRequest: param is missing or the value is empty or invalid: alert':
    'This installation may accept only one alert per call. Send each alert separately, without alerts.',
  coupons_must_be_an_array: 'Send coupons as a list: [{"code": "…"}].',
  subscriptions_must_be_an_object: 'Send subscriptions as an object: {"external_ids": ["…"]}.',
};

/** Records that an argument refers to, next to the one that the call is about. */
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
  const words = resource === 'add_on' ? 'add-on' : resource.replaceAll('_', ' ');
  if (referencedRecords.has(resource)) return `no ${words} has the code or ID in the arguments`;
  const missingId = (ownValue(idArguments, resource) ?? usualIdArguments).map(name => call.ids?.[name]).find(isGiven);
  return isGiven(missingId)
    ? `there is no ${words} ${JSON.stringify(cutText(missingId, 80))}`
    : `there is no such ${words}`;
}

function missingResource(status: number, code: string): string | null {
  if (status !== 404 || !code.endsWith('_not_found') || code === 'resource_not_found') return null;
  return code.slice(0, -'_not_found'.length);
}

function notFoundHint(call: CallFacts, code: string): string {
  if (code === 'resource_not_found') {
    return 'The address has no such route. Tell the user to check BILLING_BASE_URL with `usage-billing-mcp check`.';
  }
  const resource = missingResource(404, code) ?? 'record';
  const existing = ownValue(call.demoIds ?? {}, resource);
  const demo = existing === undefined ? '' : ` Example from the demo: ${existing}.`;
  const customer = call.ids?.external_customer_id;
  if (resource === 'customer' && isGiven(customer) && uuid.test(customer)) {
    return `This looks like an ID that the service generated. Send the customer’s external ID, which your company assigned.${demo}`;
  }
  if (resource === 'plan') return `Check the plan code with ${listers.plans}.${demo}`;
  // These records are only referred to by an argument; the record in the path is the one that the call is about.
  if (referencedRecords.has(resource)) return `Check the code with the user. Codes are case-sensitive.${demo}`;
  return `Check the ID with the user. IDs are case-sensitive.${demo}`;
}

function permissionHint(code: string): string {
  const [, action, resource] = /^(read|write)_action_not_allowed_for_(\w+)$/.exec(code) ?? [];
  if (resource !== undefined) {
    return `The API key lacks the permission “${action} ${resource.replaceAll('_', ' ')}”. The user can grant it to the key in the account’s settings.`;
  }
  if (code === 'feature_unavailable')
    return 'The license of the billing service does not include this. Tell the user once, and do not call this tool again.';
  return 'The API key is not allowed to do this. Tell the user to check its permissions.';
}

function fieldHint(call: CallFacts, details: unknown): string {
  if (details === null || typeof details !== 'object') return 'Correct the arguments, then call again.';
  const refused = refusedFields(call, details);
  const previewHints = refused.flatMap(([, each]) => refusedPreview(call.body, each)?.hint ?? []);
  if (previewHints.length > 0) return previewHints.join(' ');
  const codes = refused.flatMap(([, each]) => each);
  const ofTaken = codes.includes('value_already_exist') ? ownValue(stepsAfterTaken, call.tool) : undefined;
  if (ofTaken !== undefined) return ofTaken;
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
    return 'The API key is missing, wrong or expired. Tell the user to check it: BILLING_API_KEY, or over HTTP the X-Billing-Api-Key header.';
  if (status === 400)
    return 'The service did not understand the request. Compare the arguments with the tool’s description.';
  if (status === 405) return 'The record’s state does not allow this. Read the record, then tell the user.';
  if (status >= 300 && status < 400) {
    return 'The address returns a redirect. Tell the user to set BILLING_BASE_URL to the final address.';
  }
  if (status >= 500) return 'The billing service has a problem. Retry in a minute. If this persists, tell the user.';
  return 'Correct the request, then call again.';
}

/** What an error message needs to know about the call. */
export interface CallFacts {
  tool: string;
  effect: Effect;
  /** The ids that the call names, as they were given, by the name of the argument. */
  ids?: Readonly<Record<string, string | null | undefined>> | undefined;
  /** The body that was sent. */
  body?: unknown;
  /** With --demo: existing ids by the resource of a `…_not_found`, for the hint of a 404. */
  demoIds?: Readonly<Record<string, string>> | undefined;
}
