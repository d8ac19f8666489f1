import { describe, expect, it } from 'vitest';
import type { CallFacts } from '../../../src/calls/api/http/hints.ts';
import { findHint, missingRecord, phrases, statusHint } from '../../../src/calls/api/http/hints.ts';
import { meanings } from '../../../tools/refused-arguments.ts';

const call: CallFacts = { tool: 'update_wallet', effect: 'write', ids: { svc_id: 'w' } };
const hint = (status: number, code: string, details?: unknown, headers = {}, facts = call) =>
  findHint(facts, status, code, details, headers) ?? statusHint(status);

describe('the reason why a field is refused', () => {
  it.each(Object.entries(meanings))('%s is explained in words, with its code', (code, words) => {
    expect(words).toMatch(/^[a-z]+ .{3,}[^.]$/);
    expect(phrases(call, { name: [code] })).toBe(`name ${words} (${code})`);
  });

  it('is given for each field, up to eight', () => {
    expect(phrases(call, { a: ['value_is_too_long', 'odd'], b: [] })).toContain(
      'a is too long (value_is_too_long) and',
    );
    const many = (count: number) =>
      phrases(call, Object.fromEntries(Array.from({ length: count }, (_, at) => [`f${at}`, ['x']])));
    expect(many(8)).toMatch(/; f7 x$/);
    expect(many(9)).toMatch(/; f7 x; and 1 more$/);
    expect(phrases(call, {})).toBe('no details');
  });
});

describe('the reason why one of several alerts is refused', () => {
  const params = { code: 'c' };
  it.each<[details: object, reason: string, step: string]>([
    [
      { 1: { params, errors: { 'thresholds:value': ['value_is_invalid'] } } },
      'alerts[1].thresholds[].value has a value',
      'Correct alerts[1].thresholds[].value, then call again.',
    ],
    [
      { 0: { params, errors: 'billable_metric_not_found' }, 2: { params, errors: { code: ['value_already_exist'] } } },
      'alerts[0] billable_metric_not_found; alerts[2].code is already',
      'Correct alerts[0], alerts[2].code, then call again.',
    ],
    [
      { 1: { params, errors: { base: ['alert_already_exists'] } } },
      'alerts[1] is the same',
      'list_subscription_alerts',
    ],
  ])('%j', (details, reason, step) => {
    const alerts: CallFacts = {
      tool: 'create_subscription_alert',
      effect: 'write',
      body: { alerts: [params, params] },
    };
    expect(phrases(alerts, details)).toContain(reason);
    expect(findHint(alerts, 422, 'validation_errors', details, {})).toContain(step);
    // Another operation numbers something else.
    expect(phrases(call, details)).not.toContain('alerts[');
  });
});

describe('a refused preview', () => {
  const ofPreview = (subscriptions: object): CallFacts => ({
    ...{ tool: 'preview_invoice', effect: 'compute' },
    body: { subscriptions: { external_ids: ['main'], ...subscriptions } },
  });

  it.each<[sent: object, details: object, reason: RegExp, step: RegExp]>([
    [{}, { terminated_at: ['cannot_be_in_past'] }, /\(ending_at\) has passed/, /^get_subscription/],
    [
      { terminated_at: '2026-01-01T00:00:00Z' },
      { terminated_at: ['cannot_be_in_past'] },
      /^terminated_at must not/,
      /^Correct terminated_at/,
    ],
    [
      { plan_code: 'pro' },
      { base: ['billing_periods_does_not_match'] },
      /plan "pro" end on different days/,
      /the end of the current plan/,
    ],
    [{}, { base: ['billing_periods_does_not_match'] }, /different billing periods/, /^Correct the request/],
  ])('of %j, for %j', (sent, details, reason, step) => {
    expect(phrases(ofPreview(sent), details)).toMatch(reason);
    expect(findHint(ofPreview(sent), 422, 'validation_errors', details, {})).toMatch(step);
  });
});

