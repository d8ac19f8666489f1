/**
 * Every page in every state, with answers of the real server, in widths, themes, languages and hosts. None states less than the
 * summary of its answer, whatever its width; and nothing of it is broken or cut unseen.
 */
import type { Frame } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { views } from '../../src/words/views/views.ts';
import { findings, themeRules } from './axe.ts';
import { missing } from './browser.ts';
import type { Demo, Result } from './demo.ts';
import { broken, firstLook, hiddenBars, structureOf, textOf } from './looks.ts';
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
/** What axe has seen, and what it has seen in the dark. */
const [judged, judgedInDark] = [new Set<string>(), new Set<string>()];
/** Where pages differ by language, and by what a host passes on: failures and the like are drawn by what all pages share. */
const isThorough = (state: State) => state.good || largest.includes(state.name) || state.name.endsWith('-asked');

const months = 'Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec';

/** `$1,250.00`, `30`, `1 Nov`, `20:00` of a text, each once. Digits in names, codes and ids are none. */
function figuresIn(text: string): Set<string> {
  const spelled = text
    .replace(/\s+/g, ' ')
    // Of a span of days, each day has its month.
    .replace(new RegExp(`\\b(\\d{1,2}) ?– ?(\\d{1,2}) (${months})`, 'g'), '$1 $3 $2 $3')
    .replace(new RegExp(`(?<![\\d,.])(\\d{1,2}) (${months})\\b`, 'g'), '$1_$2');
  const words = spelled.split(/[\s()“”"×=+%·–]+/).map(word => word.replace(/^[-−]|[,.;:?!]+$/g, ''));
  const isFigure = /^([A-Z]{0,3}\p{Sc})?\d[\d,]*([.:]\d+)?$|^\d{1,2}_[A-Z][a-z]{2}$/u;
  return new Set(words.filter(word => isFigure.test(word)));
}

const lists = views.find(({ uri }) => uri.endsWith('/list.html'))!.tools;

/** The summary without names, and without how many rows it leaves to a page that has them all. */
function told(summary: string, tool: string): string {
  const rest: Record<string, RegExp> = {
    get_usage: / and [\d,]+ more\./,
    preview_invoice: / [\d,]+ smaller lines?not shown\./,
    get_invoice: / [\d,]+ smaller lines?not shown\./,
    ...Object.fromEntries(lists.map(list => [list, / and [\d,]+ more\./])),
  };
  return summary.replace(/“[^”]*”/g, '“”').replace(rest[tool] ?? /$^/, '.');
}

async function openAll(frame: Frame): Promise<void> {
  await frame.evaluate(() => {
    for (const fold of document.querySelectorAll('details')) fold.open = true;
  });
}

it('figures of a sentence are amounts, counts and days, not digits of names and ids', () => {
  const sentence =
    'Of “Acme 7” (acme-7, SKY-US-001): -€383,380.87 and KD 1,200.000 on 30, 1 – 28 Feb 2026, 20:00, m2 at 8.875%.';
  expect([...figuresIn(told(sentence, 'get_wallet'))]).toEqual([
    ...['€383,380.87', '1,200.000', '30', '1_Feb', '28_Feb', '2026', '20:00', '8.875'],
  ]);
});

describe.skipIf(missing).each(states)('$name', state => {
  const { name, tool } = state;
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

  // By all its rules, axe looks at the open page at other widths below, where its layout is looked at too.
  it('has enough contrast in the dark, one heading, one short status, and no Tab stop but what is pressed or opened', async () => {
    await stage.host.change({ theme: 'dark' });
    const { stops, said, ...others } = await structureOf(frame);
    expect(others).toMatchObject({ theme: 'dark', headings: 1, live: 0 });
    expect(stops.filter(tag => tag !== 'BUTTON' && tag !== 'SUMMARY')).toEqual([]);
    expect(said).toMatch(/^.{5,120}$/);
    expect(await findings(frame, themeRules, judgedInDark)).toEqual([]);
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

  // The narrowest, in which a page is most likely to be wrong, and the others in turn.
  it.each([320, states.indexOf(state) % 2 === 0 ? 768 : 1280])(
    'at %i px has every figure of its summary, breaks none, and is drawn well with every line open',
    async width => {
      await stage.host.resize(width);
      await openAll(frame);
      const shown = figuresIn(await textOf(frame));
      const summary = told(String(stage.answer(name).structuredContent.summary), tool);
      const absent = [...figuresIn(summary)].filter(figure => !shown.has(figure));
      expect(absent, summary).toEqual([]);
      // Words of names break nowhere, and what is cut has its whole as title.
      expect(await broken(frame)).toEqual([]);
      await expectWellDrawn(frame);
      // All that can be seen is seen here, by all rules once.
      if (width === 320) expect(await findings(frame, undefined, judged, tool)).toEqual([]);
    },
  );

  if (isFirst(state))
    it('is English for a reader of Japanese, which has no labels, dates too', async () => {
      const english = await textOf(frame);
      await stage.host.change({ locale: 'ja' });
      await openAll(frame);
      expect(await textOf(frame)).toBe(english);
      expect((await structureOf(frame)).language).toEqual(['ja', 'ltr', 'en']);
      await stage.host.change({ locale: 'en' });
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
      const answer = stage.answer(name);
      const fields = Object.entries(pageDataOf(answer) ?? answer.structuredContent).flatMap(([part, value]) => {
        const [first] = [value].flat();
        return typeof first === 'object' ? Object.keys(first ?? {}).map(field => [part, field] as const) : [];
      });
      const texts = await stage.host.giveWithout(answer, fields);
      expect(texts).toHaveLength(fields.length);
      expect(fields.filter((_, at) => /^$|undefined|NaN|\[object/.test(texts[at] ?? ''))).toEqual([]);
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

it.skipIf(missing)('a page that is opened by a reader of Japanese is English too', async () => {
  const english = await textOf(await stage.show('overview', { locale: 'en' }));
  expect(await textOf(await stage.show('overview', { locale: 'ja' }))).toBe(english);
});

it.skipIf(missing)('figures and dates are isolated in a page that runs from right to left', async () => {
  const frame = await stage.show('wallets-overdrawn', { locale: 'ar' });
  const drawn = await frame
    .locator('.n')
    .evaluateAll(figures =>
      figures.map(one => [one.textContent, getComputedStyle(one).direction, getComputedStyle(one).unicodeBidi]),
    );
  expect(drawn.map(([text]) => text)).toEqual(expect.arrayContaining(['-€383,380.87', '€100.00']));
  for (const [, ...look] of drawn) expect(look).toEqual(['ltr', 'isolate']);
  const dated = await stage.show('owed', { locale: 'ar' });
  expect(await dated.locator('.n', { hasText: /^15\sNov\s2026$/ }).count()).toBe(1);
});

describe.skipIf(missing)('a page lists what its summary leaves out', () => {
  it.each(['usage-forty', 'invoice-forty'])('%s has all forty charges', async name => {
    const frame = await stage.show(name);
    await openAll(frame);
    const text = await textOf(frame);
    for (let number = 4; number <= 40; number += 1) expect(text).toMatch(new RegExp(`Metric number ${number}\\b`));
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
