/** Reading a file of tasks: what it may say, and how its mistakes are told. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ownTasks } from '../../src/rehearse/tasks/own.ts';
import { readTasks, TaskFileError } from '../../src/rehearse/tasks/read.ts';
import { taskSchema } from '../../src/rehearse/tasks/schema.ts';
import { temporaryFolder } from '../support/folder.ts';

const folder = temporaryFolder();
const path = join(folder, 'tasks.jsonc');

const now = '2026-03-15T12:00:00Z';
const plain = { id: 'a-task', kind: 'answer', says: 'How many plans are there?', now, expect: {} };
const written = (content: unknown) =>
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));

/** The problems of a file with this content; none where it is read. */
async function problemsOf(content: unknown): Promise<readonly string[]> {
  written(content);
  try {
    await readTasks(path);
    return [];
  } catch (error) {
    if (error instanceof TaskFileError) return error.problems;
    throw error;
  }
}

describe('a task file', () => {
  it('can say everything that the own tasks say', async () => {
    written({ tasks: ownTasks });
    expect(await readTasks(path)).toEqual(ownTasks);
  });

  it('has comments, shares what stands beside the tasks, and names accounts from its own folder', async () => {
    writeFileSync(join(folder, 'small.json'), readFileSync('docs/account-sample.jsonc'));
    const own = { ...plain, id: 'own', rules: 'Be brief.', account: 'demo' };
    const { now: _, ...shared } = plain;
    written(`{ // for all
      "now": "${now}", "account": "small.json", "rules": "Be kind.",
      "tasks": [${JSON.stringify(shared)}, ${JSON.stringify(own)},] }`);
    expect(await readTasks(path)).toEqual([
      { ...plain, account: join(folder, 'small.json'), rules: 'Be kind.' },
      { ...own, now },
    ]);
  });

  it('tells the mistakes of all tasks at once, each with its task and field', async () => {
    const problems = await problemsOf({
      tasks: [
        { ...plain, kind: 'anwser', settings: { BILLING_READ_ONLY: true } },
        { ...plain, expect: { asks: true, writes: [{ tool: 'delete_add_on', arguments: { code: 'glossary' } }] } },
        { kind: 'answer' },
        { ...plain, id: 'last', settings: { BILLING_MAX_AMOUNT: 'much' }, expects: {} },
      ],
    });
    expect(problems).toEqual([
      'task a-task: kind: must be one of answer, write, refusal, question, injection, policy, not "anwser" (did you mean answer?)',
      'task a-task: settings.BILLING_READ_ONLY: Invalid input: expected string, received boolean',
      'task a-task: id: another task already uses it',
      'task a-task: expect.asks: expect.writes needs an answer of the user: add it to person.replies.',
      'tasks[2]: id: is missing',
      'tasks[2]: says: is missing',
      'tasks[2]: now: must be an instant with a time zone, such as "2026-03-15T12:00:00Z"',
      'tasks[2]: expect: is missing',
      'task last: unknown key "expects" (did you mean expect?)',
    ]);
  });

  const adding = (customer: object) => ({ add: { customers: [customer] } });
  const writing = (tool: string, args: object) => ({ expect: { writes: [{ tool, arguments: args }] } });
  it.each<[string, object, string]>([
    [
      'an unknown tool',
      { expect: { forbidden_tools: ['update_walet'] } },
      'expect.forbidden_tools[0]: there is no "update_walet"',
    ],
    [
      'a solution that only reads',
      writing('list_plans', {}),
      'expect.writes[0].tool: must be one of update_subscription, ',
    ],
    [
      'arguments that the tool refuses',
      writing('update_add_on', { code: 'a', amount_cents: '9.5' }),
      'expect.writes[0].arguments: amount_cents ',
    ],
    [
      'a solution that is a dry run',
      writing('delete_add_on', { code: 'a', dry_run: true }),
      'expect.writes[0].arguments: dry_run writes nothing: remove it.',
    ],
    [
      'other solutions without a first',
      { expect: { or_writes: [[]] } },
      'expect.or_writes: the first solution is missing',
    ],
    ['a key', { settings: { BILLING_API_KEY: 'x' } }, 'settings: BILLING_API_KEY is not a setting'],
    ['an address', { settings: { BILLING_BASE_URL: 'http://a' } }, 'settings: BILLING_BASE_URL is not a setting'],
    ['a database', { settings: { BILLING_DATA: 'postgres://x' } }, 'settings: BILLING_DATA is not a setting'],
    ['a wrong value', { settings: { BILLING_MAX_AMOUNT: 'much' } }, 'settings: BILLING_MAX_AMOUNT must be'],
    ['a setting with an unknown tool', { settings: { BILLING_TOOLS: 'get_custmer' } }, 'settings: BILLING_TOOLS'],
    ['customers that nothing proves', { settings: { BILLING_CUSTOMER: 'required' } }, 'settings: BILLING_CUSTOMER'],
    ['an amount that is a number', { expect: { says: [{ amount: 12.5 }] } }, 'expect.says[0].amount: must be text'],
    ['a fact of no kind', { expect: { says: [12] } }, 'expect.says[0]: must be a text'],
    [
      'a day that is none',
      { expect: { says: [{ any: [{ date: '2026-02-30' }] }] } },
      'expect.says[0].any[0].date: must be a date',
    ],
    [
      'a long text',
      { person: { replies: [{ when: 'x'.repeat(201), says: 'Yes.' }] } },
      'person.replies[0].when: Too big',
    ],
    ['an answer of the person that is none', { person: { confirms: 'perhaps' } }, 'person.confirms: must be yes, no'],
    ['a table that does not exist', { expect: { free: ['walets.name'] } }, 'expect.free[0]: there is no table walets'],
    ['a field that does not exist', { expect: { free: ['wallets.nme'] } }, 'expect.free[0]: the table wallets'],
    ['a time without a zone', { now: '2026-03-15T12:00:00' }, 'now: must be an instant'],
    ['an account that is not there', { account: 'none.json' }, 'account: The account file '],
    ['an entry that is refused', adding({ external_id: 'a', currency: 'EURO' }), 'add: customers[0].currency: must be'],
    [
      'an entry that is there',
      adding({ external_id: 'acme-podcasts' }),
      'add: customers[0]: "acme-podcasts" is there twice',
    ],
    ['a list that an account has not', { add: { clients: [] } }, 'add: unknown key "clients"'],
  ])('refuses %s', async (_what, changes, said) => {
    const problems = await problemsOf({ tasks: [{ ...plain, ...changes }] });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(`task a-task: ${said}`);
  });

  it.each<[string, unknown, string]>([
    ['is not JSON', '{ "tasks": [', 'it is not JSON: line 1'],
    ['is empty', '', 'an object with a list of'],
    ['has no tasks', { tasks: [] }, 'tasks: Too small'],
    ['has a field that is not known', { task: [plain], tasks: [plain] }, 'unknown key "task"'],
  ])('is refused when it %s', async (_what, content, said) => {
    expect((await problemsOf(content)).join()).toContain(said);
  });

  it('is refused when it is not there', async () => {
    await expect(readTasks(join(folder, 'none.json'))).rejects.toThrow('it cannot be read');
  });
});

describe('the published schema', () => {
  it.each(['docs/task-file.schema.json', 'dist/task-file.schema.json'])('%s has the fields of a task', name => {
    const { $defs } = JSON.parse(readFileSync(name, 'utf8'));
    const task = Object.values<{ properties?: object }>($defs).find(
      ({ properties }) => properties && 'expect' in properties,
    );
    expect(Object.keys(task?.properties ?? {}).sort()).toEqual(Object.keys(taskSchema.shape).sort());
  });
});
