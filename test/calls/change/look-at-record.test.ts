/** The look at the record before a write: whole calls against a service over loopback. */
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Scope } from '../../../src/definition/caller.ts';
import type { JsonRecord } from '../../../src/lib/json.ts';
import type { Observer } from '../../../src/server/logs/types.ts';
import { type Durations, type Limits, usualDurations } from '../../../src/server/settings/usual.ts';
import { connectClient, startRuntime } from '../../support/clients.ts';
import { limitMs, until } from '../../support/until.ts';
import { lookupBody } from '../../tools/lookup-bodies.ts';
import { refusal } from '../../tools/lookup-upstream.ts';
import {
  type CountingUpstream,
  type Received,
  type Refusal,
  startCountingUpstream,
  stored,
} from './counting-upstream.ts';

const id = stored.svc_id;
const unseen = 'This server could not read the record. Check the ID yourself.';
const addOn = { code: 'setup', name: 'Setup fee', amount_cents: 100_000, amount_currency: 'USD' };
/** What the service answers to a read, by a part of its path; the longest part that fits. */
const records: [part: string, record: JsonRecord][] = [
  ['/add_ons/', addOn],
  ['/invoices/', { svc_id: id, number: 'No 7', payment_status: 'pending', metadata: [] }],
  ['/taxes', { code: 'vat' }],
  ['/billable_metrics', { code: 'calls' }],
  ['/wallets/', { svc_id: id, name: 'Prepaid', currency: 'USD', rate_amount: '1.0', metadata: { po: '7' } }],
];

let upstream: CountingUpstream;
beforeAll(async () => {
  upstream = await startCountingUpstream();
});
afterAll(() => upstream.close());
beforeEach(() => {
  upstream.onRequest(undefined);
  upstream.refuseWith(undefined);
  upstream.answerWith(({ method, path }) => {
    const found = records.find(([part]) => path.includes(part));
    return method === 'GET' ? lookupBody(path, { ...stored, ...found?.[1] }) : undefined;
  });
  upstream.taken();
});

interface Server {
  settings?: Record<string, string>;
  asks?: boolean;
  scopes?: Scope[];
  durations?: Partial<Durations>;
  limits?: Partial<Limits>;
  observer?: Observer;
}

async function start({ settings = {}, asks = true, scopes, ...more }: Server = {}) {
  const runtime = startRuntime(upstream.url, settings, more);
  const own = () => runtime.ownCaller('stdio', scopes === undefined ? null : new Set(scopes));
  const client = await connectClient({ ...runtime, ownCaller: own }, '2026-07-28', asks);
  onTestFinished(async () => {
    await client.close();
    await runtime.close();
  });
  return client;
}

const reading = (refused: () => Refusal) => (request: Received) => (request.method === 'GET' ? refused() : undefined);
const paths = (from = 0) =>
  upstream.received
    .slice(from)
    .filter(({ method }) => method === 'GET')
    .map(({ path }) => path.replace('/api/v1', '').replace(/\?.*/, ''));
const rename = { code: 'setup', name: 'Other' };

const never = new Promise<void>(() => {});
/** Reads are never answered, and nothing ends a call but what ends the look. */
const silent = () => {
  upstream.onRequest(async ({ method }) => (method === 'GET' ? never : undefined));
  return { BILLING_TIMEOUT_MS: String(limitMs) };
};

describe('a look that finds nothing', () => {
  it('goes on while there is time: a 503 is tried again', async () => {
    upstream.refuseWith(reading(() => refusal(503, 'down') as Refusal));
    const client = await start({ limits: { maxRetries: 2 }, durations: { lookMs: limitMs } });
    const from = upstream.received.length;
    const { content } = await client.call('update_add_on', { ...rename, dry_run: true });
    expect((content.dry_run as JsonRecord).warnings).toContain(unseen);
    expect(paths(from)).toHaveLength(3);
    expect(upstream.written()).toBe(0);
  });

  it('ends after its time, for a service that does not answer', async () => {
    const client = await start({ settings: silent(), durations: { lookMs: 50 } });
    const { content } = await client.call('update_add_on', { ...rename, dry_run: true });
    expect((content.dry_run as JsonRecord).warnings).toContain(unseen);
    expect(upstream.written()).toBe(0);
  });

  it('is not repeated: the write goes on without it, once', async () => {
    const client = await start({ settings: { ...silent(), BILLING_CONFIRM: 'never' }, durations: { lookMs: 50 } });
    const from = upstream.received.length;
    const { content } = await client.call('update_add_on', rename);
    expect(content).toHaveProperty('receipt');
    expect(content.receipt).not.toHaveProperty('revert');
    expect(paths(from).length).toBeLessThanOrEqual(1);
    expect(upstream.written()).toBe(1);
  });

  it('is given three seconds', () => {
    expect(usualDurations.lookMs).toBe(3000);
  });
});

