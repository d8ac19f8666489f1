/** list_wallets and list_wallet_transactions (docs/lookups.md §5). */
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { transactionFilters, walletFilters } from '../../src/contract/list-filters.ts';
import { factsOf } from '../support/facts.ts';
import { filterSamples } from './filter-samples.ts';
import { freshWorld, lookupWorld, meta, onOneDay, refusal } from './lookup-upstream.ts';

onOneDay();
const world = await freshWorld();

const uuid = (n: number) => `5eb02857-a71e-4ea2-bcf9-${String(n).padStart(12, '0')}`;

const wallet = (n: number, fields: object = {}) => ({
  svc_id: uuid(n),
  external_customer_id: 'northwind',
  status: 'active',
  currency: 'USD',
  rate_amount: '1.0',
  code: `w${n}`,
  name: `Wallet ${n}`,
  priority: 50,
  credits_balance: '120.0',
  balance_cents: 12_000,
  ongoing_balance_cents: 8550,
  ongoing_usage_balance_cents: 3450,
  expiration_at: null,
  recurring_transaction_rules: [],
  applies_to: { fee_types: [], billable_metric_codes: [] },
  last_balance_sync_at: '2026-11-22T10:00:00Z',
  ...fields,
});

const wallets = (...list: object[]) => ({ wallets: list, meta: meta(list.length) });
const ofNorthwind = '/customers/northwind/wallets';
const movesOf = (n: number) => `/wallets/${uuid(n)}/wallet_transactions`;
const pendingOf = (n: number) => `${movesOf(n)}?status=pending&transaction_status=purchased&page=1&per_page=100`;
const noMoves = { wallet_transactions: [], meta: meta(0) };

