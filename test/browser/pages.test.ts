/** Every page in every state, with answers of the real server, in a real browser inside a chat host. */
import type { Browser, Frame } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { readView, views } from '../../src/views/index.ts';
import { findings } from './axe.ts';
import { type ChatHost, type Look, launchBrowser, openChatHost } from './chat-host.ts';
import { collisions, hiddenBars, sideways, tabStops, textOf } from './looks.ts';
import { poison, type Recorder, type Result, record, startRecorder, states } from './recorded.ts';

let browser: Browser;
let host: ChatHost;
let answers: Map<string, Result>;

beforeAll(async () => {
  [browser, answers] = await Promise.all([launchBrowser(), record()]);
  host = await openChatHost(browser);
});
afterAll(() => browser?.close());
afterEach(() => expect(host.complaints.splice(0)).toEqual([]));

const pageOf = (tool: string) => readView(views.find(({ tools }) => tools.includes(tool))?.uri ?? '') ?? '';
const toolOf = (name: string) => states.find(state => state.name === name)!.tool;
/** A recorded answer as a fresh value, for tests that show it altered. */
const answerOf = (name: string): Result => structuredClone(answers.get(name)!);
// biome-ignore lint/suspicious/noExplicitAny: records of all kinds are altered here
const pageDataOf = ({ _meta }: Result): any => _meta?.['usage-billing/page'];

async function show(name: string, { width = 900, ...look }: Look & { width?: number } = {}, result = answerOf(name)) {
  await host.page.setViewportSize({ width, height: 800 });
  return await host.show(pageOf(toolOf(name)), result, look);
}

async function expectWellDrawn(frame: Frame): Promise<void> {
  expect(await sideways(frame)).toBeLessThanOrEqual(0);
  expect(await collisions(frame)).toEqual([]);
}

/** A chat that has shown hundreds of pages is slow: each state gets a new one. */
async function anew(): Promise<void> {
  await host.close();
  host = await openChatHost(browser);
}

