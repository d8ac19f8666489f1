import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { digestOf } from '../../../src/calls/change/ask/signed-state.ts';
import type { AuditLog } from '../../../src/calls/change/audit/audit-log.ts';
import { Cancel } from '../../../src/server/fast/cancel.ts';
import { createBillingEntity } from '../../../tools/billing-entities.ts';
import { serviceError } from '../../support/service-error.ts';
import { answered, apiKey, canBeAsked, countingSend, memoryLog, policyWith, showing, writeCall } from './support.ts';

describe('the audit log', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'audit-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('has the begun line on disk before the request is sent, and the completed line after it', async () => {
    const path = join(folder, 'audit.jsonl');
    const upstream = countingSend();
    let atSending = '';
    await policyWith({ auditLog: path }).carryOut(writeCall(), async () => {
      atSending = await readFile(path, 'utf8');
      return upstream.send();
    });
    expect(
      atSending
        .trim()
        .split('\n')
        .map(line => JSON.parse(line)),
    ).toMatchObject([
      {
        event: 'begun',
        tool: 'update_add_on',
        caller: 'ada',
        target: 'add_on setup',
        method: 'PUT',
        path: '/api/v1/add_ons/setup',
        arguments: { code: 'setup', amount_cents: 125_000 },
        decision: 'host',
        request_id: 'request-1',
      },
    ]);
    const lines = (await readFile(path, 'utf8'))
      .trim()
      .split('\n')
      .map(line => JSON.parse(line));
    expect(lines).toHaveLength(2);
    expect(lines[1]).toMatchObject({
      event: 'completed',
      id: lines[0].id,
      outcome: 'done',
      status: 200,
      upstream_request_id: 'upstream-1',
      duration_ms: expect.any(Number),
    });
  });

  it('prevents the write when it cannot be written', async () => {
    const upstream = countingSend();
    for (const path of [folder, join(folder, 'missing', 'audit.jsonl')]) {
      const outcome = await policyWith({ auditLog: path }).carryOut(writeCall(), upstream.send);
      expect(outcome).toMatchObject({ kind: 'refused', error: { code: 'audit_unavailable', changed: false } });
    }
    expect(upstream.sent).toBe(0);
  });

  it('has its failure after the request in the receipt, because the write has happened', async () => {
    let lines = 0;
    const audit: AuditLog = { append: async () => (lines++ > 0 ? Promise.reject(new Error('disk full')) : undefined) };
    const outcome = await policyWith({}, { audit }).carryOut(writeCall(), countingSend().send);
    if (outcome.kind !== 'done') throw new Error(outcome.kind);
    expect(outcome.receipt.warnings.join()).toContain('audit log is incomplete');
  });

  describe('has the digest of the question as it was shown', () => {
    const [first, later] = [{ amount_cents: 5 }, { amount_cents: 6 }];
    const at = (record: object, client = canBeAsked) =>
      writeCall({ known: { code: 'setup', amount_currency: 'USD', ...record }, reading: 'read', client });
    const start = () => {
      const audit = memoryLog();
      const policy = policyWith({ confirm: 'always' }, { audit });
      const ask = async (call: ReturnType<typeof at>) => {
        const asked = await policy.carryOut(call, countingSend().send);
        if (asked.kind !== 'ask') throw new Error(asked.kind);
        return asked;
      };
      return { audit, policy, ask, digests: () => audit.lines.map(({ event, question }) => [event, question]) };
    };

    it('of a form: on each line of what was carried out, and of a no', async () => {
      const { policy, ask, digests } = start();
      const { state, message } = await ask(at(first));
      await policy.carryOut(at(first, answered(state)), countingSend().send);
      const no = await ask(at(first));
      await policy.carryOut(at(first, answered(no.state, 'accept', { answer: 'no' })), countingSend().send);
      const digest = digestOf(message);
      expect(digests()).toEqual(['begun', 'completed', 'refused'].map(event => [event, digest]));
    });

    it('as it was asked anew, with the reason, where the record had changed', async () => {
      const { policy, ask, digests } = start();
      const { state, message } = await ask(at(first));
      const anew = await ask(at(later, answered(state)));
      expect(anew.message).toContain('The record changed since the prompt');
      expect(anew.message).not.toBe(message);
      await policy.carryOut(at(later, answered(anew.state)), countingSend().send);
      expect(digests()).toEqual(['begun', 'completed'].map(event => [event, digestOf(anew.message)]));
    });

    it('on a page, from the moment of its approval', async () => {
      const { policy, ask, digests } = start();
      const page = showing('url');
      const { page: id, message } = await ask(at(first, page));
      await policy.pages.decide(id!, 'approve');
      expect(digests()).toEqual([['agreed', digestOf(message)]]);
    });

    it('and none where nobody was shown one', async () => {
      const { policy, digests } = start();
      await policy.carryOut(
        writeCall({ args: { code: 'setup', amount_cents: 5 }, confirmation: 'v1.x.y' }),
        countingSend().send,
      );
      expect(digests()).toEqual([['refused', null]]);
    });
  });

  describe('of an account', () => {
    const now = '2026-03-15T13:00:00+01:00';
    const pinned = '2026-03-15T12:00:00.000Z';
    /** A write that is carried out, one that is declined, and one that is refused: all kinds of lines, and the receipt. */
    async function ofAccount(settings: { now?: string }) {
      const audit = memoryLog();
      const policy = policyWith({ maxAmount: 'USD:1000', ...settings }, { audit });
      const renaming = async (reply: 'accept' | 'decline', more: object = {}) => {
        const call = { args: { code: 'setup', name: 'x' }, ...more };
        const asked = await policy.carryOut(writeCall({ ...call, client: canBeAsked }), countingSend().send);
        if (asked.kind !== 'ask') throw new Error(asked.kind);
        return await policy.carryOut(writeCall({ ...call, client: answered(asked.state, reply) }), countingSend().send);
      };
      await renaming('decline');
      const signal = new Cancel();
      signal.abort();
      await renaming('accept', { signal });
      await policy.carryOut(writeCall({ args: { code: 'setup', amount_cents: 9e9 } }), countingSend().send);
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
    const policy = policyWith({ maxAmount: 'USD:1000' }, { audit });
    const asked = await policy.carryOut(
      writeCall({ args: { code: 'setup', name: 'x' }, client: canBeAsked }),
      countingSend().send,
    );
    if (asked.kind !== 'ask') throw new Error(asked.kind);
    await policy.carryOut(
      writeCall({ args: { code: 'setup', name: 'x' }, client: answered(asked.state, 'decline') }),
      countingSend().send,
    );
    await policy.carryOut(writeCall({ args: { code: 'setup', amount_cents: 9e9 } }), countingSend().send);
    expect(audit.lines.map(line => [line.event, 'decision' in line && line.decision])).toEqual([
      ['refused', 'declined'],
      ['refused', 'amount_limit'],
    ]);
  });

  it('never holds a key, a portal link or a logo', async () => {
    const path = join(folder, 'audit.jsonl');
    const secretText = `key ${apiKey}, https://x.example/customer-portal/abcdef, Bearer abcdefgh`;
    const args = { code: apiKey, name: secretText, logo: `data:image/png;base64,${'A'.repeat(900)}` };
    const call = writeCall({ tool: createBillingEntity, args, caller: apiKey });
    await policyWith({ auditLog: path }).carryOut(call, countingSend({ code: apiKey }).send);
    const text = await readFile(path, 'utf8');
    expect(text).toContain('[image/png, 922 characters]');
    for (const secret of [apiKey, 'abcdef', 'AAAA']) expect(text).not.toContain(secret);
  });

  it('distinguishes an unknown outcome from a refusal by the service', async () => {
    const audit = memoryLog();
    const policy = policyWith({}, { audit });
    for (const changed of [false, 'unknown'] as const) {
      const error = serviceError('validation_errors', 422, changed);
      const outcome = await policy.carryOut(writeCall(), async () => ({
        ok: false,
        error,
        requestId: 'u',
        attempts: 1,
      }));
      expect(outcome).toMatchObject({ kind: 'failed', error: { changed } });
    }
    const bug = await policy.carryOut(writeCall(), () => {
      throw new Error(`broke with ${apiKey}`);
    });
    expect(bug).toMatchObject({ kind: 'failed', error: { code: 'internal_error', changed: 'unknown' } });
    expect(JSON.stringify(bug)).not.toContain(apiKey);
    const outcomes = audit.lines.filter(line => line.event === 'completed').map(line => line.outcome);
    expect(outcomes).toEqual(['failed', 'unknown', 'unknown']);
  });

  it('follows a file that was rotated away', async () => {
    const path = join(folder, 'audit.jsonl');
    const policy = policyWith({ auditLog: path });
    await policy.carryOut(writeCall(), countingSend().send);
    await rm(path);
    await policy.carryOut(writeCall(), countingSend().send);
    expect((await readFile(path, 'utf8')).trim().split('\n')).toHaveLength(2);
  });

  it('closes a torn line before it appends', async () => {
    const path = join(folder, 'audit.jsonl');
    await writeFile(path, '{"event":"begun","id":"1","to');
    await policyWith({ auditLog: path }).carryOut(writeCall(), countingSend().send);
    const [torn, ...lines] = (await readFile(path, 'utf8')).trim().split('\n');
    expect(torn).toBe('{"event":"begun","id":"1","to');
    expect(lines.map(line => JSON.parse(line).event)).toEqual(['begun', 'completed']);
  });
});
