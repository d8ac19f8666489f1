/** The page of lists: sorting, folding, sums, filters, and what it says of rows that are not in it. */
import type { Frame } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { findings } from './axe.ts';
import { missing } from './browser.ts';
import type { Result } from './demo.ts';
import { full, withFullAccount } from './full-account.ts';
import { broken, textOf } from './looks.ts';
import { startRecorder } from './recorded.ts';
import { expectWellDrawn, pageDataOf, sharedStage } from './stage.ts';

const stage = sharedStage();
const plain = (text: string) => text.replace(/\s+/g, ' ').trim();

/** The texts of a column, by its place from the first, of the rows that are shown. */
async function columnOf(frame: Frame, place: number): Promise<string[]> {
  const cells = frame.locator(`.sortable tbody tr:not([hidden]) > :nth-child(${place})`);
  return (await cells.allTextContents()).map(plain);
}

const sortBy = (frame: Frame, name: string) => frame.getByRole('button', { name, exact: true });
const totalsOf = async (frame: Frame) =>
  (await frame.locator('section').allInnerTexts()).map(text => plain(text).replace('Of what Amount ', ''));

describe.skipIf(missing)('a column of the list', () => {
  it('sorts amounts by currency, then by size, the other way round at the next press', async () => {
    const frame = await stage.show('list-invoices');
    await sortBy(frame, 'Total').click();
    const amounts = [
      ...['€34.80', '€65.66', '¥77,132', 'KD 31.255', 'KD 34.000'],
      ...['$5.44', '$35.93', '$39.52', '$118.67', '$187.14', '$400.00', '$816.56'],
    ];
    expect(await columnOf(frame, 6)).toEqual(amounts);
    await sortBy(frame, 'Total').click();
    expect(await columnOf(frame, 6)).toEqual([...amounts].reverse());
  });

  it('sorts days by time, and leaves rows without one at the end both ways', async () => {
    const frame = await stage.show('list-invoices');
    await sortBy(frame, 'Due').click();
    const rising = await columnOf(frame, 4);
    await sortBy(frame, 'Due').click();
    const falling = await columnOf(frame, 4);
    expect(rising.slice(0, 3)).toEqual(['31 Jul 2026', '4 Sep 2026', '25 Sep 2026']);
    expect(falling.slice(0, 3)).toEqual(['1 Dec 2026', '28 Nov 2026', '15 Nov 2026']);
    for (const days of [rising, falling]) expect(days.slice(-4)).toEqual(['', '', '', '']);
  });

  it('keeps equal rows as they stood, and sorts numbers in names as numbers', async () => {
    const frame = await stage.show('list-invoices');
    await sortBy(frame, 'Issued').click();
    await sortBy(frame, 'Customer').click();
    const [customers, days] = [await columnOf(frame, 2), await columnOf(frame, 3)];
    expect(customers.slice(0, 5)).toEqual(Array.from({ length: 5 }, () => 'Acme Podcasts'));
    expect(days.slice(0, 5)).toEqual(['1 Jul 2026', '5 Aug 2026', '1 Sep 2026', '1 Nov 2026', '21 Nov 2026']);
    const names = await stage.show('list-thirty');
    await sortBy(names, 'Subscription').click();
    expect((await columnOf(names, 1)).slice(1, 4)).toEqual(['Site 2many-2', 'Site 3many-3', 'Site 4many-4']);
  });

  it('is sorted by keyboard, says so to screen readers, and keeps the focus', async () => {
    const frame = await stage.show('list-payments', { width: 320 });
    await sortBy(frame, 'Amount').press('Enter');
    const sorted = () =>
      frame
        .locator('thead th')
        .evaluateAll(heads => heads.flatMap(head => (head.ariaSort ? [`${head.textContent} ${head.ariaSort}`] : [])));
    expect(await sorted()).toEqual(['Amount ascending']);
    expect(await frame.textContent('#said')).toBe('Sorted by Amount, ascending');
    await sortBy(frame, 'Amount').press(' ');
    await sortBy(frame, 'Date').press(' ');
    expect(await sorted()).toEqual(['Date ascending']);
    expect(await frame.evaluate(() => document.activeElement?.textContent)).toBe('Date');
    expect(await findings(frame)).toEqual([]);
  });
});

