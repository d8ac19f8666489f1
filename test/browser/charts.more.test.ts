/** The charts of pages: their figures are those of the answer, their titles say what they show, and they say what is left out. */
import type { Frame } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { missing } from './browser.ts';
import type { Result } from './demo.ts';
import { textOf } from './looks.ts';
import { pageDataOf, sharedStage } from './stage.ts';

const stage = sharedStage();
const plain = (text: string | null) => (text ?? '').replace(/\s+/g, ' ').trim();

/** Each chart: the title of the drawing, and the rows of its table, opened where it is folded. */
async function charts(frame: Frame): Promise<{ title: string; rows: string[][] }[]> {
  for (const fold of await frame.locator('.chart > details:not([open]) > summary').all()) await fold.click();
  const found = await frame.locator('.chart').evaluateAll(sections =>
    sections.map(section => ({
      title: section.querySelector('svg[role=img] > title')?.textContent ?? '',
      rows: [...(section.querySelector('table') ?? section.nextElementSibling!).querySelectorAll('tbody tr')].map(row =>
        [...row.children].map(cell => cell.textContent ?? ''),
      ),
    })),
  );
  return found.map(({ title, rows }) => ({ title: plain(title), rows: rows.map(row => row.map(plain)) }));
}

const summaryOf = (name: string) => String(stage.answer(name).structuredContent.summary);
const heights = (frame: Frame, kind: string) =>
  frame.locator(`.chart > svg > rect${kind}`).evaluateAll(all => all.map(one => Number(one.getAttribute('height'))));

describe.skipIf(missing)('usage by period', () => {
  it('has the running one, its estimate and the alert of its summary beside the period before', async () => {
    const frame = await stage.show('usage-forty');
    expect(await charts(frame)).toEqual([
      {
        title: expect.stringContaining('€557,790.36 in total, 1,449.4 %'),
        rows: [
          ['1–31 Oct 2026', '€36,000.00'],
          ['This period', '€383,480.87'],
          [expect.stringContaining('at the pace so far'), '€557,790.36'],
          ['alert at €500,000.00', '€500,000.00'],
        ],
      },
    ]);
    for (const amount of ['€383,480.87', '€557,790.36']) expect(summaryOf('usage-forty')).toContain(amount);
    expect(await frame.locator('.chart > svg > .limit').count()).toBe(1);
    // The dashed column is the whole height, and holds the one of what is used.
    const [[before, used], [whole]] = [await heights(frame, '.s1'), await heights(frame, '.about')];
    expect(used! / before!).toBeCloseTo(38_348_087 / 3_600_000, 6);
    expect(whole! / used!).toBeCloseTo(55_779_036 / 38_348_087, 6);
  });

  it('says that an alert is above the chart rather than make the columns small', async () => {
    const answer = stage.answer('usage-forty');
    pageDataOf(answer).threshold = 1_000_000_000;
    const frame = await stage.show('usage-forty', {}, answer);
    expect(await textOf(frame)).toContain('alert at €10,000,000.00, above this chart');
    expect(await frame.locator('.chart > svg > .limit').count()).toBe(0);
  });

  it('is not drawn of past periods between which one is missing, and says so', async () => {
    const frame = await stage.show('usage-past');
    expect(await charts(frame)).toEqual([]);
    expect(await textOf(frame)).toContain('a period between these is missing');
  });

  it('says how past usage moved', async () => {
    const past = (cents: readonly number[]): Result => {
      const answer = stage.answer('usage-past');
      const { usage } = pageDataOf(answer);
      const [first] = usage.usage_periods;
      usage.usage_periods = cents.map((amount_cents, index) => ({
        ...first,
        amount_cents,
        from_datetime: `2026-${10 - index}-01T04:00:00Z`.replace(/-(\d)-/, '-0$1-'),
        to_datetime: `2026-${11 - index}-01T03:59:59Z`.replace(/-(\d)-/, '-0$1-'),
      }));
      return answer;
    };
    const said: string[] = [];
    for (const cents of [
      [11_250, 10_000, 0],
      [8750, 10_000],
      [10_000, 10_000],
      [500, 0],
    ])
      said.push((await charts(await stage.show('usage-past', {}, past(cents))))[0]!.title);
    expect(said).toEqual([
      'Usage rose by 12.5 % to $112.50',
      'Usage fell by 12.5 % to $87.50',
      'Usage stayed at $100.00',
      'Usage went from $0.00 to $5.00',
    ]);
  });
});

