import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readView, views } from '../../src/views/index.ts';
import { type ChatHost, launchBrowser, openChatHost, screenshots } from './chat-host.ts';
import { hostile, invoiceResult, plansResult, walletResult } from './results.ts';

let browser: Browser;
let host: ChatHost;
const pageOf = (tool: string) => readView(views.find(({ tools }) => tools.includes(tool))?.uri ?? '') ?? '';
/** Those whose results are below; every write is in writes.test.ts. */
const shownHere = ['preview_invoice', 'compare_plans', 'update_wallet'];
const shoot = (name: string) => host.page.screenshot({ path: `${screenshots}${name}.png`, fullPage: true });

beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());
beforeEach(async () => {
  host = await openChatHost(browser);
});
afterEach(async () => {
  expect(host.complaints).toEqual([]);
  await host.close();
});

describe('the pages inside a chat host, through the official bridge', () => {
  it.each(['light', 'dark'] as const)(
    'the invoice page lays out lines, tiers, taxes and the total (%s)',
    async theme => {
      const frame = await host.show(pageOf('preview_invoice'), invoiceResult, theme);
      const text = (await frame.textContent('#view')) ?? '';
      for (const shown of [
        'Invoice preview',
        'Acme Maps GmbH',
        'API calls',
        'region: eu',
        'Jan 1, 2026 – Jan 31, 2026',
        "up to the charge's minimum",
        'Tier 0 – 100',
        'VAT (19 %)',
        '€35.00',
        'Welcome',
        '€41.65',
      ]) {
        expect(text).toContain(shown);
      }
      expect(await host.appName()).toBe('usage-billing-invoice');
      await shoot(`invoice-${theme}`);
    },
  );

  it('the invoice page fits a narrow chat without losing the total', async () => {
    await host.page.setViewportSize({ width: 360, height: 700 });
    const frame = await host.show(pageOf('preview_invoice'), invoiceResult);
    const total = frame.locator('tr.total td');
    expect(await total.textContent()).toBe('€41.65');
    expect(await frame.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
    await shoot('invoice-narrow');
  });

  it.each(['light', 'dark'] as const)(
    'the comparison page puts plans side by side and keeps what failed (%s)',
    async theme => {
      const frame = await host.show(pageOf('compare_plans'), plansResult, theme);
      const rows = await frame.locator('tbody tr').allTextContents();
      expect(rows).toHaveLength(2);
      expect(rows[0]).toContain('starter');
      expect(rows[0]).toContain('costs least');
      expect(rows[0]).toContain('22 Nov – 21 Dec 2026 (UTC)');
      expect(rows[0]).toContain('$17.64');
      expect(rows[1]).toContain('at least $214.92');
      const text = (await frame.textContent('#view')) ?? '';
      for (const shown of ['For acme', 'may cover part of one', 'Difference to starter', 'say how many events'])
        expect(text).toContain(shown);
      expect(rows[1]).toContain('$156.12');
      expect(await frame.textContent('.alert')).toContain('legacy');
      expect(await frame.locator('.bar').first().getAttribute('aria-label')).toContain('$');
      await shoot(`plans-${theme}`);
    },
  );

  it.each(['light', 'dark'] as const)(
    'the wallet page shows balances, expiry, rules and warnings (%s)',
    async theme => {
      const frame = await host.show(pageOf('update_wallet'), walletResult, theme);
      const text = (await frame.textContent('#view')) ?? '';
      for (const shown of [
        'Prepaid API credits',
        '$1,250.00',
        '1,250 credits',
        'fill up to 2,000 credits',
        'Not applied: priority',
        'Demo data',
      ]) {
        expect(text).toContain(shown);
      }
      await shoot(`wallet-${theme}`);
    },
  );

  it('the wallet page shows nothing for missing fields, and “never” only for a null', async () => {
    const shown = async (wallet: object) => {
      const frame = await host.show(pageOf('update_wallet'), { structuredContent: { summary: '', wallet } });
      return (await frame.textContent('#view')) ?? '';
    };
    expect(await shown({ code: 'main', currency: 'JPY', balance_cents: 1250 })).not.toMatch(/never|credits|undefined/);
    expect(await shown({ code: 'main', expiration_at: null, credits_balance: '5.0' })).toMatch(/5 credits.*never/);
  });

  it.each([
    ['preview_invoice', invoiceResult],
    ['compare_plans', plansResult],
    ['update_wallet', walletResult],
  ])('%s: the page draws what the assistant does not read from _meta', async (tool, { structuredContent: whole }) => {
    const shown = async (result: Record<string, unknown>) =>
      (await host.show(pageOf(tool), result)).locator('#view').innerHTML();
    const { summary, ...page } = whole;
    const short = { summary, ...(tool === 'preview_invoice' ? { invoice: { currency: 'EUR' } } : {}) };
    expect(await shown({ structuredContent: short, _meta: { 'usage-billing/page': page } })).toBe(
      await shown({ structuredContent: whole }),
    );
  });

  it('the pages draw the default answer too, for hosts that do not declare them', async () => {
    const fees = [{ item: { type: 'subscription', code: 'team' }, amount_cents: 2000 }];
    const invoice = { currency: 'EUR', fees, total_amount_cents: 2000 };
    const frame = await host.show(pageOf('preview_invoice'), { structuredContent: { summary: '', invoice } });
    expect(await frame.textContent('#view')).toMatch(/team.*€20\.00/);
    const comparison = [{ plan_code: 'team', currency: 'EUR', sub_total_including_taxes_amount_cents: 2000 }];
    const plans = await host.show(pageOf('compare_plans'), { structuredContent: { summary: '', comparison } });
    expect(await plans.textContent('#view')).toMatch(/team.*€20\.00/);
    expect(await plans.locator('.bar').getAttribute('aria-label')).toBe('€20.00 with tax');
  });

  it('the comparison page scales the bars of each currency separately', async () => {
    const plan = (plan_code: string, currency: string, cents: number) => ({
      ...{ plan_code, currency, sub_total_including_taxes_amount_cents: cents },
    });
    const comparison = [plan('a', 'USD', 5_000), plan('b', 'USD', 10_000), plan('c', 'KWD', 1_000_000)];
    const frame = await host.show(pageOf('compare_plans'), { structuredContent: { summary: '', comparison } });
    const widths = await frame
      .locator('.bar')
      .evaluateAll(bars => bars.map(bar => bar.children[0]?.getAttribute('style')));
    expect(widths).toEqual(['width: 50%;', 'width: 100%;', 'width: 100%;']);
  });

  it.each(shownHere)('%s: markup in a record is shown as text and runs nothing', async tool => {
    const frame = await host.show(pageOf(tool), hostile(tool));
    expect(await frame.evaluate(() => 'pwned' in window)).toBe(false);
    expect(await frame.locator('#view img, #view script, #view a').count()).toBe(0);
    expect(await frame.textContent('#view')).toContain('<img src=x');
  });

  it.each(shownHere)('%s: a failed call and an empty result are described in words', async tool => {
    const failed = await host.show(pageOf(tool), {
      isError: true,
      structuredContent: { summary: 'The service answered wallet_not_found.', error: { hint: 'Check the id.' } },
    });
    expect(await failed.locator('[role=alert]').textContent()).toBe(
      'The service answered wallet_not_found. Check the id.',
    );
    const empty = await host.show(pageOf(tool), { structuredContent: { summary: '' } });
    expect((await empty.textContent('#view'))?.length).toBeGreaterThan(5);
  });

  it.each(shownHere)(
    '%s: every table has a caption and scoped headers, every scroll area can be reached by keyboard',
    async tool => {
      const results: Record<string, Record<string, unknown>> = {
        preview_invoice: invoiceResult,
        compare_plans: plansResult,
        update_wallet: walletResult,
      };
      const frame = await host.show(pageOf(tool), results[tool] ?? {});
      expect(await frame.locator('table:not(:has(caption)), th:not([scope])').count()).toBe(0);
      expect(await frame.locator('.scroll:not([tabindex]), .scroll:not([aria-label])').count()).toBe(0);
      expect(await frame.locator('html').getAttribute('lang')).toBe('en');
    },
  );

  it.each(views.map(view => view.tools[0]!))('%s: the page is small and loads nothing from outside', tool => {
    const html = pageOf(tool);
    expect(html.length).toBeLessThan(30_000);
    expect(html).not.toMatch(/(src|href)=|@import|url\(/);
  });
});
