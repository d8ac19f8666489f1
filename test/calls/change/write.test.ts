import { describe, expect, it } from 'vitest';
import { memoryStores } from '../../../src/calls/change/ask/write-stores.ts';
import type { Config } from '../../../src/server/settings/settings.ts';
import { createBillingEntity } from '../../../tools/billing-entities.ts';
import { updateSubscription } from '../../../tools/subscriptions.ts';
import { updateWallet } from '../../../tools/wallets.ts';
import { answered, type CallOptions, canBeAsked, cannotBeAsked, memoryLog, serverWith } from './support.ts';

const walletId = '5f4a1d4c-6a1b-4f0e-9a51-6d0f5a6f0001';

describe('a dry run', () => {
  it('shows method, path, body and question, and sends nothing', async () => {
    const { call, upstream } = serverWith({ confirm: 'always' });
    const args = { code: 'a/b.c', amount_cents: 125_000, amount_currency: 'USD' };
    expect(await call(undefined, { args, dryRun: true })).toEqual({
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
    const outcome = await serverWith().call(undefined, { args, dryRun: true });
    const { question } = (outcome as { plan: { question: string } }).plan;
    expect(question).toContain('- price → $9,876.54');
    expect(question).not.toMatch(/<[!?/a-z]|\]\(|\]\[/i);
    expect(question).toContain(before.replace('<', '‹').replace('](', '] (').replace('][', '] ['));
  });

  it('uses no budget, and is refused for an amount that the write is refused for before anybody is asked', async () => {
    const { ended, upstream } = serverWith({ maxWritesPerMinute: 1, maxAmount: 'USD:1000' });
    const priced = (amount_cents: number) => ({ args: { code: 'setup', amount_cents, amount_currency: 'USD' } });
    for (let i = 0; i < 5; i++) expect(await ended(undefined, { ...priced(1), dryRun: true })).toBe('dry_run');
    expect(await ended(undefined, { ...priced(100_001), dryRun: true })).toBe('amount_limit');
    expect(await ended(canBeAsked, priced(100_001))).toBe('amount_limit');
    expect(upstream.sent).toBe(0);
  });

  it('shows the body with the installation’s field names, and a logo by its length', async () => {
    const outgoing = (body: unknown) => JSON.parse(JSON.stringify(body).replaceAll('"svc_', '"acme_'));
    const rules = [{ svc_id: 'r1', trigger: 'interval', interval: 'monthly' }];
    const wallet = { tool: updateWallet, args: { svc_id: walletId, recurring_transaction_rules: rules }, dryRun: true };
    expect(await serverWith({}, { outgoing }).call(undefined, wallet)).toMatchObject({
      plan: { body: { wallet: { recurring_transaction_rules: [{ acme_id: 'r1' }] } } },
    });

    const logo = `data:image/png;base64,${'A'.repeat(5000)}`;
    const entity = { tool: createBillingEntity, args: { code: 'fr', name: 'FR', logo }, dryRun: true };
    expect(await serverWith().call(undefined, entity)).toMatchObject({
      plan: { body: { billing_entity: { logo: '[image/png, 5022 characters]' } } },
    });
  });
});

describe('budgets', () => {
  it('allow a number of writes a minute for each caller, over a sliding window', async () => {
    let now = 0;
    const { call, upstream } = serverWith({ maxWritesPerMinute: 2 }, { stores: memoryStores(() => now) });
    const write = async (caller: string) => {
      const outcome = await call(undefined, { caller });
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
    const { ask, call, ended, upstream } = serverWith({ maxWritesPerMinute: 1 });
    for (let i = 0; i < 3; i++) {
      await call(answered((await ask()).state, 'decline'));
      await call(answered('forged'));
    }
    expect(await ended()).toBe('done');
    expect(upstream.sent).toBe(1);
  });

  it('of zero allow nothing, and put no question about a write that would be refused', async () => {
    const { ended, upstream } = serverWith({ maxWritesPerMinute: 0 });
    expect(await ended(canBeAsked)).toBe('write_budget');
    expect(upstream.sent).toBe(0);
  });

  it('refuse a write when they cannot be counted', async () => {
    const down = () => Promise.reject(new Error('redis is down'));
    const stores = { ...memoryStores(), spent: { mark: down, spend: down }, window: { wait: down, take: down } };
    const { call, upstream } = serverWith({}, { stores });
    expect(await call()).toMatchObject({
      ...{ kind: 'refused', error: { code: 'write_budget_unavailable', changed: false } },
    });
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
  const override = (charges: unknown[], more: CallOptions = {}): CallOptions => ({
    ...{ tool: updateSubscription, args: { external_id: 's1', plan_overrides: { charges } } },
    ...more,
  });

  it('is not put: the write is refused before anybody is asked, and nothing is sent', async () => {
    const audit = memoryLog();
    const { call, upstream } = serverWith({}, { audit });
    expect(await call(canBeAsked, override(priced(47)))).toMatchObject({
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
    const outcome = await serverWith().call(canBeAsked, override(charges));
    expect(outcome.kind).toBe(expected);
    if (outcome.kind === 'ask') expect(outcome.message.length).toBeLessThanOrEqual(4000);
  });

  it('counts its warnings too', async () => {
    const outcomeOf = async (length: number) => {
      const tier = { amount: '1'.repeat(length) };
      const outcome = await serverWith().call(canBeAsked, override([{ properties: tier }]));
      return outcome.kind === 'ask' ? outcome.message.length : outcome.kind;
    };
    const around = (await outcomeOf(100)) as number;
    expect(await outcomeOf(100 + 4000 - around)).toBe(4000);
    expect(await outcomeOf(100 + 4001 - around)).toBe('refused');
  });

  it('is refused for a token and in a dry run as well, but not where nobody is shown it', async () => {
    const charges = priced(47);
    const kindOf = async (settings: Partial<Config>, more: CallOptions = {}) => {
      const { call } = serverWith(settings, {}, { subscription: { external_id: 's1' } });
      return (await call(cannotBeAsked, override(charges, more))).kind;
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
    const { message } = await serverWith().ask(canBeAsked, override(charges, { known }));
    const { question } = await serverWith({ confirm: 'always' }).offer(cannotBeAsked, override(charges, { known }));
    for (const text of [message, question]) expect(text).toContain('amount $987,654.00');
  });
});
