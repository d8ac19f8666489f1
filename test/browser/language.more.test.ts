import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { labelsIn } from '../../src/contract/labels/labels.ts';
import { readView, views } from '../../src/words/views/views.ts';
import { missing, sharedBrowser } from './browser.ts';
import { type ChatHost, openChatHost } from './chat-host.ts';
import type { Result } from './demo.ts';
import { startRecorder } from './recorded.ts';

let browser: Browser;
let host: ChatHost;
let wallets: Result;

const uri = 'ui://usage-billing/wallet.html';

beforeAll(async () => {
  const [shared, demo] = await Promise.all([sharedBrowser(), startRecorder()]);
  browser = shared;
  wallets = await demo.call('list_wallets', { external_customer_id: 'acme-podcasts' });
  await demo.close();
  host = await openChatHost(browser, 375);
});
afterAll(async () => {
  await browser?.close();
  expect(host.complaints).toEqual([]);
});

/** Spaces of any width as plain ones. */
const plain = (text: string | null) => (text ?? '').replace(/\s+/g, ' ');

describe.skipIf(missing)('the language of the pages in the chat', () => {
  it.each([
    ['en', 'en', 'left after usage so far', '$312.50', /31 Oct 2027/],
    ['en-US', 'en-US', 'left after usage so far', '$312.50', /Oct 31, 2027/],
    ['de', 'de', 'übrig nach dem bisherigen Verbrauch', '312,50 $', /31\. Okt\. 2027/],
    ['fr-CA', 'fr-CA', 'restants après la consommation à ce jour', '312,50 $ US', /31 oct\. 2027/],
    // Without labels, all is English.
    ['sv', 'sv', 'left after usage so far', '$312.50', /31 Oct 2027/],
    ['not a locale', 'en', 'left after usage so far', '$312.50', /31 Oct 2027/],
  ])('is the host’s: %s', async (locale, lang, label, amount, expires) => {
    const frame = await host.show(readView(uri) ?? '', wallets, { locale });
    const text = plain(await frame.textContent('#view'));
    expect(text).toContain(label);
    expect(text).toContain(amount);
    expect(text).toMatch(expires);
    expect(await frame.getAttribute('html', 'lang')).toBe(lang);
  });

  it('is that of the setting where the host names none', async () => {
    const frame = await host.show(readView(uri, 'de-AT') ?? '', wallets, { locale: null });
    expect(plain(await frame.textContent('#view'))).toContain('übrig nach dem bisherigen Verbrauch');
    expect(await frame.getAttribute('html', 'lang')).toBe('de-AT');
  });

  it.each(views.map(view => [view.uri]))('%s has its labels in every language', name => {
    const page = readView(name as (typeof views)[number]['uri']) ?? '';
    for (const language of ['en', 'de', 'fr'] as const) expect(page).toContain(labelsIn(language).shared?.demo);
  });
});
