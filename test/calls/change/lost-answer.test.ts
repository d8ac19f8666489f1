/** After an answer that was lost, the record is looked at once: what the answer, the receipt and the audit log say then. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findingOf } from '../../../src/calls/change/fields/lost-answer.ts';
import { demoIds } from '../../../src/contract/demo-ids.ts';
import type { ToolError } from '../../../src/definition/failure.ts';
import type { RecordReading } from '../../../src/definition/write-call.ts';
import { anyRecord as asRecord, type JsonRecord } from '../../../src/lib/json.ts';
import { deleteAddOn, updateAddOn } from '../../../tools/add-ons.ts';
import { toolDefinitions } from '../../../tools/all-tools.ts';
import { updateSubscription } from '../../../tools/subscriptions.ts';
import { updateWallet } from '../../../tools/wallets.ts';
import type { TestClient } from '../../support/clients.ts';
import { type SetWorld, setWorld } from './set-world.ts';
import { writeCall } from './support.ts';
import { changes } from './tamper.ts';

/** One change of each write that the demo account can make. */
const writes: Readonly<Record<string, JsonRecord>> = {
  update_subscription: { external_id: demoIds.external_subscription_id, name: 'Studio, main' },
  create_subscription_alert: {
    external_id: demoIds.external_subscription_id,
    code: 'late',
    alert_type: 'lifetime_usage_amount',
    thresholds: [{ value: '900000' }],
  },
  update_wallet: { svc_id: demoIds.wallet_svc_id, metadata: { desk: '7' }, merge: true },
  update_invoice: { svc_id: demoIds.invoice_svc_id, metadata: [{ key: 'desk', value: '7' }] },
  update_credit_note: { svc_id: demoIds.credit_note_svc_id, metadata: { desk: '7' } },
  update_add_on: { code: demoIds.add_on_code, invoice_display_name: 'Welcome' },
  delete_add_on: { code: demoIds.add_on_code },
  create_billing_entity: { code: 'nordic', name: 'Skylark Nordic', country: 'SE' },
};

let world: SetWorld;
let client: TestClient;
let folder: string;

beforeAll(async () => {
  world = await setWorld();
  folder = await mkdtemp(join(tmpdir(), 'found-'));
  const settings = { BILLING_AUDIT_LOG: join(folder, 'audit.jsonl') };
  client = (await world.connect(settings, false, '2026-07-28', { limits: { maxRetries: 0 } })).client;
});
afterAll(async () => {
  await world.close();
  await rm(folder, { recursive: true });
});
beforeEach(() => {
  world.fail(undefined);
  world.failReads(undefined);
  world.writes();
});
/** The write does not arrive; this one is carried out in its place. */
const cut = (instead?: Parameters<SetWorld['send']>) =>
  world.fail(async () => {
    if (instead) await world.send(...instead);
    return 'cut' as const;
  });

/** The last line of the audit log. */
async function onRecord(): Promise<JsonRecord> {
  const lines = (await readFile(join(folder, 'audit.jsonl'), 'utf8')).trim().split('\n');
  return JSON.parse(lines.at(-1)!);
}

const names = toolDefinitions.filter(changes).map(({ name }) => name);
const unknown = { changed: 'unknown', code: 'connection_lost' };
const moment = String.raw`\d\d:\d\d:\d\d UTC`;