describe.skipIf(missing)('a list of more than twenty rows', () => {
  it('shows the others on demand, in the order of all, and all of them in print', async () => {
    const frame = await stage.show('list-thirty');
    expect(await columnOf(frame, 1)).toHaveLength(20);
    await sortBy(frame, 'Subscription').click();
    expect(await columnOf(frame, 1)).not.toContain('Site 30many-30');
    await stage.host.page.emulateMedia({ media: 'print' });
    expect(await frame.locator('.sortable tbody tr:visible').count()).toBe(30);
    await stage.host.page.emulateMedia({ media: 'screen' });
    await frame.getByRole('button', { name: 'Show all 30' }).click();
    expect((await columnOf(frame, 1)).at(-1)).toBe('Site 30many-30');
    await frame.getByRole('button', { name: 'Show the first 20' }).click();
    expect(await columnOf(frame, 1)).toHaveLength(20);
  });

  it('is whole where the answer is cut to keep it short, and says what is left out where it is not', async () => {
    const answer = await withFullAccount(async path => {
      const demo = await startRecorder('--account', path, '--max-result-tokens', '700');
      const cut = await demo.call('list_subscriptions', { external_customer_id: full.many, per_page: 30 });
      await demo.close();
      return cut;
    });
    const kept = (answer.structuredContent.subscriptions as unknown[]).length;
    expect(kept).toBeLessThan(30);
    const frame = await stage.show('list-thirty', {}, answer);
    expect(await textOf(frame)).toMatch(/^Subscriptions of many\s+30\s+subscriptions/);
    expect(await textOf(frame)).not.toContain('left out');
    const { _meta, ...told } = answer;
    await stage.host.give(told);
    expect(await textOf(frame)).toMatch(new RegExp(`${kept} of 30[\\s\\S]*${30 - kept} of these 30 .*left out`));
  });
});

describe.skipIf(missing)('the sums of a list', () => {
  it('are exact beyond the numbers that are', async () => {
    const answer = stage.answer('list-late');
    for (const row of rowsOf(answer)) row.total_amount_cents = Number.MAX_SAFE_INTEGER;
    const text = (await totalsOf(await stage.show('list-late', {}, answer)))[0]!;
    // Four in euros.
    expect(text).toContain('invoiced 4 rows · EUR €360,287,970,189,639.64');
  });
});

/** The rows that the page draws. */
function rowsOf(answer: Result) {
  const data = pageDataOf(answer);
  return data.invoices ?? data.subscriptions ?? data.payments;
}

describe.skipIf(missing)('what a list was asked for', () => {
  it.each([
    ['de', 'Rechnungen von Acme Podcasts', '1 Rechnung · Kunde: Acme · Überfällig: ja · Ausgestellt: ab 1. Jan. 2026'],
    [
      'fr',
      'Factures de Acme Podcasts',
      '1 facture · Client : Acme · En retard : oui · Émission : à partir de 1 janv. 2026',
    ],
  ])('stands above it: %s', async (locale, title, filters) => {
    const frame = await stage.show('list-overdue', { locale });
    expect(plain(await frame.locator('h1').innerText())).toBe(title);
    expect(plain(await frame.locator('.hero').innerText())).toBe(filters);
  });

  it('is told in words, amounts in their currency', async () => {
    const answer = stage.answer('list-invoices');
    pageDataOf(answer).filters = {
      ...{ status: ['draft', 'finalized'], payment_status: ['failed'], invoice_type: 'credit', currency: 'JPY' },
      ...{ amount_from: 100, amount_to: 5000, metadata: { team: 'a' }, self_billed: false, new_filter: 'x' },
    };
    expect(plain(await (await stage.show('list-invoices', {}, answer)).locator('.hero').innerText())).toBe(
      [
        '12 invoices · Status: draft, issued · Payment: payment failed · Kind: wallet top-up · Currency: JPY',
        'Amount: ¥100 to ¥5,000 · Metadata: team = a · Self-billed: no · new filter: x',
      ].join(' · '),
    );
  });
});

describe.skipIf(missing)('the cells of a list', () => {
  it('hold large amounts, long names and other scripts at every width, amounts at the right', async () => {
    const answer = stage.answer('list-late');
    rowsOf(answer)[0].total_amount_cents = -38_338_087;
    const frame = await stage.show('list-late', { width: 320 }, answer);
    for (const width of [320, 375, 768, 1280]) {
      await stage.host.resize(width);
      await expectWellDrawn(frame);
      expect(await broken(frame)).toEqual([]);
      if (width === 320) expect(await findings(frame)).toEqual([]);
    }
    const negative = frame.locator('td.amount', { hasText: '-€383,380.87' });
    expect(
      await negative.evaluate(cell => [getComputedStyle(cell).textAlign, getComputedStyle(cell).fontVariantNumeric]),
    ).toEqual(['end', 'tabular-nums']);
    expect(await frame.getByTitle(/^Donaudampf/).count()).toBeGreaterThan(0);
    expect(await textOf(frame)).toMatch(/شركة[\s\S]*株式会社|株式会社[\s\S]*شركة/);
  });

  it('keep days from left to right in a page that runs from right to left', async () => {
    const frame = await stage.show('list-late', { locale: 'ar' });
    const day = frame.locator('td .n', { hasText: /^15\sDec\s2026$/ }).first();
    expect(await day.evaluate(one => [getComputedStyle(one).direction, getComputedStyle(one).unicodeBidi])).toEqual([
      ...['ltr', 'isolate'],
    ]);
  });

  it('have words for codes that nobody knows yet, no amount without its currency, and no day that is none', async () => {
    const answer = stage.answer('list-tried');
    Object.assign(rowsOf(answer)[0], {
      ...{ payment_status: 'under_review', amount_currency: null, created_at: 'soon', invoice_numbers: null },
    });
    delete pageDataOf(answer).every_row;
    const frame = await stage.show('list-tried', {}, answer);
    expect((await frame.locator('.sortable tbody tr').first().allInnerTexts()).map(plain)).toEqual([
      'many under review',
    ]);
  });
});
