/** The pages of all writes over the real server in mode `always`: a person decides with the buttons. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { Browser, Frame } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { JsonRecord } from '../../src/lib/json.ts';
import { demoIds } from '../../src/model/demo-ids.ts';
import { readView, views } from '../../src/views/index.ts';
import { main } from '../support/settings.ts';
import { type ChatHost, launchBrowser, openChatHost, screenshots } from './chat-host.ts';
import { pages, poison } from './recorded.ts';

type Result = JsonRecord & { structuredContent: JsonRecord; _meta?: JsonRecord };
interface Server {
  call(name: string, args: JsonRecord): Promise<Result>;
  /** Calls that pages made, and what they were answered. */
  pressed: { params: JsonRecord; result: Result }[];
  audit(): JsonRecord[];
  close(): Promise<void>;
}

/** Lets a signal set the clock of the server eleven minutes ahead. */
const clock = `data:text/javascript,${encodeURIComponent(`
  const Real = Date; let ahead = 0;
  globalThis.Date = class extends Real {
    constructor(...given) { super(...(given.length ? given : [Real.now() + ahead])); }
    static now() { return Real.now() + ahead; }
  };
  process.on('SIGUSR2', () => { ahead = 660000; });`)}`;

let browser: Browser;
let host: ChatHost;
let server: Server;
let transport: StdioClientTransport;

