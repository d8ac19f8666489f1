/** list_credit_notes (docs/lookups.md §7). */
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { creditNoteFilters } from '../../src/contract/list-filters.ts';
import type { JsonRecord } from '../../src/lib/json.ts';
import { factsOf } from '../support/facts.ts';
import { filterSamples } from './filter-samples.ts';
import { noteRow, uuidOf } from './lookup-records.ts';
import { meta, refusal, sharedWorld } from './lookup-upstream.ts';

const world = await sharedWorld();

const listOf = (...credit_notes: JsonRecord[]) => ({ credit_notes, meta: meta(credit_notes.length) });
const refunded = (refund_status: string, cents: number) => ({
  ...{ refund_status, refund_amount_cents: cents, total_amount_cents: cents, credit_amount_cents: 0 },
  ...{ credit_status: null, balance_amount_cents: 0 },
});

describe('list_credit_notes', () => {
  it('says what is still available and how refunds stand, and counts no voided note', async () => {
    world.script({
      '/customers/acme/credit_notes': listOf(
        noteRow(1, { balance_amount_cents: 3_000 }),
        noteRow(2, refunded('pending', 2_500)),
        noteRow(3, { credit_status: 'voided', balance_amount_cents: 0 }),
        noteRow(4, { credit_status: 'consumed', balance_amount_cents: 0 }),
      ),
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
        svc_id: uuidOf(1),
        number: 'ACM-0001-001-001-CN001',
        issuing_date: '2026-02-10',
        reason: 'other',
        credit_status: 'available',
        total_amount_cents: 5_000,
        balance_amount_cents: 3_000,
      },
      expect.objectContaining({ refund_status: 'pending', total_amount_cents: 2_500 }),
      expect.not.objectContaining({ balance_amount_cents: expect.anything() }),
      expect.objectContaining({ credit_status: 'consumed' }),
    ]);
  });

  it('shows a whole refund with its status, and what was noted', async () => {
    const noted = { description: 'The second engineer fell ill', metadata: { ticket: 'SUP-1182' } };
    const refund = { credit_status: null, refund_status: 'failed', credit_amount_cents: 0, refund_amount_cents: 5_000 };
    world.script({ '/credit_notes': listOf(noteRow(1, { ...refund, ...noted })) });
    const { credit_notes } = await world.call('list_credit_notes', {});
    expect(credit_notes).toMatchObject([{ refund_status: 'failed', refund_amount_cents: 5_000, ...noted }]);
  });

  it('shows the parts of a note that is credit, refund and offset', async () => {
    const parts = { total_amount_cents: 9_000, refund_amount_cents: 3_000, offset_amount_cents: 1_000 };
    world.script({ '/credit_notes': listOf(noteRow(1, { ...parts, refund_status: 'succeeded', number: 'X-7' })) });
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

  it('sends every filter under its name, and says what an empty list does not hold', async () => {
    world.script({ '/credit_notes': listOf() });
    const filters = filterSamples(creditNoteFilters);
    const answer = await world.call('list_credit_notes', {
      search_term: 'CN001',
      invoice_number: 'ACM-1',
      credit_status: ['available', 'consumed'],
      refund_status: 'failed',
      ...filters.args,
      page: 2,
      per_page: 5,
    });
    expect(world.asked).toEqual([
      `/credit_notes?search_term=CN001&invoice_number=ACM-1&credit_status[]=available&credit_status[]=consumed&refund_status=failed&${filters.query}&page=2&per_page=5`,
    ]);
    expect(answer.summary).toContain('No finalized credit note matches');
    expect((await world.call('list_credit_notes', {})).summary).toContain('No finalized credit note was found');
  });

  it.each([
    [{ credit_status: ['used'] }, 'credit_status[0] must be one of'],
    [{ refund_status: 'done' }, 'refund_status must be one of'],
    [{ reason: 'gift' }, 'reason must be one of duplicated_charge'],
    [{ amount_from: 2, amount_to: 1 }, 'amount_from 2 is after or above'],
    [{ issuing_date_from: '2026-13-01' }, 'issuing_date_from must be a valid date'],
    [
      { issuing_date_from: '2026-01-02', issuing_date_to: '2026-01-01' },
      'issuing_date_from 2026-01-02 is after or above',
    ],
    [{ currency: 'DOLLAR' }, 'is not a known currency code'],
    [{ status: ['draft'] }, 'status is not known'],
  ])('%j is refused before anything is sent', async (args, problem) => {
    world.script({ '/credit_notes': listOf() });
    const answer = await world.call('list_credit_notes', args);
    expect(answer.summary).toContain(problem);
    expect(world.asked).toEqual([]);
  });

  it('passes on an unknown customer, and lists several of one name', async () => {
    world.script({
      '/customers/no/credit_notes': refusal(404, 'customer_not_found'),
      '/customers': {
        customers: ['a', 'b'].map(id => ({ external_id: id, name: `Nordic ${id}` })),
        meta: meta(2),
      },
    });
    const answer = await world.call('list_credit_notes', { external_customer_id: 'no' });
    expect(answer.error?.code).toBe('several_customers');
    expect(factsOf(answer.error?.hint)).toContain('“Nordic a” · (a) · “Nordic b” · (b)');
  });

  it('keeps 20 credit notes of 20 customers within 1,500 tokens', async () => {
    const rows = Array.from({ length: 20 }, (_, i) =>
      noteRow(i, {
        customer: { external_id: `cust_${7000 + i}`, name: `Northwind Logistics ${i}` },
        ...(i % 2 === 0 && refunded('pending', 2_500)),
      }),
    );
    world.script({ '/credit_notes': { credit_notes: rows, meta: meta(50, { pages: 3 }) } });
    const answer = await world.call('list_credit_notes', {});
    const tokens = countTokens(JSON.stringify(answer));
    console.error(`20 credit notes: ${tokens} tokens`);
    expect(tokens).toBeLessThanOrEqual(1500);
    expect(factsOf(answer.summary)).toContain('50 · 20 · 2 · 20 · $750.00');
  });
});