describe.skipIf(missing)('the balance of a wallet', () => {
  it('goes from transaction to transaction to the balance, and down to the day on which it will be empty', async () => {
    const [chart] = await charts(await stage.show('wallets'));
    expect(chart).toEqual({
      title: expect.stringContaining('About empty on 1 Dec 2026'),
      rows: [
        ['4 Aug 2026', '$400.00'],
        ['4 Aug 2026', '$500.00'],
        ['1 Oct 2026', '$312.50'],
        ['left after usage so far', '$115.07'],
        ['about 1 Dec 2026', '$0.00'],
      ],
    });
    for (const amount of ['$312.50', '$115.07']) expect(summaryOf('wallets')).toContain(amount);
  });

  it('is in the digits of its currency: yen have none, dinars three', async () => {
    const [yen] = await charts(await stage.show('wallets-yen'));
    expect(yen!.rows.map(([, amount]) => amount)).toEqual(['¥80,000', '¥50,000', '¥29,000', '¥0']);
    const [dinars] = await charts(await stage.show('wallets-dinars'));
    expect(dinars!.title).toBe('Balance now KD 382.750');
    expect(dinars!.rows.at(-1)![1]).toBe('KD 382.750');
    expect(dinars!.rows.at(-2)![1]).toBe('KD 395.095');
  });

  it('says from which day it is drawn where there are older transactions', async () => {
    const frame = await stage.show('wallets-dinars');
    expect(await textOf(frame)).toContain('newest 50 transactions, from 24 Feb');
    expect((await charts(frame))[0]!.rows).toHaveLength(51);
  });

  it('falls below zero where usage has overdrawn it', async () => {
    const frame = await stage.show('wallets-overdrawn');
    expect((await charts(frame))[0]).toEqual({
      title: expect.stringContaining('the balance by €383,380.87'),
      rows: [
        ['1 May 2026', '€100.00'],
        ['left after usage so far', '-€383,380.87'],
      ],
    });
    const zero = Number(await frame.locator('.chart .zero').getAttribute('y1'));
    expect(Number(await frame.locator('.chart > svg > .used-up').getAttribute('y2'))).toBeGreaterThan(zero);
  });

  it('is not drawn where its transactions lead to no balance that it can have had, and says so', async () => {
    const answer = stage.answer('wallets');
    for (const history of Object.values<{ points: unknown[] }>(pageDataOf(answer).balances)) history.points = [];
    const frame = await stage.show('wallets', {}, answer);
    expect(await charts(frame)).toEqual([]);
    expect(await textOf(frame)).toContain('do not add up to the');
  });
});

describe.skipIf(missing)('sums by month', () => {
  it('has every month, those without an amount as 0, and the change from the month before', async () => {
    const frame = await stage.show('revenue-dinars');
    const [chart] = await charts(frame);
    expect(chart!.title).toContain('KD 512.000, 20 % less');
    expect(chart!.rows.map(([month, ...cells]) => [month!.split(/ so far| \d inv/)[0], ...cells])).toEqual([
      ['November 2026', 'KD 20.005', ''],
      ['October 2026', 'KD 512.000', '▼ −20 %'],
      ['September 2026', 'KD 640.000', ''],
      ['August 2026', 'KD 0.000', ''],
      ['July 2026', 'KD 0.000', ''],
      ['June 2026', 'KD 0.000', ''],
      ['May 2026', 'KD 0.000', '▼ −100 %'],
      ['April 2026', 'KD 1,000.125', '▲ +25 %'],
      ['March 2026', 'KD 800.000', ''],
      ['February 2026', 'KD 0.000', '▼ −100 %'],
      ['January 2026', 'KD 1,200.500', ''],
      ['December 2025', 'KD 0.000', ''],
    ]);
    expect(await frame.locator('.chart > svg > rect').count()).toBe(6);
    expect(await frame.locator('.chart > svg > text').allTextContents()).toEqual(Array.from({ length: 6 }, () => '0'));
    // The running month is not whole.
    expect(await frame.locator('.chart > svg > rect.about').count()).toBe(1);
  });

  it('is drawn for each currency apart, and not where an amount is not known', async () => {
    expect((await charts(await stage.show('revenue'))).map(({ title }) => title)).toEqual([
      expect.stringContaining('$0.00, 100 % less'),
      expect.stringContaining('¥77,132, compared with ¥0'),
      expect.stringContaining('€34.80, 42.5 % less'),
    ]);
    const answer = stage.answer('revenue');
    const { revenue } = pageDataOf(answer);
    revenue.find(({ currency }: { currency: string }) => currency === 'USD').amount_cents = null;
    expect(await charts(await stage.show('revenue', {}, answer))).toHaveLength(2);
  });
});

describe.skipIf(missing)('what is owed by age', () => {
  it('is one bar a currency, with its ages written below it', async () => {
    const frame = await stage.show('owed-ages');
    const found = await charts(frame);
    expect(found.map(({ title }) => title)).toEqual([
      expect.stringContaining('€1,234,567.89 of €1,234,630.39'),
      expect.stringContaining('KD 1,152.000 of KD 1,172.005'),
    ]);
    expect(found[1]!.rows).toEqual([
      ['not yet due', 'KD 20.005'],
      ['1–30 days', 'KD 0.000'],
      ['31–60 days', 'KD 512.000'],
      ['61–90 days', 'KD 640.000'],
      ['over 90 days', 'KD 0.000'],
    ]);
    const dinars = frame.locator('.chart').nth(1);
    expect(
      await dinars.locator('svg > rect').evaluateAll(parts => parts.map(part => part.getAttribute('width'))),
    ).toEqual(['1.71%', '43.69%', '54.61%']);
    expect(await dinars.locator('svg > text').allTextContents()).toEqual(['31–60 days', '61–90 days']);
  });

  it.each([
    ['de', '1.152,000 KWD von 1.172,005 KWD'],
    ['fr', '1 152,000 KWD sur'],
  ])('says so in %s', async (locale, title) => {
    expect((await charts(await stage.show('owed-ages', { locale })))[1]!.title).toContain(title);
  });
});
