/** What is made of answers that refuse, or that do not come: one sentence, the next step, and whether anything changed. */
import { describe, expect, it } from 'vitest';
import { type CallFacts, phrases } from '../../../src/calls/api/http/hints.ts';
import { failureOf, judgeAnswer, rateLimitedError } from '../../../src/calls/api/http/read-answer.ts';
import { refuse } from '../../../src/definition/failure.ts';
import { toolDefinitions } from '../../../tools/all-tools.ts';
import { meanings } from '../../../tools/refused-arguments.ts';

const uuid = '5eb02857-a71e-4ea2-bcf9-57d3a41bc6ba';
const wallet: CallFacts = { tool: 'update_wallet', effect: 'write', ids: { svc_id: 'w' } };
const subscription: CallFacts = { tool: 'update_subscription', effect: 'write', ids: { external_id: 's' } };
const estimate: CallFacts = { tool: 'estimate_fees', effect: 'compute' };
const customer: CallFacts = { tool: 'get_customer', effect: 'read', ids: { external_customer_id: 'a' } };

function refused(call: CallFacts, status: number, body: object | string, headers: Record<string, string> = {}) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const concluded = judgeAnswer(call, { kind: 'answer', status, headers, text }, undefined);
  if (!('error' in concluded)) throw new Error('not refused');
  return concluded.error;
}
const invalid = (call: CallFacts, error_details: unknown) =>
  refused(call, 422, { error: 'Unprocessable Entity', code: 'validation_errors', error_details });

describe('the reason why a field is refused', () => {
  it.each(Object.entries(meanings))('%s is explained in words, with its code', (code, words) => {
    expect(words).toMatch(/^[a-z]+ .{3,}[^.]$/);
    expect(invalid(wallet, { name: [code] }).message).toContain(`: name ${words} (${code})`);
  });

  it.each([
    ['billable_metrics', 'invalid_identifier', 'applies_to.billable_metric_codes'],
    ['allowed_fee_types', 'invalid_fee_types', 'applies_to.fee_types'],
    ['thresholds:value', 'value_is_invalid', 'thresholds[].value'],
    ['priority', 'value_is_invalid', 'priority'],
  ])('%s (%s) is about %s', (field, code, argument) => {
    const { message, hint } = invalid(wallet, { [field]: [code] });
    expect(message).toContain(`: ${argument} `);
    expect(hint).toContain(`Correct ${argument}, then call again.`);
  });

  it('is given for each field, up to eight', () => {
    expect(phrases(wallet, { a: ['value_is_too_long', 'odd'], b: [] })).toContain(
      'a is too long (value_is_too_long) and',
    );
    const many = (count: number) =>
      phrases(wallet, Object.fromEntries(Array.from({ length: count }, (_, at) => [`f${at}`, ['x']])));
    expect(many(8)).toMatch(/; f7 x$/);
    expect(many(9)).toMatch(/; f7 x; and 1 more$/);
    expect(phrases(wallet, {})).toBe('no details');
  });

  it.each(['constructor', '__proto__', 'toString'])('finds no entry under %s', word => {
    const { message, hint } = invalid(wallet, { [word]: [word] });
    expect(`${message} ${hint}`).not.toContain('native code');
    expect(typeof refused(wallet, 422, { error: 'x', code: word }).hint).toBe('string');
  });

  it('is read from details of any JSON', () => {
    expect(invalid(estimate, 'Expression failed').message).toContain('Expression failed');
    expect(invalid(estimate, { 0: { params: {}, errors: {} } })).toMatchObject({
      ...{ message: expect.stringContaining('"params"'), hint: expect.stringContaining('Correct 0') },
    });
    expect(invalid(estimate, null).hint).toContain('call again');
  });

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
  ])('is that of one of several alerts: %j', (details, reason, step) => {
    const body = { alerts: [params, params] };
    const { message, hint } = invalid({ tool: 'create_subscription_alert', effect: 'write', body }, details);
    expect(message).toContain(reason);
    expect(hint).toContain(step);
    // Another operation numbers something else.
    expect(phrases(wallet, details)).not.toContain('alerts[');
  });

  it.each<[sent: object, details: object, reason: RegExp, step: RegExp]>([
    [{}, { terminated_at: ['cannot_be_in_past'] }, /\(ending_at\) has passed/, /^get_subscription/],
    [
      { terminated_at: '2026-01-01T00:00:00Z' },
      { terminated_at: ['cannot_be_in_past'] },
      /: terminated_at must not/,
      /^Correct terminated_at/,
    ],
    [
      { plan_code: 'pro' },
      { base: ['billing_periods_does_not_match'] },
      /plan "pro" end on different days/,
      /the end of the current plan/,
    ],
    [{}, { base: ['billing_periods_does_not_match'] }, /different billing periods/, /^Correct the request/],
  ])('of a preview of %j, for %j', (sent, details, reason, step) => {
    const body = { subscriptions: { external_ids: ['main'], ...sent } };
    const { message, hint } = invalid({ tool: 'preview_invoice', effect: 'compute', body }, details);
    expect(message).toMatch(reason);
    expect(hint).toMatch(step);
  });
});

