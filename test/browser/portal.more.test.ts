import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { findings } from './axe.ts';
import { missing } from './browser.ts';
import { screenshots } from './chat-host.ts';
import { brokenFigures, sharedPortal, spread } from './portal.ts';

const portal = sharedPortal();

/** Every customer of the demo account: with debts, in French, in yen, in dinars, without anything, an ended one. */
const customers = ['acme-podcasts', 'boulangerie-martin', 'sakura-games', 'gulf-radio', 'gulf-radio-kids', 'nora-lund'];
const widths = [320, 375, 768, 1280];

/** Where axe looks: in the width of most phones at every state; in the others at the one with most to show. */
const isJudged = (customer: string, width: number) =>
  customer === 'acme-podcasts' || (width === 375 && ['boulangerie-martin', 'nora-lund'].includes(customer));

describe.skipIf(missing).each(customers)('the portal of %s', customer => {
  it('fits windows of 320, 375, 768 and 1280 px in light and dark, and axe finds nothing wrong', () =>
    portal.openEach({ customer }, async (page, name) => {
      expect(await page.locator('h1').count()).toBe(1);
      for (const theme of ['light', 'dark'] as const)
        for (const width of widths) {
          const at = `${name} at ${width} px, ${theme}`;
          await draw(page, theme, width);
          expect([at, await spread(page)]).toEqual([at, { width, cut: [] }]);
          expect([at, await brokenFigures(page)]).toMatchObject([at, { broken: [], loose: [] }]);
          if (!isJudged(customer, width)) continue;
          expect([at, ...(await findings(page.mainFrame()))]).toEqual([at]);
          const path = `${screenshots}portal-${customer}-${name}-${width}-${theme}.png`;
          await page.screenshot({ path, fullPage: true });
        }
    }));
});

async function draw(page: Page, theme: 'light' | 'dark', width: number): Promise<void> {
  await page.emulateMedia({ colorScheme: theme });
  await page.setViewportSize({ width, height: 800 });
  await page.waitForFunction(
    ([dark, wide]) => matchMedia('(prefers-color-scheme: dark)').matches === dark && window.innerWidth === wide,
    [theme === 'dark', width] as const,
  );
}
