/** The page of each write in both themes and on a phone. */
import { describe, expect, it } from 'vitest';
import { missing } from './browser.ts';
import { screenshots } from './chat-host.ts';
import type { Result } from './demo.ts';
import { pageOf } from './stage.ts';
import { expectNotSideways, sharedWrites, wallet, writes } from './writes.ts';

const stage = sharedWrites();

/** The page in dark, narrow and light, in pictures that nothing compares. */
async function look(tool: string, name: string, result: Result): Promise<void> {
  const { host } = stage;
  await host.page.setViewportSize({ width: 900, height: 800 });
  const frame = await host.show(pageOf(tool), result, { theme: 'dark' });
  for (const look of ['dark', 'narrow', 'light'] as const) {
    if (look !== 'dark') await host.change({ theme: 'light' });
    await host.resize(look === 'narrow' ? 360 : 900);
    await expectNotSideways(frame);
    await host.page.screenshot({ path: `${screenshots}write-${tool}-${name}-${look}.png`, fullPage: true });
  }
}

describe.skipIf(missing)('the page of each write, in dark and light and on a phone', () => {
  it.each(writes)('%s: as a dry run, asked, and done', async (tool, args) => {
    await look(tool, 'dry-run', await stage.call(tool, { ...args, dry_run: true }));
    await look(tool, 'asked', await stage.call(tool, args));
    const done = await stage.approve(tool, args);
    expect(done.structuredContent.receipt).toMatchObject({ confirmed_by: 'page' });
    await look(tool, 'done', done);
  });

  it('a write that has nothing to change, and one that is refused', async () => {
    await look(
      'update_add_on',
      'idle',
      await stage.call('update_add_on', { code: 'onboarding', amount_cents: 125000 }),
    );
    await look('update_wallet', 'refused', await stage.call('update_wallet', { svc_id: wallet, priority: 51 }));
  });
});
