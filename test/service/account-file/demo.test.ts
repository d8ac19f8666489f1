import { describe, expect, it } from 'vitest';
import type { Json } from '../../../src/engine/records/index.ts';
import { demoAccount } from '../../../src/service/account-file/demo.ts';
import { readAccount } from '../../../src/service/account-file/load.ts';

const now = new Date('2026-03-10T12:00:00Z');
const demo = (await demoAccount()) as Json;
const { records } = readAccount(demo, now);
type Table = keyof typeof records;
const distinct = (values: (string | null)[]) => [...new Set(values)].sort();

describe('the demo account', () => {
  it('shows every charge model and every state', () => {
    const models = distinct(records.plans.flatMap(plan => plan.charges.map(charge => charge.charge_model)));
    expect(models).toEqual([
      'dynamic',
      'graduated',
      'graduated_percentage',
      'package',
      'percentage',
      'standard',
      'volume',
    ]);
    expect(distinct(records.invoices.map(each => each.status))).toEqual([
      'draft',
      'failed',
      'finalized',
      'pending',
      'voided',
    ]);
    expect(distinct(records.invoices.map(each => each.payment_status))).toEqual(['failed', 'pending', 'succeeded']);
    const statuses = distinct(records.payments.map(each => each.payment_status));
    expect(statuses).toEqual(['failed', 'pending', 'processing', 'succeeded']);
    expect(distinct(records.subscriptions.map(each => each.status))).toEqual([
      'active',
      'canceled',
      'pending',
      'terminated',
    ]);
    expect(distinct(records.wallets.map(each => each.status))).toEqual(['active', 'terminated']);
    expect(distinct(records.customers.map(each => each.currency))).toEqual(['EUR', 'JPY', 'KWD', 'USD']);
  });

  it.each([
    '2024-02-29T23:59:59Z',
    '2025-12-31T23:59:59Z',
    '2026-01-01T00:00:00Z',
    '2026-03-29T01:30:00Z',
    '2026-05-31T12:00:00Z',
    '2026-11-01T05:30:00Z',
    '2027-08-15T08:00:00Z',
  ])('loads at %s with the same ids', time => {
    const other = readAccount(demo, new Date(time)).records;
    for (const table of Object.keys(records) as Table[]) {
      expect(other[table].map(record => record.id)).toEqual(records[table].map(record => record.id));
    }
  });
});