describe('a record that was read earlier, and cannot be read now', () => {
  it('counts as not seen: nothing of the earlier one is said', async () => {
    upstream.answerWith(() => ({ add_on: addOn }));
    const client = await start({ settings: { BILLING_CONFIRM: 'never' } });
    await client.call('update_add_on', rename);
    upstream.refuseWith(reading(() => refusal(503, 'down') as Refusal));
    const { content } = await client.call('update_add_on', { code: 'setup', name: 'Another', dry_run: true });
    const { question, warnings } = content.dry_run as JsonRecord;
    expect(warnings).toContain(unseen);
    expect(question).not.toContain('Setup fee');
  });
});

describe('a caller that may not read the record', () => {
  it.each<[string, Server]>([
    ['without the scope billing:read', { scopes: ['billing:write'] }],
    ['whose operator excludes the tool that reads it', { settings: { BILLING_EXCLUDE_TOOLS: 'get_invoice' } }],
  ])('%s has not seen it, and nothing is read', async (_what, server) => {
    const client = await start(server);
    const from = upstream.received.length;
    const { content } = await client.call('update_invoice', { svc_id: id, payment_status: 'succeeded' });
    expect(client.asked).toEqual([expect.stringContaining(unseen)]);
    expect(client.asked[0]).not.toContain('No 7');
    expect(content.receipt).not.toHaveProperty('revert');
    expect(paths(from)).toEqual([]);
    expect(upstream.written()).toBe(1);
  });

  it('with another toolset only does see what its own write changes', async () => {
    const client = await start({ settings: { BILLING_TOOLS: 'add_ons' } });
    await client.call('update_add_on', rename);
    expect(client.asked).toEqual([expect.stringContaining('Setup fee')]);
    expect(client.asked[0]).not.toContain(unseen);
  });

  it('reads no catalogue either, so that an unknown code is left to the service', async () => {
    const client = await start({ scopes: ['billing:write'] });
    const from = upstream.received.length;
    await client.call('update_add_on', { code: 'setup', tax_codes: ['vta'] });
    expect(client.asked).toHaveLength(1);
    expect(paths(from)).toEqual([]);
  });
});

/** Stops the clock that never goes back; lets so many milliseconds pass on it. */
const clock = () => {
  let now = 1_000_000;
  const spy = vi.spyOn(performance, 'now').mockImplementation(() => now);
  onTestFinished(() => spy.mockRestore());
  return (ms: number) => {
    now += ms;
  };
};

describe('the time of a call', () => {
  const settings = { BILLING_TIMEOUT_MS: '10000', BILLING_CONFIRM: 'never' };
  /** Each read takes so long by the clock. */
  const slow = (ms: number) => {
    const pass = clock();
    upstream.onRequest(({ method }) => (method === 'GET' ? pass(ms) : undefined));
  };

  it.each([
    [4000, 1, 'receipt'],
    [10_000, 0, 'error'],
  ])('is that of its look, too: after a look of %i ms, %i writes are sent', async (ms, writes, outcome) => {
    const client = await start({ settings, durations: { lookMs: limitMs } });
    slow(ms);
    const { content } = await client.call('update_add_on', rename);
    expect(upstream.written()).toBe(writes);
    expect(content).toHaveProperty(outcome);
    if (writes === 0) expect(content).toMatchObject({ error: { code: 'timeout', changed: false } });
  });

  it('begins anew with the answer of a person', async () => {
    const client = await start({ settings: { ...settings, BILLING_CONFIRM: 'always' } });
    // Two looks take all the time of one call; each less than a first attempt may take, which is ended at 6,000 ms.
    slow(5000);
    expect((await client.call('update_add_on', rename)).content).toHaveProperty('receipt');
    expect(client.asked).toHaveLength(1);
    expect(paths().slice(-2)).toEqual(['/add_ons/setup', '/add_ons/setup']);
  });

  it('leaves half of it to the write, where the look gets no answer', async () => {
    upstream.onRequest(async ({ method }) => (method === 'GET' ? never : undefined));
    const client = await start({
      settings: { BILLING_TIMEOUT_MS: '2000', BILLING_CONFIRM: 'never' },
      durations: { lookMs: limitMs },
    });
    expect((await client.call('update_add_on', rename)).content).toHaveProperty('receipt');
    expect(upstream.written()).toBe(1);
  });

  it('is that of all reads of a lookup together', async () => {
    upstream.answerWith(({ path }) => {
      const page = Number(new URL(path, 'http://localhost').searchParams.get('page') ?? 1);
      const rows = Array.from({ length: 100 }, () => ({ ...stored, svc_id: crypto.randomUUID() }));
      return { invoices: rows, meta: { current_page: page, next_page: page + 1, total_pages: 20, total_count: 2000 } };
    });
    const client = await start({ settings });
    const from = upstream.received.length;
    slow(4000);
    await client.call('list_invoices', { all: true });
    // 4, 8 and 12 seconds: no fourth read begins.
    expect(paths(from)).toHaveLength(3);
  });
});