describe('a write whose answer was lost on the way', () => {
  it.each(names)('%s: was not so where the request never arrived; it may still happen', async name => {
    cut();
    const { content } = await client.call(name, writes[name]!);
    expect(content.error).toMatchObject(unknown);
    expect(asRecord(content.error).hint).toMatch(new RegExp(`at ${moment} shows no change`));
    expect(world.writes()).toHaveLength(1);
    expect(await onRecord()).toMatchObject({ outcome: 'unknown', code: 'connection_lost', looked: 'as_before' });
  });

  it.each(names)('%s: could not be seen where reads fail, too', async name => {
    let sent = false;
    world.fail(() => {
      sent = true;
      return 'cut';
    });
    world.failReads(() => (sent ? 'cut' : undefined));
    const { content } = await client.call(name, writes[name]!);
    expect(content.error).toMatchObject(unknown);
    expect(asRecord(content.error).hint).toMatch(new RegExp(`at ${moment} could not read`));
    expect(await onRecord()).toMatchObject({ outcome: 'unknown', looked: 'unseen' });
  });

  it('shows neither where somebody else has written meanwhile', async () => {
    const body = { invoice: { metadata: [{ key: 'desk', value: '8' }] } };
    cut(['PUT', `/invoices/${demoIds.invoice_svc_id}`, body]);
    const { content } = await client.call('update_invoice', writes.update_invoice!);
    expect(content.error).toMatchObject(unknown);
    expect(asRecord(content.error).hint).toContain('neither the requested values');
    expect(await onRecord()).toMatchObject({ outcome: 'unknown', looked: 'otherwise' });
  });

  const alerts = [
    { code: 'first', alert_type: 'billable_metric_current_usage_units', billable_metric_code: 'seats' },
    { code: 'second', alert_type: 'billable_metric_current_usage_amount', billable_metric_code: 'seats' },
  ].map(alert => ({ ...alert, thresholds: [{ value: '700' }] }));
  const several = { external_id: demoIds.external_subscription_id, alerts };

  it('says which of several alerts are there, where somebody else has made one meanwhile', async () => {
    const other = { alert_type: 'billable_metric_lifetime_usage_units', billable_metric_code: 'tokens' };
    const body = { alert: { ...alerts[1], ...other } };
    cut(['POST', `/subscriptions/${demoIds.external_subscription_id}/alerts`, body]);
    const { content } = await client.call('create_subscription_alert', several);
    expect(content.error).toMatchObject(unknown);
    expect(asRecord(content.error).hint).toMatch(new RegExp(`at ${moment} shows only a part`));
    expect(await onRecord()).toMatchObject({ outcome: 'unknown', looked: 'otherwise' });
  });

  it('finds all of several alerts', async () => {
    world.fail(() => 'lost');
    const others = alerts.map(alert => ({ ...alert, code: `the ${alert.code}` }));
    const { content } = await client.call('create_subscription_alert', { ...several, alerts: others });
    expect(content).toMatchObject({ changed: true, receipt: { applied: ['alerts'], not_applied: [] } });
    expect(content.alerts).toMatchObject([{ code: 'the first' }, { code: 'the second' }]);
    expect(content.summary).toContain('alerts the first and the second');
    expect(content).not.toHaveProperty('alert');
    expect(await onRecord()).toMatchObject({ outcome: 'done', looked: 'found' });
  });

  it('finds an add-on by its new code', async () => {
    world.fail(() => 'lost');
    const renaming = { code: demoIds.add_on_code, new_code: 'welcome' };
    const { content } = await client.call('update_add_on', renaming);
    expect([content.changed, content.receipt]).toMatchObject([true, { applied: ['code'], not_applied: [] }]);
    world.fail(undefined);
    const back = asRecord(asRecord(content.receipt).revert);
    expect(back.arguments).toEqual({ code: 'welcome', new_code: demoIds.add_on_code });
    expect((await client.call('update_add_on', asRecord(back.arguments))).isError).toBe(false);
  });

  it.each(names)('%s: has changed the account where the record shows it', async name => {
    world.fail(() => 'lost');
    const { isError, content } = await client.call(name, writes[name]!);
    expect([isError, content.changed]).toEqual([false, true]);
    expect(content.summary).toContain('(connection_lost)');
    expect(content.receipt).toMatchObject({
      ...{ not_applied: [], confirmed_by: 'policy' },
      found: expect.stringContaining('(connection_lost)'),
    });
    expect(world.writes()).toHaveLength(1);
    expect(await onRecord()).toMatchObject({ outcome: 'done', code: 'connection_lost', looked: 'found' });
  });
});

