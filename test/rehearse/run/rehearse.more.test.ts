/** Runs of a rehearsal: their accounts, the person, the turns, several at a time, and the end before the end. */
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, it, vi } from 'vitest';
import { fieldOf } from '../../../src/lib/json.ts';
import { ReferenceFailed } from '../../../src/rehearse/run/reference.ts';
import type { Reference, Task } from '../../../src/rehearse/types.ts';
import { ConfigError } from '../../../src/server/settings/settings.ts';
import { until } from '../../support/until.ts';
import { type Assistant, agentFolder, answerOf, expectEnded, recordOf, rehearsed, task } from './agents.ts';

const { program, file } = agentFolder();

const rename = { code: 'onboarding', name: 'First day' };
const call = { tool: 'update_add_on', arguments: rename };
const renames: Assistant = async ({ call }) => {
  const [, before] = /“([^”]+)” \(onboarding\)/.exec(await call('list_catalogue', { kind: 'add_ons' })) ?? [];
  return `${before} | ${await call('update_add_on', rename)}`;
};
/** A task whose person agrees to everything. */
const agreed = (changes: Partial<Task> = {}) => task({ person: { confirms: 'yes' }, ...changes });
/** Renames with a client of the newest revision that declares this. */
async function inNewest(url: string | undefined, capabilities: object): Promise<string> {
  const options = { capabilities, versionNegotiation: { mode: { pin: '2026-07-28' } } } as const;
  const client = new Client({ name: 'newest', version: '1' }, options);
  await client.connect(new StreamableHTTPClientTransport(new URL(url ?? '')));
  const { content } = await client.callTool({ name: call.tool, arguments: rename });
  await client.close();
  return JSON.stringify(content);
}
/** Names of all add-ons in a state. */
const addOns = (state: Reference['after']) => Object.values(state.add_ons ?? {}).map(record => fieldOf(record, 'name'));

