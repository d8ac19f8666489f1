/** list_credit_notes (docs/lookups.md §7). */
import { describe, expect, it } from 'vitest';
import { factsOf } from '../support/facts.ts';
import { noteRow, uuidOf } from './lookup-records.ts';
import { sharedWorld } from './lookup-upstream.ts';

const world = await sharedWorld();

const refunded = (refund_status: string, cents: number) => ({
  ...{ refund_status, refund_amount_cents: cents, total_amount_cents: cents, credit_amount_cents: 0 },
  ...{ credit_status: null, balance_amount_cents: 0 },
});

describe('list_credit_notes', () => {
  it('says what is still available and how refunds stand, and counts no voided note', async () => {
    world.script({
      '/customers/acme/credit_notes': [
        noteRow(1, { balance_amount_cents: 3_000 }),
        noteRow(2, refunded('pending', 2_500)),
        noteRow(3, { credit_status: 'voided', balance_amount_cents: 0 }),
        noteRow(4, { credit_status: 'consumed', balance_amount_cents: 0 }),
      ],
    });
    const answer = await world.call('list_credit_notes', { external_customer_id: 'acme' });
    expect(factsOf(answer.summary)).toBe(
      '4 · “Acme Corp” · (acme) · $125.00 · $30.00 · 1 · $25.00 · ACM-0001-001-001-CN001 · $50.00 · 10 Feb · $30.00 · ACM-0001-001-002-CN001 · $25.00 · 10 Feb · $25.00 · ACM-0001-001-003-CN001 · $50.00 · 10 Feb · 1 · 1',
    );
    expect(answer.totals).toEqual({
      issued: [{ currency: 'USD', count: 3, total_amount_cents: 12_500 }],
      available: [{ currency: 'USD', count: 1, balance_amount_cents: 3_000 }],
      refunds_pending: [{ currency: 'USD', count: 1, refund_amount_cents: 2_500 }],
    });
    expect(answer.credit_notes).toEqual([
      {
        ...{ svc_id: uuidOf(1), number: 'ACM-0001-001-001-CN001', issuing_date: '2026-02-10', reason: 'other' },
        ...{ credit_status: 'available', total_amount_cents: 5_000, balance_amount_cents: 3_000 },
      },
      expect.objectContaining({ refund_status: 'pending', total_amount_cents: 2_500 }),
      expect.not.objectContaining({ balance_amount_cents: expect.anything() }),
      expect.objectContaining({ credit_status: 'consumed' }),
    ]);
  });

  it('shows a whole refund with its status, and what was noted', async () => {
    const noted = { description: 'The second engineer fell ill', metadata: { ticket: 'SUP-1182' } };
    const refund = { credit_status: null, refund_status: 'failed', credit_amount_cents: 0, refund_amount_cents: 5_000 };
    world.script({ '/credit_notes': [noteRow(1, { ...refund, ...noted })] });
    const { credit_notes } = await world.call('list_credit_notes', {});
    expect(credit_notes).toMatchObject([{ refund_status: 'failed', refund_amount_cents: 5_000, ...noted }]);
  });

  it('shows the parts of a note that is credit, refund and offset', async () => {
    const parts = { total_amount_cents: 9_000, refund_amount_cents: 3_000, offset_amount_cents: 1_000 };
    world.script({ '/credit_notes': [noteRow(1, { ...parts, refund_status: 'succeeded', number: 'X-7' })] });
    const answer = await world.call('list_credit_notes', {});
    expect(answer.credit_notes).toEqual([
      expect.objectContaining({
        invoice_number: 'ACM-0001-001-001',
        credit_amount_cents: 5_000,
        refund_amount_cents: 3_000,
        offset_amount_cents: 1_000,
        customer: { external_id: 'acme', name: 'Acme Corp' },
      }),
    ]);
    expect(factsOf(answer.summary)).toBe(
      '1 · $90.00 · $50.00 · 1 · $30.00 · X-7 · “Acme Corp” · (acme) · $90.00 · 10 Feb · $50.00 · $30.00',
    );
  });

  it.each([
    [{ refund_status: 'failed' }, 'No finalized credit note matches'],
    [{}, 'No finalized credit note was found'],
  ])('without one for %j: says what an empty list does not hold', async (args, said) => {
    world.script({ '/credit_notes': [] });
    expect((await world.call('list_credit_notes', args)).summary).toContain(said);
  });
});
