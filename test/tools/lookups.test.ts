/** What all lookups share: refused arguments, filters, names for ids, the size of a page, missing paths, permissions. */
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { createAvailability } from '../../src/calls/api/availability.ts';
import * as filters from '../../src/contract/list-filters.ts';
import type { JsonRecord } from '../../src/lib/json.ts';
import { factsOf } from '../support/facts.ts';
import { filterSamples } from './filter-samples.ts';
import {
  customerRow,
  invoiceRow,
  noteRow,
  paymentRow,
  subscriptionRow,
  transactionRow,
  uuidOf,
  walletRow,
} from './lookup-records.ts';
import { freshWorld, meta, onOneDay, refusal } from './lookup-upstream.ts';

onOneDay();
const world = await freshWorld();

/** By tool: arguments and what the answer says of them. */
const refused: Record<string, [args: JsonRecord, problem?: string][]> = {
  find_customers: [
    [{ search_term: '  ' }],
    [{ countries: ['fr'] }],
    [{ countries: 'FR' }],
    [{ currencies: ['EURO'] }],
    [{ metadata: { tier: { of: 'gold' } } }],
    [{ metadata: { 'a][b': 'c' } }],
    [{ metadata: { 'a[b]': 'x' } }, 'metadata.a[b] must be a metadata key'],
    [{ plan_code: 'pro' }],
    [{ states: [''] }],
    [{ has_customer_type: false, customer_type: 'company' }],
    [{ account_type: ['client'] }, 'account_type[0] must be one of customer'],
    [{ customer_type: 'firm' }, 'customer_type must be one of company'],
    [{ all: true, page: 2 }, 'page goes without all: true'],
  ],
  list_subscriptions: [
    [{ status: ['running'] }],
    [{ status: 'active' }],
    [{ plan_code: ' ' }],
    [{ currency: 'DOLLAR' }],
    [{ billing_entity_codes: [''] }],
    [{ search_term: 'x' }],
    [{ page: 0 }],
    [{ per_page: 101 }],
    [{ ending_before: 'next quarter' }],
    [{ trial_ends_before: '2026-02-30' }],
    [{ ending_before: '2027-01-01', trial_ends_before: '2027-01-01' }],
  ],
  list_invoices: [
    [{ search_term: ' ' }],
    [{ issuing_date_from: '2026-02-30' }, 'issuing_date_from must be a valid date'],
    [{ issuing_date_to: '2026-02-01T00:00:00Z' }, 'issuing_date_to must be a valid date'],
    [{ issuing_date_from: '2026-02-02', issuing_date_to: '2026-02-01' }, 'from 2026-02-02 is after or above'],
    [{ amount_from: 2, amount_to: 1 }, 'after or above amount_to, 1'],
    [{ amount_from: 10.5 }, 'amount_from must be a whole number'],
    [{ status: ['open'] }, 'status[0] must be one of'],
    [{ status: 'draft' }, 'status must be a list'],
    [{ payment_status: ['paid'] }, 'payment_status[0] must be one of'],
    [{ invoice_type: 'refund' }, 'invoice_type must be one of'],
    [{ currency: 'usd' }, 'did you mean USD?'],
    [{ payment_overdue: 'maybe' }, 'payment_overdue must be true or false'],
    [{ per_page: 101 }, 'per_page must be from'],
    [{ payment_due_date: '2026-01-01' }, 'payment_due_date is not known'],
  ],
  list_credit_notes: [
    [{ search_term: '' }],
    [{ invoice_number: ' ' }],
    [{ credit_status: ['used'] }, 'credit_status[0] must be one of'],
    [{ refund_status: 'done' }, 'refund_status must be one of'],
    [{ reason: 'gift' }, 'reason must be one of duplicated_charge'],
    [{ amount_from: 2, amount_to: 1 }, 'amount_from 2 is after or above'],
    [{ issuing_date_from: '2026-13-01' }, 'issuing_date_from must be a valid date'],
    [{ issuing_date_from: '2026-01-02', issuing_date_to: '2026-01-01' }, 'from 2026-01-02 is after or above'],
    [{ currency: 'DOLLAR' }, 'is not a known currency code'],
    [{ status: ['draft'] }, 'status is not known'],
  ],
  list_payments: [
    [{ invoice_id: '' }, 'invoice_id must not be empty'],
    [{ payment_status: ['paid'] }, 'payment_status[0] must be one of'],
    [{ payment_status: 'failed' }, 'payment_status must be a list'],
    [{ external_customer_id: ' ' }, 'external_customer_id must not be empty'],
    [{ from_date: '2026-03-01', to_date: '2026-02-28' }],
  ],
  list_wallets: [
    [{ currency: 'DOL' }],
    [{ status: 'expired' }, 'one of active, terminated'],
    [{ runway: true, status: 'terminated' }, 'runway is of active wallets'],
    [{ runway: true, per_page: 11 }, 'at most 10 wallets a page'],
    [{ runway: '2026-12-01' }, 'runway must be'],
    [{ until: '2027-01-01' }, 'until needs runway: true.'],
  ],
  list_wallet_transactions: [
    [{ svc_id: 'prepaid' }, 'svc_id must be a UUID'],
    [{ svc_id: uuidOf(1), created_at_from: '2026-02-30' }, 'created_at_from must be a valid'],
    [{ svc_id: uuidOf(1), created_at_from: '2026-03-01', created_at_to: '2026-02-28' }, 'from is after created_at_to'],
    [{ svc_id: uuidOf(1), transaction_type: 'in' }, 'one of inbound, outbound'],
    [{ svc_id: uuidOf(1), status: 'done' }, 'one of pending, settled, failed'],
  ],
  list_events: [
    [{ per_page: 51 }, 'per_page must be from'],
    [{ all: true }, 'all'],
    [{ timestamp_from: '2026-13-01' }, 'timestamp_from must be'],
    [{ timestamp_from: '2026-11-02', timestamp_to: '2026-11-01' }, 'timestamp_from is after timestamp_to'],
    [{ timestamp_from_started_at: true }, 'timestamp_from_started_at needs external_subscription_id'],
    [
      { timestamp_from_started_at: true, external_subscription_id: 's', timestamp_from: '2026-11-01' },
      'timestamp_from_started_at goes without timestamp_from',
    ],
  ],
  list_catalogue: [
    [{}, 'kind'],
    [{ kind: 'plans' }, 'kind must be one of add_ons'],
    [{ kind: 'taxes', external_customer_id: 'acme' }, 'kinds applied_coupons and fees only'],
    [{ kind: 'fees', per_page: 101 }, 'per_page must be from'],
    // The service would ignore them.
    [{ kind: 'fees', status: 'active' }, 'status goes with the kind applied_coupons'],
    [{ kind: 'coupons', billable_metric_code: 'calls' }, 'billable_metric_code goes with the kind fees'],
    [{ kind: 'fees', created_at_from: '2026-03-01', created_at_to: '2026-02-01' }, 'from is after created_at_to'],
  ],
  list_activity: [
    [{ resource_types: ['wallet'] }, 'did you mean Wallet?'],
    [{ resource_types: ['billable_metric'] }, 'did you mean BillableMetric?'],
    [{ activity_types: ['updated'] }, 'like wallet.updated'],
    [{ from_date: '2026-03-02', to_date: '2026-03-01' }, 'is after to_date'],
    [{ from_date: 'soon' }, 'valid ISO 8601'],
    [{ user_email: ' ' }, 'must not be empty'],
    [{ page: 2, all: true }, 'goes without all: true'],
  ],
  get_usage: [
    [{ period: 'next' }, 'one of current, past'],
    [{ periods_count: 2 }, 'periods_count goes with period: "past" only'],
    [{ period: 'past', periods_count: 0 }, 'from 1 to 100'],
    [{ external_subscription_id: ' ' }, 'external_subscription_id must not be empty'],
    [{ metric: 'x' }, 'metric'],
    [{ full_usage: true }, 'full_usage needs charge_id, charge_code or group'],
    [{ group: {}, full_usage: true }, 'group must not be empty'],
    [{ group: { 'a[b': 'x' } }, 'group'],
    [{ charge_id: 'c', charge_code: 'd' }, 'charge_code cannot go with charge_id'],
    [{ period: 'past', charge_id: 'c' }, 'charge_id goes with the running period'],
  ].map(([args, problem]) => [{ external_customer_id: 'acme', ...(args as JsonRecord) }, problem as string]),
  get_revenue: [
    [{ report: 'usage' }, 'report must be one of overdue'],
    [{ report: 'mrr', months: 0 }, 'months must be from 1'],
    [{ report: 'overdue', months: 3 }, 'months would leave older debts out'],
    [{ report: 'receivables', months: 3 }, 'months would leave older debts out'],
    [{ report: 'mrr', external_customer_id: 'acme' }, 'external_customer_id is for overdue, receivables'],
    [{ report: 'mrr', page: 2 }, 'page is for the customers of'],
    [{ report: 'gross_revenue', page: 2 }, 'page is for the customers of'],
    [{ report: 'receivables', page: 2, external_customer_id: 'acme' }, 'page goes without external_customer_id'],
    [{ report: 'receivables', page: 0 }, 'page starts at 1'],
    [{ report: 'mrr', billing_entity_code: 'x' }, 'billing_entity_code is not known'],
    [{ report: 'overdue', currency: 'XXX' }, 'is not a known currency code'],
    [{ report: 'changes', from_month: '2026-02', to_month: '2026-01' }, 'from_month must be before to_month'],
    [{ report: 'changes', from_month: '2026-13' }, 'from_month must be a month'],
    [{ report: 'changes', months: 2 }, 'send from_month and to_month'],
    [{ report: 'mrr', to_month: '2026-01' }, 'to_month is for changes'],
  ],
};

