/** Every page in every state, with answers of the real server, in a real browser inside a chat host. */
import type { Frame } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { readView, views } from '../../src/words/views/views.ts';
import { findings } from './axe.ts';
import { missing } from './browser.ts';
import type { Result } from './demo.ts';
import { tabStops, textOf } from './looks.ts';
import { markup, poison, states } from './recorded.ts';
import { expectWellDrawn, sharedStage } from './stage.ts';

const stage = sharedStage();

describe.skipIf(missing).each(states)('$name', ({ name }) => {
  let frame: Frame;
  beforeAll(async () => {
    frame = await stage.show(name, { width: 375 });
  });

  it('passes axe at 375 px in the light, with one heading and no raw value', async () => {
    expect(await findings(frame)).toEqual([]);
    expect(await frame.locator('h1').count()).toBe(1);
    expect(await textOf(frame)).not.toMatch(/undefined|null|NaN|\[object|\{"/);
    await expectWellDrawn(frame);
  });

  it('says the same from run to run', async () => {
    await stage.host.resize(900);
    // The time until which a person can decide is that of the clock.
    expect((await textOf(frame)).replace(/until \d+:\d\d [AP]M/, 'until TIME')).toMatchSnapshot();
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

/** Bytes that a host loads for one page, with the script and style that all share. */
const largestPage = 46 * 1024;

it.each(views)('$title: the page is small and loads nothing from outside', ({ uri }) => {
  const html = readView(uri)!;
  const bytes = Buffer.byteLength(html);
  process.stdout.write(`${uri} ${(bytes / 1024).toFixed(1)} KB\n`);
  expect(bytes).toBeLessThanOrEqual(largestPage);
  expect(html).not.toMatch(/(src|href)=|@import|url\(/);
});
