import { describe, expect, it } from 'vitest';
import { demoIds } from '../../../src/contract/demo-ids.ts';
import type { PaymentRecord } from '../../../src/engine/records/index.ts';
import { portalLink, textOf } from './portal.ts';
import { sharedService } from './service.ts';

const service = sharedService();
const link = (id?: string) => portalLink(service, id);
const invoiceOf = async (number: string) => (await service.account.first('invoices', { number }))!;
const demoPayment = async () => (await service.account.get('payments', demoIds.payment_svc_id))!;
const provider = 'https://pay.example/confirm/pay_0003';

/** Where the button of a payment leads, without going there. */
const press = (overview: string, id: string) => fetch(`${overview}/payments/${id}`, { redirect: 'manual' });

/** The names of a page's buttons, as a screen reader says them. */
async function buttons(url: string): Promise<string[]> {
  const html = await (await fetch(url)).text();
  return [...html.matchAll(/<a class="button" href="[^"]*" rel="noopener noreferrer" aria-label="([^"]*)"/g)].map(
    ([, name]) => name!,
  );
}

/** For a while, the payment or invoice is another one. */
async function during<Table extends 'payments' | 'invoices'>(
  table: Table,
  id: string,
  changes: Parameters<typeof service.account.update<Table>>[2],
  look: () => Promise<void>,
): Promise<void> {
  const record = (await service.account.get(table, id))!;
  await service.account.update(table, id, changes);
  try {
    await look();
  } finally {
    await service.account.update(table, id, record as typeof changes);
  }
}

async function withPayment(changes: Partial<PaymentRecord>, look: (id: string) => Promise<void>): Promise<void> {
  const payment = {
    ...(await demoPayment()),
    id: crypto.randomUUID(),
    created_at: '2026-03-15T11:00:00.000Z',
    ...changes,
  };
  await service.account.insertMany('payments', [payment]);
  try {
    await look(payment.id);
  } finally {
    await service.account.remove('payments', payment.id);
  }
}

describe('a payment that is open', () => {
  const name = 'Pay $187.14, Invoice SKY-US-001-004';

  it('has a button on each page that shows its invoice, and leads to the provider', async () => {
    const overview = await link();
    const { id } = await invoiceOf('SKY-US-001-004');
    expect(await textOf(overview)).toContain(
      'Please confirm your payment of $187.14 For invoice SKY-US-001-004. Pay $187.14',
    );
    // First of all, and in the invoice's row.
    expect(await buttons(overview)).toEqual([name, name]);
    expect(await buttons(`${overview}/invoices`)).toEqual([name]);
    expect(await buttons(`${overview}/invoices/${id}`)).toEqual([name]);
    for (const [page, path] of [
      [overview, ''],
      [`${overview}/invoices`, '../'],
      [`${overview}/invoices/${id}`, '../../'],
    ] as const) {
      const [, href = ''] = /class="button" href="([^"]*)"/.exec(await (await fetch(page)).text()) ?? [];
      expect(href.startsWith(path)).toBe(true);
      const answer = await fetch(new URL(href, page), { redirect: 'manual' });
      expect([answer.status, answer.headers.get('location')]).toEqual([303, provider]);
      expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
      expect(answer.headers.get('cache-control')).toBe('no-store');
    }
  });

  it('has a button at the top-up that waits for it', async () => {
    const invoice = {
      ...(await invoiceOf('SKY-US-001-003')),
      ...{ id: crypto.randomUUID(), number: 'TOP-UP', payment_status: 'pending' as const, total_amount_cents: 20_000 },
      ...{ total_paid_amount_cents: 0 },
    };
    await service.account.insertMany('invoices', [invoice]);
    const topUp = (await service.account.first('wallet_transactions', {
      wallet_id: demoIds.wallet_svc_id,
      status: 'pending',
    }))!;
    await service.account.update('wallet_transactions', topUp.id, { invoice_id: invoice.id });
    await withPayment({ payable_id: invoice.id, invoice_ids: [invoice.id], amount_cents: 20_000 }, async () => {
      const overview = await link();
      expect(await buttons(`${overview}/wallets/${demoIds.wallet_svc_id}`)).toEqual(['Pay $200.00, Invoice TOP-UP']);
      expect(await textOf(overview)).toMatch(
        /Bought, waiting for payment 15 Mar 2026 · Invoice TOP-UP \$200\.00 200 credits Pay \$200\.00/,
      );
    });
    await service.account.update('wallet_transactions', topUp.id, { invoice_id: topUp.invoice_id });
    await service.account.remove('invoices', invoice.id);
  });

  it('of several invoices names them all, at each of them', async () => {
    const ids = [await invoiceOf('SKY-US-001-002'), await invoiceOf('SKY-US-001-004')].map(({ id }) => id);
    const request = { payable_type: 'PaymentRequest', payable_id: crypto.randomUUID(), invoice_ids: ids } as const;
    await withPayment({ ...request, amount_cents: 11_867 + 18_714 }, async () => {
      const overview = await link();
      const both = 'Pay $305.81, Invoice SKY-US-001-002, Invoice SKY-US-001-004';
      // The older payment of one of them has no button any more: both would pay that invoice twice.
      expect(await buttons(overview)).toEqual([both, both, both]);
      expect(await textOf(overview)).toContain('For the invoices SKY-US-001-002, SKY-US-001-004. Pay $305.81');
      expect(await textOf(overview)).not.toContain('cannot be paid here');
      const older = await press(overview, demoIds.payment_svc_id);
      expect([older.status, older.headers.get('location')]).toEqual([409, null]);
    });
  });

  it.each(['javascript:alert(1)', 'data:text/html,x', '//pay.example', 'pay', 7, null])(
    'does not lead to what is no address of a web page: %s',
    async url =>
      during('payments', demoIds.payment_svc_id, { next_action: { redirect_to_url: { url } } as never }, async () => {
        const overview = await link();
        expect(await buttons(overview)).toEqual([]);
        expect((await press(overview, demoIds.payment_svc_id)).headers.get('location')).toBeNull();
      }),
  );
});