describe('list_wallets', () => {
  it('tells all of one wallet: what is left, expiry, limits and the top-up rule', async () => {
    const rule = { trigger: 'threshold', threshold_credits: '20.0', method: 'fixed', paid_credits: '100.0' };
    world.script({
      '/customers/northwind': { customer: { external_id: 'northwind', applicable_timezone: 'Asia/Tokyo' } },
      [ofNorthwind]: wallets(
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
      ),
      [movesOf(1)]: {
        wallet_transactions: [
          {
            svc_id: uuid(8),
            status: 'pending',
            transaction_status: 'purchased',
            amount: '50.0',
            created_at: '2026-10-01T16:00:00Z',
          },
        ],
        meta: meta(1),
      },
    });
    const answer = await world.call('list_wallets', { external_customer_id: 'northwind' });
    expect(world.asked).toEqual([`${ofNorthwind}?page=1&per_page=20`, pendingOf(1), '/customers/northwind']);
    expect(factsOf(answer.summary)).toBe(
      '“Wallet 1” · (w1) · $120.00 · 120 · $85.50 · 1 Jan · 2127 · 08:59 · 31 Dec · 2126 · 23:59 · 20 · 100 · “Refill” · $10.00 · $50.00 · 2 Oct',
    );
    expect(answer.wallets).toEqual([
      {
        svc_id: uuid(1),
        code: 'w1',
        name: 'Wallet 1',
        currency: 'USD',
        balance_cents: 12_000,
        ongoing_balance_cents: 8550,
        priority: 10,
        expiration_at: '2127-01-01T08:59:59+09:00',
        applies_to: { fee_types: ['charge'], billable_metric_codes: ['tokens'] },
        paid_top_up_min_amount_cents: 1000,
        recurring_transaction_rules: [{ svc_id: uuid(9), ...rule, transaction_name: 'Refill' }],
        metadata: { owner: 'finance' },
      },
    ]);
  });

  it('only counts terminated wallets, in the rows, the totals and the summary', async () => {
    const ended = { status: 'terminated', terminated_at: '2026-05-03T00:00:00Z', balance_cents: 99_900 };
    world.script({
      [ofNorthwind]: wallets(wallet(1, ended), wallet(2), wallet(3, { currency: 'EUR', ongoing_balance_cents: -500 })),
      [movesOf(2)]: noMoves,
      [movesOf(3)]: noMoves,
    });
    const answer = await world.call('list_wallets', { external_customer_id: 'northwind' });
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
    world.script({
      '/wallets': wallets(
        wallet(1, of('cust2', 225_000)),
        wallet(2, of('cust1', -32_483)),
        wallet(3, of('cust0', -630_063)),
        wallet(4, { ...of('cust3', 5000), expiration_at: '2026-03-14T00:00:00Z' }),
      ),
      '/invoices': { invoices: [{ ...draft, customer: { external_id: 'cust0' } }], meta: meta(1) },
      ...Object.fromEntries([1, 2, 3, 4].map(n => [movesOf(n), noMoves])),
    });
    const answer = await world.call('list_wallets', {});
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
    world.script({
      [ofNorthwind]: wallets(...list),
      '/customers/northwind': { customer: { external_id: 'northwind' } },
    });
    const answer = await world.call('list_wallets', { external_customer_id: 'northwind' });
    expect(answer.summary).toContain(summary);
    expect(answer.wallets).toEqual([]);
  });

  it('lists those of the account with their customers, the next to expire, and how to go on', async () => {
    const filters = filterSamples(walletFilters);
    world.script({
      '/wallets': {
        wallets: [wallet(1), wallet(2, { external_customer_id: 'acme', expiration_at: '2126-01-01T00:00:00Z' })],
        meta: meta(134, { pages: 7 }),
      },
      [movesOf(1)]: noMoves,
      [movesOf(2)]: noMoves,
    });
    const answer = await world.call('list_wallets', { ...filters.args, per_page: 2 });
    expect(world.asked).toEqual([`/wallets?${filters.query}&page=1&per_page=2`, pendingOf(1), pendingOf(2)]);
    expect(answer).toMatchObject({ shown: '2 of 134', next_page: 2 });
    expect(answer.wallets).toMatchObject([{ external_customer_id: 'northwind' }, { external_customer_id: 'acme' }]);
    expect(factsOf(answer.summary)).toBe(
      '2 · $240.00 · $171.00 · “Wallet 2” · (w2) · 1 Jan · 2126 · 00:00 · 134 · 2 · 2',
    );
  });

  it('of one customer says all moments in their time zone, with one more read', async () => {
    world.script({
      [ofNorthwind]: wallets(wallet(1), wallet(2, { expiration_at: '2126-01-01T18:00:00Z' })),
      '/customers/northwind': { customer: { external_id: 'northwind', applicable_timezone: 'Asia/Tokyo' } },
    });
    const answer = await world.call('list_wallets', { external_customer_id: 'northwind' });
    expect(world.asked).toEqual([
      `${ofNorthwind}?page=1&per_page=20`,
      pendingOf(1),
      pendingOf(2),
      '/customers/northwind',
    ]);
    expect(answer.summary).toContain('2 Jan 2126, 03:00 in Asia/Tokyo');
  });

  it.each([
    [
      { trigger: 'interval', interval: 'monthly', method: 'target', target_ongoing_balance: '500.0' },
      /each month, .*reach 500/,
    ],
    [
      { trigger: 'interval', interval: 'weekly', method: 'fixed', paid_credits: '10.0', granted_credits: '2.0' },
      /each week, .*10 credits .*2 credits/,
    ],
    [
      {
        trigger: 'threshold',
        threshold_credits: '5.0',
        method: 'target',
        target_ongoing_balance: '50',
        grants_target_top_up: true,
      },
      /when 5 credits or fewer .*reach 50/,
    ],
  ])('says the rule %j', async (rule, words) => {
    world.script({ [ofNorthwind]: wallets(wallet(1, { recurring_transaction_rules: [rule] })) });
    const { summary } = await world.call('list_wallets', { external_customer_id: 'northwind' });
    expect(summary).toMatch(words);
  });

  const monthly = {
    ...{
      svc_id: uuid(9),
      trigger: 'interval',
      interval: 'monthly',
      method: 'fixed',
      started_at: '2026-01-31T10:00:00Z',
    },
    ...{ paid_credits: '50.0', granted_credits: '5.0' },
  };

  it('says of a rule with an interval when it runs next, by the clocks of each customer', async () => {
    const rules = { recurring_transaction_rules: [monthly] };
    const later = {
      recurring_transaction_rules: [{ ...monthly, interval: 'weekly', method: 'target', target_ongoing_balance: '80' }],
    };
    world.script({
      '/wallets': wallets(wallet(1, rules), wallet(2, { external_customer_id: 'acme', ...later }), wallet(3)),
      '/customers/northwind': { customer: { external_id: 'northwind', applicable_timezone: 'Asia/Tokyo' } },
      '/customers/acme': { customer: { external_id: 'acme', applicable_timezone: 'America/New_York' } },
      [movesOf(1)]: noMoves,
      [movesOf(2)]: noMoves,
      [movesOf(3)]: noMoves,
    });
    const answer = await world.call('list_wallets', {});
    expect(factsOf(answer.summary)).toContain('“Wallet 2” · (w2) · 28 Nov · 80 · “Wallet 1” · (w1) · 30 Nov · 50 · 5');
    expect(answer.wallets).toMatchObject([
      { recurring_transaction_rules: [{ ...monthly, started_at: '2026-01-31', next_run: '2026-11-30' }] },
      { recurring_transaction_rules: [{ next_run: '2026-11-28' }] },
      {},
    ]);
    world.script({
      [ofNorthwind]: wallets(wallet(1, rules)),
      '/customers/northwind': { customer: { external_id: 'northwind', applicable_timezone: 'Asia/Tokyo' } },
      [movesOf(1)]: noMoves,
    });
    const { summary, wallets: alone } = await world.call('list_wallets', { external_customer_id: 'northwind' });
    expect(factsOf(summary)).toContain('3 · 30 Nov · 50 · 5');
    expect(alone).toMatchObject([{ recurring_transaction_rules: [{ started_at: '2026-01-31' }] }]);
  });

  it('lists those that have ended by status, from the whole list', async () => {
    const ended = { status: 'terminated', terminated_at: '2026-05-03T00:00:00Z', balance_cents: 1200 };
    world.script({ '/wallets': wallets(wallet(1), wallet(2, ended), wallet(3, ended)) });
    const answer = await world.call('list_wallets', { status: 'terminated' });
    expect(world.asked).toEqual(['/wallets?page=1&per_page=100']);
    expect(factsOf(answer.summary)).toBe(
      '2 · “Wallet 2” · (w2) · 3 May · 00:00 · $12.00 · “Wallet 3” · (w3) · 3 May · 00:00 · $12.00',
    );
    expect(answer.wallets).toMatchObject([
      { code: 'w2', status: 'terminated', terminated_at: '2026-05-03T00:00:00Z' },
      { code: 'w3' },
    ]);
    const second = await world.call('list_wallets', { status: 'terminated', per_page: 1 });
    expect(second).toMatchObject({ shown: '1 of 2', next_page: 2 });
    expect(factsOf(second.summary)).toContain('2 · 1 · 2');
    world.script({ '/wallets': wallets(wallet(1)) });
    expect((await world.call('list_wallets', { status: 'terminated' })).summary).toBe('No wallet has ended.');
    const refused = await world.call('list_wallets', { status: 'expired' });
    expect(refused.summary).toContain('one of active, terminated');
  });

  const one = (n: number) => wallet(n);
  it.each([
    ['the service lacks the read', [one(1)], {}, 'are unknown: this installation'],
    ['the key may not see them', [one(1)], { [movesOf(1)]: refusal(403, 'forbidden') }, 'are unknown: '],
    [
      'one of the reads fails',
      [one(1), one(2)],
      {
        [movesOf(1)]: {
          ...noMoves,
          wallet_transactions: [
            {
              svc_id: uuid(8),
              amount: '7.0',
              created_at: '2026-10-01T16:00:00Z',
              status: 'pending',
              transaction_status: 'purchased',
            },
            // What a service lists that knows no such filters.
            { svc_id: uuid(9), amount: '99.0', status: 'settled', transaction_status: 'purchased' },
            { svc_id: uuid(7), amount: '98.0', status: 'pending', transaction_status: 'granted' },
          ],
          meta: meta(3),
        },
        [movesOf(2)]: refusal(403, 'forbidden'),
      },
      '$7.00 from 1 Oct (UTC) for “Wallet',
    ],
    ['there are more than ten wallets', Array.from({ length: 11 }, (_, n) => one(n + 1)), {}, 'at most 10'],
  ])('answers the rest, and says which top-ups are left out, where %s', async (_, list, script, told) => {
    world.script({ '/wallets': wallets(...list), ...script });
    const answer = await world.call('list_wallets', {});
    expect(answer.wallets).toHaveLength(list.length);
    expect(answer.summary).toContain(told);
    expect(world.asked.length).toBeLessThanOrEqual(11);
  });

  it('costs at most 260 tokens a wallet with all that a wallet has', async () => {
    const full = (n: number) =>
      wallet(n, {
        ...{
          expiration_at: '2126-12-31T23:59:59Z',
          priority: 10,
          metadata: { owner: 'finance' },
        },
        ...{ paid_top_up_min_amount_cents: 1000, paid_top_up_max_amount_cents: 100_000, rate_amount: '0.5' },
        applies_to: { fee_types: ['charge'], billable_metric_codes: ['tokens'] },
        recurring_transaction_rules: [{ ...monthly, transaction_name: 'Monthly credits' }],
      });
    const script = Object.fromEntries(Array.from({ length: 10 }, (_, n) => [movesOf(n), noMoves]));
    for (const size of [5, 10]) {
      world.script({
        ...script,
        '/wallets': wallets(...Array.from({ length: size }, (_, n) => full(n))),
        '/customers/northwind': { customer: { external_id: 'northwind', applicable_timezone: 'Asia/Tokyo' } },
      });
      const answer = await world.call('list_wallets', {});
      expect(countTokens(JSON.stringify(answer)) / size).toBeLessThanOrEqual(260);
    }
  });

  it('finds the customer by name, and says so', async () => {
    world.script({
      '/customers/Northwind/wallets': refusal(404, 'customer_not_found'),
      '/customers': { customers: [{ external_id: 'nw-1', name: 'Northwind Logistics' }], meta: meta(1) },
      '/customers/nw-1/wallets': wallets(wallet(1)),
    });
    const answer = await world.call('list_wallets', { external_customer_id: 'Northwind' });
    expect(factsOf(answer.summary)).toContain('“Northwind Logistics” · (nw-1) · “Wallet 1” · (w1) · nw-1');
    expect(answer.customer).toEqual({ external_id: 'nw-1', name: 'Northwind Logistics' });
  });

  it('refuses an unknown currency before anything is sent', async () => {
    world.script({});
    const answer = await world.call('list_wallets', { currency: 'DOL' });
    expect(answer.error?.code).toBe('invalid_arguments');
    expect(world.asked).toEqual([]);
  });
});

