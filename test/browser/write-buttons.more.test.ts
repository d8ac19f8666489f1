/** The two buttons of a write's page, and the token behind them. */
import { describe, expect, it, vi } from 'vitest';
import type { JsonRecord } from '../../src/lib/json.ts';
import { missing } from './browser.ts';
import { type Result, startDemo } from './demo.ts';
import { pageOf } from './stage.ts';
import { approvalOf, codeOf, contentOf, expectNotSideways, noon, sharedWrites, wallet } from './writes.ts';

const stage = sharedWrites();

const priorityNow = async () => {
  const { structuredContent } = await stage.call('update_wallet', { svc_id: wallet, priority: 49, dry_run: true });
  return /from (\d+) to 49/.exec(JSON.stringify(structuredContent))?.[1];
};
const lastAudit = () => stage.audit().at(-1)!;

describe.skipIf(missing)('a write that changes nothing', () => {
  it('where everything is so already says so, and asks nobody', async () => {
    const args = { code: 'onboarding', amount_cents: 125000 };
    await stage.approve('update_add_on', args);
    const frame = await stage.host.show(pageOf('update_add_on'), await stage.call('update_add_on', args));
    await expectNotSideways(frame);
    expect(await contentOf(frame)).toMatch(/Nothing to change.*nothing was sent.*Price is already \$1,250\.00\./s);
    expect(await frame.getByRole('button').count()).toBe(0);
  });

  it('where it is refused shows why, and the choices', async () => {
    const refused = await stage.call('update_wallet', { svc_id: wallet, priority: 51 });
    const frame = await stage.host.show(pageOf('update_wallet'), refused);
    await expectNotSideways(frame);
    expect(await frame.locator('[role=alert]').textContent()).toMatch(/^Nothing was changed\..*1 \(used first\) to 50/);
  });
});

describe.skipIf(missing)('the two buttons', () => {
  it('Decline changes nothing, uses the token up, is on record, and the model is told', async () => {
    const before = await priorityNow();
    const { frame, approval } = await stage.ask('update_wallet', { svc_id: wallet, priority: 20 });
    await stage.press(frame, 'Decline');
    expect(await contentOf(frame)).toMatch(/Declined.*nothing was changed.*from .* to 20\?.*You declined this change/s);
    expect(await frame.getByRole('button').count()).toBe(0);
    expect(await priorityNow()).toBe(before);
    expect(lastAudit()).toMatchObject({ event: 'refused', decision: 'declined', tool: 'update_wallet' });
    await expect.poll(stage.told).toEqual([expect.stringContaining('update_wallet on its page: nothing was')]);
    const { tool, arguments: args, confirmation } = approval;
    const late = await stage.call('decide_write', { tool, arguments: args, confirmation, decision: 'approve' });
    expect(codeOf(late)).toBe('confirmation_used');
    expect(await priorityNow()).toBe(before);
  });

  it('a double click sends one call, and the keyboard works', async () => {
    const { frame } = await stage.ask('update_wallet', { svc_id: wallet, priority: 21 });
    await frame.evaluate(() => {
      const button = document.querySelector<HTMLButtonElement>('button.main')!;
      button.click();
      button.click();
      document.querySelectorAll<HTMLButtonElement>('button')[1]?.click();
    });
    await frame.waitForFunction(() => document.querySelector('#view [role=status]') === null);
    expect(stage.pressed).toHaveLength(1);
    expect(await priorityNow()).toBe('21');

    const keyed = await stage.ask('update_wallet', { svc_id: wallet, priority: 22 });
    await keyed.frame.locator('#view').focus();
    await stage.host.page.keyboard.press('Tab');
    expect(await keyed.frame.evaluate(() => document.activeElement?.textContent)).toBe('Approve');
    expect(await keyed.frame.getByRole('group', { name: 'Your decision' }).count()).toBe(1);
    await stage.host.page.keyboard.press('Enter');
    await expect.poll(() => contentOf(keyed.frame)).toContain('Confirmed by the button');
    expect(await keyed.frame.evaluate(() => document.activeElement?.id)).toBe('view');
  });

  it('a record that changed meanwhile is asked about anew on the page, twice, then refused', async () => {
    const { frame } = await stage.ask('update_wallet', { svc_id: wallet, priority: 40 });
    for (const [priority, ends] of [
      [31, false],
      [32, false],
      [33, true],
    ] as const) {
      await stage.approve('update_wallet', { svc_id: wallet, priority });
      await frame.getByRole('button', { name: 'Approve' }).click();
      const said = ends ? /third time/ : new RegExp(`changed since.*from ${priority} to 40`, 's');
      await expect.poll(() => contentOf(frame)).toMatch(said);
      if (ends) break;
      expect(JSON.stringify({ ...stage.pressed.at(-1)!.result, _meta: null })).not.toContain('v1.');
      expect(await stage.told()).toEqual([]);
    }
    expect(await priorityNow()).toBe('33');
    await expect.poll(stage.told).toHaveLength(1);
  });

  it('a host that does not pass calls on is said to have changed nothing, or perhaps something', async () => {
    const args = { svc_id: wallet, priority: 41 };
    const { page } = stage.host;
    await page.evaluate(() => {
      window.passOn = window.callServer;
    });
    for (const [code, said] of [
      [-32601, /^Nothing was changed\. The chat host/],
      [-32603, /^It is unknown whether/],
    ] as const) {
      const { frame } = await stage.ask('update_wallet', args);
      await page.evaluate(failing => {
        window.callServer = () => Promise.reject(Object.assign(new Error('no'), { code: failing }));
      }, code);
      await stage.press(frame, 'Approve');
      expect(await frame.locator('[role=alert]').textContent()).toMatch(said);
    }
    await page.evaluate(() => {
      window.callServer = window.passOn;
    });
    expect(await priorityNow()).toBe('33');
  });
});

