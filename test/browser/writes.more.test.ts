/** The page of each write: it shows a dry run, asks, carries out what a person approves, and tells the host's model. */
import { describe, expect, it } from 'vitest';
import { missing } from './browser.ts';
import type { Result } from './demo.ts';
import { markup, poison } from './recorded.ts';
import { pageOf } from './stage.ts';
import { approvalOf, contentOf, expectNotSideways, noon, sharedWrites, writes } from './writes.ts';

const stage = sharedWrites();

describe.skipIf(missing)('the page of each write', () => {
  it('there is one for all eight', () => {
    expect(writes.every(([tool]) => pageOf(tool) !== '')).toBe(true);
    expect(new Set(writes.map(([tool]) => tool)).size).toBe(8);
  });

  describe.each(writes)('%s:', (tool, args, asked, done, back) => {
    /** What its page was given. */
    const given: Result[] = [];

    it('shows a dry run, asks, carries out, and tells the model', async () => {
      const { host, call } = stage;
      await host.page.setViewportSize({ width: 360, height: 700 });
      const dryRun = await call(tool, { ...args, dry_run: true });
      const dry = await host.show(pageOf(tool), dryRun);
      await expectNotSideways(dry);
      expect(await contentOf(dry)).toMatch(asked);
      expect(await contentOf(dry)).toContain('nothing was changed');

      const question = await call(tool, args);
      const frame = await host.show(pageOf(tool), question);
      await expectNotSideways(frame);
      expect(await contentOf(frame)).toMatch(asked);
      const { question: words, warnings, expires_at } = approvalOf(question);
      // The page keeps dates on one line.
      const textsOf = async (selector: string) =>
        (await frame.locator(selector).allTextContents()).map(text => text.replaceAll('\u00a0', ' '));
      expect(await textsOf('p.question')).toEqual([words]);
      expect(await textsOf('p.warning')).toEqual(warnings);
      expect(expires_at).toBe(new Date(noon.getTime() + 10 * 60_000).toISOString());
      expect(await frame.getByRole('button').allTextContents()).toEqual(['Approve', 'Decline']);
      await stage.press(frame, 'Approve');
      expect(stage.pressed).toHaveLength(1);
      const { result } = stage.pressed[0]!;
      expect(result.structuredContent.receipt).toMatchObject({ confirmed_by: 'page', not_applied: [] });

      await expect
        .poll(stage.told)
        .toEqual([expect.stringContaining(`The user chose approve for ${tool} on its page.`)]);

      const shown = await contentOf(frame);
      expect(shown).toMatch(done);
      expect(shown).toMatch(back);
      expect(shown).toContain('the button on this page');
      const anew = await host.show(pageOf(tool), result);
      await expectNotSideways(anew);
      expect(await contentOf(anew)).toBe(shown);
      expect(shown).not.toMatch(/undefined|null|NaN|\[object/);
      given.push(dryRun, question, result);
    });

    it('markup in a record is shown as text and runs nothing', async () => {
      const [dryRun = await stage.call(tool, { ...args, dry_run: true }), ...others] = given;
      const frame = await stage.host.show(pageOf(tool), poison(dryRun) as Result);
      for (const result of [dryRun, ...others]) {
        await stage.host.give(poison(result) as Result);
        expect(await contentOf(frame)).toContain(markup);
        expect(await frame.evaluate(() => 'pwned' in window)).toBe(false);
        expect(await frame.locator('#view img, #view script, #view a').count()).toBe(0);
      }
    });
  });
});
