import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AuditLog } from '../../src/policy/audit.ts';
import { receiptSentences } from '../../src/policy/receipt.ts';
import { memoryStores } from '../../src/policy/stores.ts';
import { deleteAddOn } from '../../tools/add-ons.ts';
import { createBillingEntity } from '../../tools/billing-entities.ts';
import { updateInvoice } from '../../tools/invoices.ts';
import { updateWallet } from '../../tools/wallets.ts';
import { answered, apiKey, canBeAsked, countingSend, memoryLog, policyWith, writeCall } from './support.ts';

const walletId = '5f4a1d4c-6a1b-4f0e-9a51-6d0f5a6f0001';
const invoiceId = '5f4a1d4c-6a1b-4f0e-9a51-6d0f5a6f0002';

describe('a dry run', () => {
  it('shows method, path, body and question, and sends nothing', async () => {
    const upstream = countingSend();
    const args = { code: 'a/b.c', amount_cents: 125_000, amount_currency: 'USD' };
    const outcome = await policyWith({ confirm: 'always' }).carryOut(writeCall({ args, dryRun: true }), upstream.send);
    expect(outcome).toEqual({
      kind: 'dry_run',
      plan: {
        method: 'PUT',
        path: '/api/v1/add_ons/a%2Fb%2Ec',
        body: { add_on: { amount_cents: 125_000, amount_currency: 'USD' } },
        question: 'Change add-on a/b.c: price to $1,250.00; currency to USD?',
        warnings: [],
      },
    });
    expect(upstream.sent).toBe(0);
  });

  it('takes nothing from the budget, and is refused for an amount that would be', async () => {
    const upstream = countingSend();
    const policy = policyWith({ maxWritesPerMinute: 1, maxAmount: 'USD:1000' });
    for (let i = 0; i < 5; i++) {
      const args = { code: 'setup', amount_cents: 1, amount_currency: 'USD' };
      expect((await policy.carryOut(writeCall({ args, dryRun: true }), upstream.send)).kind).toBe('dry_run');
    }
    const dear = { code: 'setup', amount_cents: 100_001, amount_currency: 'USD' };
    const refused = await policy.carryOut(writeCall({ args: dear, dryRun: true }), upstream.send);
    expect(refused).toMatchObject({ kind: 'refused', error: { code: 'amount_limit' } });
    expect(upstream.sent).toBe(0);
  });

  it('spells the body as the installation does, and tells a logo by its length', async () => {
    const outgoing = (body: unknown) => JSON.parse(JSON.stringify(body).replaceAll('"svc_', '"acme_'));
    const rules = [{ svc_id: 'r1', trigger: 'interval', interval: 'monthly' }];
    const call = writeCall({
      tool: updateWallet,
      args: { svc_id: walletId, recurring_transaction_rules: rules },
      dryRun: true,
    });
    const outcome = await policyWith({}, { outgoing }).carryOut(call, countingSend().send);
    expect(outcome).toMatchObject({ plan: { body: { wallet: { recurring_transaction_rules: [{ acme_id: 'r1' }] } } } });

    const logo = `data:image/png;base64,${'A'.repeat(5000)}`;
    const entity = writeCall({ tool: createBillingEntity, args: { code: 'fr', name: 'FR', logo }, dryRun: true });
    const plan = await policyWith().carryOut(entity, countingSend().send);
    expect(plan).toMatchObject({ plan: { body: { billing_entity: { logo: '[image/png, 5022 characters]' } } } });
  });
});

describe('budgets', () => {
  it('allow so many writes a minute and no more, for each caller, over a sliding window', async () => {
    let now = 0;
    const policy = policyWith({ maxWritesPerMinute: 2 }, { stores: memoryStores(() => now) });
    const upstream = countingSend();
    const write = async (caller: string) => {
      const outcome = await policy.carryOut(writeCall({ caller }), upstream.send);
      return outcome.kind === 'refused' ? outcome.error : outcome.kind;
    };
    expect(await write('ada')).toBe('done');
    now = 30_000;
    expect(await write('ada')).toBe('done');
    expect(await write('ada')).toMatchObject({
      code: 'write_budget',
      details: { retry_after_seconds: 30 },
      changed: false,
    });
    expect(await write('bob')).toBe('done');
    now = 60_000;
    expect(await write('ada')).toBe('done');
    expect(await write('ada')).toMatchObject({ code: 'write_budget' });
    expect(upstream.sent).toBe(4);
  });

  it('are not touched by questions, by what was declined, or by what was refused', async () => {
    const policy = policyWith({ maxWritesPerMinute: 1 });
    const upstream = countingSend();
    for (let i = 0; i < 3; i++) {
      const asked = await policy.carryOut(writeCall({ client: canBeAsked }), upstream.send);
      if (asked.kind !== 'ask') throw new Error(asked.kind);
      await policy.carryOut(writeCall({ client: answered(asked.state, 'decline') }), upstream.send);
      await policy.carryOut(writeCall({ client: answered('forged') }), upstream.send);
    }
    expect((await policy.carryOut(writeCall(), upstream.send)).kind).toBe('done');
    expect(upstream.sent).toBe(1);
  });

  it('of zero allow nothing, and do not put a question that could not be obeyed', async () => {
    const upstream = countingSend();
    const outcome = await policyWith({ maxWritesPerMinute: 0 }).carryOut(
      writeCall({ client: canBeAsked }),
      upstream.send,
    );
    expect(outcome).toMatchObject({ kind: 'refused', error: { code: 'write_budget' } });
    expect(upstream.sent).toBe(0);
  });

  it('that cannot be counted refuse', async () => {
    const down = () => Promise.reject(new Error('redis is down'));
    const stores = { spent: { spend: down }, window: { wait: down, take: down } };
    const upstream = countingSend();
    const outcome = await policyWith({}, { stores }).carryOut(writeCall(), upstream.send);
    expect(outcome).toMatchObject({ kind: 'refused', error: { code: 'write_budget_unavailable', changed: false } });
    expect(upstream.sent).toBe(0);
  });

  it('stop an amount beyond the limit before anybody is asked', async () => {
    const upstream = countingSend();
    const args = { code: 'setup', amount_cents: 125_000, amount_currency: 'USD' };
    const policy = policyWith({ maxAmount: 'USD:1000' });
    const outcome = await policy.carryOut(writeCall({ args, client: canBeAsked }), upstream.send);
    expect(outcome).toMatchObject({ kind: 'refused', error: { code: 'amount_limit' } });
    expect(upstream.sent).toBe(0);
  });
});

