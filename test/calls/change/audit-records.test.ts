import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { digestOf } from '../../../src/calls/change/ask/signed-state.ts';
import type { AuditLog } from '../../../src/calls/change/audit/audit-log.ts';
import type { JsonRecord } from '../../../src/lib/json.ts';
import { Cancel } from '../../../src/server/fast/cancel.ts';
import { createBillingEntity } from '../../../tools/billing-entities.ts';
import { serviceError } from '../../support/service-error.ts';
import { answered, apiKey, type CallOptions, canBeAsked, memoryLog, serverWith, showing } from './support.ts';

describe('the audit log', () => {
  let folder: string;
  let log: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'audit-'));
    log = join(folder, 'audit.jsonl');
  });
  const linesOf = async (): Promise<JsonRecord[]> =>
    (await readFile(log, 'utf8'))
      .trim()
      .split('\n')
      .map(line => JSON.parse(line));
  afterEach(() => rm(folder, { recursive: true }));

  it('has the begun line on disk before the request is sent, and the completed line after it', async () => {
    const { call, upstream } = serverWith({ auditLog: log });
    let atSending: JsonRecord[] = [];
    await call(undefined, {}, async () => {
      atSending = await linesOf();
      return upstream.send();
    });
    expect(atSending).toMatchObject([
      {
        ...{ event: 'begun', tool: 'update_add_on', caller: 'ada', target: 'add_on setup' },
        ...{ method: 'PUT', path: '/api/v1/add_ons/setup', arguments: { code: 'setup', amount_cents: 125_000 } },
        ...{ decision: 'host', request_id: 'request-1' },
      },
    ]);
    expect(await linesOf()).toEqual([
      atSending[0],
      expect.objectContaining({
        ...{ event: 'completed', id: atSending[0]!.id, outcome: 'done', status: 200 },
        ...{ upstream_request_id: 'upstream-1', duration_ms: expect.any(Number) },
      }),
    ]);
  });

  it('prevents the write when it cannot be written', async () => {
    for (const auditLog of [folder, join(folder, 'missing', 'audit.jsonl')]) {
      const { call, upstream } = serverWith({ auditLog });
      expect(await call()).toMatchObject({ kind: 'refused', error: { code: 'audit_unavailable', changed: false } });
      expect(upstream.sent).toBe(0);
    }
  });

  it('has its failure after the request in the receipt, because the write has happened', async () => {
    let lines = 0;
    const audit: AuditLog = { append: async () => (lines++ > 0 ? Promise.reject(new Error('disk full')) : undefined) };
    expect(await serverWith({}, { audit }).call()).toMatchObject({
      receipt: { warnings: [expect.stringContaining('audit log is incomplete')] },
    });
  });

  describe('has the digest of the question as it was shown', () => {
    const [first, later] = [{ amount_cents: 5 }, { amount_cents: 6 }];
    const at = (record: object): CallOptions => ({
      ...{ known: { code: 'setup', amount_currency: 'USD', ...record }, reading: 'read' },
    });
    const start = () => {
      const audit = memoryLog();
      const digests = () => audit.lines.map(({ event, question }) => [event, question]);
      return { ...serverWith({ confirm: 'always' }, { audit }), digests };
    };

    it('of a form: on each line of what was carried out, and of a no', async () => {
      const { ask, call, digests } = start();
      const { state, message } = await ask(canBeAsked, at(first));
      await call(answered(state), at(first));
      const no = await ask(canBeAsked, at(first));
      await call(answered(no.state, 'accept', { answer: 'no' }), at(first));
      expect(digests()).toEqual(['begun', 'completed', 'refused'].map(event => [event, digestOf(message)]));
    });

    it('as it was asked anew, with the reason, where the record had changed', async () => {
      const { ask, call, digests } = start();
      const { state, message } = await ask(canBeAsked, at(first));
      const anew = await ask(answered(state), at(later));
      expect(anew.message).toContain('The record changed since the prompt');
      expect(anew.message).not.toBe(message);
      await call(answered(anew.state), at(later));
      expect(digests()).toEqual(['begun', 'completed'].map(event => [event, digestOf(anew.message)]));
    });

    it('on a page, from the moment of its approval', async () => {
      const { ask, policy, digests } = start();
      const { page, message } = await ask(showing('url'), at(first));
      await policy.pages.decide(page, 'approve');
      expect(digests()).toEqual([['agreed', digestOf(message)]]);
    });

    it('and none where nobody was shown one', async () => {
      const { call, digests } = start();
      await call(undefined, { confirmation: 'v1.x.y' });
      expect(digests()).toEqual([['refused', null]]);
    });
  });

  describe('of an account', () => {
    const now = '2026-03-15T13:00:00+01:00';
    const pinned = '2026-03-15T12:00:00.000Z';
    /** A write that is carried out, one that is declined, and one that is refused: all kinds of lines, and the receipt. */
    async function ofAccount(settings: { now?: string }) {
      const audit = memoryLog();
      const { ask, call } = serverWith({ maxAmount: 'USD:1000', ...settings }, { audit });
      const renaming = async (reply: 'accept' | 'decline', more: CallOptions = {}) => {
        const options = { args: { code: 'setup', name: 'x' }, ...more };
        return call(answered((await ask(canBeAsked, options)).state, reply), options);
      };
      await renaming('decline');
      const signal = new Cancel();
      signal.abort();
      await renaming('accept', { signal });
      await call(undefined, { args: { code: 'setup', amount_cents: 9e9 } });
      const done = await renaming('accept');
      if (done.kind !== 'done') throw new Error(done.kind);
      return { lines: audit.lines, at: done.receipt.at };
    }

    it('whose clock is pinned has both times on each line, and the receipt the account’s', async () => {
      const { lines, at } = await ofAccount({ now });
      expect(at).toBe(pinned);
      expect(new Set(lines.map(({ event }) => event))).toEqual(new Set(['agreed', 'begun', 'completed', 'refused']));
      for (const line of lines) {
        expect(line).toMatchObject({ account_time: pinned });
        expect(line.time).not.toBe(pinned);
      }
    });

    it('whose clock runs has one time on each line, which is the receipt’s too', async () => {
      const { lines, at } = await ofAccount({});
      for (const line of lines) expect(line).not.toHaveProperty('account_time');
      expect(Date.parse(at)).toBeGreaterThanOrEqual(Date.parse(lines.at(-1)!.time));
    });
  });

  it('has one line for a write that was declined or refused', async () => {
    const audit = memoryLog();
    const { ask, call } = serverWith({ maxAmount: 'USD:1000' }, { audit });
    const renaming = { args: { code: 'setup', name: 'x' } };
    await call(answered((await ask(canBeAsked, renaming)).state, 'decline'), renaming);
    await call(undefined, { args: { code: 'setup', amount_cents: 9e9 } });
    expect(audit.lines.map(line => [line.event, 'decision' in line && line.decision])).toEqual([
      ['refused', 'declined'],
      ['refused', 'amount_limit'],
    ]);
  });

  it('never holds a key, a portal link or a logo', async () => {
    const secretText = `key ${apiKey}, https://x.example/customer-portal/abcdef, Bearer abcdefgh`;
    const args = { code: apiKey, name: secretText, logo: `data:image/png;base64,${'A'.repeat(900)}` };
    const { call } = serverWith({ auditLog: log }, {}, { code: apiKey });
    await call(undefined, { tool: createBillingEntity, args, caller: apiKey });
    const text = await readFile(log, 'utf8');
    expect(text).toContain('[image/png, 922 characters]');
    for (const secret of [apiKey, 'abcdef', 'AAAA']) expect(text).not.toContain(secret);
  });

  it('distinguishes an unknown outcome from a refusal by the service', async () => {
    const audit = memoryLog();
    const { call } = serverWith({}, { audit });
    for (const changed of [false, 'unknown'] as const) {
      const error = serviceError('validation_errors', 422, changed);
      const refusing = async () => ({ ok: false, error, requestId: 'u', attempts: 1 }) as const;
      expect(await call(undefined, {}, refusing)).toMatchObject({ kind: 'failed', error: { changed } });
    }
    const bug = await call(undefined, {}, () => {
      throw new Error(`broke with ${apiKey}`);
    });
    expect(bug).toMatchObject({ kind: 'failed', error: { code: 'internal_error', changed: 'unknown' } });
    expect(JSON.stringify(bug)).not.toContain(apiKey);
    const outcomes = audit.lines.filter(line => line.event === 'completed').map(line => line.outcome);
    expect(outcomes).toEqual(['failed', 'unknown', 'unknown']);
  });

  it('follows a file that was rotated away', async () => {
    const { call } = serverWith({ auditLog: log });
    await call();
    await rm(log);
    await call();
    expect(await linesOf()).toHaveLength(2);
  });

  it('closes a torn line before it appends', async () => {
    await writeFile(log, '{"event":"begun","id":"1","to');
    await serverWith({ auditLog: log }).call();
    const [torn, ...lines] = (await readFile(log, 'utf8')).trim().split('\n');
    expect(torn).toBe('{"event":"begun","id":"1","to');
    expect(lines.map(line => JSON.parse(line).event)).toEqual(['begun', 'completed']);
  });
});
