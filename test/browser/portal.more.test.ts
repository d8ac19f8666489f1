import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestService, type TestService } from '../service/routes/service.ts';
import { findings, themeRules } from './axe.ts';
import { missing, sharedBrowser, visit } from './browser.ts';

let browser: Browser;
let service: TestService;
beforeAll(async () => {
  [browser, service] = await Promise.all([sharedBrowser(), startTestService()]);
});
afterAll(async () => {
  await Promise.all([browser?.close(), service?.close()]);
});

async function portalOf(customer: string): Promise<string> {
  const { body } = await service.get(`/customers/${customer}/portal_url`);
  return (body as { customer: { portal_url: string } }).customer.portal_url;
}

/** Opens the page and makes its window as wide as each, in light and dark; nothing on it may fail to load or be refused. */
async function fits(url: string, widths: number[]): Promise<void> {
  const complaints = await visit(browser, url, { colorScheme: 'light' }, async page => {
    for (const width of widths) {
      await page.setViewportSize({ width, height: 800 });
      expect([width, await spread(page)]).toEqual([width, { width, cut: [] }]);
    }
    expect(await findings(page.mainFrame())).toEqual([]);
    expect(await page.locator('h1').count()).toBe(1);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await findings(page.mainFrame(), themeRules)).toEqual([]);
  });
  expect(complaints).toEqual([]);
}

/** How wide the page is, and what is cut off on it. */
const spread = (page: Page) =>
  page.evaluate(() => ({
    width: document.documentElement.scrollWidth,
    cut: [...document.querySelectorAll('body *')]
      .filter(element => element.scrollWidth > element.clientWidth && element.clientWidth > 0)
      .filter(element => getComputedStyle(element).display !== 'inline')
      .map(element => element.outerHTML.slice(0, 100)),
  }));

describe.skipIf(missing)('in a browser, axe finds nothing wrong with what fits from 320 to 1280 px', () => {
  it.each(['acme-podcasts', 'gulf-radio'])('the portal page of %s', async customer =>
    fits(await portalOf(customer), [1280, 768, 375, 320]),
  );

  it('an amount, a name and a number of any length', async () => {
    const own = (await service.account.first('customers', { external_id: 'sakura-games' }))!;
    const invoice = (await service.account.first('invoices', { number: 'SKY-US-003-001' }))!;
    const long = 'Donaudampfschifffahrtsgesellschaftskapitänsmützenfabrikantenverband';
    await service.account.update('customers', own.id, { name: long, email: `${long}@${long}.example` });
    await service.account.update('invoices', invoice.id, { total_amount_cents: 9_007_199_254_740, number: long });
    await fits(await portalOf('sakura-games'), [320]);
  });

  it('the root of the service, and a link that leads nowhere', async () => {
    await fits(service.url, [1280, 320]);
  });
});