describe('the next step', () => {
  const missingWallet = 'BadRequest: param is missing or the value is empty or invalid: wallet';
  // biome-ignore format: a table
  const rows: [status: number, code: string, step: RegExp][] = [
    [301, 'http_301', /redirect\. .*BILLING_BASE_URL to the final address/],
    [399, 'http_399', /redirect/],
    [400, 'http_400', /did not understand.* Compare the arguments/],
    [400, missingWallet, /Compare the arguments/],
    [400, 'BadRequest: param is missing or the value is empty or invalid: alert', /only one alert per call/],
    [400, 'coupons_must_be_an_array', /Send coupons as a list: \[\{"code": "…"\}\]/],
    [400, 'subscriptions_must_be_an_object', /Send subscriptions as an object/],
    [401, 'http_401', /BILLING_API_KEY.*X-Billing-Api-Key/],
    [402, 'http_402', /^Correct the request/],
    [403, 'read_action_not_allowed_for_credit_note', /permission “read credit note”/],
    [403, 'write_action_not_allowed_for_wallet', /permission “write wallet”/],
    [403, 'x_read_action_not_allowed_for_wallet', /check its permissions/],
    [403, 'feature_unavailable', /license of the billing service does not include this/],
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
    [405, 'something_new', /state does not allow this/],
    [405, 'update_on_voided_invoice', /voided invoice cannot be changed/],
    [422, 'lock_acquisition_failed', /Someone else is changing the same record/],
    [422, 'metadata_on_draft_invoice', /[Ww]ait until it is finalized/],
    [422, 'payment_status_update_on_draft_invoice', /draft cannot be changed\. Wait/],
    [422, 'subscription_incomplete', /waiting for its first payment/],
    [422, 'premium_integration_missing', /license does not include/],
    [429, 'http_429', /^Wait a moment, then call again/],
    [499, 'http_499', /^Correct the request/],
    [503, 'database_unavailable', /^Retry in a minute/],
    [507, 'disk_full', /^Tell the user that the disk/],
  ];
  it.each(rows)('after %i %s is named, and nothing has changed', (status, code, step) => {
    const body = /^http_/.test(code) ? {} : status === 400 ? { error: code } : { code };
    const error = refused(wallet, status, { status, error: 'Some reason', ...body });
    const named = code.startsWith('BadRequest') ? 'http_400' : code;
    // What a redirect leads to is not known.
    expect(error).toMatchObject({ status, code: named, changed: status < 400 ? 'unknown' : false });
    expect(error.hint).toMatch(step);
    expect(error.message).toMatch(new RegExp(`^update_wallet: .*\\(${named}\\)`));
  });

  it.each([
    [429, 'too_many_provider_requests', /payment provider is throttling/],
    [500, 'http_500', /^The billing service has a problem/],
    [503, 'http_503', /^The billing service has a problem/],
  ])('after %i %s is named', (status, code, step) => {
    expect(refused(estimate, status, { ...(code.startsWith('too') && { code }) }).hint).toMatch(step);
  });

  it.each([
    [{ amount_cents: ['x'] }, 'e.g. 1250 for $12.50'],
    [{ amount_cents_x: ['x'], name: ['y'] }, 'Correct amount_cents_x, name, then call again.'],
    [{}, 'Correct the arguments, then call again.'],
    [{ a: [], b: [], c: [], d: [], e: [], f: [] }, 'Correct a, b, c, d, e,'],
    [{ base: ['alert_already_exists'], name: ['value_is_mandatory'] }, 'Correct the request, name'],
    [{ plan_code: ['new_plan_should_be_different_from_existing_plan'] }, 'Name another plan, or omit plan_code.'],
    [{ eu_tax_management: ['billing_entity_must_be_in_eu'] }, 'Omit eu_tax_management'],
    [{ base: ['feature_not_available'] }, 'license does not include this'],
    [{ base: ['alert_already_exists'] }, 'list_subscription_alerts'],
    [{ code: ['does_not_match_an_instant_charge'] }, 'preview_invoice'],
    [{ wallet_id: ['wallet_is_terminated'], name: ['wallet_is_terminated'] }, 'terminated wallet cannot be changed'],
  ])('after refused fields %j is named, and asks to correct only what can be corrected', (details, step) => {
    const { hint } = invalid(wallet, details);
    expect(hint).toContain(step);
    expect(hint.includes('Correct')).toBe(/Correct|1250/.test(step));
  });

  const soon = () => new Date(Date.now() + 90_500);
  it.each<[headers: () => Record<string, string>, seconds: number]>([
    [() => ({ 'retry-after': '0' }), 1],
    [() => ({ 'retry-after': '1.2' }), 2],
    [() => ({ 'retry-after': '7', 'x-ratelimit-reset': '90' }), 7],
    [() => ({ 'x-ratelimit-reset': '90' }), 90],
    [() => ({ 'retry-after': soon().toUTCString() }), 90],
    [() => ({ 'x-ratelimit-reset': `${Math.floor(soon().getTime() / 1000)}` }), 90],
    [() => ({ 'x-ratelimit-reset': soon().toISOString() }), 90],
  ])('after a rate limit says how long it lasts, in whatever form the service gives it: %s', (headers, seconds) => {
    const { hint } = refused(wallet, 429, {}, headers());
    const told = Number(/^Wait (\d+) s, then call again\./.exec(hint)?.[1]);
    if (seconds < 90) expect(told).toBe(seconds);
    else expect(told).toBeGreaterThan(80);
  });

  it('explains the mistake when the service’s own id was used instead of the customer’s', () => {
    const call = { ...customer, ids: { external_customer_id: uuid } };
    expect(refused(call, 404, { code: 'customer_not_found' }).hint).toMatch(/that the service generated/);
  });

  it('names an id of the same kind in the demo', () => {
    const call = { ...customer, demoIds: { plan: 'studio', customer: 'acme' } };
    expect(refused(call, 404, { code: 'plan_not_found' }).hint).toContain('Example from the demo: studio.');
  });
});

