import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demoIds } from '../../src/contract/demo-ids.ts';
import { signInPage } from '../../src/server/http/approve/page.ts';
import { confirmedBy, connectOpening, errorCode } from '../server/http/support/approve.ts';
import { sharedServer } from '../server/http/support/serve.ts';
import { findings } from './axe.ts';
import { missing, openContext, sharedBrowser, visit, widthOf } from './browser.ts';

const token = 'token-of-anna-0000001';
const server = sharedServer([], { BILLING_HTTP_AUTH: 'token', BILLING_HTTP_TOKENS: `anna:${token}` });
let browser: Browser;
beforeAll(async () => {
  browser = await sharedBrowser();
});
afterAll(() => browser?.close());

/** Asks for a write whose question has a warning, and lets the person look at the page in Chromium. */
async function asked(
  code: string,
  look: (page: Page) => Promise<void>,
  colorScheme: 'light' | 'dark' = 'light',
  width = 900,
) {
  let complaints: string[] = [];
  const person = async ({ url }: { url?: string }) => {
    complaints = await visit(browser, url!, { colorScheme, viewport: { width, height: 800 } }, look);
    return 'accept' as const;
  };
  const client = await connectOpening(server.url, 'modern', person, { headers: { authorization: `Bearer ${token}` } });
  return { result: await client.call('delete_add_on', { code }), complaints };
}

describe.skipIf(missing)('the page for approving a write, in a browser', () => {
  it('takes sign-in and approval without a script, by keyboard', async () => {
    const { result, complaints } = await asked('priority_support', async page => {
      expect(await findings(page.mainFrame())).toEqual([]);
      await page.getByLabel('Bearer token').fill(token);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Approve this change?' }).waitFor();
      expect(await page.locator('.warning').allTextContents()).toEqual([
        expect.stringContaining('The plan “Studio” charges it'),
      ]);
      expect(await findings(page.mainFrame())).toEqual([]);
      await page.keyboard.press('Tab');
      expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Approve');
      await page.keyboard.press('Enter');
      await page.getByRole('status').waitFor();
      expect(await page.getByRole('status').textContent()).toMatch(/^Approved\. .* until \d\d:\d\d UTC\.$/);
      expect(await page.getByRole('button').count()).toBe(0);
      await page.getByRole('link', { name: 'Stop updating' }).click();
      await page.getByRole('link', { name: 'Update now' }).waitFor();
      expect(await findings(page.mainFrame())).toEqual([]);
    });
    expect(confirmedBy(result)).toBe('link');
    expect(complaints).toEqual([]);
  });

  it('says of a wrong token what to do, in the language of the browser, on a phone in the dark, and takes a refusal', async () => {
    const { result } = await asked(
      'onboarding',
      async page => {
        await page.setExtraHTTPHeaders({ 'accept-language': 'sv, de-AT;q=0.8, en;q=0.5' });
        await page.reload();
        await page.getByLabel('Bearer-Token').fill('a-token-of-nobody-0001');
        await page.getByRole('button', { name: 'Anmelden' }).click();
        const advice = 'Nehmen Sie das Bearer-Token aus den Einstellungen';
        expect(await page.getByRole('alert').textContent()).toContain(advice);
        expect(await page.locator('html').getAttribute('lang')).toBe('de');
        expect(await findings(page.mainFrame())).toEqual([]);
        await page.getByLabel('Bearer-Token').fill(token);
        await page.keyboard.press('Enter');
        await page.getByRole('heading', { name: 'Dieser Änderung zustimmen?' }).waitFor();
        expect(await page.locator('.question').getAttribute('lang')).toBe('en');
        expect(await findings(page.mainFrame())).toEqual([]);
        expect(await widthOf(page)).toBeLessThanOrEqual(360);
        await page.getByRole('button', { name: 'Ablehnen' }).click();
        await page.getByText('Abgelehnt. Nichts wurde geändert.').waitFor();
        expect(await findings(page.mainFrame())).toEqual([]);
      },
      'dark',
      360,
    );
    expect(result.isError).toBe(true);
  });

  it('has one button to the issuer, where people sign in there', async () => {
    const context = await openContext(browser, { viewport: { width: 360, height: 800 } });
    const page = await context.newPage();
    const owner = { address: 'https://example.com/billing/mcp', billingApi: 'billing.example.com' };
    await page.setContent(signInPage('fr', owner, { issuer: 'login.example.com' }));
    expect(await page.getByRole('link').allTextContents()).toEqual(['S’identifier']);
    expect(await widthOf(page)).toBeLessThanOrEqual(360);
    expect(await findings(page.mainFrame())).toEqual([]);
    await context.close();
  });

  it('is shown in no frame, and takes no form of another site', async () => {
    await asked('onboarding', async page => {
      const url = page.url();
      await page.getByLabel('Bearer token').fill(token);
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Approve' }).waitFor();
      const evil = await page.context().newPage();
      const form = `<form method="post" action="${url}"><button name="decision" value="approve">Win</button></form>`;
      const body = `<link rel="prefetch" href="${url}"><iframe src="${url}"></iframe>${form}`;
      await evil.route('http://evil.example/', route => route.fulfill({ contentType: 'text/html', body }));
      await evil.goto('http://evil.example/');
      const framed = evil.frames()[1]?.getByRole('button');
      expect(await framed?.count().catch(() => 0)).toBe(0);
      await evil.getByRole('button', { name: 'Win' }).click();
      await evil.getByText('This request did not come from this page.').waitFor();
      await page.reload();
      await page.getByRole('button', { name: 'Decline' }).click();
      await page.getByText('Declined.').waitFor();
    });
  });
});

