/** Every page in every state, with answers of the real server, in a real browser inside a chat host. */
import type { Browser, Frame } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { JsonRecord } from '../../src/lib/json.ts';
import { readView, views } from '../../src/views/index.ts';
import { findings } from './axe.ts';
import { type ChatHost, type Look, launchBrowser, openChatHost } from './chat-host.ts';
import { poison, type Result, record, states } from './recorded.ts';

let browser: Browser;
let host: ChatHost;
let answers: Map<string, Result>;

beforeAll(async () => {
  [browser, answers] = await Promise.all([launchBrowser(), record()]);
});
afterAll(() => browser?.close());
beforeEach(async () => {
  host = await openChatHost(browser);
});
afterEach(async () => {
  expect(host.complaints).toEqual([]);
  await host.close();
});

const pageOf = (tool: string) => readView(views.find(({ tools }) => tools.includes(tool))?.uri ?? '') ?? '';
const stateOf = (name: string) => states.find(state => state.name === name)!;
/** A recorded answer as a fresh value, for tests that show it altered. */
const answerOf = (name: string): Result => structuredClone(answers.get(name)!);
const pageDataOf = ({ _meta }: Result) => _meta?.['usage-billing/page'] as JsonRecord;

async function show(name: string, { width = 900, ...look }: Look & { width?: number } = {}, result = answerOf(name)) {
  await host.page.setViewportSize({ width, height: 800 });
  return await host.show(pageOf(stateOf(name).tool), result, look);
}

const textOf = (frame: Frame) => frame.evaluate(() => document.getElementById('view')!.innerText);
const sideways = (frame: Frame) => frame.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);

/** Pairs of texts that are drawn over each other, and texts that stick out of the page. */
const collisions = (frame: Frame) =>
  frame.evaluate(() => {
    const boxes: { text: string; box: DOMRect }[] = [];
    const walker = document.createTreeWalker(document.getElementById('view')!, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const text = node.textContent?.trim() ?? '';
      if (text === '' || node.parentElement?.closest('.unseen') || !node.parentElement?.checkVisibility()) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      for (const box of range.getClientRects()) if (box.width > 1) boxes.push({ text, box });
    }
    const over = (a: DOMRect, b: DOMRect) =>
      Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2 &&
      Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 6;
    const out = boxes.filter(({ box }) => box.left < -1 || box.right > window.innerWidth + 1).map(({ text }) => text);
    const pairs = boxes.flatMap((one, index) =>
      boxes.slice(index + 1).flatMap(other => (over(one.box, other.box) ? [`${one.text} | ${other.text}`] : [])),
    );
    return [...out, ...pairs];
  });

const widths = { good: [320, 736, 1280], any: [375] };

describe.each(states)('$name', ({ name, good }) => {
  it.each(['light', 'dark'] as const)('reads well and passes axe at 375 px (%s)', async theme => {
    const frame = await show(name, { theme, width: 375 });
    expect(await findings(frame)).toEqual([]);
    expect(await frame.locator('h1').count()).toBe(1);
    expect(await textOf(frame)).not.toMatch(/undefined|null|NaN|\[object|[{}]|\b[a-z]+_[a-z]+: /);
  });

  it('says the same at every time and in every width', async () => {
    const frame = await show(name);
    expect(await textOf(frame)).toMatchSnapshot();
  });

  it.each(good ? [...widths.any, ...widths.good] : [320])(
    'is not wider than its frame of %i px, and no text is over another',
    async width => {
      const frame = await show(name, { width });
      expect(await sideways(frame)).toBeLessThanOrEqual(0);
      expect(await collisions(frame)).toEqual([]);
      if (good) expect(await findings(frame)).toEqual([]);
    },
  );

  it('has no Tab stop but what can be pressed or opened, and one short status', async () => {
    const frame = await show(name);
    const stops = await frame
      .locator('[tabindex], a[href], button, summary, input, select')
      .evaluateAll(elements =>
        elements.filter(one => (one as HTMLElement).tabIndex >= 0).map(({ tagName }) => tagName),
      );
    expect(stops.filter(tag => tag !== 'BUTTON' && tag !== 'SUMMARY')).toEqual([]);
    expect(await frame.locator('#view[aria-live], #view [aria-live]').count()).toBe(0);
    const said = (await frame.textContent('#said')) ?? '';
    expect(said).not.toBe('');
    expect(said.length).toBeLessThan(120);
  });

  it('is drawn right to left for a reader of Arabic', async () => {
    const frame = await show(name, { locale: 'ar', width: 375 });
    expect(await frame.evaluate(() => [document.documentElement.lang, document.documentElement.dir])).toEqual([
      'ar',
      'rtl',
    ]);
    expect(await frame.getAttribute('#view', 'lang')).toBe('en');
    expect(await sideways(frame)).toBeLessThanOrEqual(0);
  });

  it('draws the same where a host passes on the text of an answer alone', async () => {
    const { content, isError, _meta } = answerOf(name);
    const whole = await textOf(await show(name));
    const told = { content, ...(isError && { isError }), ...(_meta && { _meta }) } as unknown as Result;
    expect(await textOf(await show(name, {}, told))).toBe(whole);
  });

  it('shows markup in a record as text and runs nothing', async () => {
    const frame = await show(name, {}, poison(answerOf(name)) as Result);
    expect(await frame.evaluate(() => 'pwned' in window)).toBe(false);
    expect(await frame.locator('#view img, #view script, #view a').count()).toBe(0);
  });
});
