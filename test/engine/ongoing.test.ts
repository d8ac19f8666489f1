import { describe, expect, it } from 'vitest';
import { decimal } from '../../src/contract/pricing/money.ts';
import { type OngoingUsage, ongoingBalance, ongoingUsage } from '../../src/engine/ongoing.ts';
import type { WalletRecord, WalletRuleRecord } from '../../src/engine/records/index.ts';
import { ongoingBalances } from '../../src/service/operations/ongoing.ts';
import { loadAccountLists } from '../../src/service/store/account-lists.ts';
import type { AccountStore } from '../../src/service/store/store.ts';
import { draft, item, plan, records, shown, two } from './ongoing-world.ts';
import { event, NOW, running } from './preview-world.ts';
import { world } from './service-world.ts';
import {
  chargeRecord,
  customerRecord,
  eventRecord,
  invoiceRecord,
  metricRecord,
  planRecord,
  storedFee,
  subscriptionRecord,
  taxRecord,
  walletRecord,
} from './world.ts';

const rule = (fields: Partial<WalletRuleRecord> = {}) =>
  [{ trigger: 'threshold', status: 'active', ...fields }] as WalletRuleRecord[];

describe('usage taken by wallets (§11.7)', () => {
  const part = (cents: number | string, fields: Partial<OngoingUsage> = {}): OngoingUsage => ({
    fee_type: 'charge',
    metric_code: 'units',
    currency: 'EUR',
    cents: decimal(cents),
    ...fields,
  });
  const first = { balance_cents: 500, priority: 1 };
  const second = { balance_cents: 300, priority: 2 };
  /** The ongoing balance of each wallet in cents. */
  const left = (wallets: Partial<WalletRecord>[], usage: OngoingUsage[]) => {
    const records = wallets.map((fields, i) => walletRecord(`w${i}`, fields));
    const taken = ongoingUsage(usage, records, NOW);
    return records.map(wallet => ongoingBalance(wallet, taken.get(wallet.id) ?? 0).ongoing_balance_cents);
  };

  it('1000 of wallets with 500 and 300: 0 and −200; with a threshold rule on the first: −500 and 300', () => {
    expect(left([first, second], [part(1000)])).toEqual([0, -200]);
    expect(left([{ ...first, recurring_transaction_rules: rule() }, second], [part(1000)])).toEqual([-500, 300]);
    const idle = [{ status: 'terminated' as const }, { trigger: 'interval' as const }].map(fields => rule(fields));
    for (const rules of idle) {
      expect(left([{ ...first, recurring_transaction_rules: rules }, second], [part(1000)])).toEqual([0, -200]);
    }
  });

  it('by priority, then age; the last takes the rest although it is empty: 500 − 500 and 0 − 100', () => {
    const younger = { balance_cents: 0, priority: 1, created_at: '2026-01-01T00:00:00.000Z' };
    expect(left([younger, first], [part(600)])).toEqual([-100, 0]);
  });

  it('equal groups together, the largest first: 400 and 200 + 150 of 500 and 300: 400 + 100, then 250', () => {
    const seats = { metric_code: 'seats' };
    expect(left([first, second], [part(200, seats), part(400), part(150, seats)])).toEqual([0, 50]);
  });

  it('only by those that may pay the group: a wallet for plans takes 70 of 370, one for seats nothing', () => {
    const usage = [part(300), part(70, { fee_type: 'subscription', metric_code: null })];
    const [plans, seats] = [{ fee_types: ['subscription' as const] }, { billable_metric_codes: ['seats'] }];
    expect(
      left(
        [
          { ...first, ...plans },
          { ...second, ...seats },
        ],
        usage,
      ),
    ).toEqual([430, 300]);
    // The first leaves 300 to the second, which has the units to itself.
    expect(left([{ ...first, ...plans }, second], usage)).toEqual([430, 0]);
  });

  it('of their currency, while active: 500 each', () => {
    const idle = { status: 'terminated' as const };
    const others = [{ currency: 'USD' }, idle, { expiration_at: '2026-01-01T00:00:00.000Z' }];
    expect(
      left(
        [...others, {}].map(fields => ({ ...fields, balance_cents: 500 })),
        [part(100)],
      ),
    ).toEqual([500, 500, 500, 400]);
    expect(left([first], [part(100), part(30, { currency: 'USD' })])).toEqual([400]);
  });

  it('in whole cents for each group: 10.4 + 0.1 = 10.5 → 11', () => {
    expect(left([first], [part('10.4'), part('0.1')])).toEqual([489]);
  });

  it('as credits: money ÷ rate, 5 decimals: 1.00 ÷ 3 = 0.33333; credits of no value are 0', () => {
    expect(ongoingBalance(walletRecord('w', { rate_amount: '3', balance_cents: 300 }), 100)).toEqual({
      ongoing_usage_balance_cents: 100,
      ongoing_balance_cents: 200,
      credits_ongoing_usage_balance: '0.33333',
      credits_ongoing_balance: '0.66667',
    });
    expect(ongoingBalance(walletRecord('w', { rate_amount: '0' }), 100).credits_ongoing_balance).toBe('0.0');
  });
});