describe.skipIf(missing)('the root of the server, in a browser', () => {
  it.each([
    ['en', 'light'],
    ['de', 'dark'],
    ['fr', 'light'],
  ] as const)(
    'fits, loads nothing that is refused, and axe finds nothing wrong: %s, %s',
    async (locale, colorScheme) => {
      const complaints = await visit(browser, new URL('/', server.url).href, { locale, colorScheme }, async page => {
        expect(await page.textContent('main')).toContain(server.url);
        for (const width of [320, 375, 768, 1280]) {
          await page.setViewportSize({ width, height: 800 });
          expect(await widthOf(page)).toBe(width);
        }
        expect(await findings(page.mainFrame())).toEqual([]);
        await page.getByRole('link', { name: '/healthz' }).click();
        await page.waitForURL(/healthz$/);
        expect(await page.textContent('body')).toContain('ok');
      });
      expect(complaints).toEqual([]);
    },
  );
});

describe.skipIf(missing)('the page for a value and a text, in a browser', () => {
  const strict = sharedServer([], { BILLING_CONFIRM: 'state=typed' });

  it.each([
    ['en', 'To approve, type', 'The text does not match.', 'Approve', 'Decline'],
    ['de', 'Zum Zustimmen eingeben', 'Der Text stimmt nicht überein.', 'Zustimmen', 'Ablehnen'],
    ['fr', 'Pour approuver, saisissez', 'Le texte ne correspond pas.', 'Approuver', 'Refuser'],
  ])(
    'labels its fields, says what is wrong, and fits 320 px (%s)',
    async (locale, label, problem, approve, decline) => {
      const client = await connectOpening(strict.url, 'modern', async ({ url }) => {
        await visit(browser, url!, { locale, viewport: { width: 320, height: 800 } }, async page => {
          // The problem is shown next to all that the page has without it.
          expect(await page.locator('#value_1').inputValue()).toBe('2030-01-01T00:00:00Z');
          await page.getByLabel(label).fill('another text');
          await page.getByRole('button', { name: approve, exact: true }).click();
          expect(await page.getByRole('alert').textContent()).toContain(problem);
          expect(await page.getByLabel(label).getAttribute('aria-describedby')).toBe('problem');
          expect(await findings(page.mainFrame())).toEqual([]);
          expect(await widthOf(page)).toBeLessThanOrEqual(320);
          await page.getByRole('button', { name: decline, exact: true }).click();
          await page.getByRole('status').waitFor();
        });
        return 'accept';
      });
      const args = { svc_id: demoIds.wallet_svc_id, expiration_at: '2030-01-01T00:00:00Z' };
      expect(errorCode(await client.call('update_wallet', args))).toBe('declined');
    },
  );
});
