/** list_invoices and get_invoice (docs/lookups.md §4). */
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import type { JsonRecord } from '../../src/lib/json.ts';
import { factsOf } from '../support/facts.ts';
import { invoiceRow, paymentRow, uuidOf } from './lookup-records.ts';
import { freshWorld, meta, onOneDay, refusal } from './lookup-upstream.ts';

onOneDay();
const world = await freshWorld();

const listOf = (...invoices: JsonRecord[]) => ({ invoices, meta: meta(invoices.length) });
const paid = { payment_status: 'succeeded', payment_overdue: false, total_due_amount_cents: 0 };
const overdue = (total_due_amount_cents: number, payment_due_date: string) => ({
  ...{ payment_overdue: true, total_due_amount_cents, payment_due_date },
});

describe('list_invoices', () => {
  it('reads the list of a customer, and says what is owed and since when', async () => {
    world.script({
      '/customers/acme/invoices': [
        invoiceRow(1, overdue(20_000, '2026-03-03')),
        invoiceRow(2, { total_amount_cents: 30_000, ...overdue(21_200, '2026-02-01') }),
        invoiceRow(3, paid),
        invoiceRow(4, { total_due_amount_cents: 5_000, total_amount_cents: 5_000 }),
      ],
    });
    const answer = await world.call('list_invoices', { external_customer_id: 'acme' });
    expect(factsOf(answer.summary)).toBe(
      '4 · “Acme Corp” · (acme) · $750.00 · $462.00 · 3 · $412.00 · 2 · 1 Feb · ACM-0001-001-001 · $200.00 · 3 Mar · ACM-0001-001-002 · $212.00 · $300.00 · 1 Feb · ACM-0001-001-003 · $200.00 · 1',
    );
    expect(world.asked).toEqual(['/customers/acme/invoices?page=1&per_page=20']);
    expect(answer.shown).toBe('4 of 4');
    expect(answer.every_row).toEqual({
      ...{ currency: 'USD', issuing_date: '2026-02-01' },
      customer: { external_id: 'acme', name: 'Acme Corp' },
    });
    expect(answer.totals).toEqual({
      invoiced: [{ currency: 'USD', count: 4, total_amount_cents: 75_000 }],
      owed: [{ currency: 'USD', count: 3, total_due_amount_cents: 46_200 }],
      overdue: [{ currency: 'USD', count: 2, total_due_amount_cents: 41_200 }],
    });
    expect((answer.invoices as JsonRecord[])[1]).toEqual({
      ...{ svc_id: uuidOf(2), number: 'ACM-0001-001-002', payment_due_date: '2026-02-01', payment_status: 'pending' },
      ...{ payment_overdue: true, days_overdue: 295, total_amount_cents: 30_000, total_due_amount_cents: 21_200 },
    });
    // Of a paid one nothing is due.
    expect(Object.keys((answer.invoices as JsonRecord[])[2] ?? {})).toEqual([
      ...['svc_id', 'number', 'payment_due_date', 'payment_status', 'total_amount_cents'],
    ]);
  });

  it('says a customer without a name once, without a null', async () => {
    const customer = { external_id: 'nora', name: null };
    world.script({ '/invoices': [invoiceRow(1, { customer }), invoiceRow(2, { customer })] });
    const answer = await world.call('list_invoices', {});
    expect(answer.every_row).toMatchObject({ currency: 'USD', customer: { external_id: 'nora' } });
    expect(JSON.stringify(answer)).not.toContain('null');
  });

  it('counts no draft and no voided or deleted one as owed, tells top-ups and lost disputes', async () => {
    world.script({
      '/invoices': [
        invoiceRow(1, { status: 'draft', total_amount_cents: 70_000 }),
        invoiceRow(2, { status: 'voided', total_amount_cents: 90_000 }),
        invoiceRow(3, { invoice_type: 'credit', ...paid, total_amount_cents: 5_000 }),
        invoiceRow(4, {
          ...{ currency: 'EUR', total_amount_cents: 3_500, ...paid },
          payment_dispute_lost_at: '2026-03-01T00:00:00Z',
        }),
        invoiceRow(5, { status: 'failed' }),
        invoiceRow(6, { total_due_amount_cents: 20_000 }),
        invoiceRow(7, { self_billed: true }),
        invoiceRow(8, { status: 'deleted', total_amount_cents: 60_000 }),
      ],
      [`/invoices/${uuidOf(5)}`]: { invoice: invoiceRow(5, { status: 'failed', error_details: [] }) },
    });
    const answer = await world.call('list_invoices', {});
    expect(factsOf(answer.summary)).toBe(
      '8 · $250.00 · $50.00 · $200.00 · 1 · ACM-0001-001-001 · “Acme Corp” · (acme) · $700.00 · ACM-0001-001-002 · “Acme Corp” · (acme) · $900.00 · ACM-0001-001-003 · “Acme Corp” · (acme) · $50.00 · 5 · ACM-0001-001-005 · 1 · $700.00 · 1 · 1 · 1 · 1 · 1',
    );
    expect(answer.totals).toEqual({
      invoiced: [{ currency: 'USD', count: 2, total_amount_cents: 25_000 }],
      wallet_top_ups: [{ currency: 'USD', count: 1, total_amount_cents: 5_000 }],
      owed: [{ currency: 'USD', count: 1, total_due_amount_cents: 20_000 }],
      drafts: [{ currency: 'USD', count: 1, total_amount_cents: 70_000 }],
    });
  });

  it('calls the total of a page that is not the last "about", and says what the sums cover', async () => {
    world.script({ '/invoices': { invoices: [invoiceRow(1, paid)], meta: meta(41, { page: 2, pages: 41 }) } });
    const answer = await world.call('list_invoices', { page: 2, per_page: 1 });
    expect(factsOf(answer.summary)).toBe('41 · 1 · 3 · $200.00 · ACM-0001-001-001 · “Acme Corp” · (acme) · $200.00');
    expect(answer).toMatchObject({ shown: '1 of about 41', next_page: 3 });
    world.script({ '/invoices': { invoices: [invoiceRow(1, paid)], meta: meta(2, { page: 2, pages: 2 }) } });
    expect((await world.call('list_invoices', { page: 2, per_page: 1 })).shown).toBe('1 of 2');
  });

  it('leaves out invoices that an older installation lets through, from the sums too', async () => {
    world.script({
      '/invoices': {
        invoices: [invoiceRow(1, { self_billed: true }), invoiceRow(2, paid), invoiceRow(3, paid)],
        meta: meta(9, { pages: 3 }),
      },
    });
    const answer = await world.call('list_invoices', { self_billed: false, per_page: 3 });
    expect(factsOf(answer.summary)).toBe(
      '2 · 2 · self_billed · 1 · 2 · $400.00 · ACM-0001-001-002 · “Acme Corp” · (acme) · $200.00 · ACM-0001-001-003 · “Acme Corp” · (acme) · $200.00',
    );
    expect(answer).toMatchObject({ shown: '2 of an unknown number', next_page: 2 });
  });

  it.each<[object, JsonRecord]>([
    [{ self_billed: false }, { self_billed: null }],
    [{ issuing_date_to: '2026-01-31' }, { issuing_date: '2026-01-31T10:00:00Z' }],
  ])('keeps with %j an invoice that has %j', async (args, fields) => {
    world.script({ '/invoices': [invoiceRow(1, { ...paid, ...fields })] });
    expect(factsOf((await world.call('list_invoices', args)).summary)).toBe(
      '1 · $200.00 · ACM-0001-001-001 · “Acme Corp” · (acme) · $200.00',
    );
  });

  it('sends a code once that is named twice, which the service refuses', async () => {
    world.script({ '/invoices': [] });
    await world.call('list_invoices', { billing_entity_codes: ['eu', 'us', 'eu'] });
    expect(world.asked).toEqual(['/invoices?billing_entity_codes[]=eu&billing_entity_codes[]=us&page=1&per_page=20']);
  });

  it('says so where a search has found invoices that the filter should leave out', async () => {
    world.script({ '/invoices': [invoiceRow(1, { currency: 'EUR', ...paid }), invoiceRow(2, paid)] });
    const answer = await world.call('list_invoices', { search_term: 'Acme  Corp', currency: 'EUR' });
    expect(factsOf(answer.summary)).toBe('1 · 1 · €200.00 · ACM-0001-001-001 · “Acme Corp” · (acme) · €200.00');
  });

  it('asks for lost disputes alone, and leaves them out itself where they are not wanted', async () => {
    const disputed = invoiceRow(1, { payment_dispute_lost_at: '2026-03-01T00:00:00Z', ...paid });
    world.script({ '/invoices': [disputed, invoiceRow(2, { payment_dispute_lost_at: null, ...paid })] });
    const answer = await world.call('list_invoices', { payment_dispute_lost: false });
    expect(world.asked).toEqual(['/invoices?page=1&per_page=20']);
    expect(factsOf(answer.summary)).toBe('1 · $200.00 · ACM-0001-001-002 · “Acme Corp” · (acme) · $200.00');
    expect(answer.shown).toBe('1 of 1');
  });

  it.each([
    [{}, 'No invoice was found.'],
    [{ payment_overdue: true }, 'No invoice with payment_overdue was found.'],
    [{ search_term: 'zz' }, '“zz” in its number, as its'],
    [{ external_customer_id: 'acme' }, 'No invoice of this customer'],
    [{ external_customer_id: 'acme', search_term: 'zz', currency: 'USD' }, 'customer with currency has “zz”'],
  ])('%j without a match: says what was searched', async (args, summary) => {
    world.script({ '/invoices': [], '/customers/acme/invoices': [] });
    expect((await world.call('list_invoices', args)).summary).toContain(summary);
  });

  it('takes a part of the name in place of the id, and says whom it found', async () => {
    world.script({
      '/customers/Acme/invoices': refusal(404, 'customer_not_found'),
      '/customers': [{ external_id: 'acme', name: 'Acme Corp' }],
      '/customers/acme/invoices': [invoiceRow(1, paid), invoiceRow(2, paid)],
    });
    const answer = await world.call('list_invoices', { external_customer_id: 'Acme' });
    expect(factsOf(answer.summary)).toBe(
      '2 · “Acme Corp” · $400.00 · ACM-0001-001-001 · $200.00 · ACM-0001-001-002 · $200.00 · “Acme Corp” · (acme)',
    );
    expect(answer.customer).toEqual({ external_id: 'acme', name: 'Acme Corp' });
    expect(answer.every_row).not.toHaveProperty('customer');
  });

  it('shows of those of several customers what is due, and of which', async () => {
    const rows = [0, 1].map(n => {
      const customer = { external_id: `cust_${n}`, name: `Northwind ${n}` };
      return { ...invoiceRow(n, n === 0 ? {} : overdue(20_000, '2026-02-11')), customer };
    });
    world.script({ '/invoices': { invoices: rows, meta: meta(134, { pages: 7 }) } });
    const { invoices } = await world.call('list_invoices', {});
    expect(invoices).toMatchObject([
      {
        ...{ number: 'ACM-0001-001-000', payment_due_date: '2026-03-03', total_amount_cents: 20_000 },
        ...{ total_due_amount_cents: 20_000, customer: { external_id: 'cust_0', name: 'Northwind 0' } },
      },
      { payment_overdue: true, payment_due_date: '2026-02-11' },
    ]);
  });
});

