/** The run's Chromium, for test files. */
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { ask } from '../support/services.ts';
import { limitMs } from '../support/until.ts';

/** Whether Chromium cannot start here: libraries of the system are missing. Tests are skipped then, loudly; in CI they fail. */
export const missing: boolean = await ask('/browser', 'HEAD').then(
  () => false,
  error => {
    if (process.env.CI) throw error;
    console.error(
      `\n!!! TESTS IN A BROWSER ARE SKIPPED: Chromium cannot start here (${error.message.split('\n')[0]})\n`,
    );
    return true;
  },
);

/** A connection of its own: closing it closes what was opened over it, and lets the browser run. */
export async function sharedBrowser(): Promise<Browser> {
  return chromium.connect(await ask('/browser'), { timeout: limitMs });
}

/** What is waited for on its pages has the suite's limit. */
export async function openContext(browser: Browser, options: BrowserContextOptions): Promise<BrowserContext> {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(limitMs);
  return context;
}

/** Opens an address in a context of its own, looks at its page, and says what the browser complained about. */
export async function visit(
  browser: Browser,
  url: string,
  options: BrowserContextOptions,
  look: (page: Page) => Promise<unknown>,
): Promise<string[]> {
  const context = await openContext(browser, options);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', message => message.type() === 'error' && complaints.push(message.text()));
  page.on('requestfailed', request => complaints.push(`could not load ${request.url()}`));
  page.on('pageerror', error => complaints.push(String(error)));
  await page.goto(url);
  await look(page);
  await context.close();
  return complaints;
}

/** How wide its content is. */
export const widthOf = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth);
