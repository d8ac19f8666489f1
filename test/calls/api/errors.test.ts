import { describe, expect, it } from 'vitest';
import type { CallFacts } from '../../../src/calls/api/http/hints.ts';
import { failureOf, judgeAnswer, rateLimitedError } from '../../../src/calls/api/http/read-answer.ts';
import { refuse } from '../../../src/definition/failure.ts';

const wallet: CallFacts = { tool: 'update_wallet', effect: 'write', ids: { svc_id: 'w' } };
const subscription: CallFacts = { tool: 'update_subscription', effect: 'write', ids: { external_id: 's' } };
const estimate: CallFacts = { tool: 'estimate_fees', effect: 'compute' };

function refused(call: CallFacts, status: number, body: object) {
  const answer = { kind: 'answer', status, headers: {}, text: JSON.stringify({ status, ...body }) } as const;
  const concluded = judgeAnswer(call, answer as unknown as Parameters<typeof judgeAnswer>[1], undefined);
  if (!('error' in concluded)) throw new Error('not refused');
  return concluded.error;
}

const invalid = (call: CallFacts, error_details: unknown) =>
  refused(call, 422, { error: 'Unprocessable Entity', code: 'validation_errors', error_details });

describe('a refusal names the argument and what to do next', () => {
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

  it.each([
    [wallet, { wallet_id: ['wallet_is_terminated'] }, 'Tell the user'],
    [subscription, { base: ['alert_already_exists'] }, 'list_subscription_alerts'],
    [estimate, { code: ['does_not_match_an_instant_charge'] }, 'preview_invoice'],
  ])('does not ask to correct a field where no other value helps: %j', (call, details, next) => {
    const { hint } = invalid(call, details);
    expect(hint).toContain(next);
    expect(hint).not.toContain('Correct');
  });

  it('asks to correct other fields that can be corrected', () => {
    expect(invalid(wallet, { base: ['alert_already_exists'], name: ['value_is_mandatory'] }).hint).toContain('name');
  });

  it('does not take the record in the path for a missing tax', () => {
    const { message } = refused(subscription, 404, { error: 'Not Found', code: 'tax_not_found' });
    expect(message).toContain('(tax_not_found)');
    expect(message).not.toContain('external_id');
    expect(refused(subscription, 404, { error: 'Not Found', code: 'subscription_not_found' }).message).toContain('"s"');
  });

  it('knows the codes that malformed requests carry in their error', () => {
    expect(refused(estimate, 400, { error: 'coupons_must_be_an_array' }).hint).toContain('[{"code": "…"}]');
    expect(refused(estimate, 400, { error: 'Bad Request' }).hint).toContain('did not understand');
  });

  it.each(['constructor', '__proto__', 'toString'])('finds no entry under %s', word => {
    const { message, hint } = invalid(wallet, { [word]: [word] });
    expect(`${message} ${hint}`).not.toContain('native code');
    expect(typeof refused(wallet, 422, { error: 'x', code: word }).hint).toBe('string');
  });

  it('reads details of any JSON', () => {
    expect(invalid(estimate, 'Expression failed').message).toContain('Expression failed');
    expect(invalid(estimate, { 0: { params: {}, errors: {} } }).message).toContain('"params"');
    expect(invalid(estimate, null).hint).toContain('call again');
  });
});

describe('what the service says of a refusal', () => {
  it('is kept unchanged, in addition to our words', () => {
    const details = { amount_cents: ['value_is_out_of_range'], thresholds: [{ code: 1 }] };
    expect(invalid(wallet, details).details).toEqual(details);
    expect(refused(wallet, 422, { error: 'x' })).not.toHaveProperty('details');
  });

  it('is not taken from empty texts', () => {
    const { code, message } = refused(wallet, 422, { code: '', error: '' });
    expect(code).toBe('http_422');
    expect(message).toContain('422 (http_422): no readable reason');
  });

  it('is shown without markup, and shortened', () => {
    const { message } = refused(wallet, 422, { error: `<b>no</b> ${'x'.repeat(1000)}` });
    expect(message).toBe(`update_wallet: the service returned 422 (http_422):  no  ${'x'.repeat(295)}`);
  });
});

describe('a success without a record', () => {
  const page = { kind: 'answer', status: 200, headers: { 'content-type': 'text/html' }, text: '<html>' } as const;
  const concluded = (call: CallFacts) => {
    const { error } = judgeAnswer(call, page as unknown as Parameters<typeof judgeAnswer>[1], undefined) as {
      error: ReturnType<typeof refused>;
    };
    return error;
  };

  it('of a write must be checked before the write is repeated', () => {
    expect(concluded(wallet)).toMatchObject({
      changed: 'unknown',
      hint: expect.stringMatching(/^Do not repeat it yet/),
    });
  });

  it.each(['read', 'compute'] as const)('of a call that can only %s may be repeated', effect => {
    const { changed, hint } = concluded({ tool: 'get_customer', effect });
    expect(changed).toBe(false);
    expect(hint).toMatch(/^Tell the user to check/);
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