describe('wrong arguments', () => {
  const rows = Object.entries(refused).flatMap(([tool, of]) =>
    of.map(([args, problem = '']) => [tool, args, problem] as const),
  );
  it.each(rows)('%s %j is refused before anything is sent', async (tool, args, problem) => {
    world.script({});
    const answer = await world.call(tool, args);
    expect([answer.summary, answer.error?.code]).toEqual([expect.stringContaining(problem), 'invalid_arguments']);
    expect(world.asked).toEqual([]);
  });
});

describe('the filters of a list', () => {
  const moves = `wallets/${uuidOf(1)}/wallet_transactions`;
  /** What is read beside the list. */
  const beside: Readonly<Record<string, string[]>> = {
    list_subscriptions: ['/plans?per_page=100'],
    list_wallet_transactions: [`/wallets/${uuidOf(1)}`],
  };
  it.each<[string, string, JsonRecord, string, filters.ListFilters]>([
    ['find_customers', 'customers', {}, '', filters.customerFilters],
    ['list_subscriptions', 'subscriptions', { plan_code: 'pro' }, 'plan_code=pro&', filters.subscriptionFilters],
    [
      ...(['list_invoices', 'invoices'] as const),
      { search_term: 'ACM', status: ['draft', 'finalized'], payment_status: ['failed'], payment_overdue: false },
      'search_term=ACM&status[]=draft&status[]=finalized&payment_status[]=failed&payment_overdue=false&',
      filters.invoiceFilters,
    ],
    [
      ...(['list_credit_notes', 'credit_notes'] as const),
      {
        search_term: 'CN001',
        invoice_number: 'ACM-1',
        credit_status: ['available', 'consumed'],
        refund_status: 'failed',
      },
      'search_term=CN001&invoice_number=ACM-1&credit_status[]=available&credit_status[]=consumed&refund_status=failed&',
      filters.creditNoteFilters,
    ],
    ['list_wallets', 'wallets', {}, '', filters.walletFilters],
    [
      ...(['list_wallet_transactions', moves] as const),
      { svc_id: uuidOf(1), status: 'settled', transaction_status: 'purchased' },
      'status=settled&transaction_status=purchased&',
      filters.transactionFilters,
    ],
  ])('%s are sent under their names, lists and metadata with brackets', async (tool, path, own, query, described) => {
    world.script({ [`/${path}`]: [] });
    const samples = filterSamples(described);
    await world.call(tool, { ...own, ...samples.args, page: 2, per_page: 5 });
    const states = ['pending', 'active', 'terminated', 'canceled', 'incomplete'].map(state => `&status[]=${state}`);
    const every = tool === 'list_subscriptions' ? states.join('') : '';
    const list = `/${path}?${query}${samples.query}${every}&page=2&per_page=5`;
    expect([...world.asked].sort()).toEqual([list, ...(beside[tool] ?? [])].sort());
  });
});

