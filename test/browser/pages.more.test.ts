/** Every page in every state, with answers of the real server, in widths, themes, languages and hosts. */
import type { Frame } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findings, themeRules } from './axe.ts';
import { missing } from './browser.ts';
import type { Demo, Result } from './demo.ts';
import { firstLook, hiddenBars, structureOf, textOf } from './looks.ts';
import { markup, poison, type State, startRecorder, states } from './recorded.ts';
import { expectWellDrawn, pageDataOf, pageOf, sharedStage } from './stage.ts';

const stage = sharedStage();

/** The largest record of each page in the demo. */
const largest = [
  ...['invoice', 'invoice-checked', 'plans-usage', 'wallets', 'alerts', 'usage', 'overview', 'owed', 'revenue'],
  ...['list-invoices', 'list-payments', 'list-credit-notes', 'list-transactions', 'list-subscriptions', 'list-events'],
  ...['statement', 'wallet', 'alert-created', 'change', 'change-invoice'],
];

/** A state for each tool: the others have more of the same records. */
const isFirst = (state: State) => state === states.find(({ good, tool }) => good && tool === state.tool);
/** What axe has seen in the dark. */
const judged = new Set<string>();
/** Where pages differ by language, and by what a host passes on: failures and the like are drawn by what all pages share. */
const isThorough = (state: State) => state.good || largest.includes(state.name) || state.name.endsWith('-asked');

describe.skipIf(missing).each(states)('$name', state => {
  const { name } = state;
  let frame: Frame;
  beforeAll(async () => {
    frame = await stage.turnTo(name, 375);
  });

  it('is at most 500 px high until it is opened, with five rows at most', async () => {
    for (const width of largest.includes(name) ? [400, 480, 560, 720, 375] : [375]) {
      await stage.host.resize(width);
      const look = await firstLook(frame, false);
      expect(look.height, `${width} px`).toBeLessThanOrEqual(500);
      expect(look).toMatchObject({ isOnePart: true, expanded: look.left ? 'false' : null });
      if (look.left) expect(look.rows).toBeLessThanOrEqual(5);
      if (width >= 480) expect(look.isStacked).toBe(false);
    }
    expect(await firstLook(frame, true)).toMatchObject({ left: 0 });
  });

  // By all its rules, axe looks at the open page at other widths in summaries.more.test.ts, where its layout is looked at too.
  it('has enough contrast in the dark, one heading, one short status, and no Tab stop but what is pressed or opened', async () => {
    await stage.host.change({ theme: 'dark' });
    const { stops, said, ...others } = await structureOf(frame);
    expect(others).toMatchObject({ theme: 'dark', headings: 1, live: 0 });
    expect(stops.filter(tag => tag !== 'BUTTON' && tag !== 'SUMMARY')).toEqual([]);
    expect(said).toMatch(/^.{5,120}$/);
    expect(await findings(frame, themeRules, judged)).toEqual([]);
    await stage.host.change({ theme: 'light' });
  });

  it('says the same from run to run, also where a host passes on the text of an answer alone', async () => {
    await stage.host.resize(900);
    const whole = await textOf(frame);
    expect(whole).not.toMatch(/undefined|null|NaN|\[object|\{"/);
    // The time until which a person can decide is that of the clock.
    expect(whole.replace(/until \d+:\d\d [AP]M/, 'until TIME')).toMatchSnapshot();
    const { structuredContent: _, ...told } = stage.answer(name);
    await stage.host.give(told);
    expect(await textOf(frame)).toBe(whole);
  });

  if (state.good)
    it('has bars that are seen in forced colours, and is drawn without what only pages get', async () => {
      await stage.host.page.emulateMedia({ forcedColors: 'active' });
      expect(await hiddenBars(frame)).toEqual([]);
      await stage.host.page.emulateMedia({ forcedColors: 'none' });
      // For hosts that do not declare pages.
      const { _meta, ...told } = stage.answer(name);
      await stage.host.give(told);
      expect(await textOf(frame)).not.toMatch(/undefined|null|NaN|\[object/);
      await expectWellDrawn(frame);
    });

  if (isFirst(state))
    it('is drawn without any one field of its record', async () => {
      const partsOf = (answer: Result) => pageDataOf(answer) ?? answer.structuredContent;
      const withouts = new Map<string, Result>();
      for (const [key, value] of Object.entries(partsOf(stage.answer(name))))
        for (const field of typeof [value].flat()[0] === 'object' ? Object.keys([value].flat()[0] ?? {}) : []) {
          const without = stage.answer(name);
          for (const each of [partsOf(without)[key]].flat()) delete each[field];
          withouts.set(`${key}.${field}`, without);
        }
      const texts = await stage.host.giveEach([...withouts.values()]);
      const broken = [...withouts.keys()].filter((_, at) => /^$|undefined|NaN|\[object/.test(texts[at] ?? ''));
      expect(broken).toEqual([]);
    });

  it('shows markup in a record as text and runs nothing', async () => {
    await stage.host.give(poison(stage.answer(name)) as Result);
    // Two pages that have nothing to show have no text of a record.
    if (!name.endsWith('-none')) expect(await textOf(frame)).toContain(markup);
    expect(await structureOf(frame)).toMatchObject({ foreign: 0, pwned: false });
  });

  if (isThorough(state))
    it('is drawn right to left for a reader of Arabic', async () => {
      await stage.host.resize(375);
      await stage.host.change({ locale: 'ar' });
      await stage.host.give(stage.answer(name));
      expect(await structureOf(frame)).toMatchObject({ language: ['ar', 'rtl', 'en'] });
      await expectWellDrawn(frame);
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
    await stage.host.resize(320);
    for (const { external_id: external_customer_id } of found) {
      const frame = await stage.host.turnTo(pageOf(tool), await demo.call(tool, { external_customer_id }));
      expect(await textOf(frame), external_customer_id).not.toMatch(/undefined|null|NaN|\[object|\{"/);
      await expectWellDrawn(frame);
    }
  });
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