describe('a payment that is not open any more', () => {
  it.each([
    ['the invoice was paid meanwhile', { payment_status: 'succeeded' }, {}],
    ['the invoice was voided', { status: 'voided' }, {}],
    ['the invoice is in dispute', { payment_dispute_lost_at: '2026-03-15T11:00:00.000Z' }, {}],
    ['the customer issued the invoice', { self_billed: true }, {}],
    ['all of it was paid in parts', { total_paid_amount_cents: 18_714 }, {}],
    ['the payment succeeded', {}, { payment_status: 'succeeded' }],
    ['the payment failed', {}, { payment_status: 'failed' }],
    ['the payment is in another currency', {}, { amount_currency: 'EUR' }],
  ] as const)('leads nowhere, and says why, with the way back: %s', async (_what, invoice, payment) => {
    const { id } = await invoiceOf('SKY-US-001-004');
    const overview = await link();
    await during('invoices', id, invoice, () =>
      during('payments', demoIds.payment_svc_id, payment, async () => {
        // The button of a page that was opened before.
        const answer = await press(overview, demoIds.payment_svc_id);
        expect([answer.status, answer.headers.get('location')]).toEqual([409, null]);
        const text = await textOf(answer.url);
        expect(text).toContain('This payment is not open It has ended, nothing is left to pay of it, or another');
        expect(text).toContain('Please write to billing@skylark.example. Back to the overview');
        expect(await buttons(overview)).toEqual([]);
        expect(await textOf(overview)).not.toContain('Please confirm');
      }),
    );
  });

  it('is refused where it would take more than is left to pay', async () => {
    const { id } = await invoiceOf('SKY-US-001-004');
    await during('invoices', id, { total_paid_amount_cents: 10_000 }, async () => {
      const overview = await link();
      const told =
        'A payment of $187.14 waits for confirmation, but only $87.14 is left to pay. Please do not confirm it.';
      for (const page of [overview, `${overview}/invoices`, `${overview}/invoices/${id}`]) {
        expect(await textOf(page)).toContain(told);
        expect(await buttons(page)).toEqual([]);
      }
      const answer = await press(overview, demoIds.payment_svc_id);
      expect([answer.status, answer.headers.get('location')]).toEqual([409, null]);
      expect(await textOf(answer.url)).toContain(told);
    });
  });

  it('is refused while another payment of its invoice is under way, which is said', async () => {
    await withPayment({ payment_status: 'processing', next_action: {} }, async () => {
      const overview = await link();
      const { id } = await invoiceOf('SKY-US-001-004');
      for (const page of [overview, `${overview}/invoices/${id}`]) {
        expect(await textOf(page)).toContain('A payment of $187.14 is being processed.');
        expect(await buttons(page)).toEqual([]);
      }
      expect((await press(overview, demoIds.payment_svc_id)).status).toBe(409);
    });
  });
});

describe('a payment that is not here', () => {
  it('is told as such: of another customer, with an unknown id, without an address', async () => {
    const [acme, nora] = [await link(), await link('nora-lund')];
    const other = (await service.account.first('payments', {
      payment_status: 'pending',
      payable_type: 'PaymentRequest',
    }))!;
    for (const [portal, id] of [
      [nora, demoIds.payment_svc_id],
      [acme, crypto.randomUUID()],
      [acme, other.id],
      [acme, 'x'],
    ] as const) {
      const answer = await press(portal, id);
      expect([answer.status, answer.headers.get('location')]).toEqual([404, null]);
      expect(await textOf(answer.url)).toContain('There is no such payment here');
    }
  });
});

describe('an invoice that is to pay without a payment', () => {
  it('says that it cannot be paid here, and whom to write to', async () => {
    const overview = await link();
    const { id } = await invoiceOf('SKY-US-001-002');
    const elsewhere = 'cannot be paid here. Please write to billing@skylark.example.';
    expect(await textOf(overview)).toContain(`Invoices without a pay button ${elsewhere}`);
    expect(await textOf(`${overview}/invoices/${id}`)).toContain(`This invoice ${elsewhere}`);
    const paid = await invoiceOf('SKY-US-001-001');
    expect(await textOf(`${overview}/invoices/${paid.id}`)).not.toContain('cannot be paid');
  });
});
