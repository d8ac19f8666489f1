/** The own tasks that write: other ways to the same end pass, and what differs from it does not. */
import { describe, expect, it } from 'vitest';
import { gradeRun } from '../../src/rehearse/grade/grade.ts';
import { ownTasks } from '../../src/rehearse/tasks/own.ts';
import type { Task, Verdict } from '../../src/rehearse/types.ts';
import { rehearsed } from './run/agents.ts';

type Call = [tool: string, args: object];
type Taken = [id: string, way: string, calls: Call[]];
type NotTaken = [...Taken, why: RegExp];

const rehearsals = new Map<string, Promise<Verdict[]>>();

/** The verdict on these calls. All ways of one task are runs of one rehearsal. */
async function verdictOf(id: string, way: string): Promise<Verdict | undefined> {
  const ways = [...taken, ...notTaken].filter(each => each[0] === id);
  const verdicts = rehearsals.get(id) ?? verdictsOf(id, ways);
  rehearsals.set(id, verdicts);
  return (await verdicts)[ways.findIndex(each => each[1] === way)];
}

async function verdictsOf(id: string, ways: (Taken | NotTaken)[]): Promise<Verdict[]> {
  const waiting = ways.map(([, , calls]) => calls);
  const { rehearsal } = await rehearsed(
    async ({ insist }) => {
      const said: string[] = [];
      for (const each of waiting.shift() ?? []) said.push(await insist(...each));
      return said.join('\n');
    },
    ownTasks.find(task => task.id === id) as Task,
    { runs: ways.length, grade: gradeRun },
  );
  return rehearsal.results.flatMap(({ runs }) => runs.map(({ verdict }) => verdict));
}

const rule = { trigger: 'interval', interval: 'monthly', paid_credits: '40', granted_credits: '2' };
const bakery = '5be677bc-00a7-541d-87a1-9d51deeca1ae';
const gpuWallet = '015e5efd-04b7-58a3-acac-7720e7ce727b';
const openInvoice = '35466a7c-b6e3-5ae3-8731-2e65db593664';
const topUp = (rules: unknown): Call => ['update_wallet', { svc_id: bakery, recurring_transaction_rules: rules }];
const gpu = (changes: object): Call => ['update_wallet', { svc_id: gpuWallet, ...changes }];
const inTokyo = '2026-12-31T23:59:59+09:00';
const applies_to = { billable_metric_codes: ['gpu_seconds'] };
const alert = (changes: object): Call => [
  'create_subscription_alert',
  {
    ...{ external_id: 'martin-starter', code: 'usage_50', alert_type: 'current_usage_amount' },
    ...{ thresholds: [{ code: 'limit', value: '5000' }], ...changes },
  },
];
const invoice = (changes: object): Call => ['update_invoice', { svc_id: openInvoice, ...changes }];

const taken: Taken[] = [
  ['write-top-up-in-credits', 'other zeros', [topUp([{ ...rule, paid_credits: '40.00', granted_credits: '2.0' }])]],
  ['write-top-up-in-credits', 'the defaults written out', [topUp([{ ...rule, method: 'fixed', expiration_at: null }])]],
  ['write-top-up-in-credits', 'JSON text', [topUp(JSON.stringify([rule]))]],
  [
    'write-top-up-in-credits',
    'the rule changed under its id',
    [topUp([{ svc_id: 'f9bc1b06-1505-5fec-ae2f-08014351d730', ...rule }])],
  ],
  ['write-top-up-in-credits', 'its start kept', [topUp([{ ...rule, started_at: '2025-12-01T01:00:00+01:00' }])]],
  ['write-wallet-until', 'the instant in UTC', [gpu({ expiration_at: '2026-12-31T14:59:59Z', applies_to })]],
  ['write-wallet-until', 'milliseconds', [gpu({ expiration_at: '2026-12-31T23:59:59.999+09:00', applies_to })]],
  ['write-wallet-until', 'what was lost given back', [gpu({ expiration_at: inTokyo }), gpu({ applies_to })]],
  ['write-alert-in-euros', 'a name of its own', [alert({ name: 'Fifty euros' })]],
  ['write-alert-in-euros', 'a second attempt, which is refused', [alert({}), alert({ code: 'again' })]],
  [
    'write-same-as-last-time',
    'two calls',
    [invoice({ metadata: [{ key: 'project', value: 'opening' }] }), invoice({ payment_status: 'succeeded' })],
  ],
];
const notTaken: NotTaken[] = [
  ['write-top-up-in-credits', 'euros', [topUp([{ ...rule, paid_credits: '20' }])], /recurring_transaction_rules/],
  ['write-top-up-in-credits', 'no granted credits', [topUp([{ ...rule, granted_credits: '0' }])], /granted_credits/],
  [
    'write-wallet-until',
    'an end in UTC',
    [gpu({ expiration_at: '2026-12-31T23:59:59Z', applies_to })],
    /expiration_at/,
  ],
  ['write-wallet-until', 'a wallet for everything', [gpu({ expiration_at: inTokyo })], /gpu_seconds/],
  ['write-alert-in-euros', 'cents', [alert({ thresholds: [{ code: 'limit', value: '50' }] })], /"50\.0"/],
  ['write-same-as-last-time', 'half of it', [invoice({ payment_status: 'succeeded' })], /metadata/],
];

describe('an own task that writes', () => {
  it.each(taken)('%s takes %s', async (id, way) => {
    expect(await verdictOf(id, way)).toEqual({ passed: true, failures: [] });
  });

  it.each(notTaken)('%s does not take %s', async (id, way, _, why) => {
    const { passed, failures = [] } = (await verdictOf(id, way)) ?? {};
    expect(passed).toBe(false);
    expect(failures.join('\n')).toMatch(why);
  });
});