describe('why invoices failed', () => {
  const unissued = (index: number) => invoiceRow(index, { status: 'failed', payment_overdue: false });
  const unpaid = (index: number) => invoiceRow(index, { payment_status: 'failed' });
  const payment = (invoice: number, fields: JsonRecord) =>
    paymentRow(invoice, { invoice_ids: [uuidOf(invoice)], payment_status: 'failed', ...fields });
  const payments = (...rows: JsonRecord[]) => ({ payments: rows, meta: meta(rows.length) });
  const taxError = { error_code: 'tax_error', details: { tax_error: 'taxDateTooFarInFuture' } };
  const reads = (url: URL) => {
    if (url.pathname.endsWith('/payments')) {
      const id = url.searchParams.get('invoice_id');
      if (id === uuidOf(3)) return payments(payment(3, { status: 'failed' }));
      if (id === uuidOf(4)) return payments(payment(4, { payment_status: 'succeeded' }));
      return payments(payment(2, { status: 'card_declined' }), payment(2, { status: 'insufficient_funds' }));
    }
    if (!url.pathname.endsWith('/invoices')) return { invoice: { ...unissued(1), error_details: [taxError] } };
    return listOf(unissued(1), unpaid(2), unpaid(3), unpaid(4));
  };

  it('is read for a list, the newest failed payment of each', async () => {
    world.script(reads);
    const { summary } = await world.call('list_invoices', {});
    expect(factsOf(summary)).toContain('ACM-0001-001-001 · ACM-0001-001-002 · ACM-0001-001-003 · ACM-0001-001-004');
    expect(world.asked).toHaveLength(5);
  });

  it('is read of five rows at most, and the others are counted', async () => {
    const rows = Array.from({ length: 8 }, (_, index) => unpaid(index + 1));
    world.script(url => (url.pathname.endsWith('/invoices') ? listOf(...rows) : reads(url)));
    const { summary } = await world.call('list_invoices', {});
    expect(summary).toContain('3 other ones failed was');
    expect(world.asked).toHaveLength(6);
  });

  it('is not read where payments may not be seen, and said not to be where they cannot be', async () => {
    await world.renew({ BILLING_EXCLUDE_TOOLS: 'list_payments' });
    world.script({ '/invoices': [unpaid(2)] });
    expect((await world.call('list_invoices', {})).summary).not.toContain('payment failed:');
    expect(world.asked).toHaveLength(1);
    await world.renew({});
    world.script({ '/invoices': [unpaid(2)] });
    const { summary } = await world.call('list_invoices', {});
    expect(summary).toContain('ACM-0001-001-002 payment failed; why could');
  });

  it('is told of one invoice', async () => {
    world.script(url => (url.pathname.includes('/invoices/') ? { invoice: unpaid(2) } : reads(url)));
    expect((await world.call('get_invoice', { svc_id: uuidOf(2) })).summary).toContain('the card was declined');
  });
});

