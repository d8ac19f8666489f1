/** list_wallets and list_wallet_transactions (docs/lookups.md §5). */
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import type { JsonRecord } from '../../src/lib/json.ts';
import { factsOf } from '../support/facts.ts';
import { transactionRow as transaction, uuidOf as uuid, walletRow as wallet } from './lookup-records.ts';
import { freshWorld, meta, onOneDay, refusal, type Scripted } from './lookup-upstream.ts';

onOneDay();
const world = await freshWorld();

const ofNorthwind = '/customers/northwind/wallets';
const movesOf = (n: number) => `/wallets/${uuid(n)}/wallet_transactions`;
const pendingOf = (n: number) => `${movesOf(n)}?status=pending&transaction_status=purchased&page=1&per_page=100`;
const tokyo = { customer: { external_id: 'northwind', applicable_timezone: 'Asia/Tokyo' } };
const bought = (n: number, amount: string, fields: JsonRecord = {}) =>
  transaction(1, { ...{ svc_id: uuid(n), status: 'pending', transaction_status: 'purchased', amount }, ...fields });
/** No wallet waits for a payment, unless a test says else. */
const serve = (script: Record<string, Scripted>) =>
  world.script({ ...Object.fromEntries([1, 2, 3, 4].map(n => [movesOf(n), []])), ...script });
const ask = (args: object = { external_customer_id: 'northwind' }) => world.call('list_wallets', args);

