import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demoIds } from '../../src/model/demo-ids.ts';
import { startTestService, type TestService } from '../service/routes/service.ts';
import { findings } from './axe.ts';
import { launchBrowser, screenshots } from './chat-host.ts';

let browser: Browser;
let service: TestService;

beforeAll(async () => {
  [browser, service] = await Promise.all([launchBrowser(), startTestService()]);
});
afterAll(async () => {
  await Promise.all([browser?.close(), service?.close()]);
});

interface Look {
  customer?: string;
  theme?: 'light' | 'dark';
  width?: number;
}

/** Opens a customer's portal; nothing on the pages that are looked at may fail to load or be refused. */
async function openPortal(look: Look, visit: (page: Page, url: string) => Promise<void>): Promise<void> {
  const { customer = demoIds.external_customer_id, theme = 'light', width = 1000 } = look;
  const { body } = await service.get(`/customers/${customer}/portal_url`);
  const url = (body as { customer: { portal_url: string } }).customer.portal_url;
  const page = await browser.newPage({ colorScheme: theme, viewport: { width, height: 800 } });
  const complaints: string[] = [];
  page.on('console', message => message.type() === 'error' && complaints.push(message.text()));
  page.on('requestfailed', request => complaints.push(`could not load ${request.url()}`));
  await page.goto(url);
  await visit(page, url);
  expect(complaints).toEqual([]);
  await page.close();
}

/** Each page of a portal by its name, reached as a person reaches it. */
async function eachPage(
  customer: string,
  page: Page,
  url: string,
  look: (name: string) => Promise<void>,
): Promise<void> {
  await look('overview');
  const invoice = page.locator('#invoices ~ ul a').first();
  if ((await invoice.count()) > 0) {
    await invoice.click();
    await look('invoice');
    await page.locator('nav a').click();
    await page.waitForURL(url);
  }
  await page.goto(`${url}/invoices`);
  await look('invoices');
  const wallet = await walletOf(customer);
  if (wallet === undefined) return;
  await page.goto(`${url}/wallets/${wallet.id}`);
  await look('wallet');
}

async function walletOf(external_id: string) {
  const customer = await service.account.first('customers', { external_id });
  return service.account.first('wallets', { customer_id: customer!.id, status: 'active' });
}

/** Every customer of the demo account: with debts, in French, in yen, in dinars, without anything, an ended one. */
const customers = ['acme-podcasts', 'boulangerie-martin', 'sakura-games', 'gulf-radio', 'gulf-radio-kids', 'nora-lund'];
const widths = [320, 375, 1280];
const looks = (['light', 'dark'] as const).flatMap(theme => widths.map(width => ({ theme, width })));

describe('the customer portal in a browser', () => {
  it.each(looks)('fits a window of $width px, $theme: nothing is cut off or scrolls sideways', async look => {
    for (const customer of customers)
      await openPortal({ customer, ...look }, (page, url) =>
        eachPage(customer, page, url, async name => {
          const seen = await page.evaluate(() => ({
            width: document.documentElement.scrollWidth,
            cut: [...document.querySelectorAll('body *')]
              .filter(element => element.scrollWidth > element.clientWidth && element.clientWidth > 0)
              .filter(element => getComputedStyle(element).display !== 'inline')
              .map(element => element.outerHTML.slice(0, 100)),
          }));
          expect([customer, name, seen.width, ...seen.cut]).toEqual([customer, name, look.width]);
        }),
      );
  });

  it.each(looks)('has nothing that axe finds wrong at $width px, $theme, and one main heading', async look => {
    // In the width of most phones every state; in the others the one with most to show.
    for (const customer of look.width === 375
      ? ['acme-podcasts', 'boulangerie-martin', 'nora-lund']
      : ['acme-podcasts'])
      await openPortal({ customer, ...look }, (page, url) =>
        eachPage(customer, page, url, async name => {
          expect([customer, name, ...(await findings(page.mainFrame()))]).toEqual([customer, name]);
          expect(await page.locator('h1').count()).toBe(1);
          await page.screenshot({
            path: `${screenshots}portal-${customer}-${name}-${look.width}-${look.theme}.png`,
            fullPage: true,
          });
        }),
      );
  });

  it('holds an amount, a name and a number of any length at 320 px', async () => {
    const own = (await service.account.first('customers', { external_id: 'sakura-games' }))!;
    const invoice = (await service.account.first('invoices', { number: 'SKY-US-003-001' }))!;
    const long = 'Donaudampfschifffahrtsgesellschaftskapitänsmützenfabrikantenverband';
    await service.account.update('customers', own.id, {
      name: long,
      legal_name: long,
      email: `${long}@${long}.example`,
    });
    await service.account.update('invoices', invoice.id, { total_amount_cents: 9_007_199_254_740, number: long });
    await openPortal({ customer: 'sakura-games', width: 320 }, (page, url) =>
      eachPage('sakura-games', page, url, async name => {
        const width = await page.evaluate(() => document.documentElement.scrollWidth);
        expect([name, width]).toEqual([name, 320]);
      }),
    );
    const { name, legal_name, email } = own;
    await service.account.update('customers', own.id, { name, legal_name, email });
    const { total_amount_cents, number } = invoice;
    await service.account.update('invoices', invoice.id, { total_amount_cents, number });
  });

  it('is used by keyboard: the tab key reaches every link, in the order of the page, and nothing else', () =>
    openPortal({ width: 375 }, async page => {
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
    const { body } = await service.get('/customers/nora-lund/portal_url');
    const context = await browser.newContext({ locale: 'fr-FR', viewport: { width: 320, height: 600 } });
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
    openPortal({ theme: 'dark' }, async page => {
      await page.locator('#invoices ~ ul a').first().click();
      await page.emulateMedia({ media: 'print' });
      for (const gone of ['nav', '.notice', 'footer']) expect(await page.locator(gone).first().isVisible()).toBe(false);
      expect(await page.evaluate(() => getComputedStyle(document.body).color)).toBe('rgb(28, 36, 48)');
    }));
});
