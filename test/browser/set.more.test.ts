/** A set of changes on the page of writes, at the width of a phone. */
import { describe, expect, it } from 'vitest';
import { fullSet } from '../calls/change/set-world.ts';
import { missing } from './browser.ts';
import { pageOf } from './stage.ts';
import { approvalOf, contentOf, expectNotSideways, sharedWrites } from './writes.ts';

const stage = sharedWrites();

const full = (word: string) => fullSet(async (tool, args) => (await stage.call(tool, args)).structuredContent, word);

describe.skipIf(missing)('a set of 25 changes on a page of 375 px', () => {
  it('is asked whole, carried out with one press, and told line by line, without a sideways scroll', async () => {
    await stage.host.page.setViewportSize({ width: 375, height: 700 });
    const changes = await full('one');
    expect(changes).toHaveLength(25);
    const question = await stage.call('change_several', { changes });
    const frame = await stage.host.show(pageOf('change_several'), question);
    await expectNotSideways(frame);
    const asked = await contentOf(frame);
    for (let n = 1; n <= 25; n++) expect(asked).toMatch(new RegExp(`(^|\\D)${n}\\. (Change|Replace)`));
    expect(
      String(approvalOf(question).question)
        .split('\n')
        .filter(line => /^\d+\. /.test(line)),
    ).toHaveLength(25);
    expect(await frame.getByRole('button').allTextContents()).toEqual(['Approve', 'Decline']);
    await stage.press(frame, 'Approve');
    await expectNotSideways(frame);
    expect(await contentOf(frame)).toContain('25 of 25 made');
    expect(await frame.locator('.changes > li').count()).toBe(25);
    expect(stage.audit().filter(({ event }) => event === 'completed')).toHaveLength(25);
    await expect
      .poll(stage.told)
      .toEqual([expect.stringContaining('The user chose approve for change_several on its page.')]);
  });

  it('shows which changes were made, and why others were not', async () => {
    const [first, second] = await full('one');
    const gone = { tool: 'delete_add_on', arguments: '{"code":"not-there"}' };
    const same = await stage.call('change_several', { changes: [first, second, gone] });
    const idle = await stage.host.show(pageOf('change_several'), same);
    await expectNotSideways(idle);
    expect(await contentOf(idle)).toMatch(/Nothing to change/i);
  });
});
