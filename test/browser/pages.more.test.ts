/** Every page in every state, with answers of the real server, in widths, themes, languages and hosts. */
import type { Frame } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findings, themeRules, widthRules } from './axe.ts';
import { missing } from './browser.ts';
import type { Demo, Result } from './demo.ts';
import { firstLook, hiddenBars, tabStops, textOf } from './looks.ts';
import { markup, poison, startRecorder, states } from './recorded.ts';
import { expectWellDrawn, pageDataOf, pageOf, sharedStage, sixtyLines, tenPlans } from './stage.ts';

const stage = sharedStage();

/** The largest record of each page in the demo. */
const largest = [
  ...['invoice', 'invoice-checked', 'plans-usage', 'wallets', 'alerts', 'usage', 'overview', 'owed', 'revenue'],
  ...['list-invoices', 'list-payments', 'list-credit-notes', 'list-transactions', 'list-subscriptions', 'list-events'],
  ...['statement', 'wallet', 'alert-created', 'change', 'change-invoice'],
];

describe.skipIf(missing).each(states)('$name', ({ name }) => {
  let frame: Frame;
  beforeAll(async () => {
    frame = await stage.turnTo(name, 375);
  });

  it('is at most 500 px high until it is opened, with five rows at most', async () => {
    const buttons = await frame.locator('.whole').all();
    for (const button of buttons) await button.press('Enter');
    for (const width of largest.includes(name) ? [400, 480, 560, 720, 375] : [375]) {
      if (largest.includes(name)) await stage.host.resize(width);
      const look = await firstLook(frame);
      expect(look.height, `${width} px`).toBeLessThanOrEqual(500);
      expect(look).toMatchObject({ isOnePart: true, expanded: look.left ? 'false' : null });
      if (look.left) expect(look.rows).toBeLessThanOrEqual(5);
      if (width >= 480) expect(look.isStacked).toBe(false);
    }
    for (const button of buttons) await button.press('Enter');
    expect(await firstLook(frame)).toMatchObject({ left: 0 });
  });

  // By all its rules, axe looks at the open page at other widths in summaries.more.test.ts.
  it('fits 375 px, has enough contrast in the dark, one heading and no raw value', async () => {
    expect(await frame.locator('h1').count()).toBe(1);
    expect(await textOf(frame)).not.toMatch(/undefined|null|NaN|\[object|\{"/);
    await expectWellDrawn(frame);
    await stage.host.change({ theme: 'dark' });
    expect(await findings(frame, themeRules)).toEqual([]);
    await stage.host.change({ theme: 'light' });
  });

  it('says the same from run to run, also where a host passes on the text of an answer alone', async () => {
    const { structuredContent: _, ...told } = stage.answer(name);
    await stage.host.resize(900);
    const whole = await textOf(frame);
    // The time until which a person can decide is that of the clock.
    expect(whole.replace(/until \d+:\d\d [AP]M/, 'until TIME')).toMatchSnapshot();
    await stage.host.give(told);
    expect(await textOf(frame)).toBe(whole);
  });

  it('has no Tab stop but what can be pressed or opened, and tells one short status', async () => {
    expect((await tabStops(frame)).filter(tag => tag !== 'BUTTON' && tag !== 'SUMMARY')).toEqual([]);
    expect(await frame.locator('#view[aria-live], #view [aria-live]').count()).toBe(0);
    expect(await frame.textContent('#said')).toMatch(/^.{5,120}$/);
  });

  it('shows markup in a record as text and runs nothing', async () => {
    await stage.host.give(poison(stage.answer(name)) as Result);
    // Two pages that have nothing to show have no text of a record.
    if (!name.endsWith('-none')) expect(await textOf(frame)).toContain(markup);
    expect(await frame.evaluate(() => 'pwned' in window)).toBe(false);
    expect(await frame.locator('#view img, #view script, #view a').count()).toBe(0);
  });

  it('is drawn right to left for a reader of Arabic', async () => {
    await stage.host.resize(375);
    await stage.host.give(stage.answer(name));
    await stage.host.change({ locale: 'ar' });
    const root = await frame.evaluate(() => [document.documentElement.lang, document.documentElement.dir]);
    expect([...root, await frame.getAttribute('#view', 'lang')]).toEqual(['ar', 'rtl', 'en']);
    await expectWellDrawn(frame);
  });
});

const good = states.filter(state => state.good);
/** A state for each tool: the others have more of the same records. */
const ofEachTool = good.filter(({ tool }, at) => good.findIndex(other => other.tool === tool) === at);

describe.skipIf(missing).each(good)('$name, altered', state => {
  const { name } = state;
  let frame: Frame;
  beforeAll(async () => {
    frame = await stage.turnTo(name, 900);
  });

  it('has bars that are seen in forced colours', async () => {
    await stage.host.page.emulateMedia({ forcedColors: 'active' });
    expect(await hiddenBars(frame)).toEqual([]);
    await stage.host.page.emulateMedia({ forcedColors: 'none' });
  });

  it('is drawn without what only pages get, for hosts that do not declare them', async () => {
    const { _meta, ...told } = stage.answer(name);
    await stage.host.give(told);
    expect(await textOf(frame)).not.toMatch(/undefined|null|NaN|\[object/);
    await expectWellDrawn(frame);
  });

  if (ofEachTool.includes(state))
    it('is drawn without any one field of its record', async () => {
      const whole = stage.answer(name);
      for (const [key, value] of Object.entries(pageDataOf(whole) ?? whole.structuredContent)) {
        const [record] = [value].flat();
        if (typeof record !== 'object') continue;
        for (const field of Object.keys(record ?? {})) {
          const without = stage.answer(name);
          for (const each of [(pageDataOf(without) ?? without.structuredContent)[key]].flat()) delete each[field];
          await stage.host.give(without);
          expect(await textOf(frame), `${key}.${field}`).not.toMatch(/^$|undefined|NaN|\[object/);
        }
      }
    });
});

describe.skipIf(missing)('the first look', () => {
  it('opens and closes by the keyboard, with the size that the host is told, in every language', async () => {
    const frame = await stage.show('invoice', { width: 560, brief: true });
    const reported = () => frame.evaluate(() => window.innerHeight);
    await expect.poll(reported).toBeLessThanOrEqual(500);
    await frame.getByRole('button', { name: 'Show all' }).press('Enter');
    await expect.poll(reported).toBeGreaterThan(700);
    expect(await frame.evaluate(() => document.activeElement?.textContent)).toBe('Show less');
    await stage.host.change({ locale: 'de' });
    expect(await firstLook(frame)).toMatchObject({ left: 0, expanded: 'true' });
    await frame.getByRole('button', { name: 'Weniger zeigen' }).press('Space');
    await expect.poll(reported).toBeLessThanOrEqual(500);
    expect(await frame.getByRole('button', { name: 'Alles zeigen' }).getAttribute('aria-expanded')).toBe('false');
  });

  it('of a list that is sorted has its first rows, and its totals in a line', async () => {
    const frame = await stage.show('list-invoices', { width: 720, brief: true });
    await frame.getByRole('button', { name: 'Total', exact: true }).click();
    expect(await firstLook(frame)).toMatchObject({ isOnePart: true, expanded: 'false' });
    expect(await textOf(frame)).toMatch(/€34\.80[\s\S]*Totals of all 12 rows: invoiced €100\.46/);
  });

  it('leaves nothing out that a user is asked to approve', async () => {
    const answer = stage.answer('wallet-asked');
    const asked = pageDataOf(answer)?.approval ?? answer.structuredContent.approval;
    asked.question = Array.from({ length: 60 }, (_, index) => `Change ${index + 1}.`).join('\n');
    const frame = await stage.show('wallet-asked', { width: 400, brief: true }, answer);
    expect(await firstLook(frame)).toMatchObject({ left: 0, expanded: null });
    expect(await textOf(frame)).toMatch(/Change 1\.[\s\S]*Change 60\.[\s\S]*Approve/);
  });
});

describe.skipIf(missing)('the pages of every customer of the demo', () => {
  let demo: Demo;
  beforeAll(async () => {
    demo = await startRecorder();
  });
  afterAll(() => demo?.close());

  it.each(['get_customer_overview', 'list_wallets', 'get_usage'])('%s', async tool => {
    const found = (await demo.call('find_customers', {})).structuredContent.customers as { external_id: string }[];
    expect(found.length).toBeGreaterThan(4);
    await stage.host.page.setViewportSize({ width: 320, height: 800 });
    for (const { external_id: external_customer_id } of found) {
      const frame = await stage.host.show(pageOf(tool), await demo.call(tool, { external_customer_id }));
      expect(await textOf(frame), external_customer_id).not.toMatch(/undefined|null|NaN|\[object|\{"/);
      await expectWellDrawn(frame);
    }
  });
});

it.skipIf(missing)('sixty lines of an invoice are readable at 736 px, folded and open', async () => {
  const frame = await stage.show('invoice', { width: 736 }, sixtyLines(stage.answer('invoice')));
  await expectWellDrawn(frame);
  expect(await textOf(frame)).toMatch(/Charge number 10\b(?!.*Charge number 11).*50 more lines/s);
  await frame.getByText('50 more lines').first().click();
  expect(await textOf(frame)).toContain('Charge number 60');
  await expectWellDrawn(frame);
  expect(await findings(frame, widthRules)).toEqual([]);
});

it.skipIf(missing)('ten plans are readable at 736, 1280 and 1600 px', async () => {
  const frame = await stage.show('plans-usage', {}, tenPlans(stage.answer('plans-usage')));
  for (const width of [736, 1280, 1600]) {
    await stage.host.resize(width);
    await expectWellDrawn(frame);
    // At 320 px all rules: page-parts.more.test.ts.
    expect(await findings(frame, widthRules)).toEqual([]);
    expect(await frame.locator('.card').count()).toBe(10);
  }
});

it.skipIf(missing)(
  'axe finds what is wrong: a heading in the colour of its ground and a button without a name',
  async () => {
    const frame = await stage.show('invoice');
    await frame.evaluate(() => {
      document.querySelector('h1')!.style.color = '#eeeeee';
      document.querySelector('button')!.textContent = '';
    });
    expect((await findings(frame)).map(found => found.split(':')[0])).toEqual(
      expect.arrayContaining(['button-name', 'color-contrast']),
    );
  },
);