describe('what a look shows', () => {
  const at = new Date('2026-03-15T14:03:22Z');
  const wallet = { svc_id: demoIds.wallet_svc_id, metadata: { a: '1' } };
  const metadata = (...keys: string[]) => ({ metadata: Object.fromEntries(keys.map(key => [key, '1'])) });
  const refusedAs = (code: string): RecordReading => ({ kind: 'refused', error: { status: 404, code } as ToolError });
  const gone = refusedAs('add_on_not_found');
  const withoutPath = refusedAs('route_not_found');
  const taxed = { code: 'setup', tax_codes: ['vat'] };
  const named = { ...taxed, name: 'Setup' };
  const taxes = [{ code: 'vat' }];
  const units = { external_id: 's', plan_overrides: { fixed_charges: [{ id: 'f', units: '5' }] } };
  const quantities = (own_quantities: boolean) => ({
    ...{ external_id: 's', plan: { own_quantities, fixed_charges: [{ svc_id: 'f', units: '5.0' }] } },
  });
  const setup = { code: 'setup', amount_cents: 100_000 };
  const raised = { amount_cents: 125_000 };
  const [one, other] = [{ svc_id: 'a' }, { svc_id: 'b' }];
  it.each([
    ['a new value', updateAddOn, undefined, setup, { ...setup, ...raised }, 'found'],
    ['the earlier value', updateAddOn, undefined, setup, setup, 'as_before'],
    ['a third value', updateAddOn, undefined, setup, { ...setup, amount_cents: 1 }, 'otherwise'],
    ['the value, and nobody saw it before', updateAddOn, undefined, null, raised, 'shown'],
    ['another value, and nobody saw it before', updateAddOn, undefined, null, setup, 'otherwise'],
    ['nothing of the field', updateAddOn, undefined, { code: 'setup' }, { code: 'setup' }, 'alike'],
    ['metadata without what was to go', updateWallet, wallet, metadata('a', 'b'), metadata('a'), 'found'],
    ['metadata with what was to go', updateWallet, wallet, metadata('a', 'b'), metadata('a', 'b'), 'as_before'],
    ['what was there before already', updateAddOn, undefined, raised, raised, 'alike'],
    ['a value that was not shown before', updateAddOn, taxed, { name: 'Setup' }, { name: 'Setup', taxes }, 'shown'],
    ['the part that is shown, as it was', updateAddOn, named, { name: 'Setup' }, { name: 'Setup' }, 'alike'],
    ['quantities, unread before', updateSubscription, units, quantities(false), quantities(true), 'shown'],
    ['quantities as they were', updateSubscription, units, quantities(true), quantities(true), 'alike'],
    [
      'another record of the same code',
      updateAddOn,
      undefined,
      { ...setup, ...one },
      { ...raised, ...other },
      'otherwise',
    ],
    ['another one in place of what was to go', deleteAddOn, { code: 'setup' }, one, other, 'otherwise'],
    ['a path that is gone', deleteAddOn, { code: 'setup' }, setup, withoutPath, 'unseen'],
    ['a record that is gone', deleteAddOn, { code: 'setup' }, setup, gone, 'found'],
    ['a record that is gone, and nobody saw it before', deleteAddOn, { code: 'setup' }, null, gone, 'shown'],
    ['a record that was to go', deleteAddOn, { code: 'setup' }, setup, setup, 'as_before'],
  ])('%s', (_, tool, args, before, after: JsonRecord | RecordReading, kind) => {
    const call = writeCall({ tool, ...(args && { args }), known: before, reading: before ? 'read' : 'unreadable' });
    const reading = 'kind' in after ? (after as RecordReading) : { kind: 'read' as const, record: after as JsonRecord };
    expect(findingOf(call, reading, at).kind).toBe(kind);
  });
});