describe('the document of an invoice', () => {
  const links = { file_url: 'https://files.example/invoices/7?signature=abc', xml_url: 'javascript:alert(1)' };
  const script = { [`/invoices/${uuidOf(1)}`]: { invoice: invoiceRow(1, { ...paid, ...links }) } };
  const read = async (detail?: string) => {
    world.script(script);
    return world.call('get_invoice', { svc_id: uuidOf(1), ...(detail && { detail }) });
  };

  it('is linked, where it is at a web address', async () => {
    expect((await read()).invoice).toMatchObject({ file_url: links.file_url });
    expect(JSON.stringify(await read('full'))).not.toContain('javascript');
  });

  it('is not linked where it would show what is hidden', async () => {
    await world.renew({ BILLING_MASK: 'address' });
    for (const answer of [await read(), await read('full')]) {
      expect(JSON.stringify(answer)).not.toContain('files.example');
      expect(answer.summary).toContain('document is not linked');
    }
  });
});

it('tells the values of metadata with their keys', async () => {
  const metadata = [
    { key: 'cost_center', value: 'audio-7' },
    { key: 'project', value: '' },
  ];
  world.script({ [`/invoices/${uuidOf(1)}`]: { invoice: invoiceRow(1, { ...paid, metadata }) } });
  const { summary } = await world.call('get_invoice', { svc_id: uuidOf(1) });
  expect(summary).toContain('Metadata: cost_center “audio-7” and project (empty).');
});