describe('a record that is not there', () => {
  it.each<[code: string, ids: Record<string, string>, told: string | null]>([
    ['customer_not_found', { external_customer_id: 'c', code: 'a' }, 'there is no customer "c"'],
    ['wallet_not_found', { external_customer_id: 'c', wallet_code: 'w', code: 'a' }, 'there is no wallet "w"'],
    ['wallet_not_found', { svc_id: 'x'.repeat(100) }, `there is no wallet "${'x'.repeat(80)}"`],
    ['alert_not_found', { external_customer_id: 'c', wallet_code: 'w', code: 'a' }, 'there is no alert "a"'],
    ['subscription_not_found', { external_customer_id: 'c', external_id: 's' }, 'there is no subscription "s"'],
    ['add_on_not_found', { code: 'a' }, 'there is no add-on "a"'],
    ['event_not_found', { transaction_id: 't' }, 'there is no event "t"'],
    ['plan_not_found', {}, 'there is no such plan'],
    ['wallet_transaction_not_found', {}, 'there is no such wallet transaction'],
    ['tax_not_found', { external_id: 's', code: 'a' }, 'no tax has the code or ID in the arguments'],
    ['resource_not_found', { code: 'a' }, null],
    ['http_404', { code: 'a' }, null],
  ])('%s is told by its own id of %j', (code, ids, told) => {
    const { message } = refused({ ...subscription, ids }, 404, { error: 'Not Found', code });
    const plain = (status: number) => `update_subscription: the service returned ${status} (${code}): Not Found`;
    expect(message).toBe(told === null ? plain(404) : `update_subscription: ${told} (${code})`);
    expect(refused({ ...subscription, ids }, 422, { error: 'Not Found', code }).message).toBe(plain(422));
  });
});

