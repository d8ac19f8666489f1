import { describe, expect, it } from 'vitest';
import { findings } from './axe.ts';
import { missing, openContext } from './browser.ts';
import { sharedPortal, spread } from './portal.ts';

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
      expect(links[0]).toBe('Confirm payment');
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

  it('prints an invoice without what paper has no use for', () =>
    portal.open({ theme: 'dark' }, async page => {
      await page.locator('#invoices ~ ul a').first().click();
      await page.emulateMedia({ media: 'print' });
      for (const gone of ['nav', '.notice', 'footer']) expect(await page.locator(gone).first().isVisible()).toBe(false);
      expect(await page.evaluate(() => getComputedStyle(document.body).color)).toBe('rgb(28, 36, 48)');
    }));
});