describe('the name of a customer in place of the id', () => {
  const tools: [tool: string, args?: JsonRecord][] = [
    ...[['get_customer_overview'], ['list_subscriptions'], ['list_wallets'], ['list_credit_notes'], ['list_payments']],
    ...[['get_statement'], ['list_activity'], ['list_catalogue', { kind: 'applied_coupons' }]],
  ] as [string, JsonRecord?][];
  const named = (...customers: object[]) =>
    world.script(url => {
      const path = url.pathname.replace('/api/v1', '');
      if (path === '/customers') return customers;
      if (path.startsWith('/customers/Acm')) return refusal(404, 'customer_not_found');
      return path === '/customers/acme' ? { customer: customers[0] } : [];
    });
  const acme = { external_id: 'acme', name: 'Acme Corp' };

  it.each(tools)('is found by %s, which says so', async (tool, args) => {
    named(acme);
    const { summary, error } = await world.call(tool, { ...args, external_customer_id: 'Acm' });
    expect([error, summary]).toEqual([undefined, expect.stringContaining('“Acme Corp” (acme)')]);
    expect(world.asked.join()).toMatch(/acme(\/|&|\?|$)/);
  });

  it.each(tools)('leads %s to the customers to choose from, and none of them is read', async (tool, args) => {
    named(acme, { external_id: 'acme-2', name: 'Acme Two' });
    const { error } = await world.call(tool, { ...args, external_customer_id: 'Acm' });
    expect(error?.code).toBe('several_customers');
    expect(factsOf(error?.hint)).toContain('“Acme Corp” · (acme) · “Acme Two” · (acme-2)');
    expect(world.asked).toHaveLength(2);
  });
});