describe('the record of a run', () => {
  it('holds the calls with what the assistant read, and the account before and after', async () => {
    const kept: Reference['after'][] = [];
    const grade = (_: Task, { before, after }: { before: Reference['after']; after: Reference['after'] }) => {
      kept.push(before, after);
      return { passed: true, failures: [] };
    };
    const { calls, tokens, turns } = await recordOf(renames, agreed(), { grade });
    expect(calls.map(({ tool, isError, changed, turn }) => ({ tool, isError, changed, turn }))).toEqual([
      { tool: 'list_catalogue', isError: false, changed: false, turn: 0 },
      { tool: 'update_add_on', isError: false, changed: true, turn: 0 },
    ]);
    expect(calls[1]?.arguments).toEqual({ code: 'onboarding', name: 'First day' });
    expect(turns[0]?.answer).toBe(`Onboarding | ${calls[1]?.answer}`);
    expect(tokens).toBe(calls.reduce((sum, call) => sum + call.tokens, 0));
    const [before, after] = kept.map(state => addOns(state));
    expect(before).toContain('Onboarding');
    expect(after).toEqual(before?.map(name => (name === 'Onboarding' ? 'First day' : name)));
  });

  it('counts the list of tools once where it is read, however often', async () => {
    const { calls, tokens } = await recordOf(async ({ list }) => {
      await list();
      await list();
      return 'read';
    });
    expect(calls).toEqual([]);
    expect(tokens).toBeGreaterThan(3000);
    expect(tokens).toBeLessThan(30_000);
  });

  it.each([
    ['a dry run', { code: 'onboarding', name: 'First day', dry_run: true }],
    ['a write of what is there already', { code: 'onboarding', name: 'Onboarding' }],
    ['a refused write', { code: 'no-such-add-on', name: 'First day' }],
    ['a write with wrong arguments', { code: 'onboarding', nam: 'First day' }],
  ])('does not take %s for a change', async (_, args) => {
    const { calls } = await recordOf(({ call }) => call('update_add_on', args));
    expect(calls.map(({ changed }) => changed)).toEqual([false]);
  });

  it('is of the account and the time of the task', async () => {
    const add = { add_ons: [{ code: 'extra', name: 'An extra', amount_cents: 100, amount_currency: 'EUR' }] };
    const reads: Assistant = ({ call }) => call('list_catalogue', { kind: 'add_ons' });
    expect(await answerOf(reads, task({ add }))).toContain('An extra');
    expect(await answerOf(reads)).not.toContain('An extra');
    const now = '2031-07-01T09:00:00Z';
    const invoices: Assistant = async ({ words, call }) => words + (await call('list_invoices', {}));
    const told = await answerOf(invoices, task({ now, account: 'demo' }));
    expect(told).toContain('Today is Tuesday, 1 July 2031.');
    expect(told).toMatch(/"issuing_date":"2031-0[4-6]/);
  });

  it('is of a server with the settings of the task', async () => {
    const names: Assistant = async ({ list }) => (await list()).join();
    const all = (await answerOf(names)).split(',');
    const readOnly = (await answerOf(names, task({ settings: { BILLING_READ_ONLY: 'true' } }))).split(',');
    expect(all).toContain('update_add_on');
    expect(readOnly).not.toContain('update_add_on');
    expect(readOnly).toContain('get_customer');
    await expect(recordOf(names, task({ settings: { BILLING_READ_ONLY: 'perhaps' } }))).rejects.toThrow(ConfigError);
  });
});

describe('the scripted person', () => {
  const people: [what: string, confirms: 'yes' | 'no' | { no_where: string[] }, reply: string, changed: boolean][] = [
    ['always agrees', 'yes', 'yes', true],
    ['never agrees', 'no', 'no', false],
    ['does not agree where a word is in the question', { no_where: ['unicorn', 'FIRST DAY'] }, 'no', false],
    ['agrees where none is', { no_where: ['unicorn'] }, 'yes', true],
  ];
  it.each(people)('%s', async (_, confirms, reply, changed) => {
    const [, write] = (await recordOf(renames, task({ person: { confirms } }))).calls;
    expect(write?.questionAndReply?.question).toMatch(/Onboarding.*First day/s);
    expect([write?.questionAndReply?.reply, write?.changed, write?.isError]).toEqual([reply, changed, !changed]);
    expect(write?.confirmedBy).toBe(changed ? 'person' : undefined);
    if (!changed) expect(write?.answer).toContain('the user declined it');
  });

  it('is not there for a task without one: what its client can do decides how it is asked', async () => {
    const [, waiting] = (await recordOf(renames)).calls;
    expect([waiting?.questionAndReply, waiting?.changed, waiting?.isError]).toEqual([undefined, false, false]);
    expect(waiting?.answer).toContain('confirmation_required');
    const { calls } = await recordOf(({ insist }) => insist('update_add_on', rename));
    expect(calls.map(({ changed, confirmedBy }) => [changed, confirmedBy])).toEqual([
      [false, undefined],
      [true, 'token'],
    ]);
  });

  it('is heard by a form also where the client of the assistant opens pages', async () => {
    const { calls } = await recordOf(
      ({ env }) => inNewest(env.REHEARSAL_MCP_URL, { elicitation: { url: {} } }),
      agreed(),
    );
    expect(calls.map(({ questionAndReply: asked, confirmedBy }) => [asked?.reply, confirmedBy])).toEqual([
      ['yes', 'person'],
    ]);
  });

  it('is heard in the way that the settings of the task name', async () => {
    const settings = { BILLING_ASK: 'token' };
    const [, waiting] = (await recordOf(renames, agreed({ settings, expect: { writes: [call] } }))).calls;
    expect([waiting?.questionAndReply, waiting?.changed]).toEqual([undefined, false]);
    expect(waiting?.answer).toContain('confirmation_required');
  });

  it('is not asked where the settings of the task say never', async () => {
    const settings = { BILLING_CONFIRM: 'never' };
    const [, write] = (await recordOf(renames, agreed({ settings }))).calls;
    expect([write?.questionAndReply, write?.confirmedBy]).toEqual([undefined, 'policy']);
  });

  it('says what is scripted, each once, where the answer holds its words', async () => {
    const replies = [
      { when: 'NO SUCH WORDS', says: 'never said' },
      { when: 'which plan', says: 'The studio one.' },
      { says: 'Thanks. And the other?' },
    ];
    const asks: Assistant = async ({ env, words, call }) => {
      await call('list_plans', {});
      const { REHEARSAL_TURN: turn, REHEARSAL_CONVERSATION: conversation } = env;
      return turn === '0' ? 'Which plan do you mean?' : `Turn ${turn}\n${words}${conversation}`;
    };
    const { turns, calls, ended } = await recordOf(asks, task({ says: 'Change the plan.', person: { replies } }));
    expect(turns.map(({ says }) => says)).toEqual(['Change the plan.', 'The studio one.', 'Thanks. And the other?']);
    expect(calls.map(({ turn }) => turn)).toEqual([0, 1, 2]);
    expect(ended).toBe('answered');
    const conversation = [{ says: 'Change the plan.', answer: 'Which plan do you mean?' }];
    expect(turns[1]?.answer).toBe(
      `Turn 1\nToday is Sunday, 15 March 2026.\n\nUser: Change the plan.\n\nAssistant: Which plan do you mean?\n\nUser: The studio one.\n${JSON.stringify(conversation)}`,
    );
  });

  it('says nothing more to a command that has failed', async () => {
    const person = { replies: [{ says: 'Go on.' }] };
    const { turns, ended } = await recordOf('echo no; exit 1', task({ person }));
    expect([turns.length, ended]).toEqual([1, 'failed']);
  });
});

describe('several runs', () => {
  it('work on accounts of their own, also at the same time', async () => {
    const tasks = [agreed({ id: 'one' }), agreed({ id: 'two' })];
    const ended: string[] = [];
    const { rehearsal, records } = await rehearsed(renames, tasks, {
      ...{ runs: 4, jobs: 4 },
      onRun: each => ended.push(`${each.task.id} ${each.run} ${each.ended}/${each.of}`),
    });
    expect(rehearsal.results.map(result => [result.task.id, result.runs.length])).toEqual([
      ['one', 4],
      ['two', 4],
    ]);
    for (const { turns, calls } of records) {
      expect(turns[0]?.answer).toMatch(/^Onboarding \| /);
      expect(calls.map(({ changed }) => changed)).toEqual([false, true]);
    }
    expect(ended.map(line => line.split(' ')[2])).toEqual(Array.from({ length: 8 }, (_, n) => `${n + 1}/8`));
    expect(new Set(ended.map(line => line.slice(0, 5))).size).toBe(8);
  });

  it('end with a signal: what has ended is kept, and no process, file or port stays', async () => {
    // Other tests rehearse at the same time, in the usual folder.
    const folder = file('temporary');
    mkdirSync(folder);
    vi.stubEnv('TMPDIR', folder);
    const [stop, pids] = [new AbortController(), file('pids')];
    const second = program(`
      const { appendFileSync, existsSync } = await import('node:fs');
      const first = !existsSync(${JSON.stringify(pids)});
      appendFileSync(${JSON.stringify(pids)}, process.pid + '\\n');
      if (first) say('done');
      // delay: it works until it is ended
      else setInterval(() => {}, 1000);
    `);
    const running = rehearsed(second, task(), { runs: 4, signal: stop.signal });
    const started = () => (existsSync(pids) ? readFileSync(pids, 'utf8').match(/\d+(?=\n)/g) : []) ?? [];
    await until(() => started().length === 2);
    stop.abort();
    const { records } = await running;
    expect(records.map(({ turns }) => turns[0]?.answer)).toEqual(['done']);
    for (const pid of started()) await expectEnded(Number(pid));
    expect(readdirSync(folder)).toEqual([]);
    vi.unstubAllEnvs();
  });

  it('do not begin when a solution of a task does not work, which says which call and why', async () => {
    const update = (args: object) => ({ writes: [{ tool: 'update_add_on', arguments: { ...args } }] });
    const wrong: [expectation: Task['expect'], said: RegExp][] = [
      [
        update({ code: 'nothing', name: 'X' }),
        /^Task a-task: call 1 of its solution, update_add_on, is refused: .*no add-on/,
      ],
      [update({ code: 'onboarding', name: 'Onboarding' }), /changes nothing/],
      [{ writes: [{ tool: 'get_customer', arguments: { external_customer_id: 'acme-podcasts' } }] }, /changes nothing/],
      [{ writes: [{ tool: 'no_such_tool', arguments: {} }] }, /does not name a tool/],
    ];
    for (const [expect_, said] of wrong) {
      const failing = rehearsed(() => 'never', task({ expect: expect_ }));
      await expect(failing).rejects.toThrow(ReferenceFailed);
      await expect(failing).rejects.toThrow(said);
    }
  });

  it('are graded against the state of every solution, each from the task’s own account', async () => {
    const to = (name: string) => [{ tool: 'update_add_on', arguments: { code: 'onboarding', name } }];
    let graded: readonly Reference[] = [];
    await rehearsed(() => 'done', task({ expect: { writes: to('A'), or_writes: [to('B')] } }), {
      grade: (_task, _record, references) => {
        graded = references;
        return { passed: true, failures: [] };
      },
    });
    expect(graded.map(({ after }) => addOns(after).filter(name => /^[AB]$/.test(String(name))))).toEqual([
      ['A'],
      ['B'],
    ]);
  });
});
