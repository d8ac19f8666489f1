/** The pages of writes over the real server in mode `always`: a person decides with the buttons. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Frame } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, vi } from 'vitest';
import { demoIds } from '../../src/contract/demo-ids.ts';
import type { JsonRecord } from '../../src/lib/json.ts';
import { sharedBrowser } from './browser.ts';
import { type ChatHost, openChatHost } from './chat-host.ts';
import { type Demo, type Result, startDemo } from './demo.ts';
import { sideways } from './looks.ts';
import { pageOf } from './stage.ts';

export const noon = new Date('2026-03-15T12:00:00Z');

export interface WriteStage {
  host: ChatHost;
  call: Demo['call'];
  /** Calls that pages made in this test, and what they were answered. */
  pressed: { params: JsonRecord; result: Result }[];
  audit(): JsonRecord[];
  /** What the page that is shown told the host's model. */
  told(): Promise<string[]>;
  /** Presses a button, and waits for what comes of it. */
  press(frame: Frame, name: 'Approve' | 'Decline'): Promise<void>;
  /** Approves a write without its page. */
  approve(tool: string, args: JsonRecord): Promise<Result>;
  /** A fresh question, and its page. */
  ask(tool: string, args: JsonRecord): Promise<{ frame: Frame; approval: JsonRecord }>;
}

/** One server and one chat for all tests of the file that calls this. The time of day stands at noon unless a test sets it. */
export function sharedWrites(): WriteStage {
  const stage = { pressed: [] } as unknown as WriteStage;
  let browser: Browser;
  let demo: Demo;
  let folder: string;
  beforeAll(async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: noon });
    folder = mkdtempSync(join(tmpdir(), 'writes-'));
    const log = join(folder, 'audit.jsonl');
    [browser, demo] = await Promise.all([sharedBrowser(), startAsking('--audit-log', log)]);
    const host = await openChatHost(browser);
    await host.page.exposeFunction('callServer', async (params: { name: string; arguments: JsonRecord }) => {
      const result = await demo.call(params.name, params.arguments);
      stage.pressed.push({ params, result });
      return result;
    });
    const { call } = demo;
    Object.assign(stage, {
      host,
      call,
      audit: () => linesOf(log),
      told: () => host.page.evaluate(() => window.told),
      press: async (frame: Frame, name: string) => {
        await frame.getByRole('button', { name }).click();
        await frame.waitForFunction(() => document.querySelector('#view [role=status]') === null);
      },
      approve: async (tool: string, args: JsonRecord) =>
        call('decide_write', { ...decisionOf(await call(tool, args)), decision: 'approve' }),
      ask: async (tool: string, args: JsonRecord) => {
        const question = await call(tool, args);
        return { frame: await host.show(pageOf(tool), question), approval: approvalOf(question) };
      },
    });
  });
  afterAll(async () => {
    vi.useRealTimers();
    await Promise.all([browser?.close(), demo?.close()]);
    rmSync(folder, { recursive: true, force: true });
  });
  beforeEach(() => {
    stage.pressed.length = 0;
  });
  afterEach(() => expect(stage.host.complaints.splice(0)).toEqual([]));
  return stage;
}

/** The demo at noon, which asks before each write. */
function startAsking(...flags: string[]): Promise<Demo> {
  return startDemo(noon.toISOString(), ['--confirm', 'always', ...flags]);
}

const linesOf = (file: string) =>
  readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as JsonRecord);

export const approvalOf = ({ _meta }: Result) =>
  ((_meta?.['usage-billing/page'] ?? {}) as JsonRecord).approval as JsonRecord;
/** What a page sends with a decision. */
const decisionOf = (question: Result) => {
  const { tool, arguments: args, confirmation } = approvalOf(question);
  return { tool, arguments: args, confirmation };
};
export const codeOf = ({ structuredContent }: Result) => (structuredContent.error as JsonRecord | undefined)?.code;
/** The texts of the page, hidden ones too, without what its button says. */
export const contentOf = async (frame: Frame) =>
  ((await frame.textContent('#view')) ?? '').replace(/Show (all|less)$/, '');
export const expectNotSideways = async (frame: Frame) => expect(await sideways(frame)).toBeLessThanOrEqual(0);

export const wallet = demoIds.wallet_svc_id;
const { invoice_svc_id: invoice, credit_note_svc_id: creditNote } = demoIds as Record<string, string>;
const subscription = demoIds.external_subscription_id;
const [undoable, final] = [/To undo it/, /cannot be undone/];
/** Tool, arguments, what the question shows, what the page shows after Approve, and the way back. */
export const writes: [string, JsonRecord, RegExp, RegExp, RegExp][] = [
  [
    'update_wallet',
    { svc_id: wallet, priority: 3, expiration_at: '2027-06-30T00:00:00Z' },
    /10.*3/s,
    /balance \$312\.50.*priority 10.*3/s,
    undoable,
  ],
  [
    'update_subscription',
    { external_id: subscription, name: 'Acme Studio (EU)' },
    /Acme Studio \(EU\)/,
    /\$99\.00 plan fee.*Plan/s,
    undoable,
  ],
  [
    'create_subscription_alert',
    { external_id: subscription, code: 'big', alert_type: 'lifetime_usage_amount', thresholds: [{ value: 50000 }] },
    /\$500/,
    /usage since the start.*\$500\.00/s,
    final,
  ],
  [
    'create_subscription_alert',
    {
      external_id: subscription,
      alerts: ['amount', 'units'].map(of => ({
        ...{ code: `seats_${of}`, alert_type: `billable_metric_current_usage_${of}`, billable_metric_code: 'seats' },
        thresholds: [{ value: 70000 }],
      })),
    },
    /Create 2 alerts.*\$700.*70,000 units/s,
    /created.*seats_amount.*\$700\.00.*seats_units.*70,000/s,
    final,
  ],
  [
    'update_invoice',
    { svc_id: invoice!, payment_status: 'succeeded', metadata: [{ key: 'dispute', value: 'open' }] },
    /as paid \(was: not paid yet\).*adds dispute/s,
    /\$187\.14 total/,
    undoable,
  ],
  [
    'update_credit_note',
    { svc_id: creditNote!, refund_status: 'succeeded' },
    /paid out/,
    /Credit left.*\$157\.75/s,
    /undo/i,
  ],
  [
    'update_add_on',
    { code: 'onboarding', amount_cents: 125000 },
    /from \$750\.00 to \$1,250\.00/,
    /price \$750\.00 →becomes \$1,250\.00/,
    undoable,
  ],
  ['delete_add_on', { code: 'priority_support' }, /\$150\.00.*loses that charge/s, /lost the charge/, final],
  [
    'create_billing_entity',
    { code: 'sky_de', name: 'Skylark Germany', country: 'DE', timezone: 'Europe/Berlin', default_currency: 'EUR' },
    /Skylark Germany/,
    /Currency.*EUR/s,
    final,
  ],
];