describe.skipIf(missing)('the token of a page', () => {
  it('is nowhere but in _meta, whatever is asked', async () => {
    for (const [tool, args] of [
      ['update_wallet', { svc_id: wallet, priority: 42 }],
      ['create_billing_entity', { code: 'n', name: 'N' }],
    ] as const) {
      const { _meta, ...read } = await stage.call(tool, args);
      const { confirmation } = approvalOf({ _meta, ...read } as Result) as { confirmation: string };
      expect(confirmation).toMatch(/^v1\./);
      const [, body, signature] = confirmation.split('.');
      for (const part of [confirmation, body!, signature!]) expect(JSON.stringify(read)).not.toContain(part);
      expect(JSON.stringify(read)).not.toMatch(/v1\.|confirmation/);
      expect(read.structuredContent.summary).toMatch(/unless the user asks/);
    }
  });

  it('is not taken by the ordinary tool, nor for other arguments or another tool, and a call without it changes nothing', async () => {
    const args = { svc_id: wallet, priority: 43 };
    const { confirmation } = approvalOf(await stage.call('update_wallet', args));
    const asked = { tool: 'update_wallet', arguments: args, decision: 'approve', confirmation };
    const decide = (given: JsonRecord) => stage.call('decide_write', { ...asked, ...given });
    const codes = [
      codeOf(await stage.call('update_wallet', { ...args, confirmation })),
      codeOf(await decide({ arguments: { ...args, priority: 44 } })),
      codeOf(await decide({ tool: 'update_add_on', arguments: { code: 'onboarding', amount_cents: 1 } })),
      codeOf(await decide({ confirmation: undefined })),
      codeOf(await decide({ confirmation: 'yes' })),
      codeOf(await decide({ tool: 'list_plans', arguments: {} })),
      codeOf(await decide({ decision: 'yes' })),
      codeOf(await stage.call('decide_write', {})),
    ];
    expect(codes).toEqual([
      ...['confirmation_invalid', 'confirmation_mismatch', 'confirmation_mismatch', 'invalid_arguments'],
      ...['confirmation_invalid', 'invalid_arguments', 'invalid_arguments', 'invalid_arguments'],
    ]);
    expect(await priorityNow()).toBe('33');
    expect((await decide({})).structuredContent.receipt).toMatchObject({ confirmed_by: 'page' });
    const other = approvalOf(await stage.call('update_wallet', { svc_id: wallet, priority: 45 }));
    await decide({ arguments: other.arguments, confirmation: other.confirmation });
    expect(codeOf(await decide({}))).toBe('confirmation_used');
    expect(await priorityNow()).toBe('45');
  });

  it('of the argument is not taken by the buttons', async () => {
    const other = await startDemo(noon.toISOString(), ['--confirm', 'always', '--ask', 'buttons,token'], {});
    const args = { svc_id: wallet, priority: 3 };
    const { structuredContent } = await other.call('update_wallet', args);
    const { confirmation } = structuredContent.confirmation_required as JsonRecord;
    const late = { tool: 'update_wallet', arguments: args, confirmation, decision: 'approve' };
    expect(codeOf(await other.call('decide_write', late))).toBe('confirmation_invalid');
    await other.close();
  });

  it('ends after ten minutes: the page says so, and that nothing was changed', async () => {
    const { frame, approval } = await stage.ask('update_wallet', { svc_id: wallet, priority: 3 });
    vi.setSystemTime(Date.parse(approval.expires_at as string));
    await stage.press(frame, 'Approve');
    vi.setSystemTime(noon);
    const alert = await frame.locator('[role=alert]').textContent();
    expect(alert).toMatch(/^Nothing was changed\. .*older than ten minutes\.$/);
    expect(await contentOf(frame)).toContain('for this change again');
    expect(await priorityNow()).toBe('45');
  });
});
