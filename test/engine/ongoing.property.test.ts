import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FeeType } from '../../src/contract/enums.ts';
import { decimal } from '../../src/contract/pricing/money.ts';
import { type OngoingUsage, ongoingUsage } from '../../src/engine/ongoing.ts';
import type { WalletRuleRecord } from '../../src/engine/records/index.ts';
import { runs } from '../support/extent.ts';
import { NOW } from './preview-world.ts';
import { walletRecord } from './world.ts';

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

  it('whole, where somebody may pay it; only the last payer or a threshold rule goes below 0', () => {
    const anyWallet = fc.record({
      balance_cents: fc.integer({ min: 0, max: 500 }),
      priority: fc.integer({ min: 1, max: 3 }),
      fee_types: fc.subarray<FeeType>(['charge', 'subscription']),
      billable_metric_codes: fc.subarray(['units']),
      recurring_transaction_rules: fc.constantFrom([], rule()),
    });
    const anyPart = fc.record({
      cents: fc.integer({ min: 0, max: 900 }),
      of: fc.constantFrom<[FeeType, string | null]>(['charge', 'units'], ['charge', 'seats'], ['subscription', null]),
    });
    const property = fc.property(fc.array(anyWallet, { maxLength: 4 }), fc.array(anyPart), (fields, parts) => {
      const wallets = fields.map((each, i) => walletRecord(`w${i}`, each));
      const split = parts.map(({ cents, of: [type, metric] }) => ({ cents, type, metric }));
      const usage = split.map(({ cents, type, metric }) => part(cents, { fee_type: type, metric_code: metric }));
      const payersOf = (type: FeeType, metric: string | null) =>
        wallets.filter(
          each =>
            each.fee_types.length + each.billable_metric_codes.length === 0 ||
            each.fee_types.includes(type) ||
            each.billable_metric_codes.some(code => code === metric),
        );
      const payable = split.filter(({ type, metric }) => payersOf(type, metric).length > 0);
      const taken = ongoingUsage(usage, wallets, NOW);
      const sum = (values: Iterable<number>) => [...values].reduce((total, value) => total + value, 0);
      expect(sum(taken.values())).toBe(sum(payable.map(({ cents }) => cents)));
      const last = payable.map(({ type, metric }) => {
        const payers = payersOf(type, metric);
        const lowest = Math.max(...payers.map(each => each.priority));
        return payers.filter(each => each.priority === lowest).at(-1);
      });
      for (const wallet of wallets) {
        if (wallet.recurring_transaction_rules.length > 0 || last.includes(wallet)) continue;
        expect(taken.get(wallet.id) ?? 0).toBeLessThanOrEqual(wallet.balance_cents);
      }
    });
    fc.assert(property, runs(1000));
  });
});