describe('get_invoice', () => {
  const invoice = {
    ...invoiceRow(1, overdue(24_000, '2026-02-01')),
    ...{ fees_amount_cents: 20_000, taxes_amount_cents: 4_000, total_amount_cents: 24_000, total_paid_amount_cents: 0 },
    fees: [fee('seats', 'Seats', '2.0', 4_000, '20.0'), fee('api', 'API calls', '800.0', 16_000, '20.0')],
    applied_taxes: [{ tax_code: 'vat', tax_name: 'VAT', tax_rate: 20, amount_cents: 4_000, fees_amount_cents: 20_000 }],
    ...{ subscriptions: [], credits: [], error_details: [], billing_periods: [] },
  };

  it('reads by svc_id, with the lines from the largest on', async () => {
    world.script({ [`/invoices/${uuidOf(1)}`]: { invoice } });
    const answer = await world.call('get_invoice', { svc_id: uuidOf(1) });
    expect(factsOf(answer.summary)).toBe(
      'ACM-0001-001-001 · “Acme Corp” · (acme) · $240.00 · 1 Feb · 1 Feb · $200.00 · $40.00 · “VAT” · 20 · $240.00 · “API calls” · 800 · $160.00 · “Seats” · 2 · $40.00',
    );
    expect((answer.invoice as JsonRecord).fees).toEqual([
      { item: { name: 'API calls', code: 'api' }, units: '800.0', amount_cents: 16_000 },
      { item: { name: 'Seats' }, units: '2.0', amount_cents: 4_000 },
    ]);
    expect(answer.more).toEqual(['fees', 'applied_taxes']);
    expect(countTokens(JSON.stringify(answer))).toBeLessThanOrEqual(250 + 2 * 45);
  });

  it('tells the order number, pricing units and parts for display, and keeps them under detail', async () => {
    const priced = {
      ...fee('api', 'API calls', '800.0', 16_000, '20.0'),
      pricing_unit_details: { pricing_unit_code: 'credits', short_name: 'CR', conversion_rate: '0.5', amount_cents: 7 },
      presentation_breakdowns: [{ presentation_by: { region: 'eu' }, units: '800.0' }],
    };
    const stored = { ...invoice, purchase_order_number: 'PO-1', fees: [priced] };
    world.script({ [`/invoices/${uuidOf(1)}`]: { invoice: stored } });
    const answer = await world.call('get_invoice', { svc_id: uuidOf(1), detail: 'fees' });
    expect(factsOf(answer.summary)).toContain('“API calls” · 800 · “credits” · $0.50 · $160.00 · 800');
    expect(answer.summary).toContain('Order number PO-1.');
    const { pricing_unit_details, presentation_breakdowns } = priced;
    expect((answer.invoice as { fees: JsonRecord[] }).fees[0]).toMatchObject({
      pricing_unit_details,
      presentation_breakdowns,
    });
  });

  it('searches no number for a caller who may not list invoices', async () => {
    await world.renew({ BILLING_EXCLUDE_TOOLS: 'list_invoices' });
    world.script({ '/invoices': [invoiceRow(1)], [`/invoices/${uuidOf(1)}`]: { invoice } });
    const answer = await world.call('get_invoice', { svc_id: 'ACM-0001-001-001' });
    expect(answer.error?.code).toBe('no_match');
    expect(answer.summary).toContain('needs list_invoices');
    expect(world.asked).toEqual([]);
    expect((await world.call('get_invoice', { svc_id: uuidOf(1) })).error).toBeUndefined();
  });

  it('finds by the exact number alone, of all that contain it', async () => {
    world.script({
      '/invoices': [invoiceRow(10), { ...invoiceRow(1), number: 'ACM-0001-001-01' }],
      [`/invoices/${uuidOf(1)}`]: { invoice },
    });
    const answer = await world.call('get_invoice', { svc_id: 'acm-0001-001-01' });
    expect(answer.summary).toMatch(/ACM-0001-001-001 .*\(acme\): \$240\.00, .*1 Feb.* Matched by number\.$/);
    expect(world.asked).toEqual([
      '/invoices?search_term=acm-0001-001-01&page=1&per_page=100',
      `/invoices/${uuidOf(1)}`,
    ]);
  });

  it.each([
    ['001', [invoiceRow(1), invoiceRow(2)], 'no invoice has the number “001”', 'contain it: ACM-0001-001-001 and ACM'],
    ['Acme', [invoiceRow(1)], 'no invoice has the number “Acme”', 'list_invoices finds invoices'],
    [
      'ACM-0001-001-001',
      [invoiceRow(1), { ...invoiceRow(2), number: 'acm-0001-001-001' }],
      '2 invoices have the number “ACM-0001-001-001”',
      `${uuidOf(1)} and ${uuidOf(2)}`,
    ],
  ])('%s is refused where no single number is the same', async (svc_id, found, said, hint) => {
    world.script({ '/invoices': found });
    const answer = await world.call('get_invoice', { svc_id });
    expect(answer.error?.code).toBe('no_match');
    expect(answer.summary).toContain(said);
    expect(answer.error?.hint).toContain(hint);
    expect(countTokens(JSON.stringify(answer))).toBeLessThanOrEqual(140);
  });

  it('does not say that there is none with a number where not all were read', async () => {
    world.script(url => {
      const page = Number(url.searchParams.get('page'));
      const invoices = Array.from({ length: 100 }, (_, i) => invoiceRow(page * 100 + i));
      return { invoices, meta: meta(5_000, { page, pages: 50 }) };
    });
    const answer = await world.call('get_invoice', { svc_id: '001' });
    expect(factsOf(answer.summary)).toBe('get_invoice · 1,000 · “001”');
    expect(countTokens(JSON.stringify(answer))).toBeLessThanOrEqual(140);
  });

  it.each([
    ['draft', '$240.00, a draft', 'Issue date: 1 Feb.'],
    ['pending', '$240.00, not issued yet.', 'Issue date: 1 Feb.'],
    ['failed', '$240.00, could not be issued.', 'Issue date: 1 Feb.'],
    ['voided', '$240.00, voided.', 'Issued on 1 Feb.'],
    ['deleted', '$240.00, deleted.', 'Issue date: 1 Feb.'],
  ])('never calls a %s invoice due', async (status, said, also) => {
    const stored = { ...invoice, status, payment_overdue: false };
    world.script({ [`/invoices/${uuidOf(1)}`]: { invoice: stored } });
    const { summary } = await world.call('get_invoice', { svc_id: uuidOf(1) });
    expect(summary).toContain(said);
    expect(summary).toContain(also);
    expect(summary).not.toContain('is due');
  });

  it('passes on that there is none with this svc_id, and adds fields by name', async () => {
    world.script({ [`/invoices/${uuidOf(2)}`]: refusal(404, 'invoice_not_found') });
    const none = await world.call('get_invoice', { svc_id: uuidOf(2) });
    expect(none.error?.code).toBe('invoice_not_found');
    world.script({ [`/invoices/${uuidOf(1)}`]: { invoice } });
    const more = await world.call('get_invoice', { svc_id: uuidOf(1), detail: 'applied_taxes' });
    expect(more.invoice).toHaveProperty('applied_taxes');
  });
});

function fee(code: string, name: string, units: string, amount_cents: number, price: string): JsonRecord {
  return {
    ...{ svc_id: uuidOf(amount_cents), units, amount_cents, amount_currency: 'USD', precise_unit_amount: price },
    item: { type: 'charge', code, name, invoice_display_name: name, filters: {}, grouped_by: {} },
  };
}
