import { describe, expect, it } from 'vitest';
import { demoIds } from '../../../src/model/demo-ids.ts';
import type { JsonObject } from '../../../src/service/records/index.ts';
import { expectMissing, expectOk, sharedService } from './service.ts';

const service = sharedService();

async function link(id: string = demoIds.external_customer_id): Promise<string> {
  const { customer } = expectOk(await service.get(`/customers/${id}/portal_url`)) as { customer: JsonObject };
  return String(customer.portal_url);
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
      'x.y',
      '%00',
      '..',
    ]) {
      const page = await fetch(`${service.url}/customer-portal/${token}`);
      expect([400, 404, 401, 422]).toContain(page.status);
      expect(await page.text()).not.toContain('Acme');
    }
  });
});

describe('the page', () => {
  it('shows subscriptions, wallets and invoices, with amounts in the format of the currency', async () => {
    const html = await (await fetch(await link())).text();
    for (const text of ['Acme Podcasts', 'Acme Studio', 'Prepaid', '<html lang="en">', '<main>', 'scope="col"']) {
      expect(html).toContain(text);
    }
    expect(html).toMatch(/\$\d[\d,]*\.\d{2}/);
    expect(await (await fetch(await link('sakura-games'))).text()).toMatch(/¥\d[\d,]*[^.\d]/);
    expect(await (await fetch(await link('gulf-radio'))).text()).toMatch(/KWD\s\d[\d,]*\.\d{3}/);
  });

  it('calls an invoice overdue from the day after its due date, as the lists do', async () => {
    const { invoices } = expectOk(await service.get('/invoices?search_term=SKY-US-003-001')) as {
      invoices: JsonObject[];
    };
    expect(invoices).toMatchObject([{ payment_overdue: true }]);
    const rows = (await (await fetch(await link('sakura-games'))).text()).split('<tr>');
    expect(rows.find(row => row.includes('SKY-US-003-001'))).toContain('overdue');
  });

  it('escapes all text from records, and runs and loads nothing', async () => {
    const own = (await service.account.first('customers', { external_id: demoIds.external_customer_id }))!;
    await service.account.update('customers', own.id, { name: `<script>alert("1")</script>'&` });
    const page = await fetch(await link());
    const html = await page.text();
    await service.account.update('customers', own.id, { name: own.name });
    expect(html).toContain('&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&#39;&amp;');
    expect(html).not.toMatch(/<script|src=|href=|url\(/i);
    expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/);
    expect(page.headers.get('cache-control')).toBe('no-store');
    expect(page.headers.get('referrer-policy')).toBe('no-referrer');
  });
});
