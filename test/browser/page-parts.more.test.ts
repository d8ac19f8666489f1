/** What single pages do: lines that open, printing, bars, curves, and the buttons of a question. */
import { describe, expect, it } from 'vitest';
import { findings } from './axe.ts';
import { missing } from './browser.ts';
import { textOf } from './looks.ts';
import { expectWellDrawn, pageDataOf, sharedStage, sixtyDollars, sixtyLines, tenPlans } from './stage.ts';

const stage = sharedStage();

/** With plain spaces, each once. */
const plainText = (text: string) => text.replace(/\s+/g, ' ');

describe.skipIf(missing)('the invoice page', () => {
  it('shows sixty lines as ten, and the others on demand', async () => {
    for (const width of [736, 320]) {
      const frame = await stage.show('invoice', { width }, sixtyLines(stage.answer('invoice')));
      await expectWellDrawn(frame);
      expect(await textOf(frame)).toMatch(/Charge number 10\b(?!.*Charge number 11).*50 more lines\s*\$3,275\.00/s);
      await frame.getByText('50 more lines').first().click();
      expect(await textOf(frame)).toContain('Charge number 60');
      await expectWellDrawn(frame);
      if (width === 320) expect(await findings(frame)).toEqual([]);
    }
  });

  it('opens a line to its steps, with sensible digits', async () => {
    const frame = await stage.show('invoice', { width: 320 });
    for (const name of ['Transcription', 'Creator payouts', 'API calls']) await frame.getByText(name).first().click();
    expect(await frame.locator('.inside').allInnerTexts()).toEqual([
      [
        'Accurate model · 344.5 × $0.06 = $20.67',
        '1,000 × $0.03 = $30.00 · 426.8 × $0.02 + $5.00 = $13.54 · $43.54',
      ].join('\n'),
      ['1,232.5 × 1.5\u00a0% = $18.49', '13 events × $0.25 = $3.25', '235.5 free', '3 free events'].join('\n'),
      ['500 free', 'raised by $10.00 to the minimum'].join('\n'),
    ]);
  });

  it('prints in light colours whatever the theme, all lines open, and the total once', async () => {
    const frame = await stage.show('invoice', { theme: 'dark' });
    await stage.host.page.emulateMedia({ media: 'print' });
    await frame.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
    const look = await frame.evaluate(() => ({
      paper: getComputedStyle(document.body).backgroundColor,
      ink: getComputedStyle(document.body).color,
      folded: document.querySelectorAll('details:not([open])').length,
    }));
    expect(look).toEqual({ paper: 'rgb(255, 255, 255)', ink: 'rgb(29, 33, 41)', folded: 0 });
    expect((await textOf(frame)).match(/\$107\.12/g)).toHaveLength(1);
    expect(await frame.getByRole('button').count()).toBe(0);
    await frame.evaluate(() => window.dispatchEvent(new Event('afterprint')));
    expect(await frame.locator('details[open]').count()).toBe(0);
    await stage.host.page.emulateMedia({ media: 'screen' });
  });

  it('says so where a sandbox does not let it print', async () => {
    const frame = await stage.show('invoice', { modals: false });
    await frame.getByRole('button', { name: 'Print' }).click();
    await expect.poll(() => textOf(frame)).toContain('does not let pages print');
    // The browser's own note on the refusal.
    expect(stage.host.complaints.splice(0)).toEqual([expect.stringContaining('allow-modals')]);
  });
});

