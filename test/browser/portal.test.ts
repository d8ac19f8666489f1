import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demoIds } from '../../src/model/demo-ids.ts';
import { startTestService, type TestService } from '../service/routes/service.ts';
import { launchBrowser, screenshots } from './chat-host.ts';

let browser: Browser;
let service: TestService;

beforeAll(async () => {
  [browser, service] = await Promise.all([launchBrowser(), startTestService()]);
});
afterAll(async () => {
  await Promise.all([browser?.close(), service?.close()]);
});

async function openPortal(colorScheme: 'light' | 'dark', width: number, look: (page: Page) => Promise<void>) {
  const { body } = await service.get(`/customers/${demoIds.external_customer_id}/portal_url`);
  const page = await browser.newPage({ colorScheme, viewport: { width, height: 800 } });
  const complaints: string[] = [];
  page.on('console', message => message.type() === 'error' && complaints.push(message.text()));
  page.on('requestfailed', request => complaints.push(`could not load ${request.url()}`));
  await page.goto((body as { customer: { portal_url: string } }).customer.portal_url);
  await look(page);
  expect(complaints).toEqual([]);
  await page.close();
}

describe('the customer portal in a browser', () => {
  it.each(['light', 'dark'] as const)('has readable text on its background (%s)', scheme =>
    openPortal(scheme, 1000, async page => {
      const [text, ground] = await page.evaluate(() => {
        const { color, backgroundColor } = getComputedStyle(document.body);
        return [color, backgroundColor].map(rgb => rgb.match(/\d+/g)!.slice(0, 3).map(Number));
      });
      const light = (rgb: number[]) => rgb.reduce((sum, part) => sum + part, 0);
      expect(Math.abs(light(text!) - light(ground!))).toBeGreaterThan(450);
      expect(light(ground!) > 382).toBe(scheme === 'light');
      await page.screenshot({ path: `${screenshots}portal-${scheme}.png`, fullPage: true });
    }),
  );

  it('fits a phone: the page does not scroll sideways, tables do, and no word is broken', () =>
    openPortal('light', 360, async page => {
      const seen = await page.evaluate(() => ({
        width: document.documentElement.scrollWidth,
        regions: document.querySelectorAll('[role=region]').length,
        tables: document.querySelectorAll('table').length,
      }));
      expect(seen.width).toBeLessThanOrEqual(360);
      expect(seen.regions).toBe(seen.tables);
      const words = await page.locator('td').evaluateAll(cells => cells.map(cell => getComputedStyle(cell).whiteSpace));
      expect(new Set(words)).toEqual(new Set(['nowrap']));
      await page.screenshot({ path: `${screenshots}portal-narrow.png`, fullPage: true });
    }));

  it('can be read by keyboard: the tab key reaches every table', () =>
    openPortal('light', 360, async page => {
      const reached: (string | null)[] = [];
      for (let i = 0; i < 3; i++) {
        await page.keyboard.press('Tab');
        reached.push(await page.evaluate(() => document.activeElement?.getAttribute('aria-labelledby') ?? null));
      }
      expect(reached).toEqual(['subscriptions', 'prepaid-credits', 'recent-invoices']);
    }));
});