describe('a page of 20 records', () => {
  const name = (n: number) => `Northwind Logistics ${n}`;
  const customer = (n: number) => ({ external_id: `cust_${7000 + n}`, name: name(n) });
  const id = (n: number) => `5eb0${2857 + n}-a71e-4ea2-bcf9-57d3a41b${1000 + n * 37}`;
  const late = (n: number) => ({ payment_overdue: true, payment_due_date: `2026-02-${10 + n}` });
  const refund = { refund_status: 'pending', refund_amount_cents: 2_500, credit_status: null, balance_amount_cents: 0 };
  it.each<[tool: string, path: string, most: number, row: (n: number) => JsonRecord]>([
    [
      ...(['find_customers', '/customers', 1000] as const),
      n => customerRow(`customer-${n}`, { name: `Northwind ${n}`, email: `billing${n}@northwind.example` }),
    ],
    [
      ...(['list_subscriptions', '/subscriptions', 1500] as const),
      n =>
        subscriptionRow(`subscription-${n}`, {
          ...{ name: `Branch ${n}`, current_billing_period_ending_at: '2026-11-30T23:59:59Z' },
        }),
    ],
    ['list_invoices', '/invoices', 1500, n => invoiceRow(n, { customer: customer(n), ...(n > 0 && late(n)) })],
    [
      'list_credit_notes',
      '/credit_notes',
      1500,
      n => noteRow(n, { customer: customer(n), ...(n % 2 === 0 && refund) }),
    ],
    [
      ...(['list_payments', '/payments', 1500] as const),
      n =>
        paymentRow(n, { external_customer_id: `cust_${7000 + n}`, ...(n % 3 === 0 && { payment_status: 'failed' }) }),
    ],
    [
      ...(['list_wallets', '/wallets', 1500] as const),
      n =>
        walletRow(n, {
          ...{
            svc_id: id(n),
            external_customer_id: `northwind-${n}`,
            code: 'prepaid',
            name: n % 2 ? 'Trial' : 'Prepaid',
          },
          ...(n % 4 === 0 && { expiration_at: '2126-12-31T23:59:59Z' }),
        }),
    ],
    [
      ...(['list_wallet_transactions', `/wallets/${uuidOf(1)}/wallet_transactions`, 1500] as const),
      n =>
        transactionRow(29 - n, {
          ...{ svc_id: id(n + 50), transaction_status: n % 3 === 0 ? 'invoiced' : 'granted', amount: `${n + 10}.5` },
          ...{ credit_amount: `${n + 10}.5`, svc_invoice_id: n % 3 === 0 ? id(n + 90) : null },
        }),
    ],
  ])('of %s from %s costs at most %i tokens', async (tool, path, most, row) => {
    const rows = Array.from({ length: 20 }, (_, n) => row(n));
    const isWhole = ['find_customers', 'list_subscriptions'].includes(tool);
    world.script({
      [path]: { [path.split('/').at(-1)!]: rows, meta: isWhole ? meta(20) : meta(134, { pages: 7 }) },
      [`/wallets/${uuidOf(1)}`]: { wallet: walletRow(1) },
      '/customers/northwind': { customer: { external_id: 'northwind', applicable_timezone: 'Asia/Tokyo' } },
    });
    const answer = await world.call(tool, tool === 'list_wallet_transactions' ? { svc_id: uuidOf(1) } : {});
    expect(answer.shown).toMatch(/^20 of /);
    expect(countTokens(JSON.stringify(answer))).toBeLessThanOrEqual(most);
  });
});

