/** The page behind a link over stdio, in a browser: a host without any capability gets its write approved by a click. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonRecord } from '../../src/lib/json.ts';
import { connectClient, type TestClient } from '../support/clients.ts';
import { findings } from './axe.ts';
import { missing, openContext, sharedBrowser, visit, widthOf } from './browser.ts';

let browser: Browser;
let client: TestClient;

beforeAll(async () => {
  const env = { PATH: process.env.PATH ?? '', BILLING_DEMO: 'true', container: '' };
  [browser, client] = await Promise.all([sharedBrowser(), connectClient({ env }, '2025-11-25', false)]);
});
afterAll(async () => {
  await Promise.all([browser?.close(), client?.close()]);
});

interface Needed {
  link: string;
  confirmation: string;
}

const args = (amount: number) => ({ code: 'onboarding', amount_cents: amount });
const asked = async (amount: number) =>
  (await client.call('update_add_on', args(amount))).content.confirmation_required as unknown as Needed;

/** Opens the page of the link in this language; nothing may fail on it. */
async function open(link: string, locale: string, colorScheme: 'light' | 'dark', look: (page: Page) => Promise<void>) {
  const options = { locale, colorScheme, viewport: { width: 320, height: 800 } };
  expect(await visit(browser, link, options, look)).toEqual([]);
}

describe.skipIf(missing)('the page behind a link, in a browser', () => {
  // French in the light is looked at below.
  it.each([
    ['en', 'dark'],
    ['de', 'light'],
  ] as const)('fits 320 pixels and passes axe: %s, %s', async (locale, colorScheme) => {
    const { link } = await asked(76_000);
    await open(link, locale, colorScheme, async page => {
      expect(await page.locator('html').getAttribute('lang')).toBe(locale);
      expect([await widthOf(page), await findings(page.mainFrame())]).toEqual([320, []]);
      expect(await page.getByRole('button').count()).toBe(2);
    });
  });

  it('carries the write out after a click, and looks by itself what came of it', async () => {
    const { link, confirmation } = await asked(77_000);
    const waiting = client.call('update_add_on', { ...args(77_000), confirmation });
    await open(link, 'fr', 'light', async page => {
      expect(await page.locator('html').getAttribute('lang')).toBe('fr');
      expect([await widthOf(page), await findings(page.mainFrame())]).toEqual([320, []]);
      await page.locator('button[value=approve]').click();
      expect((await waiting).content.receipt).toMatchObject({ confirmed_by: 'link', applied: ['amount_cents'] });
      await page.locator('head:not(:has([http-equiv=refresh])) + body .told.good').waitFor();
      expect([await widthOf(page), await findings(page.mainFrame())]).toEqual([320, []]);
      expect(await page.getByRole('button').count()).toBe(0);
    });
  });

  it('is shown in no frame, takes no form of another site, and no prefetch decides', async () => {
    const { link, confirmation } = await asked(79_000);
    const context = await openContext(browser, {});
    const evil = await context.newPage();
    await evil.route('http://evil.example/', route =>
      route.fulfill({
        contentType: 'text/html',
        body: `<link rel="prefetch" href="${link}"><iframe src="${link}"></iframe><form method="post" action="${link}"><button name="decision" value="approve">Win</button></form>`,
      }),
    );
    await evil.goto('http://evil.example/');
    const framed = evil.frames()[1]?.locator('button');
    expect(await framed?.count().catch(() => 0)).toBe(0);
    await evil.getByRole('button', { name: 'Win' }).click();
    await evil.getByText('This request did not come from this page.').waitFor();
    const page = await context.newPage();
    await page.goto(link);
    await page.getByRole('button', { name: 'Decline' }).click();
    await page.getByText('Declined. Nothing was changed.').waitFor();
    await context.close();
    const { content } = await client.call('update_add_on', { ...args(79_000), confirmation });
    expect((content.error as JsonRecord).code).toBe('declined');
  });
});
