/** Sentences about accounts that the real service answered, where its records lack fields that the contract states. */
import { describe, expect, it } from 'vitest';
import { type Billed, recorded, recording } from '../support/recorded.ts';
import { type Script, sharedWorld } from './lookup-upstream.ts';

const world = await sharedWorld({ BILLING_CONFIRM: 'never' });

const serving = (number: string): Extract<Script, (...args: never) => unknown> =>
  recorded(recording<Billed>(`billed-${number}`), recording('calls-11'));

describe('fixed charges, which lists of plans and plans of subscriptions lack', () => {
  const fixed = { id: '90fe060c-a357-479d-b65b-f5a51a5c3db4', units: '4' };

  it.each<[tool: string, account: string, args: object, told: string | RegExp]>([
    ['list_plans', '17', {}, /“Plan 2” \(plan2\) €227\.01 .*2\.5 × €3\.97 = €9\.925/],
    ['get_subscription', '17', { external_id: 'sub1-0' }, '4 prices (from the plan)'],
    [
      'get_invoice',
      '01',
      { svc_id: '7f9fe80e-9aad-4baa-8ae0-121a277bfd96' },
      '“seat (shown)”: 3 × CHF 2.75 = CHF 8.25',
    ],
  ])('are told by %s of account %s', async (tool, account, args, told) => {
    world.script(serving(account));
    expect((await world.call(tool, args)).summary).toMatch(told);
  });

  const update = async (fixed_charges: object[], answer?: object) => {
    const reads = serving('17');
    const sent: string[] = [];
    world.script((url, request) => {
      if (request.method === 'PUT') sent.push(url.pathname);
      return request.method === 'PUT' ? answer : reads(url, request);
    });
    return {
      ...(await world.call('update_subscription', { external_id: 'sub1-0', plan_overrides: { fixed_charges } })),
      sent,
    };
  };

  it('an unknown one is refused before it is sent', async () => {
    const { summary, sent } = await update([{ id: '00000000-0000-4000-8000-000000000000', units: '4' }]);
    expect(summary).toContain('setup (90fe060c-a357-479d-b65b-f5a51a5c3db4)');
    expect(sent).toEqual([]);
  });

  it('a changed quantity has a revert where the subscription’s own were read', async () => {
    const { subscription } = recording<Billed>('billed-17').answers['/subscriptions/sub1-0']!.json;
    const plan = recording<Billed>('billed-17').answers['/plans/plan2']!.json.plan;
    const reads = serving('17');
    world.script((url, request) =>
      request.method === 'PUT'
        ? { subscription }
        : url.pathname.endsWith('/fixed_charges')
          ? { fixed_charges: plan.fixed_charges }
          : reads(url, request),
    );
    const answer = await world.call('update_subscription', {
      external_id: 'sub1-0',
      plan_overrides: { fixed_charges: [fixed] },
    });
    expect(answer.receipt).toMatchObject({
      revert: { arguments: { plan_overrides: { fixed_charges: [{ id: fixed.id, units: '2.5' }] } } },
    });
    expect(answer.summary).toContain('setup');
  });
});

it('an override says which fixed charges stay, before and after it', async () => {
  const { subscription } = recording<Billed>('billed-17').answers['/subscriptions/sub1-0']!.json;
  const reads = serving('17');
  const copy = { ...subscription.plan, svc_id: 'copy', parent_id: subscription.plan.svc_id, amount_cents: 20000 };
  world.script((url, request) =>
    request.method === 'PUT'
      ? { subscription: { ...subscription, plan_amount_cents: 20000, plan: copy } }
      : reads(url, request),
  );
  const args = { external_id: 'sub1-0', plan_overrides: { amount_cents: 20000 } };
  expect((await world.call('update_subscription', { ...args, dry_run: true })).summary).toMatch(/Unchanged: .*setup/);
  expect((await world.call('update_subscription', args)).summary).toContain('plan charges for setup, ');
});

it('a credit note setting that was never set is cleared by the revert', async () => {
  const { subscription } = recording<Billed>('billed-17').answers['/subscriptions/sub1-0']!.json;
  const reads = serving('17');
  const after = { ...subscription, on_termination_credit_note: 'skip' };
  world.script((url, request) => (request.method === 'PUT' ? { subscription: after } : reads(url, request)));
  const args = { external_id: 'sub1-0', on_termination_credit_note: 'skip' };
  expect((await world.call('update_subscription', args)).receipt).toMatchObject({
    revert: { arguments: { clear: ['on_termination_credit_note'] } },
  });
});

describe('a preview that the service refuses', () => {
  it.each([
    [{}, '(ending_at) has passed'],
    [{ plan_code: 'plan1' }, '(ending_at) has passed'],
  ])('because of a stored end, which no argument named: %j', async (change, reason) => {
    world.script(serving('11'));
    const subscriptions = { external_ids: ['sub0-1'], ...change };
    const { summary, error } = await world.call('preview_invoice', {
      customer: { external_id: 'cust0' },
      subscriptions,
    });
    expect(summary).toContain(reason);
    expect(error?.hint).not.toContain('Correct terminated_at');
  });
});

it('a wallet tells no age of its figures', async () => {
  world.script(serving('11'));
  const { summary } = await world.call('list_wallets', { external_customer_id: 'cust1' });
  expect(summary).not.toContain('These figures are of');
});