describe('what was read before', () => {
  const plan = { code: 'setup', tax_codes: ['vat'], name: 'Other', dry_run: true };

  it('is read again by every call for a record, and after a minute for a catalogue', async () => {
    const pass = clock();
    const client = await start();
    const steps: string[][] = [];
    for (const ms of [0, 0, 59_999, 1]) {
      pass(ms);
      const before = upstream.received.length;
      await client.call('update_add_on', plan);
      steps.push(paths(before).sort());
    }
    const again = ['/add_ons/setup'];
    expect(steps).toEqual([['/add_ons/setup', '/taxes'], again, again, ['/add_ons/setup', '/taxes']]);
  });

  it.each(['never', 'auto', 'always'])(
    'is not what a write rests on, which keeps what others added: %s',
    async mode => {
      let wallet: JsonRecord = { svc_id: id, currency: 'USD', priority: 9, metadata: { po: '7' } };
      upstream.answerWith(({ method, path, body }) => {
        if (method !== 'GET') wallet = { ...wallet, ...(body?.wallet as JsonRecord) };
        return path.includes('/wallets/') ? { wallet } : undefined;
      });
      const client = await start({ settings: { BILLING_CONFIRM: mode } });
      const merge = { svc_id: id, metadata: { cost_centre: '1' }, merge: true };
      await client.call('update_wallet', { ...merge, dry_run: true });
      // Somebody else writes meanwhile.
      wallet = { ...wallet, priority: 3, metadata: { po: '7', theirs: 'yes' } };
      await client.call('update_wallet', merge);
      expect(wallet.metadata).toEqual({ po: '7', theirs: 'yes', cost_centre: '1' });
      expect((await client.call('update_wallet', { svc_id: id, priority: 9 })).content).toHaveProperty('receipt');
      expect(wallet.priority).toBe(9);
    },
  );

  it('reads plans one by one where their list leaves out what they charge, 18 beside the list and the add-on', async () => {
    const leftOut = (index: number) => (index % 2 === 0 ? {} : { fixed_charges: null });
    const plans = Array.from({ length: 25 }, (_, index) => ({
      ...{ svc_id: `p${index}`, code: `plan_${index}` },
      ...leftOut(index),
    }));
    const read: string[] = [];
    upstream.answerWith(({ path }) => {
      if (path.includes('/add_ons/')) return { add_on: addOn };
      const code = /plans\/(plan_\d+)/.exec(path)?.[1];
      if (code === undefined) return { plans, meta: { current_page: 1, total_pages: 1, total_count: plans.length } };
      read.push(code);
      return { plan: { code, fixed_charges: code === 'plan_3' ? [{ add_on_code: 'setup' }] : [] } };
    });
    const client = await start();
    const { text } = await client.call('delete_add_on', { code: 'setup', dry_run: true });
    expect(read).toHaveLength(18);
    expect(text).toContain('The plan plan_3 charges it');
    expect(text).toContain('7 other plans were not read');
  });

  it('does not name the plans that charged an add-on a moment ago', async () => {
    let plans = [{ code: 'pro', fixed_charges: [{ add_on_code: 'setup' }] }];
    upstream.answerWith(({ path }) =>
      path.includes('/plans')
        ? { plans, meta: { current_page: 1, total_pages: 1, total_count: plans.length } }
        : { add_on: addOn },
    );
    const client = await start();
    await client.call('delete_add_on', { code: 'setup', dry_run: true });
    plans = [...plans, { code: 'basic', fixed_charges: [{ add_on_code: 'setup' }] }];
    await client.call('delete_add_on', { code: 'setup' });
    expect(client.asked).toEqual([expect.stringContaining('The plans pro and basic')]);
  });
});