describe.each(states)('$name', ({ name, good }) => {
  afterAll(anew);

  it('passes axe at 375 px in both themes, with one heading and no raw value', async () => {
    for (const theme of ['light', 'dark'] as const) {
      const frame = await show(name, { theme, width: 375 });
      expect(await findings(frame)).toEqual([]);
      expect(await frame.locator('h1').count()).toBe(1);
      expect(await textOf(frame)).not.toMatch(/undefined|null|NaN|\[object|\{"/);
    }
  });

  it('says the same from run to run', async () => {
    // The time until which a person can decide is that of the clock.
    expect((await textOf(await show(name))).replace(/until \d+:\d\d [AP]M/, 'until TIME')).toMatchSnapshot();
  });

  it(`is drawn well at ${good ? '320, 736 and 1280' : '320'} px`, async () => {
    for (const width of good ? [320, 736, 1280] : [320]) {
      const frame = await show(name, { width });
      await expectWellDrawn(frame);
      if (good) expect(await findings(frame)).toEqual([]);
    }
  });

  it('has no Tab stop but what can be pressed or opened, and tells one short status', async () => {
    const frame = await show(name);
    expect((await tabStops(frame)).filter(tag => tag !== 'BUTTON' && tag !== 'SUMMARY')).toEqual([]);
    expect(await frame.locator('#view[aria-live], #view [aria-live]').count()).toBe(0);
    expect(await frame.textContent('#said')).toMatch(/^.{5,120}$/);
  });

  it('is drawn right to left for a reader of Arabic', async () => {
    const frame = await show(name, { locale: 'ar', width: 375 });
    const root = await frame.evaluate(() => [document.documentElement.lang, document.documentElement.dir]);
    expect([...root, await frame.getAttribute('#view', 'lang')]).toEqual(['ar', 'rtl', 'en']);
    await expectWellDrawn(frame);
  });

  it('is the same where a host passes on the text of an answer alone', async () => {
    const { structuredContent: _, ...told } = answerOf(name);
    const whole = await textOf(await show(name));
    expect(await textOf(await show(name, {}, told as Result))).toBe(whole);
  });

  it('shows markup in a record as text and runs nothing', async () => {
    const frame = await show(name, {}, poison(answerOf(name)) as Result);
    expect(await frame.evaluate(() => 'pwned' in window)).toBe(false);
    expect(await frame.locator('#view img, #view script, #view a').count()).toBe(0);
  });
});

describe.each(states.filter(({ good }) => good))('$name, altered', ({ name }) => {
  afterAll(anew);

  it('is drawn without what only pages get, for hosts that do not declare them', async () => {
    const { _meta, ...told } = answerOf(name);
    const frame = await show(name, {}, told as Result);
    expect(await textOf(frame)).not.toMatch(/undefined|null|NaN|\[object/);
    await expectWellDrawn(frame);
  });

  it('is drawn without any one field of its record', async () => {
    const whole = answerOf(name);
    for (const [key, value] of Object.entries(pageDataOf(whole) ?? whole.structuredContent)) {
      const [record] = [value].flat();
      if (typeof record !== 'object') continue;
      for (const field of Object.keys(record ?? {})) {
        const without = answerOf(name);
        for (const each of [(pageDataOf(without) ?? without.structuredContent)[key]].flat()) delete each[field];
        expect(await textOf(await show(name, {}, without)), `${key}.${field}`).not.toMatch(/undefined|NaN|\[object/);
      }
    }
  });

  it('has bars that are seen in forced colours', async () => {
    await host.page.emulateMedia({ forcedColors: 'active' });
    expect(await hiddenBars(await show(name))).toEqual([]);
    await host.page.emulateMedia({ forcedColors: 'none' });
  });
});

describe('the pages of every customer of the demo', () => {
  let recorder: Recorder;
  beforeAll(async () => {
    recorder = await startRecorder();
  });
  afterAll(() => recorder?.close());

  it.each(['get_customer_overview', 'list_wallets', 'get_usage'])('%s', async tool => {
    const found = (await recorder.call('find_customers', {})).structuredContent.customers as { external_id: string }[];
    expect(found.length).toBeGreaterThan(4);
    await host.page.setViewportSize({ width: 320, height: 800 });
    for (const { external_id: external_customer_id } of found) {
      const frame = await host.show(pageOf(tool), await recorder.call(tool, { external_customer_id }));
      expect(await textOf(frame), external_customer_id).not.toMatch(/undefined|null|NaN|\[object|\{"/);
      await expectWellDrawn(frame);
    }
  });
});

describe('the invoice page', () => {
  it('shows sixty lines as ten, and the others on demand', async () => {
    const many = answerOf('invoice');
    const { invoice } = pageDataOf(many);
    const [first] = invoice.fees;
    invoice.fees = Array.from({ length: 60 }, (_, index) => ({
      ...structuredClone(first),
      amount_cents: 10_000 - index * 100,
      item: { ...first.item, type: 'charge', code: `c${index}`, invoice_display_name: `Charge number ${index + 1}` },
    }));
    for (const width of [320, 736]) {
      const frame = await show('invoice', { width }, many);
      await expectWellDrawn(frame);
      expect(await textOf(frame)).toMatch(/Charge number 10\b(?!.*Charge number 11).*50 more lines/s);
      await frame.getByText('50 more lines').first().click();
      expect(await textOf(frame)).toContain('Charge number 60');
      await expectWellDrawn(frame);
      expect(await findings(frame)).toEqual([]);
    }
  });

  it('opens a line to its steps, with sensible digits', async () => {
    const frame = await show('invoice', { width: 320 });
    for (const name of ['Transcription', 'Creator payouts', 'API calls']) await frame.getByText(name).first().click();
    expect(await frame.locator('.inside').allInnerTexts()).toEqual([
      [
        'Accurate model · 344.5 × $0.06 = $20.67',
        '1,000 × $0.03 = $30.00 · 426.8 × $0.02 + $5.00 = $13.54 · $43.54',
      ].join('\n'),
      ['1,232.5 × 1.5 % = $18.49', '13 events × $0.25 = $3.25', '235.5 free', '3 events without their fee'].join('\n'),
      ['500 free', 'raised by $10.00 to the minimum'].join('\n'),
    ]);
  });

  it('prints in light colours whatever the theme, all lines open, and the total once', async () => {
    const frame = await show('invoice', { theme: 'dark' });
    await host.page.emulateMedia({ media: 'print' });
    await frame.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
    const look = await frame.evaluate(() => ({
      paper: getComputedStyle(document.body).backgroundColor,
      ink: getComputedStyle(document.body).color,
      folded: document.querySelectorAll('details:not([open])').length,
    }));
    expect(look).toEqual({ paper: 'rgb(255, 255, 255)', ink: 'rgb(29, 33, 41)', folded: 0 });
    expect((await textOf(frame)).match(/\$107\.14/g)).toHaveLength(1);
    expect(await frame.getByRole('button').count()).toBe(0);
    await frame.evaluate(() => window.dispatchEvent(new Event('afterprint')));
    expect(await frame.locator('details[open]').count()).toBe(0);
    await host.page.emulateMedia({ media: 'screen' });
  });

  it('says so where a sandbox does not let it print', async () => {
    const frame = await show('invoice', { modals: false });
    await frame.getByRole('button', { name: 'Print' }).click();
    await expect.poll(() => textOf(frame)).toContain('This chat does not let pages print');
    // The browser's own note on the refusal.
    expect(host.complaints.splice(0)).toEqual([expect.stringContaining('allow-modals')]);
  });

  it('gives amounts and dates in the form of the reader’s language', async () => {
    const text = await textOf(await show('invoice', { locale: 'de-DE' }));
    expect(text.replaceAll(/[\u00a0\u202f]/g, ' ')).toMatch(/107,14 \$.*31\. Dez\. 2026/s);
  });
});

describe('the plans page', () => {
  it('is readable with ten plans from 320 to 1600 px', async () => {
    const ten = answerOf('plans-usage');
    const data = pageDataOf(ten);
    const [first] = data.comparison;
    data.comparison = Array.from({ length: 10 }, (_, index) => ({
      ...structuredClone(first),
      plan_code: `plan_${index}`,
      name: `Plan for teams number ${index}`,
    }));
    for (const width of [320, 736, 1280, 1600]) {
      const frame = await show('plans-usage', { width }, ten);
      await expectWellDrawn(frame);
      expect(await findings(frame)).toEqual([]);
      expect(await frame.locator('.card').count()).toBe(10);
    }
  });

  it('scales the bars of each currency by its dearest plan', async () => {
    const frame = await show('plans-usage');
    const filled = await frame
      .locator('.card .bar')
      .evaluateAll(bars =>
        bars.map(bar =>
          Math.round(
            [...bar.children].reduce((sum, part) => sum + Number.parseFloat((part as HTMLElement).style.width), 0),
          ),
        ),
      );
    // Studio and Enterprise in dollars, Starter in euros.
    expect(filled).toEqual([71, 100, 100]);
  });
});

describe('the lines of cost by usage', () => {
  it('mark the usage assumed and the one from which another plan costs less, which is said too', async () => {
    const frame = await show('plans-break-even');
    const at = (kind: string) =>
      frame.locator(`line.${kind}`).evaluateAll(lines => lines.map(line => line.getAttribute('x1')));
    // 70,000 and 100,501 of 0 to 140,000, on 640 units of the drawing.
    expect([await at('here'), await at('even')]).toEqual([['320.0'], ['459.4']]);
    expect(await textOf(frame)).toContain('Enterprise costs less from 100,501 api_calls on');
    expect(await frame.locator('polyline.curve').count()).toBe(4);
  });

  it('are not drawn of plans in different currencies', async () => {
    const frame = await show('plans-usage');
    expect(await frame.locator('.keys li').allInnerTexts()).toEqual([
      expect.stringMatching(/^Studio \$/),
      expect.stringMatching(/^Enterprise \$/),
    ]);
  });
});

describe('a question on a page', () => {
  it('offers Approve and Decline in this order, and nothing else to press', async () => {
    const frame = await show('wallet-asked');
    expect(await frame.getByRole('button').allTextContents()).toEqual(['Approve', 'Decline']);
  });
});

it('axe finds what is wrong: a heading in the colour of its ground and a button without a name', async () => {
  const frame = await show('invoice');
  await frame.evaluate(() => {
    document.querySelector('h1')!.style.color = '#eeeeee';
    document.querySelector('button')!.textContent = '';
  });
  expect((await findings(frame)).map(found => found.split(':')[0])).toEqual(
    expect.arrayContaining(['button-name', 'color-contrast']),
  );
});

/** Bytes that a host loads for one page, with the script and style that all share. */
const largestPage = 40 * 1024;

it.each(views)('$title: the page is small and loads nothing from outside', ({ uri }) => {
  const html = readView(uri)!;
  const bytes = Buffer.byteLength(html);
  process.stdout.write(`${uri} ${(bytes / 1024).toFixed(1)} KB\n`);
  expect(bytes).toBeLessThanOrEqual(largestPage);
  expect(html).not.toMatch(/(src|href)=|@import|url\(/);
});