async function startServer(capabilities: object = pages): Promise<Server> {
  const folder = mkdtempSync(join(tmpdir(), 'writes-'));
  const log = join(folder, 'audit.jsonl');
  const client = new Client({ name: 'host', version: '1' }, { capabilities });
  const args = ['--import', clock, main, '--demo', '--now', '2026-03-15T12:00:00Z', '--confirm', 'always'];
  const env = { PATH: process.env.PATH ?? '', BILLING_AUDIT_LOG: log };
  transport = new StdioClientTransport({ command: process.execPath, args, env, stderr: 'inherit' });
  await client.connect(transport);
  return {
    pressed: [],
    call: async (name, given) => (await client.callTool({ name, arguments: given })) as Result,
    audit: () =>
      readFileSync(log, 'utf8')
        .trim()
        .split('\n')
        .map(line => JSON.parse(line)),
    close: async () => {
      await client.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const pageOf = (tool: string) => readView(views.find(({ tools }) => tools.includes(tool))?.uri ?? '') ?? '';
const approvalOf = ({ _meta }: Result) => ((_meta?.['usage-billing/page'] ?? {}) as JsonRecord).approval as JsonRecord;
const codeOf = ({ structuredContent }: Result) => (structuredContent.error as JsonRecord | undefined)?.code;
const textOf = async (frame: Frame) => (await frame.textContent('#view')) ?? '';
const told = () => host.page.evaluate(() => window.told);
const press = async (frame: Frame, name: 'Approve' | 'Decline') => {
  await frame.getByRole('button', { name }).click();
  await frame.waitForFunction(() => document.querySelector('#view [role=status]') === null);
};

beforeAll(async () => {
  [browser, server] = await Promise.all([launchBrowser(), startServer()]);
});
afterAll(() => Promise.all([browser?.close(), server?.close()]));
beforeEach(async () => {
  host = await openChatHost(browser);
  server.pressed.length = 0;
  await host.page.exposeFunction('callServer', async (params: { name: string; arguments: JsonRecord }) => {
    const result = await server.call(params.name, params.arguments);
    server.pressed.push({ params, result });
    return result;
  });
});
afterEach(async () => {
  expect(host.complaints).toEqual([]);
  await host.close();
});

/** In light and dark and on a phone; ends in light. */
async function shoot(tool: string, result: Result, name: string): Promise<Frame> {
  for (const theme of ['dark', 'narrow', 'light'] as const) {
    await host.page.setViewportSize({ width: theme === 'narrow' ? 360 : 900, height: 700 });
    const frame = await host.show(pageOf(tool), result, { theme: theme === 'dark' ? 'dark' : 'light' });
    expect(await frame.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
    await frame.evaluate(() => new Promise(done => requestAnimationFrame(() => setTimeout(done, 60))));
    await host.page.screenshot({ path: `${screenshots}write-${tool}-${name}-${theme}.png`, fullPage: true });
    if (theme === 'light') return frame;
  }
  throw new Error('unreachable');
}

const wallet = demoIds.wallet_svc_id;
const { invoice_svc_id: invoice, credit_note_svc_id: creditNote } = demoIds as Record<string, string>;
const subscription = demoIds.external_subscription_id;
/** Tool, arguments, what the question shows, what the page shows after Approve, and the way back. */
const writes: [string, JsonRecord, RegExp, RegExp, RegExp][] = [
  [
    'update_wallet',
    { svc_id: wallet, priority: 3, expiration_at: '2027-06-30T00:00:00Z' },
    /10.*3/s,
    /balance \$312\.50.*priority 10.*3/s,
    /can be taken back/,
  ],
  [
    'update_subscription',
    { external_id: subscription, name: 'Acme Studio (EU)' },
    /Acme Studio \(EU\)/,
    /\$99\.00 plan fee.*Plan/s,
    /can be taken back/,
  ],
  [
    'create_subscription_alert',
    { external_id: subscription, code: 'big', alert_type: 'lifetime_usage_amount', thresholds: [{ value: 50000 }] },
    /\$500/,
    /usage since the start.*\$500\.00/s,
    /cannot be taken back/,
  ],
  [
    'update_invoice',
    { svc_id: invoice!, payment_status: 'succeeded', metadata: [{ key: 'dispute', value: 'open' }] },
    /as paid \(was: not paid yet\).*adds dispute/s,
    /\$187\.14 total/,
    /can be taken back/,
  ],
  [
    'update_credit_note',
    { svc_id: creditNote!, refund_status: 'succeeded' },
    /paid out/,
    /Credit left.*\$157\.75/s,
    /taken back/,
  ],
  [
    'update_add_on',
    { code: 'onboarding', amount_cents: 125000 },
    /from \$750\.00 to \$1,250\.00/,
    /\$1,250\.00 price/,
    /can be taken back/,
  ],
  [
    'delete_add_on',
    { code: 'priority_support' },
    /\$150\.00.*loses that charge/s,
    /lost the charge/,
    /cannot be taken back/,
  ],
  [
    'create_billing_entity',
    { code: 'sky_de', name: 'Skylark Germany', country: 'DE', timezone: 'Europe/Berlin', default_currency: 'EUR' },
    /Skylark Germany/,
    /Currency.*EUR/s,
    /cannot be taken back/,
  ],
];

describe('the page of each write', () => {
  it('there is one for all eight', () => {
    expect(writes.every(([tool]) => pageOf(tool) !== '')).toBe(true);
    expect(new Set(writes.map(([tool]) => tool)).size).toBe(8);
  });

  it.each(writes)(
    '%s: shows a dry run, asks, carries out, and tells the model',
    async (tool, args, asked, done, back) => {
      const dry = await shoot(tool, await server.call(tool, { ...args, dry_run: true }), 'dry-run');
      expect(await textOf(dry)).toMatch(asked);
      expect(await textOf(dry)).toContain('nothing was changed');

      const question = await server.call(tool, args);
      const frame = await shoot(tool, question, 'asked');
      expect(await textOf(frame)).toMatch(asked);
      const { question: words, warnings, expires_at } = approvalOf(question);
      expect(await frame.locator('p.question').allTextContents()).toEqual([words]);
      expect(await frame.locator('p.warning').allTextContents()).toEqual(warnings);
      expect(Date.parse(expires_at as string) - Date.now()).toBeGreaterThan(590_000);
      expect(await frame.getByRole('button').allTextContents()).toEqual(['Approve', 'Decline']);
      await press(frame, 'Approve');
      expect(server.pressed).toHaveLength(1);
      const [{ result }] = server.pressed as unknown as [{ result: Result }];
      expect(result.structuredContent.receipt).toMatchObject({ confirmed_by: 'page', not_applied: [] });

      await expect.poll(told).toEqual([expect.stringContaining(`The person chose approve for ${tool} on its page.`)]);

      const shown = await textOf(frame);
      expect(shown).toMatch(done);
      expect(shown).toMatch(back);
      expect(shown).toContain('Confirmed by the button on this page');
      expect(await textOf(await shoot(tool, result, 'done'))).toBe(shown);
      expect(shown).not.toMatch(/undefined|null|NaN|\[object/);
    },
  );

  it.each(writes)('%s: markup in a record is shown as text and runs nothing', async (tool, args) => {
    for (const result of [await server.call(tool, { ...args, dry_run: true }), server.pressed[0]?.result]) {
      if (!result) continue;
      const frame = await host.show(pageOf(tool), poison(result) as JsonRecord);
      expect(await frame.evaluate(() => 'pwned' in window)).toBe(false);
      expect(await frame.locator('#view img, #view script, #view a').count()).toBe(0);
    }
  });
});

/** A fresh question, and its page. */
async function ask(tool: string, args: JsonRecord): Promise<{ frame: Frame; approval: JsonRecord }> {
  const question = await server.call(tool, args);
  return { frame: await host.show(pageOf(tool), question), approval: approvalOf(question) };
}
const priorityNow = async () => {
  const { dry_run, summary } = (await server.call('update_wallet', { svc_id: wallet, priority: 49, dry_run: true }))
    .structuredContent;
  return /from (\d+) to 49/.exec(JSON.stringify(dry_run ?? summary))?.[1];
};
const lastAudit = () => server.audit().at(-1)!;

describe('a write that changes nothing', () => {
  it('where everything is so already says so, and asks nobody', async () => {
    const idle = await server.call('update_add_on', { code: 'onboarding', amount_cents: 125000 });
    const frame = await shoot('update_add_on', idle, 'idle');
    expect(await textOf(frame)).toMatch(/Nothing to change.*nothing was sent.*Price is already \$1,250\.00\./s);
    expect(await frame.getByRole('button').count()).toBe(0);
  });

  it('where it is refused shows why, and the choices', async () => {
    const refused = await server.call('update_wallet', { svc_id: wallet, priority: 51 });
    const frame = await shoot('update_wallet', refused, 'refused');
    expect(await frame.locator('[role=alert]').textContent()).toMatch(/^Nothing was changed\..*1 \(used first\) to 50/);
  });
});

describe('the two buttons', () => {
  it('Decline changes nothing, uses the token up, is on record, and the model is told', async () => {
    const before = await priorityNow();
    const { frame, approval } = await ask('update_wallet', { svc_id: wallet, priority: 20 });
    await press(frame, 'Decline');
    expect(await textOf(frame)).toMatch(/Declined.*nothing was changed.*from .* to 20\?.*You declined this change/s);
    expect(await frame.getByRole('button').count()).toBe(0);
    await host.page.screenshot({ path: `${screenshots}write-declined.png` });
    expect(await priorityNow()).toBe(before);
    expect(lastAudit()).toMatchObject({ event: 'refused', decision: 'declined', tool: 'update_wallet' });
    await expect
      .poll(told)
      .toEqual([expect.stringContaining('declined update_wallet on its page: nothing was changed')]);
    const { tool, arguments: args, confirmation } = approval;
    const late = await server.call('decide_write', { tool, arguments: args, confirmation, decision: 'approve' });
    expect(codeOf(late)).toBe('confirmation_used');
    expect(await priorityNow()).toBe(before);
  });

  it('a double click sends one call, and the keyboard works', async () => {
    const { frame } = await ask('update_wallet', { svc_id: wallet, priority: 21 });
    await frame.evaluate(() => {
      const button = document.querySelector<HTMLButtonElement>('button.main')!;
      button.click();
      button.click();
      document.querySelectorAll<HTMLButtonElement>('button')[1]?.click();
    });
    await frame.waitForFunction(() => document.querySelector('#view [role=status]') === null);
    expect(server.pressed).toHaveLength(1);
    expect(await priorityNow()).toBe('21');

    const keyed = await ask('update_wallet', { svc_id: wallet, priority: 22 });
    await keyed.frame.locator('#view').focus();
    await host.page.keyboard.press('Tab');
    expect(await keyed.frame.evaluate(() => document.activeElement?.textContent)).toBe('Approve');
    expect(await keyed.frame.getByRole('group', { name: 'Your decision' }).count()).toBe(1);
    await host.page.keyboard.press('Enter');
    await expect.poll(() => textOf(keyed.frame)).toContain('Confirmed by the button');
    expect(await keyed.frame.evaluate(() => document.activeElement?.id)).toBe('view');
  });

  it('a record that changed meanwhile is asked about anew on the page, twice, then refused', async () => {
    const { frame } = await ask('update_wallet', { svc_id: wallet, priority: 40 });
    for (const [priority, ends] of [
      [31, false],
      [32, false],
      [33, true],
    ] as const) {
      const other = approvalOf(await server.call('update_wallet', { svc_id: wallet, priority }));
      const { tool, arguments: args, confirmation } = other;
      await server.call('decide_write', { tool, arguments: args, confirmation, decision: 'approve' });
      await frame.getByRole('button', { name: 'Approve' }).click();
      await expect
        .poll(() => textOf(frame))
        .toMatch(ends ? /third time/ : new RegExp(`changed since.*from ${priority} to 40`, 's'));
      if (!ends) {
        await host.page.screenshot({ path: `${screenshots}write-changed-meanwhile.png` });
        expect(JSON.stringify({ ...server.pressed.at(-1)!.result, _meta: null })).not.toContain('v1.');
        expect(await told()).toEqual([]);
      }
    }
    expect(await priorityNow()).toBe('33');
    await expect.poll(told).toHaveLength(1);
  });

  it('a host that does not pass calls on is said to have changed nothing, or perhaps something', async () => {
    const args = { svc_id: wallet, priority: 41 };
    for (const [code, said] of [
      [-32601, /^Nothing was changed\. The chat host/],
      [-32603, /^It is not known whether anything was changed/],
    ] as const) {
      const { frame } = await ask('update_wallet', args);
      await host.page.evaluate(failing => {
        window.callServer = () => Promise.reject(Object.assign(new Error('no'), { code: failing }));
      }, code);
      await press(frame, 'Approve');
      expect(await frame.locator('[role=alert]').textContent()).toMatch(said);
    }
    expect(await priorityNow()).toBe('33');
  });
});

describe('the token of a page', () => {
  it('is nowhere but in _meta, whatever is asked', async () => {
    for (const [tool, args] of [
      ['update_wallet', { svc_id: wallet, priority: 42 }],
      ['create_billing_entity', { code: 'n', name: 'N' }],
    ] as const) {
      const { _meta, ...read } = await server.call(tool, args);
      const { confirmation } = approvalOf({ _meta, ...read } as Result) as { confirmation: string };
      expect(confirmation).toMatch(/^v1\./);
      const [, body, signature] = confirmation.split('.');
      for (const part of [confirmation, body!, signature!]) expect(JSON.stringify(read)).not.toContain(part);
      expect(JSON.stringify(read)).not.toMatch(/v1\.|confirmation/);
      expect(read.structuredContent.summary).toMatch(
        /Nothing was changed yet.*Do not call .* again for this unless the person says so\.$/,
      );
    }
  });

  it('is not taken by the ordinary tool, nor for other arguments or another tool, and a call without it changes nothing', async () => {
    const args = { svc_id: wallet, priority: 43 };
    const { confirmation } = approvalOf(await server.call('update_wallet', args));
    const decide = (given: JsonRecord) =>
      server.call('decide_write', {
        tool: 'update_wallet',
        arguments: args,
        decision: 'approve',
        confirmation,
        ...given,
      });
    const codes = [
      codeOf(await server.call('update_wallet', { ...args, confirmation })),
      codeOf(await decide({ arguments: { ...args, priority: 44 } })),
      codeOf(await decide({ tool: 'update_add_on', arguments: { code: 'onboarding', amount_cents: 1 } })),
      codeOf(await decide({ confirmation: undefined })),
      codeOf(await decide({ confirmation: 'yes' })),
      codeOf(await decide({ tool: 'list_plans', arguments: {} })),
      codeOf(await decide({ decision: 'yes' })),
      codeOf(await server.call('decide_write', {})),
    ];
    expect(codes).toEqual([
      ...['confirmation_invalid', 'confirmation_mismatch', 'confirmation_mismatch', 'invalid_arguments'],
      ...['confirmation_invalid', 'invalid_arguments', 'invalid_arguments', 'invalid_arguments'],
    ]);
    expect(await priorityNow()).toBe('33');
    expect((await decide({})).structuredContent.receipt).toMatchObject({ confirmed_by: 'page' });
    const other = approvalOf(await server.call('update_wallet', { svc_id: wallet, priority: 45 }));
    await decide({ arguments: other.arguments, confirmation: other.confirmation });
    expect(codeOf(await decide({}))).toBe('confirmation_used');
    expect(await priorityNow()).toBe('45');
  });

  it('of the argument is not taken by the buttons', async () => {
    const other = await startServer({});
    const args = { svc_id: wallet, priority: 3 };
    const { structuredContent } = await other.call('update_wallet', args);
    const { confirmation } = structuredContent.confirmation_required as JsonRecord;
    const late = await other.call('decide_write', {
      tool: 'update_wallet',
      arguments: args,
      confirmation,
      decision: 'approve',
    });
    expect(codeOf(late)).toBe('confirmation_invalid');
    await other.close();
  });

  it('ends after ten minutes: the page says so, and that nothing was changed', async () => {
    const late = await startServer();
    const question = await late.call('update_wallet', { svc_id: wallet, priority: 3 });
    const frame = await host.show(pageOf('update_wallet'), question);
    process.kill(transport.pid!, 'SIGUSR2');
    const kept = server;
    server = late;
    await expect
      .poll(async () => {
        const fresh = approvalOf(await late.call('update_wallet', { svc_id: wallet, priority: 4 }));
        return Date.parse(fresh.expires_at as string) - Date.now() > 700_000;
      })
      .toBe(true);
    await press(frame, 'Approve');
    expect(await frame.locator('[role=alert]').textContent()).toMatch(
      /^Nothing was changed\. .*older than ten minutes\.$/,
    );
    expect(await textOf(frame)).toContain('Ask the assistant for this change again');
    await host.page.screenshot({ path: `${screenshots}write-expired.png` });
    server = kept;
    await late.close();
  });
});
