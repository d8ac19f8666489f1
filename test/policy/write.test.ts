import { describe, expect, it } from 'vitest';
import { memoryStores } from '../../src/policy/stores.ts';
import { createBillingEntity } from '../../tools/billing-entities.ts';
import { updateWallet } from '../../tools/wallets.ts';
import { answered, canBeAsked, countingSend, policyWith, writeCall } from './support.ts';

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
    const stores = { spent: { mark: down, spend: down }, window: { wait: down, take: down } };
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
