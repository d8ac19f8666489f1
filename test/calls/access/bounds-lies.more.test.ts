/**
 * A service that answers another customer's records to a read of a bound caller: each read that a call makes is answered so
 * in turn, and nothing of the other customer stands in the answer, in a file of it, or in a line of the log.
 */
import { Writable } from 'node:stream';
import { isDeepStrictEqual } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { nobody } from '../../../src/definition/asking.ts';
import type { JsonRecord } from '../../../src/lib/json.ts';
import { createLog, logCalls } from '../../../src/server/logs/log.ts';
import { accountOf, acme, boundWorld, globex, type Ids, ours, sharedWorld, theirs } from './bounds-world.ts';

const lines: string[] = [];
const sink = new Writable({ write: (chunk, _, done) => done(void lines.push(String(chunk))) });
const observer = logCalls(createLog('debug', sink as never));
const world = sharedWorld(() => boundWorld(accountOf([acme, globex]), { observer }));
beforeAll(async () => {
  const [own, other] = await Promise.all([acme, globex].map(svcIdOf));
  exchanged.push([String(own), String(other)]);
});

async function svcIdOf({ external_id }: { external_id: string }): Promise<unknown> {
  const answer = await world.send(world.caller(), `GET /customers/${external_id}`);
  return (answer.ok ? (answer.body as { customer: { svc_id: unknown } }) : undefined)?.customer.svc_id;
}

/** What an answer says of the one customer, and what it would say of the other. */
const exchanged: [string, string][] = [
  ...Object.entries(ours).map(([name, id]): [string, string] => [`"${id}"`, `"${theirs[name as keyof Ids]}"`]),
  ['acmark', 'zglob'],
];

/** The same answer with the ids, names and amounts of the other customer. */
function asTheirs(body: unknown): unknown {
  const text = exchanged.reduce((told, [own, other]) => told.replaceAll(own, other), JSON.stringify(body));
  return JSON.parse(text.replaceAll(/\b12\.?0[3-6]\b/g, '7654321'));
}

/** Of a list also both rows together, as from a service that does not filter. */
function asBoth(body: unknown): unknown {
  const lie = asTheirs(body) as JsonRecord;
  const entries = Object.entries(body as JsonRecord).map(([key, value]) => [
    key,
    Array.isArray(value) && typeof value[0] === 'object' ? [...value, ...(lie[key] as unknown[])] : value,
  ]);
  return Object.fromEntries(entries);
}

const traces = /globex|zglob|7654321|76,543\.21/i;

const calls: [string, JsonRecord][] = [
  ['get_invoice', { svc_id: ours.invoice }],
  ['get_invoice', { svc_id: ours.number }],
  ['get_invoice', { svc_id: `${acme.marker}-INV-3`, compared_to: 'previous' }],
  ['get_invoice', { svc_id: ours.invoice, compared_to: 'running' }],
  ['get_invoice', { svc_id: ours.invoice, compared_to: `${acme.marker}-INV-2` }],
  ['list_invoices', {}],
  ['list_invoices', { external_customer_id: 'acme' }],
  ['list_wallets', {}],
  ['list_wallets', { external_customer_id: 'acme' }],
  ['list_wallets', { runway: true }],
  ['list_wallets', { external_customer_id: 'acme', runway: true }],
  ['list_wallet_transactions', { svc_id: ours.wallet }],
  ['get_wallet_transaction', { svc_id: ours.transaction }],
  ['get_usage', { external_customer_id: 'acme', external_subscription_id: ours.subscription }],
  ['get_usage', { external_customer_id: 'acme', external_subscription_id: ours.subscription, period: 'past' }],
  ['list_events', { external_subscription_id: ours.subscription }],
  ['get_event', { transaction_id: ours.event }],
  ['list_subscriptions', { ending_before: '2027-01-01' }],
  ['list_subscriptions', { trial_ends_before: '2027-01-01' }],
  ['get_subscription', { external_id: ours.subscription }],
  ['list_subscription_alerts', { external_id: ours.subscription }],
  ['get_wallet_alert', { external_customer_id: 'acme', wallet_code: ours.walletCode, code: ours.walletAlert }],
  ['list_payments', { external_customer_id: 'acme' }],
  ['get_payment', { svc_id: ours.payment }],
  ['list_credit_notes', { external_customer_id: 'acme' }],
  ['get_statement', { external_customer_id: 'acme', currency: 'EUR' }],
  ['get_customer', { external_customer_id: 'acme' }],
  ['get_customer_overview', { external_customer_id: 'acme' }],
  ['preview_invoice', { customer: { external_id: 'acme' }, subscriptions: { external_ids: [ours.subscription] } }],
  ['compare_plans', { plan_codes: ['basic', 'pro'], customer: { external_id: 'acme' } }],
  ['update_subscription', { external_id: ours.subscription, plan_overrides: { amount_cents: 1 }, dry_run: true }],
  ['update_wallet', { svc_id: ours.wallet, name: 'Main', dry_run: true }],
  ['update_invoice', { svc_id: ours.invoice, payment_status: 'succeeded', dry_run: true }],
  ['update_credit_note', { svc_id: ours.creditNote, refund_status: 'succeeded', dry_run: true }],
  [
    'create_subscription_alert',
    {
      ...{ external_id: ours.subscription, code: 'spend', alert_type: 'lifetime_usage_amount' },
      ...{ thresholds: [{ value: 1000 }], dry_run: true },
    },
  ],
  ['list_invoices', { format: 'csv' }],
  ['get_statement', { external_customer_id: 'acme', currency: 'EUR', format: 'csv' }],
  ['list_wallets', { format: 'csv' }],
  ['list_payments', { format: 'csv' }],
  ['list_wallet_transactions', { svc_id: ours.wallet, format: 'csv' }],
];

type Lie = (body: unknown) => unknown;
const lies: [string, Lie][] = [
  ['whole records of another', body => asTheirs(body)],
  ['own rows and those of another', asBoth],
];

/** The answer, and the file where there is one. */
async function told(tool: string, args: JsonRecord, isTrue = false): Promise<string> {
  const caller = world.newCaller();
  const answer = await world.call(caller, tool, args);
  if (isTrue) expect(answer.isError, answer.text).toBe(false);
  const uri = /billing:\/\/export\/[\w.-]+/.exec(answer.text)?.[0];
  if (uri === undefined) return answer.text;
  const file = await world.runtime.pipeline.readFile(uri, { caller, client: nobody });
  return `${answer.text.replaceAll(uri, '')} ${JSON.stringify(file)}`;
}

describe('of another customer whose records are answered to a bound caller, nothing is told', () => {
  it.each(calls)('by %s %j', async (tool, args) => {
    /** The bodies of each path. */
    const seen = new Map<string, unknown[]>();
    world.rewrite((asked, body) => {
      const [path = ''] = asked.split('?');
      seen.set(path, [...(seen.get(path) ?? []), body]);
      return body;
    });
    expect(await told(tool, args, true)).not.toMatch(traces);
    expect(seen.size).toBeGreaterThan(0);
    for (const [path, bodies] of seen)
      for (const [lie, change] of lies) {
        // A lie that changes none of these answers has nothing to try.
        if (bodies.every(body => isDeepStrictEqual(change(body), body))) continue;
        world.rewrite((asked, body) => (asked.split('?')[0] === path ? change(body) : body));
        expect(await told(tool, args), `${lie} at ${path}`).not.toMatch(traces);
      }
    expect(lines.join('')).toContain(tool);
    expect(lines.join('')).not.toMatch(traces);
  });
});
