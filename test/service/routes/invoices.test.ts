import { describe, expect, it } from 'vitest';
import { demoIds } from '../../../src/contract/demo-ids.ts';
import type { InvoiceStatus } from '../../../src/contract/enums.ts';
import type { JsonObject } from '../../../src/engine/records/index.ts';
import { expectMissing, expectNotAllowed, expectOk, expectRefused, sharedService } from './service.ts';

const service = sharedService();

describe('an invoice', () => {
  const put = (id: string, invoice: unknown) => service.put(`/invoices/${id}`, { invoice });
  const inState = async (status: InvoiceStatus) => (await service.account.first('invoices', { status }))!;
  const entries = (count: number) => Array.from({ length: count }, (_, i) => ({ key: `k${i}`, value: 'v' }));

  it('is not found while it is hidden', async () => {
    const own = (await service.account.get('invoices', demoIds.invoice_svc_id))!;
    for (const status of ['generating', 'open', 'closed', 'deleted'] as const) {
      await service.account.update('invoices', own.id, { status });
      expectMissing(await put(own.id, { payment_status: 'x' }), 'invoice');
    }
    await service.account.update('invoices', own.id, { status: own.status });
  });

  it('cannot be changed when voided', async () => {
    const { id } = await inState('voided');
    expectNotAllowed(await put(id, { payment_status: 'x', metadata: entries(6) }), 'update_on_voided_invoice');
  });

  it('accepts neither metadata nor another payment status as a draft', async () => {
    const { id, payment_status: same } = await inState('draft');
    expectNotAllowed(await put(id, { metadata: entries(6), payment_status: 'x' }), 'metadata_on_draft_invoice');
    expectRefused(await put(id, { payment_status: 'x' }), { payment_status: ['value_is_invalid'] });
    expectNotAllowed(await put(id, { payment_status: 'succeeded' }), 'payment_status_update_on_draft_invoice');
    expectOk(await put(id, { payment_status: same, metadata: null }));
  });

  it.each([
    [
      'an unknown status before a full list',
      { payment_status: 'paid', metadata: entries(6) },
      { payment_status: ['value_is_invalid'] },
    ],
    ['a null status', { payment_status: null }, { payment_status: ['value_is_invalid'] }],
    ['six entries', { metadata: entries(6) }, { metadata: ['invalid_count'] }],
    ['an entry without a key', { metadata: [{ value: 'v' }] }, { key: ['value_is_mandatory'] }],
    ['a long key', { metadata: [{ key: 'k'.repeat(21), value: 'v' }] }, { key: ['value_is_too_long'] }],
    ['a long value', { metadata: [{ key: 'k', value: 'v'.repeat(141) }] }, { value: ['value_is_too_long'] }],
    ['a key twice', { metadata: [...entries(1), ...entries(1)] }, { key: ['value_already_exist'] }],
  ])('is refused %s', async (_, invoice, details) => {
    expectRefused(await put(demoIds.invoice_svc_id, invoice), details);
  });

  it('can move between all payment statuses, and its fees follow', async () => {
    for (const status of ['failed', 'pending', 'succeeded']) {
      await service.account.update('invoices', demoIds.invoice_svc_id, { payment_due_date: '2026-03-14' });
      const { invoice } = expectOk(await put(demoIds.invoice_svc_id, { payment_status: status })) as {
        invoice: JsonObject;
      };
      expect(invoice.payment_status).toBe(status);
      expect(new Set((invoice.fees as JsonObject[]).map(fee => fee.payment_status))).toEqual(new Set([status]));
      expect(invoice.payment_overdue).toBe(status !== 'succeeded');
    }
  });

  it('lists its taxes, and the fees inside it their shares (§4)', async () => {
    const { invoice } = expectOk(await put(demoIds.invoice_svc_id, { payment_status: 'pending' })) as {
      invoice: JsonObject;
    };
    expect(invoice.applied_taxes).toHaveLength(1);
    const fees = invoice.fees as JsonObject[];
    const shares = fees.map(fee => (fee.applied_taxes as JsonObject[]).map(tax => tax.amount_cents));
    expect(shares).toEqual(fees.map(fee => [fee.taxes_amount_cents]));
    expect(shares.flat().every(cents => (cents as number) > 0)).toBe(true);
  });

  it('replaces its metadata entry by entry', async () => {
    const metadata = async (value: unknown) =>
      (expectOk(await put(demoIds.invoice_svc_id, { metadata: value })).invoice as JsonObject).metadata as JsonObject[];
    const [a, b] = await metadata([
      { key: 'a', value: '1' },
      { key: 'b', value: '2' },
    ]);
    const next = await metadata([
      { id: b!.svc_id, key: 'b', value: '3' },
      { key: 'c', value: '4' },
    ]);
    expect(next[0]).toEqual({ ...b, value: '3' });
    expect(next.map(entry => entry.key)).toEqual(['b', 'c']);
    expect(next.some(entry => entry.svc_id === a!.svc_id)).toBe(false);
    expect(await metadata(null)).toEqual(next);
    expect(await metadata([])).toEqual([]);
  });

  it('tops up its wallet only once when it is a paid credit invoice', async () => {
    const source = (await service.account.get('invoices', demoIds.invoice_svc_id))!;
    const invoice = {
      ...source,
      id: '7c8f0f0e-5d5e-4c4e-8f43-2f9f3b1f6a02',
      number: 'TOP-UP',
      invoice_type: 'credit',
      payment_status: 'pending',
    } as const;
    await service.account.insert('invoices', invoice);
    const pending = (await service.account.first('wallet_transactions', { status: 'pending' }))!;
    await service.account.update('wallet_transactions', pending.id, { invoice_id: invoice.id });
    const before = (await service.account.get('wallets', pending.wallet_id))!;
    for (const payment_status of ['failed', 'succeeded', 'failed', 'succeeded'])
      expectOk(await put(invoice.id, { payment_status }));
    const after = (await service.account.get('wallets', pending.wallet_id))!;
    expect(Number(after.credits_balance) - Number(before.credits_balance)).toBe(Number(pending.credit_amount));
    expect(after.balance_cents - before.balance_cents).toBe(Number(pending.amount) * 100);
    expect(await service.account.get('wallet_transactions', pending.id)).toMatchObject({ status: 'settled' });
  });
});
