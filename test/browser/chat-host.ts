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
  /** Gives it a result without each of these fields of its record, and says what it showed then. */
  giveWithout(
    result: Record<string, unknown>,
    fields: readonly (readonly [part: string, field: string])[],
  ): Promise<string[]>;
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
  let wide = width;
  // Plain functions: the script of Playwright's selectors, which each new page would get, is most of what one costs.
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
      if (!like.brief) await expand(frame);
      return frame;
    },
    async give(result) {
      await shown().evaluate(() => {
        const view = document.getElementById('view');
        view?.replaceChildren();
        view?.setAttribute('aria-busy', 'true');
      });
      await page.evaluate(given => window.giveResult(given), result);
    },
    async giveWithout(result, fields) {
      // One look for all of them, which needs messages that come to the page as its host's do.
      return await shown().evaluate(
        async ({ whole, names }) => {
          const view = document.getElementById('view')!;
          const texts: string[] = [];
          for (const [part, field] of names) {
            const without = JSON.parse(whole);
            const record = without._meta?.['usage-billing/page'] ?? without.structuredContent;
            for (const each of [record[part]].flat()) delete each[field];
            view.replaceChildren();
            const data = {
              jsonrpc: '2.0',
              method: 'ui/notifications/tool-result',
              params: { content: [], ...without },
            };
            window.dispatchEvent(new MessageEvent('message', { data, source: window.parent }));
            await Promise.resolve();
            texts.push(view.innerText);
          }
          return texts;
        },
        { whole: JSON.stringify(result), names: fields },
      );
    },
    async change(context) {
      await page.evaluate(given => window.changeContext(given), context);
    },
    async resize(to) {
      if (to === wide) return;
      wide = to;
      await page.setViewportSize({ width: wide, height: 800 });
      await page
        .frames()
        .at(-1)!
        .evaluate(async expected => {
          const frame = () => new Promise(requestAnimationFrame);
          while (window.innerWidth !== expected) await frame();
          // A page that measures itself has done so by the next frame.
          await frame();
        }, wide);
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
