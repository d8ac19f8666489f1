/** What single pages do: lines that open, printing, bars, curves, and the buttons of a question. */
import { describe, expect, it } from 'vitest';
import { findings } from './axe.ts';
import { missing } from './browser.ts';
import { textOf } from './looks.ts';
import { expectWellDrawn, pageDataOf, sharedStage, sixtyLines, tenPlans } from './stage.ts';

const stage = sharedStage();

describe.skipIf(missing)('the invoice page', () => {
  it('shows sixty lines as ten, and the others on demand', async () => {
    const frame = await stage.show('invoice', { width: 320 }, sixtyLines(stage.answer('invoice')));
    await expectWellDrawn(frame);
    expect(await textOf(frame)).toMatch(/Charge number 10\b(?!.*Charge number 11).*50 more lines/s);
    await frame.getByText('50 more lines').first().click();
    expect(await textOf(frame)).toContain('Charge number 60');
    await expectWellDrawn(frame);
    expect(await findings(frame)).toEqual([]);
  });

  it('opens a line to its steps, with sensible digits', async () => {
    const frame = await stage.show('invoice', { width: 320 });
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
    const frame = await stage.show('invoice', { theme: 'dark' });
    await stage.host.page.emulateMedia({ media: 'print' });
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
    await stage.host.page.emulateMedia({ media: 'screen' });
  });

  it('says so where a sandbox does not let it print', async () => {
    const frame = await stage.show('invoice', { modals: false });
    await frame.getByRole('button', { name: 'Print' }).click();
    await expect.poll(() => textOf(frame)).toContain('This chat does not let pages print');
    // The browser's own note on the refusal.
    expect(stage.host.complaints.splice(0)).toEqual([expect.stringContaining('allow-modals')]);
  });

  it('gives amounts and dates in the form of the reader’s language', async () => {
    const text = await textOf(await stage.show('invoice', { locale: 'de-DE' }));
    expect(text.replaceAll(/[\u00a0\u202f]/g, ' ')).toMatch(/107,14 \$.*31\. Dez\. 2026/s);
  });
});

describe.skipIf(missing)('the plans page', () => {
  it('is readable with ten plans at 320 px', async () => {
    const frame = await stage.show('plans-usage', { width: 320 }, tenPlans(stage.answer('plans-usage')));
    await expectWellDrawn(frame);
    expect(await findings(frame)).toEqual([]);
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

describe.skipIf(missing)('a plan of the product catalogue, which has no price', () => {
  const nothing = /null|undefined|NaN|, (?=·|$)/m;

  it('is told as such by the overview', async () => {
    const answer = stage.answer('overview');
    pageDataOf(answer).overview.subscriptions[0].plan_amount_cents = null;
    const text = await textOf(await stage.show('overview', {}, answer));
    expect(text).toContain('plan studio, priced in the product catalogue');
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
    expect(await textOf(frame)).toContain('Enterprise costs less from 100,501 api_calls on');
    expect(await frame.locator('polyline.curve').count()).toBe(4);
  });

  it('are not drawn of plans in different currencies', async () => {
    const frame = await stage.show('plans-usage');
    expect(await frame.locator('.keys li').allInnerTexts()).toEqual([
      expect.stringMatching(/^Studio \$/),
      expect.stringMatching(/^Enterprise \$/),
    ]);
  });
});

describe.skipIf(missing)('a question on a page', () => {
  it('offers Approve and Decline in this order, and nothing else to press', async () => {
    const frame = await stage.show('wallet-asked');
    expect(await frame.getByRole('button').allTextContents()).toEqual(['Approve', 'Decline']);
  });
});