const moves = `/wallets/${uuid(1)}/wallet_transactions`;
const transaction = (n: number, fields: object = {}) => ({
  svc_id: uuid(100 + n),
  svc_wallet_id: uuid(1),
  svc_invoice_id: null,
  status: 'settled',
  transaction_status: 'granted',
  transaction_type: 'inbound',
  amount: '10.0',
  credit_amount: '10.0',
  created_at: `2026-11-${String(n).padStart(2, '0')}T12:00:00Z`,
  ...fields,
});
const newestFirst = (...days: number[]) => days.map(day => transaction(day));

describe('list_wallet_transactions', () => {
  it('adds up what is settled by kind, in cents of the wallet’s currency', async () => {
    world.script({
      [`/wallets/${uuid(1)}`]: { wallet: wallet(1) },
      [moves]: {
        wallet_transactions: [
          transaction(9, { transaction_status: 'purchased', amount: '300.05', svc_invoice_id: uuid(7) }),
          transaction(8, { transaction_status: 'invoiced', amount: '0.1', credit_amount: '0.1' }),
          transaction(7, { transaction_status: 'invoiced', amount: '0.2', credit_amount: '0.4' }),
          transaction(6, { status: 'pending', transaction_status: 'purchased', amount: '50.0' }),
          transaction(5, { status: 'failed', transaction_status: 'purchased', amount: '70.0' }),
        ],
        meta: meta(5),
      },
    });
    const answer = await world.call('list_wallet_transactions', { svc_id: uuid(1) });
    expect(world.asked.sort()).toEqual(['/customers/northwind', `/wallets/${uuid(1)}`, `${moves}?page=1&per_page=20`]);
    expect(factsOf(answer.summary)).toBe(
      '“Wallet 1” · (w1) · 5 · $300.05 · 9 Nov · $0.10 · 8 Nov · $0.20 · 7 Nov · 2 · 3 · $300.05 · $0.30 · 1 · 1',
    );
    expect(answer.totals).toEqual([
      {
        ...{ currency: 'USD', count: 3, purchased_amount_cents: 30_005, invoiced_amount_cents: 30 },
      },
    ]);
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
    const none = await world.call('list_wallet_transactions', { svc_id: uuid(1), created_at_to: '2025-01-01' });
    expect(world.asked.filter(path => path.includes('page'))).toHaveLength(10);
    expect(factsOf(none.summary)).toContain('1 Jan · 2025 · 1,000');
    expect(none.shown).toBe('0 of an unknown number');
  });

  const tokyo = { customer: { external_id: 'northwind', applicable_timezone: 'Asia/Tokyo' } };

  it('tells its moments by the clocks of the wallet’s customer, with one more read', async () => {
    const failed = transaction(8, { status: 'failed', failed_at: '2026-11-08T16:30:05.250Z' });
    world.script({
      [`/wallets/${uuid(1)}`]: { wallet: wallet(1) },
      '/customers/northwind': tokyo,
      [moves]: { wallet_transactions: [transaction(9, { created_at: '2026-11-09T20:00:00Z' }), failed], meta: meta(2) },
    });
    const span = { created_at_from: '2026-11-08', created_at_to: '2026-11-09T21:00:00Z' };
    const answer = await world.call('list_wallet_transactions', { svc_id: uuid(1), ...span });
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
      [moves]: { wallet_transactions: rows, meta: meta(rows.length) },
    });
    const answer = await world.call('list_wallet_transactions', { svc_id: uuid(1) });
    expect(new Set(world.asked.slice(2)).size).toBe(reads);
    expect(answer.wallet_transactions).toMatchObject(rows.map(({ created_at }) => ({ created_at })));
    expect(answer.summary).not.toContain('Times are');
  });

  it('keeps the list when the wallet itself cannot be read, and adds nothing up', async () => {
    world.script({
      [`/wallets/${uuid(1)}`]: refusal(500, 'internal_error'),
      [moves]: { wallet_transactions: newestFirst(3), meta: meta(1) },
    });
    const answer = await world.call('list_wallet_transactions', { svc_id: uuid(1) });
    expect(answer).not.toHaveProperty('totals');
    expect(answer.summary).toContain('There are no totals');
  });

  it('does not read the wallet for a caller who may not list wallets', async () => {
    const narrow = await lookupWorld({ BILLING_EXCLUDE_TOOLS: 'list_wallets' });
    narrow.script({ [moves]: { wallet_transactions: newestFirst(3), meta: meta(1) } });
    const { summary } = await narrow.call('list_wallet_transactions', { svc_id: uuid(1) });
    expect(narrow.asked).toEqual([`${moves}?page=1&per_page=20`]);
    expect(summary).toContain('list_wallets may not be used');
    await narrow.close();
  });

  it('costs at most 1,500 tokens for 20 wallets, and for 20 transactions of which each third is on an invoice', async () => {
    const id = (n: number) => `5eb0${2857 + n}-a71e-4ea2-bcf9-57d3a41b${1000 + n * 37}`;
    const list = Array.from({ length: 20 }, (_, n) =>
      wallet(n, {
        ...{
          svc_id: id(n),
          external_customer_id: `northwind-${n}`,
          code: 'prepaid',
          name: n % 2 === 0 ? 'Prepaid' : 'Trial credits',
        },
        ...(n % 4 === 0 && { expiration_at: '2126-12-31T23:59:59Z' }),
      }),
    );
    world.script({
      '/wallets': { wallets: list, meta: meta(134, { pages: 7 }) },
      [`/wallets/${uuid(1)}`]: { wallet: wallet(1) },
      '/customers/northwind': tokyo,
      [moves]: {
        wallet_transactions: list.map((_, n) =>
          transaction(29 - n, {
            ...{ svc_id: id(n + 50), transaction_status: n % 3 === 0 ? 'invoiced' : 'granted' },
            ...{ amount: `${n + 10}.5`, credit_amount: `${n + 10}.5`, svc_invoice_id: n % 3 === 0 ? id(n + 90) : null },
          }),
        ),
        meta: meta(134, { pages: 7 }),
      },
    });
    const tokens = async (tool: string, args: object) => countTokens(JSON.stringify(await world.call(tool, args)));
    expect(await tokens('list_wallets', {})).toBeLessThanOrEqual(1500);
    expect(await tokens('list_wallet_transactions', { svc_id: uuid(1) })).toBeLessThanOrEqual(1500);
  });

  it('sends the filters of the API, and passes on that the wallet does not exist', async () => {
    world.script({
      [moves]: refusal(404, 'wallet_not_found'),
      [`/wallets/${uuid(1)}`]: refusal(404, 'wallet_not_found'),
    });
    const filters = filterSamples(transactionFilters);
    const args = { svc_id: uuid(1), status: 'settled', transaction_status: 'purchased', ...filters.args };
    const answer = await world.call('list_wallet_transactions', args);
    expect(answer.error?.code).toBe('wallet_not_found');
    expect(world.asked).toContain(
      `${moves}?status=settled&transaction_status=purchased&${filters.query}&page=1&per_page=20`,
    );
  });

  it.each([
    ['a name for an id', { svc_id: 'prepaid' }, 'svc_id must be a UUID'],
    [
      'a day that does not exist',
      { svc_id: uuid(1), created_at_from: '2026-02-30' },
      'created_at_from must be a valid',
    ],
    [
      'a span the wrong way round',
      { svc_id: uuid(1), created_at_from: '2026-03-01', created_at_to: '2026-02-28' },
      'created_at_from is after created_at_to',
    ],
    ['an unknown direction', { svc_id: uuid(1), transaction_type: 'in' }, 'one of inbound, outbound'],
    ['an unknown status', { svc_id: uuid(1), status: 'done' }, 'one of pending, settled, failed'],
  ])('refuses %s before anything is sent', async (_, args, problem) => {
    world.script({});
    const answer = await world.call('list_wallet_transactions', args);
    expect(answer.error?.code).toBe('invalid_arguments');
    expect(answer.summary).toContain(problem);
    expect(world.asked).toEqual([]);
  });
});