describe('the audit log', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'audit-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('has the begun line on disk when the request leaves, and the completed one after it', async () => {
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

  it('that cannot be written lets no write happen', async () => {
    const upstream = countingSend();
    for (const path of [folder, join(folder, 'missing', 'audit.jsonl')]) {
      const outcome = await policyWith({ auditLog: path }).carryOut(writeCall(), upstream.send);
      expect(outcome).toMatchObject({ kind: 'refused', error: { code: 'audit_unavailable', changed: false } });
    }
    expect(upstream.sent).toBe(0);
  });

  it('that fails after the request is said in the receipt: the write has happened', async () => {
    let lines = 0;
    const audit: AuditLog = { append: async () => (lines++ > 0 ? Promise.reject(new Error('disk full')) : undefined) };
    const outcome = await policyWith({}, { audit }).carryOut(writeCall(), countingSend().send);
    if (outcome.kind !== 'done') throw new Error(outcome.kind);
    expect(outcome.receipt.warnings.join()).toContain('audit log could not be completed');
  });

  it('has one line for what was declined or refused', async () => {
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

  it('tells an unknown ending from a refusal of the service', async () => {
    const audit = memoryLog();
    const policy = policyWith({}, { audit });
    for (const changed of [false, 'unknown'] as const) {
      const error = { status: 422, code: 'validation_errors', message: 'no', hint: 'x', changed };
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

describe('the receipt', () => {
  const receiptOf = async (call: ReturnType<typeof writeCall>, body: unknown) => {
    const outcome = await policyWith({ confirm: 'never' }).carryOut(call, countingSend(body).send);
    if (outcome.kind !== 'done') throw new Error(outcome.kind);
    return outcome.receipt;
  };

  it('tells what was applied, what was not, what is not shown, and what was before', async () => {
    const args = {
      svc_id: walletId,
      name: 'Main',
      priority: 1,
      payment_method: { payment_method_type: 'manual' },
      applies_to: { fee_types: ['charge'] },
    };
    const known = { svc_id: walletId, name: 'Old', priority: 50, currency: 'USD' };
    const body = { wallet: { svc_id: walletId, name: 'Main', priority: 50, applies_to: { fee_types: ['charge'] } } };
    const receipt = await receiptOf(writeCall({ tool: updateWallet, args, known }), body);
    expect(receipt).toMatchObject({
      tool: 'update_wallet',
      target: `wallet ${walletId}`,
      applied: ['name', 'applies_to'],
      not_applied: ['priority'],
      not_shown: ['payment_method'],
      before: { name: 'Old', priority: 50 },
      confirmed_by: 'policy',
      request_id: 'upstream-1',
    });
    expect(receiptSentences(receipt)[0]).toBe('Not applied: priority.');
    expect(Number.isNaN(Date.parse(receipt.at))).toBe(false);
  });

  it('knows a new code, taxes and another price notation', async () => {
    const args = { code: 'setup', new_code: 'Setup2', tax_codes: ['VAT'], amount_cents: 1000, amount_currency: 'EUR' };
    const body = { add_on: { code: 'Setup2', taxes: [{ code: 'vat' }], amount_cents: 1000, amount_currency: 'EUR' } };
    const receipt = await receiptOf(writeCall({ args }), body);
    expect([...receipt.applied].sort()).toEqual(['amount_cents', 'amount_currency', 'code', 'tax_codes']);
    expect(receipt.not_applied).toEqual([]);
  });

  it('takes an answer without its wrapper', async () => {
    const receipt = await receiptOf(writeCall(), { code: 'setup', amount_cents: 99 });
    expect(receipt.not_applied).toEqual(['amount_cents']);
  });

  it('of a deletion shows what was there', async () => {
    const known = { code: 'setup', name: 'Setup\u202Efee', amount_cents: 5, taxes: [] };
    const call = writeCall({ tool: deleteAddOn, args: { code: 'setup' }, known });
    const receipt = await receiptOf(call, { add_on: known });
    expect(receipt).toMatchObject({ requested: {}, applied: [], before: { name: 'Setupfee', amount_cents: 5 } });
  });

  it('survives an answer that no entry expects', async () => {
    const call = writeCall({ tool: updateInvoice, args: { svc_id: invoiceId, payment_status: 'succeeded' } });
    for (const body of [null, [], 'ok', { invoice: null }, { invoice: { metadata: 7, payment_status: {} } }]) {
      const receipt = await receiptOf(call, body);
      expect([...receipt.not_applied, ...receipt.not_shown]).toEqual(['payment_status']);
    }
  });
});