describe('what the service says of a refusal', () => {
  it('is kept unchanged, in addition to our words', () => {
    const details = { amount_cents: ['value_is_out_of_range'], thresholds: [{ code: 1 }] };
    expect(invalid(wallet, details).details).toEqual(details);
    expect(refused(wallet, 422, { error: 'x' })).not.toHaveProperty('details');
  });

  it.each([
    [422, 'validation_errors', { amount_cents: ['value_is_out_of_range'] }, 'amount_cents must be greater than 0'],
    [503, 'database_unavailable', 'The database does not answer.', 'The database does not answer.'],
    [507, 'disk_full', 'The disk is full.', 'The disk is full.'],
  ])('with %i %s is told with its details', (status, code, error_details, said) => {
    const error = refused(wallet, status, { error: 'Some reason', code, error_details });
    expect(error).toMatchObject({ code, changed: false, message: expect.stringContaining(said) });
  });

  it('is not taken from empty texts', () => {
    expect(refused(wallet, 422, { code: '', error: '' })).toMatchObject({
      ...{ code: 'http_422', message: expect.stringContaining('422 (http_422): no readable reason') },
    });
  });

  it('is shown without markup, and shortened', () => {
    const { message } = refused(wallet, 422, { error: `<b>no</b> ${'x'.repeat(1000)}` });
    expect(message).toBe(`update_wallet: the service returned 422 (http_422):  no  ${'x'.repeat(295)}`);
  });

  // biome-ignore format: a table
  it.each<[string, number, object, string]>([
    ['both', 502, { type: 'about:blank', title: 'Bad Gateway', status: 502, detail: 'The service is being moved.' }, 'the service returned 502 (http_502): Bad Gateway: The service is being moved.'],
    ['a title alone', 403, { title: 'Quota exceeded' }, 'the service returned 403 (http_403): Quota exceeded'],
    ['a detail alone', 400, { detail: 'customer is <b>required</b>' }, 'the service returned 400 (http_400): customer is  required '],
    ['the same twice', 404, { title: 'Not Found', detail: 'Not Found' }, 'the service returned 404 (http_404): Not Found'],
    ['the service’s own words besides', 403, { error: 'Forbidden', code: 'feature_unavailable', title: 'No' }, 'the service returned 403 (feature_unavailable): Forbidden'],
    ['neither as text', 418, { title: 7, detail: { a: 1 } }, 'the service returned 418 (http_418): no readable reason'],
  ])('as application/problem+json with %s is told in its words', (_, status, body, said) => {
    const { message } = refused(customer, status, body, { 'content-type': 'application/problem+json' });
    expect(message).toBe(`get_customer: ${said}`);
  });

  const texts = ['', 'null', '[]', '"no"', '42', '{"error":{"a":1}}', '{"code":7}', 'Bad gateway', '<html>no</html>'];
  it.each(texts.flatMap(text => [302, 400, 418, 500].map(status => [status, text] as const)))(
    '%i with %j still gives a clear sentence',
    (status, text) => {
      const { message, hint } = refused(customer, status, text);
      expect(message).toMatch(new RegExp(`^get_customer: the service returned ${status} \\(http_${status}\\): .{5,}`));
      expect(message + hint).not.toMatch(/undefined|null|\[object|<html/);
      expect(hint).not.toBe('');
    },
  );
});

describe('a write that got no clear answer', () => {
  it.each([
    [503, 'database_lost'],
    [422, 'provider_error'],
    [422, 'third_party_error'],
  ])('may be stored after %i %s', (status, code) => {
    expect(refused(wallet, status, { code })).toMatchObject({ code, changed: 'unknown' });
  });

  it.each(toolDefinitions.filter(tool => tool.change !== undefined))(
    'of $name says what to read before the write is repeated',
    ({ name, effect }) => {
      const { changed, hint } = refused({ tool: name, effect }, 500, {});
      expect(changed).toBe('unknown');
      expect(hint).toMatch(/^Do not repeat it yet: (?!read the record first).{20,}/);
    },
  );

  it.each([customer, estimate])('is none of $tool, which changes nothing', call => {
    const { changed, hint } = refused(call, 500, {});
    expect(changed).toBe(false);
    expect(hint).not.toContain('repeat');
  });

  const page = (call: CallFacts) => refused(call, 200, '<html>', { 'content-type': 'text/html' });
  it('is one that got a success without a record: it is checked before it is repeated', () => {
    expect(page(wallet)).toMatchObject({ changed: 'unknown', hint: expect.stringMatching(/^Do not repeat it yet/) });
    for (const call of [customer, estimate])
      expect(page(call)).toMatchObject({ changed: false, hint: expect.stringMatching(/^Tell the user to check/) });
  });
});

describe('a request without an answer', () => {
  // biome-ignore format: a table
  const rows: [systemCode: string, sent: boolean, code: string][] = [
    ['ENOTFOUND', false, 'dns_failed'], ['EAI_AGAIN', false, 'dns_failed'],
    ['CERT_HAS_EXPIRED', false, 'tls_failed'], ['DEPTH_ZERO_SELF_SIGNED_CERT', false, 'tls_failed'],
    ['SELF_SIGNED_CERT_IN_CHAIN', false, 'tls_failed'], ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', false, 'tls_failed'],
    ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', false, 'tls_failed'], ['ERR_TLS_CERT_ALTNAME_INVALID', false, 'tls_failed'],
    ['ERR_TLS_HANDSHAKE_TIMEOUT', false, 'tls_failed'], ['ERR_SSL_WRONG_VERSION_NUMBER', false, 'tls_failed'],
    ['EPROTO', false, 'tls_failed'], ['EPROTONOSUPPORT', false, 'connection_failed'],
    ['WSAEPROTO', false, 'connection_failed'], ['NOT_ERR_TLS', false, 'connection_failed'],
    ['ECONNREFUSED', false, 'connection_failed'], ['UND_ERR_CONNECT_TIMEOUT', false, 'connection_failed'],
    ['ECONNRESET', true, 'connection_lost'], ['UND_ERR_SOCKET', true, 'connection_lost'],
  ];
  it.each(rows)('by %s (sent: %j) is %s', (systemCode, sent, code) => {
    const { error } = failureOf(wallet, { kind: 'failed', sent, reason: 'connection', code: systemCode }, 3000);
    expect(error).toMatchObject({ code, changed: sent ? 'unknown' : false });
    expect(error.message).toContain(`(${systemCode})`);
  });

  it.each([
    [200, '0.2'],
    [1250, '1.3'],
    [30_000, '30'],
  ])('in %i ms gives the limit in seconds', (timeoutMs, seconds) => {
    const { error } = failureOf(wallet, { kind: 'failed', sent: true, reason: 'timeout', code: 'TIMEOUT' }, timeoutMs);
    expect(error.message).toContain(`(limit ${seconds} s in total)`);
  });
});

describe('a wait that is reported', () => {
  it.each([
    [0, 1],
    [1, 1],
    [1000, 1],
    [1001, 2],
    [120_000, 120],
    [120_001, 121],
  ])('of %i ms is %i s, never rounded down', (ms, seconds) => {
    expect(refuse('upstream_unavailable', { tool: wallet.tool, waitMs: ms })).toMatchObject({
      status: null,
      hint: expect.stringContaining(`again in ${seconds} s.`),
    });
  });
});

describe('a limit that makes a call wait', () => {
  it.each([
    ['asked', 45_000, 45_000, /wait of another 45 s/, /^Call again in 45 s\.$/],
    ['asked', 60_000, 2_592_000_000, /wait of another 30 days/, /^Call again in 60 s\./],
    ['used_up', 60_000, 3_600_000, /used up for another 60 min/, /^Call again in 60 s\./],
    ['spread', 2_000, 9_000, /spread over the 9 s/, /^Call again in 2 s\.$/],
  ] as const)('says why and until when: %s, %i of %i ms', (reason, ms, saidMs, message, hint) => {
    const error = rateLimitedError(wallet, { reason, ms, saidMs });
    expect(error).toMatchObject({ status: 429, code: 'rate_limited', changed: false });
    expect(error.message).toMatch(message);
    expect(error.hint).toMatch(hint);
  });
});