it('all: true walks the pages, and says where it stopped', async () => {
  const pages = (url: URL) => {
    const page = Number(url.searchParams.get('page'));
    const customers = Array.from({ length: 100 }, (_, i) => ({ external_id: `c${page}-${i}` }));
    return { customers, meta: meta(4000, { page, pages: 40 }) };
  };
  world.script(pages);
  const answer = await world.call('find_customers', { all: true });
  expect(world.asked).toHaveLength(10);
  expect(factsOf(answer.summary)).toContain('4,000 · 1,000');
  // Not all of them fit into the answer.
  const shown = (answer.customers as object[]).length;
  expect(answer).toMatchObject({ shown: `${shown} of 4000`, next_page: Math.floor(shown / 100) + 1, per_page: 100 });
  await world.renew({ BILLING_MAX_RESULT_TOKENS: '100000' });
  const whole = await world.call('find_customers', { all: true });
  expect(whole).toMatchObject({ shown: '1000 of 4000', next_page: 11, per_page: 100 });
});

describe('a path that the installation lacks', () => {
  it('is said in plain words, and asked once in ten minutes', async () => {
    world.script({});
    for (let i = 0; i < 3; i++) {
      const answer = await world.call('find_customers', { search_term: 'x' });
      expect(answer.error?.code).toBe('lookup_unavailable');
      expect(answer.summary).toContain('has no GET /customers');
    }
    expect(world.asked).toHaveLength(1);
  });

  it.each([
    [404, 'resource_not_found', true],
    [404, 'http_404', true],
    [405, 'http_405', true],
    [404, 'customer_not_found', false],
    [405, 'no_active_subscription', false],
    [500, 'http_500', false],
    [503, 'http_503', false],
  ] as const)('%i %s: %s', (status, code, missing) => {
    const availability = createAvailability();
    const asked = { baseUrl: 'http://a', apiKey: 'k', path: '/customers' };
    availability.learn(asked, { status, code: code as never, message: 'x: y', hint: '', changed: false });
    expect(availability.recall({ ...asked, apiKey: 'another' }) !== null).toBe(missing);
  });

  it('is forgotten after ten minutes, and a permission is remembered for its key alone', () => {
    let now = 0;
    const availability = createAvailability(() => now);
    const asked = { baseUrl: 'http://a', apiKey: 'k', path: '/customers' };
    availability.learn(asked, { status: 403, code: 'http_403', message: 'x: y', hint: '', changed: false });
    expect(availability.recall(asked)?.status).toBe(403);
    expect(availability.recall({ ...asked, apiKey: 'another' })).toBeNull();
    now = 600_000;
    expect(availability.recall(asked)).toBeNull();
  });

  it('is not learned from a server error', async () => {
    world.script({ '/customers': refusal(500, 'internal_error') });
    const answer = await world.call('find_customers', {});
    expect(answer.error?.code).toBe('internal_error');
    world.script({ '/customers': [{ external_id: 'acme', name: 'Acme' }] });
    expect((await world.call('find_customers', {})).summary).toContain('Acme');
  });
});