describe('a code that the account does not have', () => {
  it('is left to the service where the list cannot be read', async () => {
    upstream.refuseWith(({ path }) => (path.includes('/taxes') ? (refusal(403, 'forbidden') as Refusal) : undefined));
    const client = await start();
    await client.call('update_add_on', { code: 'setup', tax_codes: ['vta'] });
    expect(client.asked).toEqual([expect.stringContaining('Setup fee')]);
    expect(upstream.written()).toBe(1);
  });
});

describe('what needs a record that was seen', () => {
  const pairs = [{ key: 'po', value: '8' }];
  it.each<[string, string, JsonRecord, string]>([
    [
      'merging metadata of an invoice',
      'update_invoice',
      { svc_id: id, metadata: pairs, merge: true },
      'invalid_arguments',
    ],
    [
      'merging metadata of a wallet',
      'update_wallet',
      { svc_id: id, metadata: { po: '8' }, merge: true },
      'invalid_arguments',
    ],
    [
      'a price in an unknown currency under a limit',
      'update_add_on',
      { code: 'setup', amount_cents: 5 },
      'amount_limit',
    ],
  ])('%s is refused without one, before anybody is asked, and done with one', async (_what, tool, args, code) => {
    const settings = { BILLING_MAX_AMOUNT: 'USD:100' };
    const seeing = await start({ settings });
    expect((await seeing.call(tool, args)).content).toHaveProperty('receipt');
    upstream.taken();
    upstream.refuseWith(reading(() => refusal(403, 'forbidden') as Refusal));
    const client = await start({ settings });
    expect((await client.call(tool, args)).content).toMatchObject({ error: { code, changed: false } });
    expect(client.asked).toEqual([]);
    expect(upstream.written()).toBe(0);
  });
});

describe('the reads of a write', () => {
  it('wait for their place among the requests to the service', async () => {
    let [running, most] = [0, 0];
    let held: () => Promise<void>;
    upstream.onRequest(async ({ method }) => {
      if (method !== 'GET') return;
      running++;
      most = Math.max(most, running);
      await held();
      running--;
    });
    const args = { code: 'setup', name: 'Other', tax_codes: ['vat'] };
    const client = await start({ limits: { maxConcurrency: 1 }, settings: { BILLING_CONFIRM: 'never' } });
    // delay: another read, if it did not wait, would come meanwhile
    held = () => setTimeout(50);
    await client.call('update_add_on', args);
    expect(most).toBe(1);
    const free = await start({ settings: { BILLING_CONFIRM: 'never' }, durations: { lookMs: limitMs } });
    held = () => until(() => most === 2).then(() => {});
    await free.call('update_add_on', args);
    expect(most).toBe(2);
  });

  it('do not use up the budget of writes', async () => {
    const client = await start({ settings: { BILLING_MAX_WRITES_PER_MINUTE: '1', BILLING_CONFIRM: 'never' } });
    for (const code of ['a', 'b', 'c']) await client.call('update_add_on', { code, name: 'Other', dry_run: true });
    expect((await client.call('update_add_on', rename)).content).toHaveProperty('receipt');
    expect((await client.call('update_add_on', rename)).content).toMatchObject({ error: { code: 'write_budget' } });
    expect(upstream.written()).toBe(1);
  });

  it.each(['never', 'auto'])(
    'end with the call that is cancelled during the look, which writes nothing: %s',
    async mode => {
      const settings = { ...silent(), BILLING_CONFIRM: mode };
      const ended: string[] = [];
      const observer = { callEnded: ({ outcome }: { outcome: string }) => void ended.push(outcome) };
      const client = await start({ settings, observer, durations: { lookMs: limitMs } });
      const from = upstream.received.length;
      const stop = new AbortController();
      const call = expect(client.call('update_add_on', rename, { signal: stop.signal })).rejects.toThrow();
      await until(() => paths(from).length === 1);
      stop.abort();
      await call;
      await until(() => ended.length === 1);
      expect(ended).toEqual(['refused']);
      expect(client.asked).toEqual([]);
      expect(upstream.written()).toBe(0);
    },
  );
});
