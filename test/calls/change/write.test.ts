import { describe, expect, it } from 'vitest';
import { memoryStores } from '../../../src/calls/change/ask/write-stores.ts';
import type { Config } from '../../../src/server/settings/settings.ts';
import { createBillingEntity } from '../../../tools/billing-entities.ts';
import { updateSubscription } from '../../../tools/subscriptions.ts';
import { updateWallet } from '../../../tools/wallets.ts';
import {
  answered,
  type CallOptions,
  canBeAsked,
  cannotBeAsked,
  countingSend,
  memoryLog,
  policyWith,
  writeCall,
} from './support.ts';

const walletId = '5f4a1d4c-6a1b-4f0e-9a51-6d0f5a6f0001';

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
        question: 'Change add-on a/b.c?\n- price → $1,250.00\n- currency → USD',
        warnings: [],
      },
    });
    expect(upstream.sent).toBe(0);
  });

  it.each([
    ['a comment', '<!--', '-->'],
    ['a tag', '<span hidden title="', '">'],
    ['the target of a link', '[a](b "', '")'],
    ['a reference', '[a][', ']'],
  ])('asks so that a host that shows Markdown turns no part of it into %s', async (_what, before, after) => {
    const args = { code: 'setup', name: before, amount_cents: 987_654, amount_currency: 'USD', description: after };
    const outcome = await policyWith().carryOut(writeCall({ args, dryRun: true }), countingSend().send);
    const { question } = (outcome as { plan: { question: string } }).plan;
    expect(question).toContain('- price → $9,876.54');
    expect(question).not.toMatch(/<[!?/a-z]|\]\(|\]\[/i);
    expect(question).toContain(before.replace('<', '‹').replace('](', '] (').replace('][', '] ['));
  });

  it('uses no budget, and is refused for an amount that the write would be refused for', async () => {
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

  it('shows the body with the installation’s field names, and a logo by its length', async () => {
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
  it('allow a number of writes a minute for each caller, over a sliding window', async () => {
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

  it('are not used by questions, or by declined or refused writes', async () => {
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

  it('of zero allow nothing, and put no question about a write that would be refused', async () => {
    const upstream = countingSend();
    const outcome = await policyWith({ maxWritesPerMinute: 0 }).carryOut(
      writeCall({ client: canBeAsked }),
      upstream.send,
    );
    expect(outcome).toMatchObject({ kind: 'refused', error: { code: 'write_budget' } });
    expect(upstream.sent).toBe(0);
  });

  it('refuse a write when they cannot be counted', async () => {
    const down = () => Promise.reject(new Error('redis is down'));
    const stores = { ...memoryStores(), spent: { mark: down, spend: down }, window: { wait: down, take: down } };
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

describe('a question that is too long to read', () => {
  const priced = (count: number, text = 'x') =>
    Array.from({ length: count }, (_, index) => ({
      id: `c${index}`,
      invoice_display_name: text,
      properties: { amount: `${index + 1}` },
    }));
  const override = (charges: unknown[], more: Partial<CallOptions> = {}) =>
    writeCall({
      tool: updateSubscription,
      args: { external_id: 's1', plan_overrides: { charges } },
      client: canBeAsked,
      ...more,
    });

  it('is not put: the write is refused before anybody is asked, and nothing is sent', async () => {
    const upstream = countingSend();
    const audit = memoryLog();
    const outcome = await policyWith({}, { audit }).carryOut(override(priced(47)), upstream.send);
    expect(outcome).toMatchObject({
      kind: 'refused',
      error: {
        code: 'question_too_long',
        message: expect.stringContaining('47 prices change'),
        changed: false,
      },
    });
    expect(audit.lines).toMatchObject([{ event: 'refused', decision: 'question_too_long' }]);
    expect(upstream.sent).toBe(0);
  });

  it.each([
    ['40 prices', priced(40), 'ask'],
    ['41 prices', priced(41), 'refused'],
    [
      '20 tiers of two prices',
      [{ properties: { volume_ranges: Array(20).fill({ from_value: 1, flat_amount: '1', per_unit_amount: '2' }) } }],
      'ask',
    ],
    [
      'and one rate more',
      [{ properties: { volume_ranges: Array(20).fill({ flat_amount: '1', per_unit_amount: '2' }), rate: '1' } }],
      'refused',
    ],
    ['41 prices under names that are not known', [{ properties: { a: { b: Array(41).fill('1') } } }], 'refused'],
    ['a price of 5,000 characters', [{ properties: { amount: `${'0'.repeat(4999)}1` } }], 'refused'],
  ])('holds at most 40 amounts and 4,000 characters: %s', async (_, charges, expected) => {
    const outcome = await policyWith().carryOut(override(charges), countingSend().send);
    expect(outcome.kind).toBe(expected);
    if (outcome.kind === 'ask') expect(outcome.message.length).toBeLessThanOrEqual(4000);
  });

  it('counts its warnings too', async () => {
    const outcomeOf = async (length: number) => {
      const tier = { amount: '1'.repeat(length) };
      const outcome = await policyWith().carryOut(override([{ properties: tier }]), countingSend().send);
      return outcome.kind === 'ask' ? outcome.message.length : outcome.kind;
    };
    const around = (await outcomeOf(100)) as number;
    expect(await outcomeOf(100 + 4000 - around)).toBe(4000);
    expect(await outcomeOf(100 + 4001 - around)).toBe('refused');
  });

  it('is refused for a token and in a dry run as well, but not where nobody is shown it', async () => {
    const charges = priced(47);
    const kindOf = async (settings: Partial<Config>, more: Partial<CallOptions> = {}) => {
      const call = override(charges, { client: cannotBeAsked, ...more });
      return (await policyWith(settings).carryOut(call, countingSend({ subscription: { external_id: 's1' } }).send))
        .kind;
    };
    expect(await kindOf({ confirm: 'always' })).toBe('refused');
    expect(await kindOf({ confirm: 'always' }, { dryRun: true })).toBe('refused');
    expect(await kindOf({ confirm: 'auto' })).toBe('done');
    expect(await kindOf({ confirm: 'auto' }, { dryRun: true })).toBe('dry_run');
    expect(await kindOf({ confirm: 'never' }, { client: canBeAsked })).toBe('done');
  });

  it('is complete where it is put: to a person, or with a token', async () => {
    const charges = [
      ...priced(6, 'A name that makes the question as long as it may become, and longer than it was'),
      { id: 'last', properties: { amount: '987654' } },
    ];
    const known = { plan: { amount_currency: 'USD', parent_id: null } };
    const asked = await policyWith().carryOut(override(charges, { known }), countingSend().send);
    expect(asked).toMatchObject({ kind: 'ask', message: expect.stringContaining('amount $987,654.00') });
    const call = override(charges, { known, client: cannotBeAsked });
    const offered = await policyWith({ confirm: 'always' }).carryOut(call, countingSend().send);
    expect(offered).toMatchObject({ kind: 'needs_token', question: expect.stringContaining('amount $987,654.00') });
  });
});
