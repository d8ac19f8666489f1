import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { demoIds } from '../../src/contract/demo-ids.ts';
import { findings } from './axe.ts';
import { missing, openContext } from './browser.ts';
import { brokenFigures, sharedPortal, spread } from './portal.ts';

const portal = sharedPortal();

describe.skipIf(missing)('the customer portal in a browser', () => {
  it('fits a phone on every page, and has one main heading and nothing that axe finds wrong', () =>
    portal.openEach({ width: 375 }, async (page, name) => {
      expect([name, await spread(page)]).toEqual([name, { width: 375, cut: [] }]);
      expect([name, ...(await findings(page.mainFrame()))]).toEqual([name]);
      expect(await page.locator('h1').count()).toBe(1);
    }));

  it('holds an amount, a name and a number of any length at 320 px', async () => {
    const { service } = portal;
    const own = (await service.account.first('customers', { external_id: 'sakura-games' }))!;
    const invoice = (await service.account.first('invoices', { number: 'SKY-US-003-001' }))!;
    const long = 'Donaudampfschifffahrtsgesellschaftskapitänsmützenfabrikantenverband';
    await service.account.update('customers', own.id, {
      name: long,
      legal_name: long,
      email: `${long}@${long}.example`,
    });
    await service.account.update('invoices', invoice.id, { total_amount_cents: 9_007_199_254_740, number: long });
    await portal.openEach({ customer: 'sakura-games', width: 320 }, async (page, name) => {
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      expect([name, width]).toEqual([name, 320]);
    });
    const { name, legal_name, email } = own;
    await service.account.update('customers', own.id, { name, legal_name, email });
    const { total_amount_cents, number } = invoice;
    await service.account.update('invoices', invoice.id, { total_amount_cents, number });
  });

  it('is used by keyboard: the tab key reaches every link, in the order of the page, and nothing else', () =>
    portal.open({ width: 375 }, async page => {
      const links = await page.locator('a').allTextContents();
      expect(links[0]).toBe('Pay $187.14');
      const reached: string[] = [];
      for (let i = 0; i < links.length; i++) {
        await page.keyboard.press('Tab');
        const { text, outline } = await page.evaluate(() => ({
          text: document.activeElement?.textContent ?? '',
          outline: getComputedStyle(document.activeElement as Element).outlineStyle,
        }));
        expect([text, outline]).toEqual([text, 'solid']);
        reached.push(text);
      }
      expect(reached).toEqual(links);
      await page.keyboard.press('Shift+Tab');
      await page.locator('#invoices ~ ul a').first().focus();
      await page.keyboard.press('Enter');
      await page.waitForURL(/invoices/);
      expect(await page.textContent('h1')).toBe('Invoice SKY-US-001-004');
    }));

  it('says in the language of the documents that a link has expired, where the browser reads it', async () => {
    const { service } = portal;
    const { body } = await service.get('/customers/nora-lund/portal_url');
    const context = await openContext(portal.browser, { locale: 'fr-FR', viewport: { width: 320, height: 600 } });
    const page = await context.newPage();
    const made = service.now;
    service.now = new Date(made.getTime() + 12 * 3600_000);
    await page.goto((body as { customer: { portal_url: string } }).customer.portal_url);
    service.now = made;
    expect(await page.textContent('h1')).toBe('Ce lien a expiré');
    expect(await findings(page.mainFrame())).toEqual([]);
    await context.close();
  });

  it.each([320, 375, 768, 1280])('divides no amount and no date at %i px, however long they are', async width => {
    const { service } = portal;
    const invoice = (await service.account.first('invoices', { number: 'SKY-US-001-004' }))!;
    const wallet = (await service.account.get('wallets', demoIds.wallet_svc_id))!;
    await service.account.update('invoices', invoice.id, { total_amount_cents: 123_456_789_012 });
    await service.account.update('wallets', wallet.id, { balance_cents: -38_338_087, credits_balance: '-383380.87' });
    await portal.openEach({ width }, async (page, name) => {
      expect([name, await brokenFigures(page)]).toEqual([name, { figures: true, broken: [], loose: [] }]);
      expect([name, await spread(page)]).toEqual([name, { width, cut: [] }]);
    });
    const { total_amount_cents } = invoice;
    await service.account.update('invoices', invoice.id, { total_amount_cents });
    const { balance_cents, credits_balance } = wallet;
    await service.account.update('wallets', wallet.id, { balance_cents, credits_balance });
  });

  it('leads from a button to the page of the provider, and from what is not there back to the overview', async () => {
    const { body } = await portal.service.get(`/customers/${demoIds.external_customer_id}/portal_url`);
    const url = (body as { customer: { portal_url: string } }).customer.portal_url;
    const context = await openContext(portal.browser, { viewport: { width: 320, height: 600 }, colorScheme: 'dark' });
    const referrers: (string | undefined)[] = [];
    const provider = createServer((request, response) => {
      if (request.url === '/confirm') referrers.push(request.headers.referer);
      response.setHeader('content-type', 'text/html').end('<title>The provider</title>');
    });
    await once(provider.listen(0, '127.0.0.1'), 'listening');
    const address = `http://127.0.0.1:${(provider.address() as AddressInfo).port}/confirm`;
    const payment = (await portal.service.account.get('payments', demoIds.payment_svc_id))!;
    await portal.service.account.update('payments', payment.id, {
      next_action: { ...payment.next_action, redirect_to_url: { url: address, return_url: address } },
    });
    const page = await context.newPage();
    await page.goto(url);
    await page.getByRole('link', { name: 'Pay $187.14, Invoice SKY-US-001-004' }).first().click();
    await page.waitForURL(address);
    expect([await page.title(), ...referrers]).toEqual(['The provider', undefined]);
    await portal.service.account.update('payments', payment.id, { next_action: payment.next_action });
    for (const path of ['invoices', 'wallets', 'payments', 'elsewhere']) {
      await page.goto(`${url}/${path}/${crypto.randomUUID()}`);
      expect([path, ...(await findings(page.mainFrame()))]).toEqual([path]);
      expect((await spread(page)).width).toBe(320);
      await page.getByRole('link', { name: 'Back to the overview' }).click();
      await page.waitForURL(url);
      expect(await page.textContent('h1')).toBe('Acme Podcasts');
    }
    await context.close();
    provider.closeAllConnections();
    await once(provider.close(), 'close');
  });

  it('has a root that fits and that axe finds nothing wrong with, in each language and in dark', async () => {
    for (const locale of ['en', 'de', 'fr']) {
      const context = await openContext(portal.browser, { locale, colorScheme: 'dark' });
      const page = await context.newPage();
      for (const width of [320, 375, 768, 1280]) {
        await page.setViewportSize({ width, height: 800 });
        await page.goto(portal.service.url);
        expect([locale, await spread(page)]).toEqual([locale, { width, cut: [] }]);
      }
      expect([locale, ...(await findings(page.mainFrame()))]).toEqual([locale]);
      await context.close();
    }
  });

  it('prints an invoice without what paper has no use for', () =>
    portal.open({ theme: 'dark' }, async page => {
      await page.locator('#invoices ~ ul a').first().click();
      await page.emulateMedia({ media: 'print' });
      for (const gone of ['nav', '.notice', 'footer']) expect(await page.locator(gone).first().isVisible()).toBe(false);
      // As on paper: from whom to whom, then the lines and what they come to, then the notes.
      const order = ['#amount', '#parties', '#lines', 'tfoot .total', '.note'];
      const tops = await Promise.all(order.map(async part => (await page.locator(part).last().boundingBox())?.y));
      expect(tops).toEqual([...tops].sort((a, b) => Number(a) - Number(b)));
      expect(await page.evaluate(() => getComputedStyle(document.body).color)).toBe('rgb(28, 36, 48)');
    }));

  it.each(['A4', 'Letter'])('prints an invoice on one sheet of %s, and a long one with its total once', format =>
    portal.open({}, async (page, url) => {
      const { service } = portal;
      const invoice = (await service.account.first('invoices', { number: 'SKY-US-001-004' }))!;
      const address = `${url}/invoices/${invoice.id}`;
      await page.goto(address);
      expect(pagesOf(await page.pdf({ format }))).toBe(1);
      const fees = Array.from({ length: 60 }, () => invoice.fees).flat();
      await service.account.update('invoices', invoice.id, { fees });
      await page.goto(address);
      expect(pagesOf(await page.pdf({ format }))).toBeGreaterThan(3);
      await page.emulateMedia({ media: 'print' });
      // A footer group would be repeated on each sheet.
      const display = (part: string) => page.$eval(part, element => getComputedStyle(element).display);
      expect([await display('thead'), await display('tfoot')]).toEqual(['table-header-group', 'table-row-group']);
      await service.account.update('invoices', invoice.id, { fees: invoice.fees });
    }),
  );
});

function pagesOf(pdf: Buffer): number {
  return pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0;
}
