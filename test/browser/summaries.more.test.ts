/** No page states less than the summary of its answer, whatever its width; and nothing of it is broken or cut unseen. */
import type { Frame } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { views } from '../../src/words/views/views.ts';
import { findings } from './axe.ts';
import { missing } from './browser.ts';
import { broken, structureOf, textOf } from './looks.ts';
import { states } from './recorded.ts';
import { expectWellDrawn, sharedStage } from './stage.ts';

const stage = sharedStage();
/** The narrowest, in which a page is most likely to be wrong, and the others in turn. The width of pages.more.test.ts lies between. */
const widthsOf = (at: number) => [320, at % 2 === 0 ? 768 : 1280];
/** What axe has seen. */
const judged = new Set<string>();
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

describe.skipIf(missing).each(states.map((state, at) => ({ ...state, at })))('$name', ({ name, tool, at }) => {
  let frame: Frame;
  let summary: string;
  beforeAll(async () => {
    summary = told(String(stage.answer(name).structuredContent.summary), tool);
    frame = await stage.turnTo(name, 320);
    await openAll(frame);
  });

  it.each(widthsOf(at))(
    'at %i px has every figure of its summary, breaks none, and is drawn well with every line open',
    async width => {
      await stage.host.resize(width);
      const shown = figuresIn(await textOf(frame));
      expect(
        [...figuresIn(summary)].filter(figure => !shown.has(figure)),
        summary,
      ).toEqual([]);
      // Words of names break nowhere, and what is cut has its whole as title.
      expect(await broken(frame)).toEqual([]);
      await expectWellDrawn(frame);
      // All that can be seen is seen here, by all rules once. In the dark it looks in pages.more.test.ts.
      if (width === 320) expect(await findings(frame, undefined, judged, tool)).toEqual([]);
    },
  );

  // A reader of Arabic is in pages.more.test.ts.
  if (states.findIndex(other => other.good && other.tool === tool) === at)
    it('is English for a reader of Japanese, which has no labels, dates too', async () => {
      const english = await textOf(frame);
      await stage.host.change({ locale: 'ja' });
      await openAll(frame);
      expect(await textOf(frame)).toBe(english);
      expect((await structureOf(frame)).language).toEqual(['ja', 'ltr', 'en']);
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
