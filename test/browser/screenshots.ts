/**
 * `npm run screenshots` draws docs/icon.png, and docs/pages/*.png and docs/invoice.png from recorded answers, in the font that comes with the
 * browser's package, so that they look the same on every machine. They are for readers; nothing compares them.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync } from 'node:zlib';
import { chromium, type Frame } from 'playwright-core';
import { iconSvg } from '../../src/server/protocol/identity.ts';
import { readView, views } from '../../src/words/views/views.ts';
import { startBrowser } from '../support/browser-server.ts';
import { openChatHost } from './chat-host.ts';
import { record, states } from './recorded.ts';

const docs = fileURLToPath(new URL('../../docs/', import.meta.url));
// Twice as many pixels: directories ask for 1,000 at least.
const width = 560;
/** States that are shown, and their files below docs/. */
const shown: Readonly<Record<string, string>> = {
  invoice: 'invoice.png',
  'invoice-failed': 'pages/failed.png',
  'plans-break-even': 'pages/plans.png',
  wallet: 'pages/wallet.png',
  alerts: 'pages/alerts.png',
  usage: 'pages/usage.png',
  overview: 'pages/overview.png',
  owed: 'pages/owed.png',
  'list-invoices': 'pages/list.png',
  statement: 'pages/statement.png',
  'wallet-asked': 'pages/question.png',
  change: 'pages/change.png',
};

/** The packaged font as a style; the page's own policy lets no font in, so the browser is told to pass it over. */
function fontStyle(): string {
  const bin = fileURLToPath(new URL('../../node_modules/@sparticuz/chromium/bin', import.meta.url));
  const folder = mkdtempSync(join(tmpdir(), 'font-'));
  writeFileSync(join(folder, 'fonts.tar'), brotliDecompressSync(readFileSync(join(bin, 'fonts.tar.br'))));
  execFileSync('tar', ['-xf', 'fonts.tar'], { cwd: folder });
  const face = (file: string, weight: number) => {
    const data = readFileSync(join(folder, 'fonts/Open_Sans', file)).toString('base64');
    return `@font-face{font-family:"Open Sans";font-weight:${weight};src:url(data:font/ttf;base64,${data})}`;
  };
  const style = `${face('OpenSans-Regular.ttf', 400)}${face('OpenSans-Bold.ttf', 700)}:root{font-family:"Open Sans"!important}`;
  rmSync(folder, { recursive: true });
  return style;
}

async function heightOf(frame: Frame): Promise<number> {
  await frame.addStyleTag({ content: fonts });
  await frame.evaluate(() => document.fonts.ready.then(() => new Promise(requestAnimationFrame)));
  return await frame.evaluate(() => Math.ceil(document.documentElement.getBoundingClientRect().height));
}

const fonts = fontStyle();
const [server, answers] = await Promise.all([startBrowser(), record()]);
const browser = await chromium.connect(server.wsEndpoint());
mkdirSync(join(docs, 'pages'), { recursive: true });
const host = await openChatHost(browser, width, { bypassCSP: true, deviceScaleFactor: 2 });
for (const { name, tool } of states) {
  const [file, answer] = [shown[name], answers.get(name)];
  if (file === undefined || answer === undefined) continue;
  const html = readView(views.find(({ tools }) => tools.includes(tool))?.uri ?? '') ?? '';
  const height = await heightOf(await host.show(html, answer));
  await host.page.setViewportSize({ width, height });
  await host.page.screenshot({ path: join(docs, file) });
}
// Directories ask for a PNG of the icon.
const page = await browser.newPage({ viewport: { width: 512, height: 512 } });
await page.setContent(
  `<style>body{margin:0}svg{display:block}</style>${iconSvg.replace('<svg ', '<svg width="512" height="512" ')}`,
);
await page.screenshot({ path: join(docs, 'icon.png'), omitBackground: true });
await server.close();