describe('list_wallets', () => {
  it('tells all of one wallet: what is left, expiry, limits and the top-up rule', async () => {
    const rule = { trigger: 'threshold', threshold_credits: '20.0', method: 'fixed', paid_credits: '100.0' };
    world.script({
      '/customers/northwind': tokyo,
      [ofNorthwind]: [
        wallet(1, {
          expiration_at: '2126-12-31T23:59:59Z',
          applies_to: { fee_types: ['charge'], billable_metric_codes: ['tokens'] },
          paid_top_up_min_amount_cents: 1000,
          recurring_transaction_rules: [
            { ...rule, granted_credits: '0.0', svc_id: uuid(9), transaction_name: 'Refill' },
          ],
          priority: 10,
          metadata: { owner: 'finance' },
        }),
      ],
      [movesOf(1)]: [bought(8, '50.0', { created_at: '2026-10-01T16:00:00Z' })],
    });
    const answer = await ask();
    expect(world.asked).toEqual([`${ofNorthwind}?page=1&per_page=20`, pendingOf(1), '/customers/northwind']);
    expect(factsOf(answer.summary)).toBe(
      '“Wallet 1” · (w1) · $120.00 · 120 · $85.50 · 1 Jan · 2127 · 08:59 · 31 Dec · 2126 · 23:59 · 20 · 100 · “Refill” · $10.00 · $50.00 · 2 Oct',
    );
    expect(answer.wallets).toEqual([
      {
        ...{ svc_id: uuid(1), code: 'w1', name: 'Wallet 1', currency: 'USD', priority: 10 },
        ...{ balance_cents: 12_000, ongoing_balance_cents: 8550, expiration_at: '2127-01-01T08:59:59+09:00' },
        applies_to: { fee_types: ['charge'], billable_metric_codes: ['tokens'] },
        paid_top_up_min_amount_cents: 1000,
        recurring_transaction_rules: [{ svc_id: uuid(9), ...rule, transaction_name: 'Refill' }],
        metadata: { owner: 'finance' },
      },
    ]);
  });

  it('only counts terminated wallets, in the rows, the totals and the summary', async () => {
    const ended = { status: 'terminated', terminated_at: '2026-05-03T00:00:00Z', balance_cents: 99_900 };
    serve({
      [ofNorthwind]: [wallet(1, ended), wallet(2), wallet(3, { currency: 'EUR', ongoing_balance_cents: -500 })],
    });
    const answer = await ask();
    expect(answer).toMatchObject({
      shown: '2 of 3',
      terminated: 1,
      totals: [
        { currency: 'EUR', count: 1, balance_cents: 12_000, left_cents: 0 },
        { currency: 'USD', count: 1, balance_cents: 12_000, left_cents: 8550 },
      ],
    });
    expect((answer.wallets as { code: string }[]).map(({ code }) => code)).toEqual(['w2', 'w3']);
    expect(factsOf(answer.summary)).toBe('2 · €120.00 · $120.00 · €0.00 · $85.50 · “Wallet 3” · (w3) · €5.00 · 1');
  });

  it('pays no usage of one customer from the wallet of another, and counts no expired wallet', async () => {
    const of = (external_customer_id: string, ongoing_balance_cents: number) => ({
      ...{ external_customer_id, ongoing_balance_cents, currency: 'EUR' },
      balance_cents: Math.max(0, ongoing_balance_cents),
    });
    const draft = { svc_id: uuid(50), status: 'draft', currency: 'EUR', total_amount_cents: 87_422 };
    serve({
      '/wallets': [
        wallet(1, of('cust2', 225_000)),
        wallet(2, of('cust1', -32_483)),
        wallet(3, of('cust0', -630_063)),
        wallet(4, { ...of('cust3', 5000), expiration_at: '2026-03-14T00:00:00Z' }),
      ],
      '/invoices': [{ ...draft, customer: { external_id: 'cust0' } }],
    });
    const answer = await ask({});
    expect(answer.totals).toEqual([{ currency: 'EUR', count: 3, balance_cents: 225_000, left_cents: 225_000 }]);
    expect(factsOf(answer.summary)).toBe(
      '3 · €2,250.00 · €2,250.00 · “Wallet 2” · (w2) · cust1 · €324.83 · “Wallet 3” · (w3) · cust0 · €6,300.63 · €874.22 · “Wallet 4” · (w4) · cust3 · 14 Mar · 00:00',
    );
  });

  it.each([
    ['none at all', [], 'Customer northwind has no wallet.'],
    [
      'none that is active',
      [wallet(1, { status: 'terminated', terminated_at: '2026-05-03T00:00:00Z' })],
      '“Wallet 1” (w1) on 3 May, 00:00',
    ],
  ])('says that there is %s', async (_, list, summary) => {
    world.script({ [ofNorthwind]: list, '/customers/northwind': { customer: { external_id: 'northwind' } } });
    const answer = await ask();
    expect(answer.summary).toContain(summary);
    expect(answer.wallets).toEqual([]);
  });

  const target = { method: 'target', target_ongoing_balance: '50' };
  it.each([
    [{ ...target, trigger: 'interval', interval: 'monthly' }, /each month, .*reach 50/],
    [
      { trigger: 'interval', interval: 'weekly', method: 'fixed', paid_credits: '10.0', granted_credits: '2.0' },
      /each week, .*10 credits .*2 credits/,
    ],
    [
      { ...target, trigger: 'threshold', threshold_credits: '5.0', grants_target_top_up: true },
      /when 5 credits or fewer .*reach 50/,
    ],
  ])('says the rule %j', async (rule, words) => {
    world.script({ [ofNorthwind]: [wallet(1, { recurring_transaction_rules: [rule] })] });
    const { summary } = await ask();
    expect(summary).toMatch(words);
  });

  const monthly = {
    ...{ svc_id: uuid(9), trigger: 'interval', interval: 'monthly', method: 'fixed', paid_credits: '50.0' },
    ...{ started_at: '2026-01-31T10:00:00Z', granted_credits: '5.0' },
  };

  it('says of a rule with an interval when it runs next, by the clocks of each customer', async () => {
    const rules = { recurring_transaction_rules: [monthly] };
    const later = {
      recurring_transaction_rules: [{ ...monthly, interval: 'weekly', method: 'target', target_ongoing_balance: '80' }],
    };
    serve({
      '/wallets': [wallet(1, rules), wallet(2, { external_customer_id: 'acme', ...later }), wallet(3)],
      '/customers/northwind': tokyo,
      '/customers/acme': { customer: { external_id: 'acme', applicable_timezone: 'America/New_York' } },
    });
    const answer = await ask({});
    expect(factsOf(answer.summary)).toContain('“Wallet 2” · (w2) · 28 Nov · 80 · “Wallet 1” · (w1) · 30 Nov · 50 · 5');
    expect(answer.wallets).toMatchObject([
      { recurring_transaction_rules: [{ ...monthly, started_at: '2026-01-31', next_run: '2026-11-30' }] },
      { recurring_transaction_rules: [{ next_run: '2026-11-28' }] },
      {},
    ]);
    serve({ [ofNorthwind]: [wallet(1, rules)], '/customers/northwind': tokyo });
    const { summary, wallets: alone } = await ask();
    expect(factsOf(summary)).toContain('3 · 30 Nov · 50 · 5');
    expect(alone).toMatchObject([{ recurring_transaction_rules: [{ started_at: '2026-01-31' }] }]);
  });

  it('lists those that have ended by status, from the whole list', async () => {
    const ended = { status: 'terminated', terminated_at: '2026-05-03T00:00:00Z', balance_cents: 1200 };
    world.script({ '/wallets': [wallet(1), wallet(2, ended), wallet(3, ended)] });
    const answer = await ask({ status: 'terminated' });
    expect(world.asked).toEqual(['/wallets?page=1&per_page=100']);
    expect(factsOf(answer.summary)).toBe(
      '2 · “Wallet 2” · (w2) · 3 May · 00:00 · $12.00 · “Wallet 3” · (w3) · 3 May · 00:00 · $12.00',
    );
    expect(answer.wallets).toMatchObject([
      { code: 'w2', status: 'terminated', terminated_at: '2026-05-03T00:00:00Z' },
      { code: 'w3' },
    ]);
    const second = await ask({ status: 'terminated', per_page: 1 });
    expect(second).toMatchObject({ shown: '1 of 2', next_page: 2 });
    expect(factsOf(second.summary)).toContain('2 · 1 · 2');
    world.script({ '/wallets': [wallet(1)] });
    expect((await ask({ status: 'terminated' })).summary).toBe('No wallet has ended.');
  });

  const one = (n: number) => wallet(n);
  it.each([
    ['the service lacks the read', [one(1)], {}, 'are unknown: this installation'],
    ['the key may not see them', [one(1)], { [movesOf(1)]: refusal(403, 'forbidden') }, 'are unknown: '],
    [
      'one of the reads fails',
      [one(1), one(2)],
      {
        [movesOf(1)]: [
          bought(8, '7.0', { created_at: '2026-10-01T16:00:00Z' }),
          // What a service lists that knows no such filters.
          bought(9, '99.0', { status: 'settled' }),
          bought(7, '98.0', { transaction_status: 'granted' }),
        ],
        [movesOf(2)]: refusal(403, 'forbidden'),
      },
      '$7.00 from 1 Oct (UTC) for “Wallet',
    ],
    ['there are more than ten wallets', Array.from({ length: 11 }, (_, n) => one(n + 1)), {}, 'at most 10'],
  ])('answers the rest, and says which top-ups are left out, where %s', async (_, list, script, told) => {
    world.script({ '/wallets': list, ...script });
    const answer = await ask({});
    expect(answer.wallets).toHaveLength(list.length);
    expect(answer.summary).toContain(told);
    expect(world.asked.length).toBeLessThanOrEqual(11);
  });

  it('costs at most 260 tokens a wallet with all that a wallet has', async () => {
    const full = (n: number) =>
      wallet(n, {
        ...{ expiration_at: '2126-12-31T23:59:59Z', priority: 10, metadata: { owner: 'finance' } },
        ...{ paid_top_up_min_amount_cents: 1000, paid_top_up_max_amount_cents: 100_000, rate_amount: '0.5' },
        applies_to: { fee_types: ['charge'], billable_metric_codes: ['tokens'] },
        recurring_transaction_rules: [{ ...monthly, transaction_name: 'Monthly credits' }],
      });
    const script = Object.fromEntries(Array.from({ length: 10 }, (_, n) => [movesOf(n), []]));
    for (const size of [5, 10]) {
      world.script({
        ...script,
        '/wallets': Array.from({ length: size }, (_, n) => full(n)),
        '/customers/northwind': tokyo,
      });
      const answer = await ask({});
      expect(countTokens(JSON.stringify(answer)) / size).toBeLessThanOrEqual(260);
    }
  });
});

