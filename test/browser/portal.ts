/** The customer portal over a real service, in the browser. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { demoIds } from '../../src/contract/demo-ids.ts';
import { startTestService, type TestService } from '../service/routes/service.ts';
import { openContext, sharedBrowser } from './browser.ts';

interface Look {
  customer?: string;
  theme?: 'light' | 'dark';
  width?: number;
}

export interface Portal {
  browser: Browser;
  service: TestService;
  /** Opens a customer's portal; nothing on the pages that are looked at may fail to load or be refused. */
  open(look: Look, visit: (page: Page, url: string) => Promise<void>): Promise<void>;
  /** The same for each page of the portal, by its name, reached as a person reaches it. */
  openEach(look: Look, visit: (page: Page, name: string) => Promise<void>): Promise<void>;
}

/** One service for all tests of the file that calls this. */
export function sharedPortal(): Portal {
  const portal = {
    open: (look, visit) => open(portal, look, visit),
    openEach: (look, visit) => open(portal, look, (page, url) => eachPage(portal, look, page, url, visit)),
  } as Portal;
  beforeAll(async () => {
    [portal.browser, portal.service] = await Promise.all([sharedBrowser(), startTestService()]);
  });
  afterAll(async () => {
    await Promise.all([portal.browser?.close(), portal.service?.close()]);
  });
  return portal;
}

const acme = demoIds.external_customer_id;

async function open({ browser, service }: Portal, look: Look, visit: (page: Page, url: string) => Promise<void>) {
  const { customer = acme, theme = 'light', width = 1000 } = look;
  const { body } = await service.get(`/customers/${customer}/portal_url`);
  const url = (body as { customer: { portal_url: string } }).customer.portal_url;
  const context = await openContext(browser, { colorScheme: theme, viewport: { width, height: 800 } });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', message => message.type() === 'error' && complaints.push(message.text()));
  page.on('requestfailed', request => complaints.push(`could not load ${request.url()}`));
  await page.goto(url);
  await visit(page, url);
  expect(complaints).toEqual([]);
  await context.close();
}

async function eachPage(
  { service }: Portal,
  { customer = acme }: Look,
  page: Page,
  url: string,
  look: (page: Page, name: string) => Promise<void>,
): Promise<void> {
  await look(page, 'overview');
  const invoice = page.locator('#invoices ~ ul a').first();
  if ((await invoice.count()) > 0) {
    await invoice.click();
    await page.waitForURL(/invoices/);
    await look(page, 'invoice');
    await page.locator('nav a').click();
    await page.waitForURL(url);
  }
  await page.goto(`${url}/invoices`);
  await look(page, 'invoices');
  const { id: customer_id } = (await service.account.first('customers', { external_id: customer }))!;
  const wallet = await service.account.first('wallets', { customer_id, status: 'active' });
  if (wallet === undefined) return;
  await page.goto(`${url}/wallets/${wallet.id}`);
  await look(page, 'wallet');
}

/** Amounts and dates that a line end divides, that do not fit on the page, or that could be divided. */
export const brokenFigures = (page: Page) =>
  page.evaluate(() => {
    const shown = [...document.querySelectorAll('bdi')].filter(figure => figure.getClientRects().length > 0);
    const broken = shown.filter(figure => {
      const rects = [...figure.getClientRects()];
      return rects.length > 1 || rects.some(({ left, right }) => left < 0 || right > window.innerWidth);
    });
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const loose: string[] = [];
    while (texts.nextNode()) {
      const text = texts.currentNode.textContent ?? '';
      // Not what a coupon is called: `Loyalty $25`.
      const isAmount = /\d[.,]\d\d\s?[$€]|[$€]\s?\d[\d,]*\.\d|\d (Jan|Feb|Mar|Apr|May|Nov|Dec) \d/.test(text);
      if (isAmount && !texts.currentNode.parentElement?.closest('bdi')) loose.push(text);
    }
    return { figures: shown.length > 0, broken: broken.map(({ textContent }) => textContent), loose };
  });

/** How wide the page is, and what is cut off on it. */
export const spread = (page: Page) =>
  page.evaluate(() => ({
    width: document.documentElement.scrollWidth,
    cut: [...document.querySelectorAll('body *')]
      .filter(element => element.scrollWidth > element.clientWidth && element.clientWidth > 0)
      .filter(element => getComputedStyle(element).display !== 'inline')
      .map(element => element.outerHTML.slice(0, 100)),
  }));
