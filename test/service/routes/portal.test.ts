import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { demoIds } from '../../../src/contract/demo-ids.ts';
import type { JsonObject } from '../../../src/engine/records/index.ts';
import { expectMissing, expectOk, sharedService, startTestService, type TestService } from './service.ts';

const service = sharedService();

const link = (id?: string) => portalLink(service, id);

/** A new link to a customer's portal. */
async function portalLink(of: TestService, id: string = demoIds.external_customer_id): Promise<string> {
  const { customer } = expectOk(await of.get(`/customers/${id}/portal_url`)) as { customer: JsonObject };
  return String(customer.portal_url);
}

/** The text of a page, without its style and markup. */
async function textOf(url: string): Promise<string> {
  const html = await (await fetch(url)).text();
  const [, body = ''] = html.split('<body>');
  return body
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .replaceAll('&#39;', "'");
}

describe('a portal link', () => {
  it('opens a page without a key, and is different each time', async () => {
    const [one, two] = [await link(), await link()];
    expect(one).not.toBe(two);
    expect(one.startsWith(`${service.url}/customer-portal/`)).toBe(true);
    const page = await fetch(one);
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expectMissing(await service.get('/customers/nobody/portal_url'), 'customer');
  });

  it('is valid for twelve hours', async () => {
    const url = await link();
    const made = service.now;
    service.now = new Date(made.getTime() + 12 * 3600_000 - 1);
    expect((await fetch(url)).status).toBe(200);
    service.now = new Date(made.getTime() + 12 * 3600_000);
    const expired = await fetch(url);
    expect([expired.status, expired.headers.get('content-type')]).toEqual([403, 'text/html; charset=utf-8']);
    service.now = made;
  });

  it('cannot be forged', async () => {
    const url = await link();
    const [payload, signature] = url.split('/').at(-1)!.split('.') as [string, string];
    const ticket = JSON.parse(Buffer.from(payload, 'base64url').toString());
    const later = Buffer.from(JSON.stringify({ ...ticket, expires: ticket.expires + 1 })).toString('base64url');
    for (const token of [
      `${later}.${signature}`,
      `${payload}.`,
      payload,
      `${payload}.${signature}.x`,
      `${payload}.${signature}/x`,
      'x.y',
      '%00',
    ]) {
      const page = await fetch(`${service.url}/customer-portal/${token}`);
      expect([400, 404, 401, 422]).toContain(page.status);
      expect(await page.text()).not.toContain('Acme');
    }
  });
});

const customerOf = async (external_id: string) => (await service.account.first('customers', { external_id }))!;
const invoiceOf = async (number: string) => (await service.account.first('invoices', { number }))!;

