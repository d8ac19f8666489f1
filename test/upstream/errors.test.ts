import { describe, expect, it } from 'vitest';
import { answerOf, type CallFacts } from '../../src/upstream/errors.ts';

const wallet: CallFacts = { tool: 'update_wallet', effect: 'write', ids: { svc_id: 'w' } };
const subscription: CallFacts = { tool: 'update_subscription', effect: 'write', ids: { external_id: 's' } };
const estimate: CallFacts = { tool: 'estimate_fees', effect: 'compute' };

function refused(call: CallFacts, status: number, body: object) {
  const answer = { kind: 'answer', status, headers: {}, text: JSON.stringify({ status, ...body }) } as const;
  const concluded = answerOf(call, answer as unknown as Parameters<typeof answerOf>[1], undefined);
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
    [wallet, { wallet_id: ['wallet_is_terminated'] }, 'tell the person'],
    [subscription, { base: ['alert_already_exists'] }, 'list_subscription_alerts'],
    [estimate, { code: ['does_not_match_an_instant_charge'] }, 'preview_invoice'],
  ])('does not ask to correct what no other value helps: %j', (call, details, next) => {
    const { hint } = invalid(call, details);
    expect(hint).toContain(next);
    expect(hint).not.toContain('Correct');
  });

  it('asks to correct what can be corrected beside it', () => {
    expect(invalid(wallet, { base: ['alert_already_exists'], name: ['value_is_mandatory'] }).hint).toContain('name');
  });

  it('does not take the record of the path for a tax that is missing', () => {
    const { hint } = refused(subscription, 404, { error: 'Not Found', code: 'tax_not_found' });
    expect(hint).toContain('No tax has the code');
    expect(hint).not.toContain('external_id');
    expect(refused(subscription, 404, { error: 'Not Found', code: 'subscription_not_found' }).hint).toContain('"s"');
  });

  it('knows the codes that malformed requests carry in their error', () => {
    expect(refused(estimate, 400, { error: 'coupons_must_be_an_array' }).hint).toContain('[{"code": "…"}]');
    expect(refused(estimate, 400, { error: 'Bad Request' }).hint).toContain('not understood');
  });

  it.each(['constructor', '__proto__', 'toString'])('finds nothing of its own under %s', word => {
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