describe.skipIf(missing)('the plans page', () => {
  it('is readable with ten plans', async () => {
    const frame = await stage.show('plans-usage', { width: 320 }, tenPlans(stage.answer('plans-usage')));
    expect(await findings(frame)).toEqual([]);
    for (const width of [320, 736, 1280, 1600]) {
      await stage.host.resize(width);
      await expectWellDrawn(frame);
    }
    expect(await frame.locator('.card').count()).toBe(10);
  });

  it('scales the bars of each currency by its dearest plan', async () => {
    const frame = await stage.show('plans-usage');
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

describe.skipIf(missing)('a wallet that usage has overdrawn', () => {
  it('is red, says how much is missing, and is not called active', async () => {
    const answer = stage.answer('wallets-overdrawn');
    pageDataOf(answer).wallets?.forEach((wallet: { status?: string }) => {
      wallet.status = 'active';
    });
    const frame = await stage.show('wallets-overdrawn', {}, answer);
    expect(await textOf(frame)).toMatch(/overdrawn[\s\S]*-€383,380\.87[\s\S]*short by €383,380\.87/);
    expect(await frame.locator('.badge').allTextContents()).toEqual(['overdrawn']);
    expect(await frame.locator('.badge.good').count()).toBe(0);
    const red = await frame.evaluate(() =>
      ['.badge', '.figure'].map(each => getComputedStyle(document.querySelector(each)!).color),
    );
    expect(red).toEqual(['rgb(168, 40, 31)', 'rgb(168, 40, 31)']);
    // Of the bar, what the wallet holds and what is missing.
    expect(await frame.locator('.bar > *').evaluateAll(parts => parts.map(part => part.className))).toEqual([
      'shade used',
      'late',
    ]);
  });

  it('is red in the overview too', async () => {
    const frame = await stage.show('overview-overdrawn');
    expect(await frame.locator('b.bad').allTextContents()).toEqual(['-€383,380.87', 'short by €383,380.87']);
  });
});

describe.skipIf(missing)('lines of money', () => {
  it.each(['light', 'dark'] as const)('swatches in the %s are six, each of 3 : 1 against its ground', async theme => {
    for (const name of ['usage-forty', 'invoice-forty', 'owed-ages', 'plans-usage']) {
      const frame = await stage.show(name, { theme });
      const ratios = await frame.locator('.swatch, .bar > *, .chart > svg > rect:not(.about)').evaluateAll(marks => {
        const light = (colour: string) => {
          const parts = (colour.match(/[\d.]+/g) ?? []).slice(0, 3).map(Number);
          const [r = 0, g = 0, b = 0] = parts.map(part => {
            const share = part / 255;
            return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
          });
          return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
        };
        return marks.map(mark => {
          const ground = mark.closest('.bar') ?? document.body;
          const { fill, backgroundColor } = getComputedStyle(mark);
          const [one, other] = [
            mark.tagName === 'rect' ? fill : backgroundColor,
            getComputedStyle(ground).backgroundColor,
          ].map(light);
          return Math.max(one! / other!, other! / one!);
        });
      });
      expect(Math.min(...ratios), name).toBeGreaterThanOrEqual(3);
      if (name.endsWith('forty')) expect(await frame.locator('.swatch').count()).toBe(6);
    }
  });
});

describe.skipIf(missing)('the page of debts', () => {
  it('marks what is over 90 days old', async () => {
    const frame = await stage.show('owed-ages');
    expect(await frame.locator('b.bad').allTextContents()).toEqual(['over 90 days', '€1,234,567.89']);
  });
});

describe.skipIf(missing)('the statement of account', () => {
  it('opens the earlier of sixty lines on demand, at every width without a fault', async () => {
    const frame = await stage.show('statement', { width: 320 }, sixtyDollars(stage.answer('statement')));
    expect(plainText(await textOf(frame))).toMatch(/40 earlier lines.*Balance carried forward \$40\.00.*LONG-60/s);
    await frame.getByText('40 earlier lines').first().click();
    expect(await frame.getByText('LONG-1', { exact: true }).isVisible()).toBe(true);
    expect(await findings(frame)).toEqual([]);
    for (const width of [320, 768, 1280]) {
      await stage.host.resize(width);
      await expectWellDrawn(frame);
    }
  });

  it.each(['A4', 'Letter'])('prints all lines in their order on %s, one sheet for a short one', async format => {
    const sheets = async (result = stage.answer('statement')) => {
      const frame = await stage.show('statement', { theme: 'dark' }, result);
      await frame.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
      const page = await stage.host.page.context().browser()!.newPage();
      await page.setContent((await frame.content()).replace(/<script>.*<\/script>/s, ''));
      await page.emulateMedia({ media: 'print' });
      const numbers = (await page.locator('th').allInnerTexts()).map(text => text.match(/LONG-(\d+)/)?.[1]);
      const printed = numbers.filter(number => number !== undefined);
      const pdf = (await page.pdf({ format })).toString('latin1');
      await page.close();
      return { sheets: pdf.match(/\/Type \/Page\b/g)?.length, printed };
    };
    expect((await sheets()).sheets).toBe(1);
    const long = await sheets(sixtyDollars(stage.answer('statement')));
    expect(long.sheets).toBeGreaterThan(1);
    expect(long.printed).toEqual(Array.from({ length: 60 }, (_, index) => `${index + 1}`));
  });
});

describe.skipIf(missing)('an invoice of zero', () => {
  it('is not due as a preview', async () => {
    const answer = stage.answer('invoice-new');
    Object.assign(pageDataOf(answer).invoice, { total_amount_cents: 0, total_due_amount_cents: 0 });
    answer.structuredContent.summary = 'Nothing to pay.';
    expect(await textOf(await stage.show('invoice-new', {}, answer))).not.toMatch(/\bdue\b/i);
  });
});

describe.skipIf(missing)('a plan of the product catalogue, which has no price', () => {
  const nothing = /null|undefined|NaN|, (?=·|$)/m;

  it('is told as such by the overview', async () => {
    const answer = stage.answer('overview');
    pageDataOf(answer).overview.subscriptions[0].plan_amount_cents = null;
    const text = await textOf(await stage.show('overview', {}, answer));
    expect(text).toContain('priced in the product catalogue');
    expect(text).not.toMatch(nothing);
  });

  it('is no figure of a changed subscription', async () => {
    const answer = stage.answer('change');
    const data = pageDataOf(answer);
    const plan = { code: 'cat', name: 'Cat', amount_cents: null, interval: null };
    const { add_on: _, ...others } = data;
    const subscription = { external_id: 'one', status: 'active', plan_code: 'cat', plan_amount_cents: null, plan };
    answer._meta = { 'usage-billing/page': { ...others, before: subscription, subscription } };
    const text = await textOf(await stage.show('change', {}, answer));
    expect(text).toMatch(/Subscription one[\s\S]*Cat/);
    expect(text).not.toContain('plan fee');
    expect(text).not.toMatch(nothing);
  });

  it('is named beside the plans that are compared', async () => {
    const answer = stage.answer('plans-one-failed');
    const [error] = pageDataOf(answer).comparison.flatMap((plan: { error?: object }) => plan.error ?? []);
    const message = 'Plan gold is priced in the product catalogue, which this interface does not show.';
    Object.assign(error, { code: 'priced_elsewhere', message });
    const text = await textOf(await stage.show('plans-one-failed', {}, answer));
    expect(text).toContain(`gold: ${message}`);
    expect(text).not.toMatch(nothing);
  });
});

describe.skipIf(missing)('the lines of cost by usage', () => {
  it('mark the usage assumed and the one from which another plan costs less, which is said too', async () => {
    const frame = await stage.show('plans-break-even');
    const at = (kind: string) =>
      frame.locator(`line.${kind}`).evaluateAll(lines => lines.map(line => line.getAttribute('x1')));
    // 70,000 and 100,501 of 0 to 140,000, on 640 units of the drawing.
    expect([await at('here'), await at('even')]).toEqual([['320.0'], ['459.4']]);
    expect((await frame.locator('.curves .axis, .curves .marks').allInnerTexts()).map(plainText)).toEqual([
      '$641.27 Cost in USD',
      'the same cost at 100,501',
      '0 · $0.00 assumed: 70,000 140,000 api_calls',
    ]);
    // The label stands at the crossing.
    const middle = (kind: string) =>
      frame.locator(kind).evaluate(one => {
        const { left, width } = one.getBoundingClientRect();
        return left + width / 2;
      });
    expect(Math.abs((await middle('.curves .marks > span')) - (await middle('line.even')))).toBeLessThan(2);
    expect(await textOf(frame)).toContain('from 100,501 api_calls');
    expect(await frame.locator('polyline.curve').count()).toBe(4);
  });
});
