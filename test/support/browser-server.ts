import sparticuz from '@sparticuz/chromium';
import { type BrowserServer, chromium } from 'playwright-core';

/** The npm package's browser, only with `--no-sandbox`, because the package's default arguments switch web security off. */
export async function startBrowser(): Promise<BrowserServer> {
  const executablePath = await sparticuz.executablePath();
  return chromium.launchServer({ executablePath, args: ['--no-sandbox'], headless: true });
}