describe('the ongoing balance of a stored wallet (§11.7)', () => {
  it('2000 − 2500 of usage alone: −500', async () => {
    const free = { taxes: [], invoices: [], events: [event(1, '03-02', 25)] };
    expect(await shown(records(two, free))).toMatchObject({ ongoing_balance_cents: -500 });
  });

  it('limited to plans: the plan fee of the draft alone, 500 − 110', async () => {
    const wallet = { balance_cents: 500, fee_types: ['subscription' as const] };
    expect(await shown(records(wallet))).toMatchObject({ ongoing_balance_cents: 390 });
  });

  it('limited to a metric: its usage and its fee on a draft, 2000 − 1481 − 50', async () => {
    const fee = storedFee(50, { item: item({ type: 'charge', code: 'units' }) });
    const drafts = { invoices: [draft(), invoiceRecord([fee], { id: 'second', number: '2', status: 'draft' })] };
    const wallet = { ...two, billable_metric_codes: ['units'] };
    expect(await shown(records(wallet, drafts))).toMatchObject({ ongoing_balance_cents: 469 });
  });

  it('counts neither finalized invoices nor a draft whose total is 0: 2000 − 1481', async () => {
    for (const fields of [{ status: 'finalized' }, { total_amount_cents: 0 }]) {
      expect(await shown(records(two, { invoices: [draft(fields)] }))).toMatchObject({ ongoing_balance_cents: 519 });
    }
  });

  it('counts every active subscription of the customer and no other: 2000 − (1481 + 600 + 120) − 110 = −311', async () => {
    const another = { id: 'second', external_id: 'second' };
    const strange = { id: 'third', external_id: 'third', customer_id: 'other' };
    const ended = { id: 'ended', external_id: 'ended', status: 'terminated' as const };
    const of = (n: number, { id, external_id }: typeof another) =>
      eventRecord(n, {
        ...{ subscription_id: id, external_subscription_id: external_id, properties: { value: 6 } },
        timestamp: '2026-03-04T00:00:00.000Z',
      });
    const given = records(two, {
      customers: [customerRecord(), customerRecord({ id: 'other', external_id: 'other' })],
      subscriptions: [{}, another, strange, ended].map(subscriptionRecord),
      events: [...(records(two).events ?? []), of(3, another), of(4, strange), of(5, ended)],
    });
    expect(await shown(given)).toMatchObject({ ongoing_balance_cents: -311 });
  });

  it('a terminated wallet has none: 0 used', async () => {
    const ended = { ...two, status: 'terminated' as const, terminated_at: NOW };
    expect(await shown(records(ended))).toMatchObject({ ongoing_usage_balance_cents: 0, ongoing_balance_cents: 2000 });
  });

  it('leaves out a charge that is never computed, and says so: the others count, 2000 − 1481 − 110', async () => {
    const charges = [
      ...plan.charges,
      chargeRecord('units', { id: 'own', code: 'own', charge_model: 'custom' }),
      chargeRecord('units', { id: 'text', code: 'text', properties: { amount: 'text' } }),
    ];
    const wallet = await shown(records(two, { plans: [planRecord({ ...plan, charges })] }));
    expect(wallet).toMatchObject({ ongoing_balance_cents: 409 });
    expect(wallet.notice).toMatch(/"own" is a custom .*"text" has properties/);
  });

  it('of wallets of several customers needs no more reads than one wallet', async () => {
    const ids = ['a', 'b', 'c'];
    const given = running(plan, {
      billable_metrics: [metricRecord('units'), metricRecord('calls')],
      taxes: [taxRecord('vat', '20')],
      customers: ids.map(id => customerRecord({ id, external_id: id })),
      subscriptions: ids.map(id => subscriptionRecord({ id, external_id: id, customer_id: id })),
      events: ids.map((id, n) => ({ ...event(n, '03-02', n + 1), subscription_id: id, external_subscription_id: id })),
      wallets: ids.map(id => walletRecord(id, { customer_id: id })),
    });
    const opened = await world(given, NOW);
    try {
      const lists = await loadAccountLists(opened.account);
      const balances = async (wanted: WalletRecord[]) => {
        const reads: string[] = [];
        const of = (await ongoingBalances(counted(opened.account, reads), wanted, lists, NOW)).of;
        return { reads, cents: wanted.map(wallet => of(wallet).ongoing_balance_cents) };
      };
      const wallets = await opened.account.find('wallets', {}, { order: 'oldest' });
      const [one, all] = [await balances(wallets.slice(0, 1)), await balances(wallets)];
      expect(all.cents).toEqual([880, 760, 640]);
      expect(one.cents).toEqual([880]);
      expect(all.reads).toEqual(one.reads);
    } finally {
      await opened.close();
    }
  });
});

/** The account, which writes down what is asked of it. */
function counted(account: AccountStore, reads: string[]): AccountStore {
  return new Proxy(account, {
    get(target, name: keyof AccountStore) {
      const value = target[name];
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => {
        reads.push(`${name} ${typeof args[0] === 'string' ? args[0] : ''}`);
        return (value as (...given: unknown[]) => unknown).apply(target, args);
      };
    },
  });
}
