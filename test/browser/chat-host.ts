/** A real headless Chromium with a chat host in it, for looking at the pages as a person would. */
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import sparticuz from '@sparticuz/chromium';
import { type Browser, chromium, type Frame, type Page } from 'playwright-core';
import { build } from 'rolldown';

export const screenshots = fileURLToPath(new URL('./out/', import.meta.url));

/** How the host shows the page; light, English, and free to print where nothing else is said. */
export interface Look {
  theme?: 'light' | 'dark';
  /** Null in a host that names none. */
  locale?: string | null;
  modals?: boolean;
}

export interface ChatHost {
  /** Shows a page with a tool result and gives its frame. Console errors and requests the page makes land in `complaints`. */
  show(html: string, result: Record<string, unknown>, like?: Look): Promise<Frame>;
  appName(): Promise<string | undefined>;
  page: Page;
  complaints: string[];
  close(): Promise<void>;
}

/** The npm package's browser, only with `--no-sandbox`, because the package's default arguments switch web security off. */
export async function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: await sparticuz.executablePath(), args: ['--no-sandbox'], headless: true });
}

export async function openChatHost(
  browser: Browser,
  width = 900,
  options: { bypassCSP?: boolean } = {},
): Promise<ChatHost> {
  mkdirSync(screenshots, { recursive: true });
  const page = await browser.newPage({ viewport: { width, height: 800 }, ...options });
  const complaints: string[] = [];
  page.on('console', message => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', error => complaints.push(String(error)));
  page.on('request', request => /^(https?|wss?):/.test(request.url()) && complaints.push(`requested ${request.url()}`));
  await page.setContent(
    '<!doctype html><title>chat</title><style>iframe{border:0;width:100%;height:400px}body{margin:0}</style><body></body>',
  );
  await page.addScriptTag({ content: await hostScript() });
  return {
    page,
    complaints,
    async show(html, result, like = {}) {
      await page.evaluate(shown => window.showPage(shown), { html, result, ...like } as Parameters<
        Window['showPage']
      >[0]);
      const frame = page.frames().find(candidate => candidate !== page.mainFrame());
      if (!frame) throw new Error('the page did not open');
      await frame.waitForSelector('#view[aria-busy=false]');
      return frame;
    },
    appName: () => page.evaluate(() => window.appName),
    close: () => page.close(),
  };
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