const moves = `/wallets/${uuid(1)}/wallet_transactions`;
const newestFirst = (...days: number[]) => days.map(day => transaction(day));

const movesOfOne = (args: object = {}) => world.call('list_wallet_transactions', { svc_id: uuid(1), ...args });

describe('list_wallet_transactions', () => {
  it('adds up what is settled by kind, in cents of the wallet’s currency', async () => {
    world.script({
      [`/wallets/${uuid(1)}`]: { wallet: wallet(1) },
      [moves]: [
        transaction(9, { transaction_status: 'purchased', amount: '300.05', svc_invoice_id: uuid(7) }),
        transaction(8, { transaction_status: 'invoiced', amount: '0.1', credit_amount: '0.1' }),
        transaction(7, { transaction_status: 'invoiced', amount: '0.2', credit_amount: '0.4' }),
        transaction(6, { status: 'pending', transaction_status: 'purchased', amount: '50.0' }),
        transaction(5, { status: 'failed', transaction_status: 'purchased', amount: '70.0' }),
      ],
    });
    const answer = await movesOfOne();
    expect(world.asked.sort()).toEqual(['/customers/northwind', `/wallets/${uuid(1)}`, `${moves}?page=1&per_page=20`]);
    expect(factsOf(answer.summary)).toBe(
      '“Wallet 1” · (w1) · 5 · $300.05 · 9 Nov · $0.10 · 8 Nov · $0.20 · 7 Nov · 2 · 3 · $300.05 · $0.30 · 1 · 1',
    );
    const sums = { currency: 'USD', count: 3, purchased_amount_cents: 30_005, invoiced_amount_cents: 30 };
    expect(answer.totals).toEqual([sums]);
    expect((answer.wallet_transactions as object[]).slice(0, 3)).toEqual([
      {
        ...{ svc_id: uuid(109), created_at: '2026-11-09T12:00:00Z', transaction_status: 'purchased' },
        ...{ amount: '300.05', credit_amount: '10.0', svc_invoice_id: uuid(7) },
      },
      { svc_id: uuid(108), created_at: '2026-11-08T12:00:00Z', transaction_status: 'invoiced', amount: '0.1' },
      {
        ...{ svc_id: uuid(107), created_at: '2026-11-07T12:00:00Z', transaction_status: 'invoiced' },
        ...{ amount: '0.2', credit_amount: '0.4' },
      },
    ]);
  });

  it('cuts by days in the tool, whole days included, and stops reading at the first older one', async () => {
    world.script(url => {
      if (!url.pathname.endsWith('transactions')) return { wallet: wallet(1) };
      const page = Number(url.searchParams.get('page'));
      const rows = page === 1 ? newestFirst(20, 19, 18) : page === 2 ? newestFirst(17, 16, 15) : newestFirst(14);
      return { wallet_transactions: rows, meta: meta(300, { page, pages: 3 }) };
    });
    const args = { svc_id: uuid(1), created_at_from: '2026-11-16', created_at_to: '2026-11-19', per_page: 3 };
    const answer = await world.call('list_wallet_transactions', args);
    expect(world.asked.filter(path => path.includes('page'))).toEqual([
      `${moves}?page=1&per_page=100`,
      `${moves}?page=2&per_page=100`,
    ]);
    expect(answer).toMatchObject({ shown: '3 of 4', next_page: 2, totals: [{ count: 4, granted_amount_cents: 4000 }] });
    expect(factsOf(answer.summary)).toContain('4 · 16 Nov · 19 Nov · 3 · 2');
    const rest = await world.call('list_wallet_transactions', { ...args, page: 2 });
    expect(rest.shown).toBe('1 of 4');
    expect(rest).not.toHaveProperty('next_page');
    expect(rest.wallet_transactions).toMatchObject([{ svc_id: uuid(116) }]);
  });

  it('says where the reading by days ended before the list did', async () => {
    world.script(url =>
      url.pathname.endsWith('transactions')
        ? {
            wallet_transactions: Array.from({ length: 100 }, (_, n) =>
              transaction(20, { svc_id: uuid(Number(url.searchParams.get('page')) * 1000 + n) }),
            ),
            meta: meta(5000, { page: Number(url.searchParams.get('page')), pages: 50 }),
          }
        : { wallet: wallet(1) },
    );
    const none = await movesOfOne({ created_at_to: '2025-01-01' });
    expect(world.asked.filter(path => path.includes('page'))).toHaveLength(10);
    expect(factsOf(none.summary)).toContain('1 Jan · 2025 · 1,000');
    expect(none.shown).toBe('0 of an unknown number');
  });

  it('tells its moments by the clocks of the wallet’s customer, with one more read', async () => {
    const failed = transaction(8, { status: 'failed', failed_at: '2026-11-08T16:30:05.250Z' });
    world.script({
      [`/wallets/${uuid(1)}`]: { wallet: wallet(1) },
      '/customers/northwind': tokyo,
      [moves]: [transaction(9, { created_at: '2026-11-09T20:00:00Z' }), failed],
    });
    const span = { created_at_from: '2026-11-08', created_at_to: '2026-11-09T21:00:00Z' };
    const answer = await movesOfOne({ ...span });
    expect(world.asked.slice(2)).toEqual(['/customers/northwind']);
    expect(answer.wallet_transactions).toMatchObject([
      { created_at: '2026-11-10T05:00:00+09:00' },
      { created_at: '2026-11-08T21:00:00+09:00', failed_at: '2026-11-09T01:30:05+09:00' },
    ]);
    expect(factsOf(answer.summary)).toContain('2 · 8 Nov · 10 Nov · 06:00 · 9 Nov · 21:00');
    expect(answer.summary).toContain('Times are in Asia/Tokyo.');
  });

  it.each([
    ['where the customer cannot be read', refusal(500, 'internal_error'), newestFirst(3), 1],
    ['where the customer is billed in UTC', { customer: { applicable_timezone: 'UTC' } }, newestFirst(3), 1],
    ['in a zone that nobody knows', { customer: { applicable_timezone: 'Moon/Crater' } }, newestFirst(3), 1],
    ['without a read where there is none', tokyo, [], 0],
  ])('leaves its moments in UTC, which they say, %s', async (_, customer, rows, reads) => {
    world.script({
      [`/wallets/${uuid(1)}`]: { wallet: wallet(1) },
      '/customers/northwind': customer,
      [moves]: rows,
    });
    const answer = await movesOfOne();
    expect(new Set(world.asked.slice(2)).size).toBe(reads);
    expect(answer.wallet_transactions).toMatchObject(rows.map(({ created_at }) => ({ created_at })));
    expect(answer.summary).not.toContain('Times are');
  });

  it('keeps the list when the wallet itself cannot be read, and adds nothing up', async () => {
    world.script({ [`/wallets/${uuid(1)}`]: refusal(500, 'internal_error'), [moves]: newestFirst(3) });
    const answer = await movesOfOne();
    expect(answer).not.toHaveProperty('totals');
    expect(answer.summary).toContain('There are no totals');
  });

  it('does not read the wallet for a caller who may not list wallets', async () => {
    await world.renew({ BILLING_EXCLUDE_TOOLS: 'list_wallets' });
    world.script({ [moves]: newestFirst(3) });
    expect((await movesOfOne()).summary).toContain('list_wallets may not be used');
    expect(world.asked).toEqual([`${moves}?page=1&per_page=20`]);
  });

  it('passes on that the wallet does not exist', async () => {
    world.script({
      [moves]: refusal(404, 'wallet_not_found'),
      [`/wallets/${uuid(1)}`]: refusal(404, 'wallet_not_found'),
    });
    expect((await movesOfOne()).error?.code).toBe('wallet_not_found');
  });
});
