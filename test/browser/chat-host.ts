/** A real headless Chromium with a chat host in it, for looking at the pages as a person would. */
import { fileURLToPath } from 'node:url';
import type { Browser, Frame, Page } from 'playwright-core';
import { build } from 'rolldown';
import { limitMs } from '../support/until.ts';

/** How the host shows the page; light, English, opened, and free to print where nothing else is said. */
export interface Look {
  theme?: 'light' | 'dark';
  /** Null in a host that names none. */
  locale?: string | null;
  modals?: boolean;
  /** Leaves the page at its first look. */
  brief?: true;
}

export interface ChatHost {
  /** Shows a page with a tool result and gives its frame. Console errors and requests the page makes land in `complaints`. */
  show(html: string, result: Record<string, unknown>, like?: Look): Promise<Frame>;
  /** Shows a page in the default look. If it is open already, it stays open and gets the result. */
  turnTo(html: string, result: Record<string, unknown>): Promise<Frame>;
  /** Gives the page that is shown another result, which is all that it shows then. */
  give(result: Record<string, unknown>): Promise<void>;
  /** Tells the page that is shown of another theme or language. */
  change(context: { theme?: 'light' | 'dark'; locale?: string }): Promise<void>;
  /** Makes the window as wide as this. */
  resize(width: number): Promise<void>;
  appName(): Promise<string | undefined>;
  page: Page;
  complaints: string[];
  close(): Promise<void>;
}

export async function openChatHost(
  browser: Browser,
  width = 900,
  options: { bypassCSP?: boolean; deviceScaleFactor?: number } = {},
): Promise<ChatHost> {
  const page = await browser.newPage({ viewport: { width, height: 800 }, ...options });
  page.setDefaultTimeout(limitMs);
  const complaints: string[] = [];
  page.on('console', message => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', error => complaints.push(String(error)));
  page.on('request', request => /^(https?|wss?):/.test(request.url()) && complaints.push(`requested ${request.url()}`));
  await page.setContent(
    '<!doctype html><title>chat</title><style>iframe{border:0;width:100%;height:400px}body{margin:0}</style><body></body>',
  );
  await page.addScriptTag({ content: await hostScript() });
  const shown = () => {
    const frame = page.frames().find(candidate => candidate !== page.mainFrame());
    if (!frame) throw new Error('the page did not open');
    return frame;
  };
  let plain: string | undefined;
  const expand = (frame: Frame) =>
    frame.evaluate(() => document.querySelector<HTMLElement>('.whole[aria-expanded=false]')?.click());
  const host: ChatHost = {
    page,
    complaints,
    async turnTo(html, result) {
      if (plain === html) {
        await host.change({ theme: 'light', locale: 'en' });
        await host.give(result);
        await expand(shown());
      } else await host.show(html, result);
      plain = html;
      return shown();
    },
    async show(html, result, like = {}) {
      plain = undefined;
      await page.evaluate(given => window.showPage(given), { html, result, ...like } as Parameters<
        Window['showPage']
      >[0]);
      const frame = shown();
      await frame.waitForSelector('#view[aria-busy=false]');
      if (!like.brief) await expand(frame);
      return frame;
    },
    async give(result) {
      const frame = shown();
      await frame.evaluate(() => {
        const view = document.getElementById('view');
        view?.replaceChildren();
        view?.setAttribute('aria-busy', 'true');
      });
      await page.evaluate(given => window.giveResult(given), result);
      await frame.waitForSelector('#view[aria-busy=false]');
    },
    async change(context) {
      await page.evaluate(given => window.changeContext(given), context);
      await shown().waitForFunction(({ theme, locale }) => {
        const { dataset, lang } = document.documentElement;
        return (theme ?? dataset.theme) === dataset.theme && (locale ?? lang) === lang;
      }, context);
    },
    async resize(wide) {
      await page.setViewportSize({ width: wide, height: 800 });
      await shown().waitForFunction(expected => window.innerWidth === expected, wide);
      // A page that measures itself has done so by the next frame.
      await shown().evaluate(() => new Promise(requestAnimationFrame));
    },
    appName: () => page.evaluate(() => window.appName),
    close: () => page.close(),
  };
  return host;
}

let bundled: Promise<string> | undefined;
function hostScript(): Promise<string> {
  bundled ??= build({
    input: fileURLToPath(new URL('./host-page.ts', import.meta.url)),
    platform: 'browser',
    write: false,
    output: { format: 'iife', codeSplitting: false },
  }).then(({ output: [{ code }] }) => code);
  return bundled;
}
