/** Sets of changes within a day's limit, and their lines on the audit log. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { digestOf } from '../../../src/calls/change/ask/signed-state.ts';
import { demoIds } from '../../../src/contract/demo-ids.ts';
import { anyRecord as asRecord, type JsonRecord } from '../../../src/lib/json.ts';
import { formatReport, readAuditLog } from '../../../src/server/commands/audit.ts';
import type { Asks } from '../../support/clients.ts';
import { change, outcomesOf, type SetWorld, setWorld, three } from './set-world.ts';

let world: SetWorld;
let folder: string;
let settings: Record<string, string>;
let cents = 10_000;

beforeAll(async () => {
  world = await setWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sets-'));
  settings = {
    BILLING_CONFIRM: 'auto',
    BILLING_AUDIT_LOG: join(folder, 'audit.jsonl'),
    BILLING_MAX_AMOUNT_PER_DAY: 'USD:1000',
  };
});
afterEach(async () => {
  world.fail(undefined);
  world.writes();
  await rm(folder, { recursive: true });
});

const connect = async (asks: Asks = true) => (await world.connect(settings, asks)).client;
const linesOnLog = async () =>
  (await readFile(settings.BILLING_AUDIT_LOG!, 'utf8'))
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as JsonRecord);
/** Three changes, of so many dollars and a few cents that no earlier test has set. */
const priced = (...dollars: [number, number, number]) => {
  const [first, second, third] = dollars.map(amount => amount * 100 + (cents++ % 100));
  return [
    change('update_add_on', { code: demoIds.add_on_code, amount_cents: first, amount_currency: 'USD' }),
    change('update_wallet', { svc_id: demoIds.wallet_svc_id, paid_top_up_min_amount_cents: second }),
    change('update_add_on', { code: 'priority_support', amount_cents: third, amount_currency: 'USD' }),
  ];
};
const alone = (dollars: number) => ({
  code: 'priority_support',
  amount_cents: dollars * 100 + (cents++ % 100),
  amount_currency: 'USD',
});

describe('the limit of a day', () => {
  it('refuses a set of three of which two would fit, before anybody is asked, with what is left', async () => {
    const client = await connect();
    const { content } = await client.call('change_several', { changes: priced(400, 400, 400), on_failure: 'continue' });
    expect(asRecord(content.error)).toMatchObject({ code: 'day_limit', details: { left: '1000' } });
    expect(content.summary).toMatch(/names \$1,200\.\d\d, and \$1,000\.00 .* left/);
    expect(client.asked).toEqual([]);
    expect(world.writes()).toEqual([]);
    const two = priced(400, 400, 400).slice(0, 2);
    expect(outcomesOf((await client.call('change_several', { changes: two })).content)).toEqual(['done', 'done']);
  });

  it('refuses a set whole where somebody else used up the day before its yes', async () => {
    const [client, other] = [await connect(), await connect()];
    client.person = () => other.call('update_add_on', alone(500));
    const { content } = await client.call('change_several', { changes: priced(200, 200, 200), on_failure: 'continue' });
    expect(asRecord(content.error).code).toBe('day_limit');
    expect(world.writes()).toHaveLength(1);
  });

  it.each([
    ['continue', ['done', 'not_done (day_limit)', 'done']],
    ['stop', ['done', 'not_done (day_limit)', 'not_done (set_stopped)']],
  ])(
    'tells the changes that no longer fit as not done, with %s, and counts what was sent',
    async (on_failure, ends) => {
      const [client, other] = [await connect(), await connect()];
      let taken = false;
      world.fail(async ({ path }) => {
        if (taken || !path.includes('/add_ons/')) return undefined;
        taken = true;
        await other.call('update_wallet', {
          svc_id: demoIds.wallet_svc_id,
          paid_top_up_max_amount_cents: 40_000 + cents++,
        });
        return undefined;
      });
      const { content } = await client.call('change_several', { changes: priced(200, 450, 100), on_failure });
      expect(outcomesOf(content)).toEqual(ends);
      const sent = (await linesOnLog()).filter(({ event, outcome }) => event === 'completed' && outcome === 'done');
      expect(sent).toHaveLength(on_failure === 'continue' ? 3 : 2);
      const used = on_failure === 'continue' ? 800 : 700;
      expect((await other.call('update_add_on', alone(1000 - used))).content.error).toMatchObject({
        code: 'day_limit',
      });
      expect((await other.call('update_add_on', alone(1000 - used - 10))).content.error).toBeUndefined();
    },
  );
});

describe('the audit log', () => {
  it('names on all lines of a set the question that was shown, also of a change that was not sent', async () => {
    const client = await connect();
    client.person = () => world.put(`/wallets/${demoIds.wallet_svc_id}`, { wallet: { name: 'Other' } });
    const done = await client.call('change_several', { changes: three('on the log'), on_failure: 'continue' });
    expect(outcomesOf(done.content)).toEqual(['done', 'not_done (record_changed)', 'done']);
    const lines = await linesOnLog();
    expect(lines.map(({ event }) => event)).toEqual(['begun', 'completed', 'refused', 'begun', 'completed']);
    expect(new Set(lines.map(({ question }) => question))).toEqual(new Set([digestOf(client.asked[0]!)]));
  });

  it('prints each change of a set as a write, and a refused set as one', async () => {
    const client = await connect();
    await client.call('change_several', { changes: three('in print') });
    await client.call('change_several', { changes: priced(400, 400, 400) });
    const text = await readFile(settings.BILLING_AUDIT_LOG!, 'utf8');
    const rows = formatReport(await readAuditLog(text.split('\n')), 400)
      .split('\n')
      .slice(2);
    const words = rows.filter((_, index) => index % 2 === 0 && index < 8).map(row => row.split(/ {2,}/));
    expect(words.map(([, tool, target, , decision, outcome]) => [tool, target, decision, outcome])).toEqual([
      ['update_add_on', `add_on ${demoIds.add_on_code}`, 'person', 'done'],
      ['update_wallet', `wallet ${demoIds.wallet_svc_id}`, 'person', 'done'],
      ['update_subscription', `subscription ${demoIds.external_subscription_id}`, 'person', 'done'],
      ['change_several', '3 changes', 'day_limit', 'not sent'],
    ]);
  });
});