describe('the portal page', () => {
  it('calls invoices overdue from the day after the due date, as the lists do', async () => {
    const text = await textOf(await link());
    expect(text).toContain('SKY-US-001-002 1 Jan 2026 · due 31 Jan 2026 $118.67 Overdue');
    expect(text).toContain('SKY-US-001-004 1 Mar 2026 · due 31 Mar 2026 $187.14 Open');
    expect(text).toContain('SKY-US-001-001 1 Nov 2025 $816.56 Paid');
    expect(expectOk(await service.get('/invoices?search_term=SKY-US-003-001'))).toMatchObject({
      invoices: [{ payment_overdue: true }],
    });
    expect(await textOf(await link('sakura-games'))).toMatch(/SKY-US-003-001 [^¥]+ ¥77,132 Overdue/);
    expect(await textOf(await link('nora-lund'))).toMatch(/SKY-US-005-001 [^$]+ \$39.52 Voided/);
  });

  it('shows what is left of an invoice that is partly paid', async () => {
    const { id } = await invoiceOf('SKY-US-001-004');
    await service.account.update('invoices', id, { total_paid_amount_cents: 10_000 });
    expect(await textOf(await link())).toContain('due 31 Mar 2026 · $87.14 left to pay $187.14 Open');
    await service.account.update('invoices', id, { total_paid_amount_cents: 0 });
  });

  it.each([
    ['acme-podcasts', ['SKY-US-DRAFT']],
    ['gulf-radio', ['SKY-EU-004-001', 'SKY-EU-004-002']],
  ])('shows %s no invoice that is a draft, failed or unfinished', async (id, numbers) => {
    const text = await textOf(await link(id));
    for (const number of numbers) {
      expect(await invoiceOf(number)).toBeDefined();
      expect(text).not.toContain(number);
    }
  });

  it('has the 25 newest invoices, and says how many are older', async () => {
    const { id, ...invoice } = await invoiceOf('SKY-US-003-001');
    const more = Array.from({ length: 30 }, (_, i) => ({
      ...{ ...invoice, id: crypto.randomUUID(), fees: [], number: `MORE-${100 + i}` },
      issuing_date: `2025-0${1 + Math.floor(i / 10)}-${10 + (i % 10)}`,
    }));
    expect(await textOf(await link('sakura-games'))).not.toContain('older invoices');
    await service.account.insertMany('invoices', more);
    const text = await textOf(await link('sakura-games'));
    const newest = more.map(each => each.number).reverse();
    const shown = text.match(/MORE-\d+/g) ?? [];
    expect(shown).toEqual(newest.slice(0, shown.length));
    const [, older] = /(\d+) older invoices are not shown/.exec(text) ?? [];
    expect(shown.length + Number(older)).toBe(30);
    for (const each of more) await service.account.remove('invoices', each.id);
  });

  it('says of usage what the interface says of it, the largest amount first, each with its units', async () => {
    const text = await textOf(await link());
    const { customer_usage: usage } = expectOk(
      await service.get(
        `/customers/${demoIds.external_customer_id}/current_usage?external_subscription_id=${demoIds.external_subscription_id}&apply_taxes=false`,
      ),
    ) as { customer_usage: { amount_cents: number } };
    expect(text).toMatch(/Acme Studio 1\s*–\s*31 Mar 2026/);
    expect(text).toContain(`So far, before tax $${(usage.amount_cents / 100).toFixed(2)}`);
    expect(text).not.toContain('Archive');
    const [, part = ''] = /31 Mar 2026(.*?)So far/.exec(text) ?? [];
    const rows = [...part.matchAll(/([A-Z][\w ]+?) ([\d,.]+ units?) \$([\d.,]+)/g)];
    expect(rows.map(([, name, units]) => [name, units])).toEqual([
      ['Seats', '8 units'],
      ['Transcription', '1,228.9 units'],
      ['Creator payouts', '1,160.5 units'],
      ['Summary tokens', '128,896 units'],
      ['API calls', '28 units'],
    ]);
    const amounts = rows.map(([, , , amount]) => Number(amount));
    expect(amounts).toEqual([...amounts].sort((a, b) => b - a));
  });

  it('says when a subscription starts, since when it runs, and what it costs', async () => {
    const text = await textOf(await link());
    expect(text).toContain('Acme for the whole company Enterprise · Starts 1 May 2026 $499.00 a month');
    expect(text).toContain('Acme Studio Skylark Studio · Active since 1 Mar 2025 $99.00 a month');
    expect(await textOf(await link('nora-lund'))).toContain('Subscriptions None. Usage this period None.');
  });

  // 19:00 in New York is midnight in UTC. Usage takes nothing from credits that have expired.
  it.each([
    ['that will end', { expiration_at: '2027-03-01T00:00:00.000Z' }, 'Expires 28 Feb 2027, 19:00'],
    ['without an end', { expiration_at: null }, 'Does not expire'],
    ['that ended a second ago', { expiration_at: '2026-03-15T11:59:59.000Z' }, 'Expired 15 Mar 2026, 07:59'],
  ])('shows prepaid credits %s with what usage leaves of them and their end', async (_what, changes, told) => {
    const wallet = (await service.account.get('wallets', demoIds.wallet_svc_id))!;
    await service.account.update('wallets', wallet.id, changes);
    const { wallets } = expectOk(
      await service.get(`/wallets?external_customer_id=${demoIds.external_customer_id}`),
    ) as { wallets: { ongoing_balance_cents: number }[] };
    const cents = wallets[0]!.ongoing_balance_cents;
    const left = cents === 31_250 ? '' : `$${(cents / 100).toFixed(2)} left after usage so far · `;
    expect(left === '').toBe(told.startsWith('Expired'));
    expect(await textOf(await link())).toContain(`Prepaid ${left}${told} $312.50 312.5 credits`);
    await service.account.update('wallets', wallet.id, { expiration_at: wallet.expiration_at });
  });

  it.each([
    [{ name: 'Acme Podcasts', firstname: 'Ada', lastname: 'Winter' }, 'Acme Podcasts'],
    [{ name: null, firstname: 'Nora', lastname: 'Lund' }, 'Nora Lund'],
    [{ name: '', firstname: null, lastname: 'Lund', legal_name: null }, 'Lund'],
    [{ name: null, firstname: null, lastname: null }, 'Acme Podcasts LLC'],
  ])('calls people and companies what they are called: %o', async (names, heading) => {
    const own = await customerOf(demoIds.external_customer_id);
    await service.account.update('customers', own.id, names);
    expect(await (await fetch(await link())).text()).toContain(`<h1>${heading}</h1>`);
    const { name, firstname, lastname, legal_name } = own;
    await service.account.update('customers', own.id, { name, firstname, lastname, legal_name });
  });

  it('is in English, whatever the language of documents', async () => {
    expect((await customerOf('boulangerie-martin')).document_locale).toBe('fr');
    const html = await (await fetch(await link('boulangerie-martin'))).text();
    expect(html).toContain('<html lang="en">');
    expect(html).toContain('<h2>Invoices</h2>');
  });

  it('names no id of a record, and leads nowhere', async () => {
    for (const id of ['acme-podcasts', 'nora-lund', 'boulangerie-martin']) {
      const url = await link(id);
      expect(await textOf(url)).not.toMatch(/acme-podcasts |nora-lund|acme-studio|martin-starter|[0-9a-f]{8}-/);
      expect(await (await fetch(url)).text()).not.toMatch(/<a |<form|<button/);
    }
  });

  it('escapes all text from records, and runs and loads nothing', async () => {
    const own = await customerOf(demoIds.external_customer_id);
    const wallet = (await service.account.get('wallets', demoIds.wallet_svc_id))!;
    const name = `<script>alert("1")</script>'&`;
    await service.account.update('customers', own.id, { name, legal_name: name });
    await service.account.update('wallets', wallet.id, { name });
    const page = await fetch(await link());
    const html = await page.text();
    expect(html.split('&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&#39;&amp;')).toHaveLength(5);
    expect(html).not.toMatch(/<script|src=|url\(|@import/i);
    expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/);
    expect(page.headers.get('cache-control')).toBe('no-store');
    expect(page.headers.get('referrer-policy')).toBe('no-referrer');
    await service.account.update('customers', own.id, { name: own.name, legal_name: own.legal_name });
    await service.account.update('wallets', wallet.id, { name: wallet.name });
  });

  it('takes nothing but a look', async () => {
    const url = await link();
    for (const method of ['POST', 'PUT', 'DELETE']) expect((await fetch(url, { method })).status).toBe(401);
  });

  it('of a deleted customer leads nowhere', async () => {
    const nora = await customerOf('nora-lund');
    const url = await link('nora-lund');
    await service.account.update('customers', nora.id, { deleted_at: '2026-03-15T11:00:00.000Z' });
    expect((await fetch(url)).status).toBe(404);
    await service.account.update('customers', nora.id, { deleted_at: null });
  });
});

describe('what the service writes when it fails', () => {
  it('has no portal link in it', async () => {
    const broken = await startTestService();
    const url = await portalLink(broken);
    await broken.store.close();
    for (const path of ['', '/invoices', '/%zz']) await fetch(`${url}${path}`);
    expect(broken.bugs.length).toBeGreaterThan(0);
    const [token = ''] = url.split('/').slice(-1);
    expect(inspect(broken.bugs, { depth: 10 })).not.toContain(token.slice(0, 20));
    await broken.close();
  });
});

describe('the root of the service', () => {
  it('is a page that says what this is and where programs reach it', async () => {
    const page = await fetch(service.url);
    const html = await page.text();
    expect(page.status).toBe(200);
    for (const shown of ['<h1>Embedded billing service</h1>', 'charges no one', `${service.url}/api/v1`])
      expect(html).toContain(shown);
    expect(html).not.toMatch(/<script|src=|url\(|@import|Skylark/i);
    expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/);
  });

  it('takes nothing but a look', async () => {
    const statuses = [];
    for (const method of ['HEAD', 'POST', 'PUT', 'DELETE'])
      statuses.push((await fetch(service.url, { method })).status);
    expect(statuses).toEqual([200, 401, 401, 401]);
  });
});
