/** What the question of a new alert says of how it works and of who is told (service-behaviour §5, §14). */
import { describe, expect, it } from 'vitest';
import type { JsonRecord } from '../../src/lib/json.ts';
import { meta, refusal, sharedWorld } from './lookup-upstream.ts';

const world = await sharedWorld();

const account = {
  '/subscriptions/main': { subscription: { external_id: 'main', status: 'active', plan_amount_currency: 'USD' } },
  '/subscriptions/main/alerts': { alerts: [] },
  '/webhook_endpoints': { webhook_endpoints: [] },
  '/billable_metrics': { billable_metrics: [{ code: 'api' }] },
};
const spend = { code: 'spend', alert_type: 'current_usage_amount', thresholds: [{ value: 1_000 }] };
const lifetime = { code: 'ever', alert_type: 'billable_metric_lifetime_usage_units', billable_metric_code: 'api' };
const endpoint = (name: string | null, event_types: unknown) => ({
  ...{ name, event_types, webhook_url: 'https://hooks.example/x', signature_algo: 'hmac' },
});

async function notes(args: JsonRecord, script: JsonRecord = {}, settings: Record<string, string> = {}) {
  await world.renew(settings);
  world.script({ ...account, ...script } as typeof account);
  const answer = await world.call('create_subscription_alert', { external_id: 'main', ...args, dry_run: true });
  expect(answer.error, answer.summary).toBeUndefined();
  return (answer.dry_run as { warnings: string[] }).warnings.join('\n');
}

describe('how a new alert works', () => {
  it.each<[string, JsonRecord, string, RegExp]>([
    ['an amount of this period', spend, 'Amounts count before tax. ', /once in each period\./],
    ['units since the start', { ...lifetime, thresholds: [{ value: 5 }] }, '', /triggers only once\./],
    [
      'what recurs alone',
      { ...spend, thresholds: [{ value: 5, recurring: true }] },
      'Amounts count before tax. ',
      /^(?!.*once)/,
    ],
    [
      'several of either kind',
      { alerts: [spend, { ...lifetime, thresholds: [{ value: 5 }] }] },
      'Amounts count before tax. ',
      /once in each period and only once/,
    ],
  ])('is said of %s', async (_, args, counts, once) => {
    const text = await notes(args);
    expect(text).toContain(`${counts}It triggers at or above`);
    expect(text).toMatch(once);
  });

  it('is said with that no tool here takes it back', async () => {
    expect(await notes(spend)).toContain('changes or deletes an alert');
  });
});

describe('who is told of a new alert', () => {
  const of = (...webhook_endpoints: object[]) => ({ '/webhook_endpoints': { webhook_endpoints } });

  it('are the endpoints that take the notification, or all kinds', async () => {
    const endpoints = of(
      endpoint('All', null),
      endpoint('Alerts', ['invoice.created', 'alert.triggered']),
      endpoint('Invoices', ['invoice.created']),
      endpoint('None', []),
      endpoint(null, null),
    );
    expect(await notes(spend, endpoints)).toContain('“Alerts” (hooks.example) and hooks.example');
  });

  it.each([
    ['https://user:s3cret@hooks.example:8443/T0KEN/x?token=s3cret#s3cret', 'hooks.example:8443'],
    ['not an address s3cret', 'an endpoint without an address'],
    [null, 'an endpoint without an address'],
    ['javascript:s3cret', 'an endpoint without an address'],
  ])('are told without what may be a secret in %s', async (webhook_url, told) => {
    const text = await notes(spend, of({ ...endpoint(null, null), webhook_url }));
    expect(text).toContain(`is sent to ${told}`);
    expect(text).not.toMatch(/s3cret|T0KEN/);
  });

  it('are all endpoints of a service that has no choice of notifications', async () => {
    const text = await notes(spend, of(endpoint('All', undefined)));
    expect(text).toContain('sent to “All” (hooks.example)');
  });

  it.each<[string, object]>([
    ['goes on', { webhook_endpoints: [endpoint('Invoices', ['invoice.created'])], meta: meta(200, { pages: 2 }) }],
    ['counts more than it holds', { webhook_endpoints: [], meta: meta(3) }],
  ])('is not known where the list %s', async (_, list) => {
    const text = await notes(spend, { '/webhook_endpoints': list });
    expect(text).toContain('could not read who is notified');
    expect(text).not.toContain('Nobody is told');
  });

  it('is nobody where none takes it', async () => {
    expect(await notes(spend, of(endpoint('Invoices', ['invoice.created'])))).toContain('accepts alert.triggered');
  });

  it('counts those that are not named', async () => {
    const five = [1, 2, 3, 4, 5].map(n => endpoint(`E${n}`, null));
    expect(await notes(spend, of(...five))).toMatch(/“E1” .*“E2” .*“E3” .* 2 more/);
  });

  it.each<[string, JsonRecord, Record<string, string>, boolean]>([
    ['the service lacks the list', { '/webhook_endpoints': refusal(404, 'resource_not_found') }, {}, true],
    ['the key lacks the right', { '/webhook_endpoints': refusal(403, 'read_action_not_allowed') }, {}, false],
    ['the caller may not see endpoints', {}, { BILLING_EXCLUDE_TOOLS: 'get_webhook_endpoint' }, false],
  ])('is not told where %s, and the alert is asked about as ever', async (_, script, settings, said) => {
    const text = await notes(spend, script, settings);
    expect(text).not.toContain('alert.triggered');
    expect(text.includes('The server could not read who is notified.')).toBe(said);
    expect(text).toContain('at or above a threshold');
  });
});