describe('the next step', () => {
  // biome-ignore format: a table
  const rows: [status: number, code: string, step: RegExp][] = [
    [301, 'http_301', /redirect\. .*BILLING_BASE_URL to the final address/],
    [399, 'http_399', /redirect/],
    [400, 'http_400', /Compare the arguments/],
    [400, 'BadRequest: param is missing or the value is empty or invalid: alert', /only one alert per call/],
    [401, 'http_401', /BILLING_API_KEY.*X-Billing-Api-Key/],
    [402, 'http_402', /^Correct the request/],
    [403, 'read_action_not_allowed_for_credit_note', /permission “read credit note”/],
    [403, 'write_action_not_allowed_for_wallet', /permission “write wallet”/],
    [403, 'x_read_action_not_allowed_for_wallet', /check its permissions/],
    [403, 'feature_unavailable', /does not include this/],
    [403, 'http_403', /check its permissions/],
    [404, 'plan_not_found', /^Check the plan code with list_plans\.$/],
    [404, 'resource_not_found', /no such route\. .*BILLING_BASE_URL/],
    [404, 'tax_not_found', /^Check the code/],
    [404, 'billable_metric_not_found', /^Check the code/],
    [404, 'billing_entity_not_found', /^Check the code/],
    [404, 'fixed_charge_not_found', /^Check the code/],
    [404, 'credit_note_not_found', /^Check the ID/],
    [404, 'http_404', /^Check the ID/],
    [405, 'http_405', /state does not allow this/],
    [405, 'update_on_voided_invoice', /voided invoice cannot be changed/],
    [422, 'lock_acquisition_failed', /changing the same record/],
    [422, 'metadata_on_draft_invoice', /[Ww]ait until it is finalized/],
    [422, 'payment_status_update_on_draft_invoice', /draft cannot be changed\. Wait/],
    [422, 'subscription_incomplete', /waiting for its first payment/],
    [422, 'premium_integration_missing', /license does not include/],
    [429, 'too_many_provider_requests', /payment provider is throttling/],
    [429, 'http_429', /^Wait a moment, then call again/],
    [499, 'http_499', /^Correct the request/],
    [500, 'http_500', /^The billing service has a problem/],
    [503, 'http_503', /^The billing service has a problem/],
  ];
  it.each(rows)('after %i %s is named', (status, code, step) => {
    expect(hint(status, code)).toMatch(step);
  });

  it.each([
    [{ amount_cents: ['x'] }, 'e.g. 1250 for $12.50'],
    [{ amount_cents_x: ['x'], name: ['y'] }, 'Correct amount_cents_x, name, then call again.'],
    [{}, 'Correct the arguments, then call again.'],
    [{ a: [], b: [], c: [], d: [], e: [], f: [] }, 'Correct a, b, c, d, e,'],
    [{ wallet_id: ['wallet_is_terminated'], name: ['wallet_is_terminated'] }, 'terminated wallet cannot be changed'],
    [{ plan_code: ['new_plan_should_be_different_from_existing_plan'] }, 'Name another plan, or omit plan_code.'],
    [{ eu_tax_management: ['billing_entity_must_be_in_eu'] }, 'Omit eu_tax_management'],
    [{ base: ['feature_not_available'] }, 'license does not include this'],
  ])('after refused fields %j is named', (details, step) => {
    expect(hint(422, 'validation_errors', details)).toContain(step);
  });

  it.each([
    [{ 'retry-after': '0' }, 1],
    [{ 'retry-after': '1.2' }, 2],
    [{ 'retry-after': '7', 'x-ratelimit-reset': '90' }, 7],
    [{ 'x-ratelimit-reset': '90' }, 90],
  ])('after a rate limit with %j says how long it lasts', (headers, seconds) => {
    expect(hint(429, 'http_429', undefined, headers)).toContain(`Wait ${seconds} s, then call again.`);
  });
});

describe('a record that is not there', () => {
  const told = (code: string, ids: Record<string, string>, status = 404) =>
    missingRecord({ ...call, ids }, status, code);

  it.each<[code: string, ids: Record<string, string>, told: string | null]>([
    ['customer_not_found', { external_customer_id: 'c', code: 'a' }, 'there is no customer "c"'],
    ['wallet_not_found', { external_customer_id: 'c', wallet_code: 'w', code: 'a' }, 'there is no wallet "w"'],
    ['alert_not_found', { external_customer_id: 'c', wallet_code: 'w', code: 'a' }, 'there is no alert "a"'],
    ['subscription_not_found', { external_customer_id: 'c', external_id: 's' }, 'there is no subscription "s"'],
    ['add_on_not_found', { code: 'a' }, 'there is no add-on "a"'],
    ['event_not_found', { transaction_id: 't' }, 'there is no event "t"'],
    ['plan_not_found', {}, 'there is no such plan'],
    ['tax_not_found', { code: 'a' }, 'no tax has the code or ID in the arguments'],
    ['resource_not_found', { code: 'a' }, null],
    ['http_404', { code: 'a' }, null],
  ])('%s is told by its own id of %j', (code, ids, expected) => {
    expect(told(code, ids)).toBe(expected);
    expect(told(code, ids, 422)).toBeNull();
  });

  it('is told by the beginning of a long id', () => {
    expect(told('wallet_not_found', { svc_id: 'x'.repeat(100) })).toBe(`there is no wallet "${'x'.repeat(80)}"`);
  });
});
