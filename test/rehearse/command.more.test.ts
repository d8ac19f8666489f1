/** The command `rehearse` as a program: its arguments, its exit codes, its reports, and Ctrl-C. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runHere, start } from '../server/protocol/program.ts';
import { until } from '../support/until.ts';
import { agentFolder, expectEnded, smallAccount } from './run/agents.ts';

const { program, file } = agentFolder();

const plain = { kind: 'answer', now: '2026-03-15T12:00:00Z', account: smallAccount };
const tasks = file('tasks.json');
const twoTasks = [
  { ...plain, id: 'a-word', says: 'Say yes.', expect: { says: ['yes'] } },
  { ...plain, id: 'another', says: 'Say no.', expect: { says: ['no way'] } },
];
writeFileSync(tasks, JSON.stringify({ tasks: twoTasks }));
/** Passes the first task and fails the second. */
const half = 'echo yes';

const run = (...args: string[]) => start(['rehearse', ...args], process.env).ended;

/** The same without a process of its own, for what is refused before anything runs. */
const refusedHere = (...args: string[]) => runHere(['rehearse', ...args], process.env);

describe('the arguments of rehearse', () => {
  const wrong: [what: string, args: string[], said: RegExp][] = [
    ['no agent', [], /--agent is missing/],
    ['an empty agent', ['--agent', ' '], /--agent is missing/],
    ...['0', '101', '1.5', '-1', 'many'].map((text): [string, string[], RegExp] => [
      `${text} runs`,
      ['--agent', half, `--runs=${text}`],
      /--runs.*whole number from 1 to 100/,
    ]),
    ['no job', ['--agent', half, '--jobs', '0'], /--jobs.*whole number from 1 to 32/],
    ['too many jobs', ['--agent', half, '--jobs', '33'], /--jobs.*whole number from 1 to 32/],
    ['no time', ['--agent', half, '--timeout', '0'], /--timeout.*whole number from 1 to 3600/],
    ['more than an hour', ['--agent', half, '--timeout', '3601'], /--timeout.*whole number from 1 to 3600/],
    ['a share without a value', ['--agent', half, '--at-least='], /--at-least needs a value/],
    ...['90', '101%', '-0.1', 'all', '1.5', '100.5%'].map((text): [string, string[], RegExp] => [
      `a share of “${text}”`,
      ['--agent', half, `--at-least=${text}`],
      /0 to 1, or a percentage/,
    ]),
    ['an unknown flag', ['--agent', half, '--rums', '1'], /Did you mean --runs\?/],
    ['a task file that does not exist', ['--agent', half, '--tasks', '/no/file'], /\/no\/file.*\n?.*cannot be read/],
    ['a report in a file', ['--agent', half, '--report', join(tasks, 'x')], /--report .* cannot be created/],
  ];
  it.each(wrong)('are refused with exit code 2 and a sentence: %s', async (_, args, said) => {
    const { code, stdout, stderr } = await refusedHere(...args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(said);
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  it.each(wrong.slice(0, 1))('are refused by the program as they are in this process: %s', async (_, args) => {
    expect(await refusedHere(...args)).toMatchObject(await run(...args));
  });

  it('are told by --help', async () => {
    const { code, stdout } = await refusedHere('--help');
    expect(code).toBe(0);
    for (const flag of ['agent', 'tasks', 'runs', 'jobs', 'timeout', 'at-least', 'report', 'json'])
      expect(stdout).toContain(`--${flag}`);
  });

  it('include tasks whose solution works', async () => {
    const broken = file('broken.json');
    const writes = [{ tool: 'delete_add_on', arguments: { code: 'nothing' } }];
    const task = { ...plain, id: 'broken', kind: 'write', says: 'x', expect: { writes } };
    writeFileSync(broken, JSON.stringify({ tasks: [task] }));
    const { code, stdout, stderr } = await run('--agent', half, '--tasks', broken);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('delete_add_on, is refused');
  });
});

describe('of two tasks of which one is failed', () => {
  const folder = file('reports/new');
  const report = ['--report', folder];
  const kept = (name: string) => readFileSync(join(folder, name), 'utf8');

  it.each([
    [
      '0 without --at-least, and the report is Markdown',
      report,
      0,
      (markdown: string) => {
        expect(markdown).toMatch(/^# [\s\S]*another/);
        expect(kept('rehearsal.md')).toBe(markdown);
      },
    ],
    [
      '0 where the share is reached, and the report is JSON with --json',
      [...report, '--json', '--at-least', '50%'],
      0,
      (json: string) => {
        expect(JSON.parse(json).total).toMatchObject({ tasks: 2, runs: 2, pass_1: 0.5, pass_4: null });
        expect(kept('rehearsal.json')).toBe(json);
      },
    ],
    ['1 where it is not', ['--at-least', '0.51'], 1, (markdown: string) => expect(markdown).toContain('another')],
  ] as [string, string[], number, (stdout: string) => void][])(
    'the exit code is %s',
    async (_, args, expected, look) => {
      const { code, stdout, stderr } = await run('--agent', half, '--tasks', tasks, '--runs', '1', ...args);
      expect(code).toBe(expected);
      look(stdout);
      expect(stderr).toMatch(
        /^\[1\/2\] a-word, run 1: passed, 0 calls, \d+\.\d s\n\[2\/2\] another, run 1: failed, 0 calls, /,
      );
    },
  );
});

describe('Ctrl-C', () => {
  it('(SIGTERM) reports what has ended, and leaves no process and no file', async () => {
    const [temporary, pids] = [file('temporary'), file('pids')];
    mkdirSync(temporary);
    const waits = program(`
      const { appendFileSync } = await import('node:fs');
      const { spawn } = await import('node:child_process');
      if (env.REHEARSAL_PROMPT.includes('Say yes.')) say('yes');
      else appendFileSync(${JSON.stringify(pids)}, process.pid + ' ' + spawn('sleep', ['100000']).pid + '\\n');
      // delay: it works until it is ended
      if (!env.REHEARSAL_PROMPT.includes('Say yes.')) setInterval(() => {}, 1000);
    `);
    const args = ['rehearse', '--agent', waits, '--tasks', tasks, '--runs', '1', '--json'];
    const { child, ended } = start(args, { ...process.env, TMPDIR: temporary });
    await until(() => existsSync(pids) && /\d \d+\n/.test(readFileSync(pids, 'utf8')));
    child.kill('SIGTERM');
    const { code, stdout, stderr } = await ended;
    expect(code).toBe(130);
    expect(JSON.parse(stdout).results.map(({ task }: { task: string }) => task)).toEqual(['a-word']);
    expect(stderr).toMatch(/^.*Stopping\. .*\n$/s);
    expect(readdirSync(temporary)).toEqual([]);
    for (const pid of readFileSync(pids, 'utf8').trim().split(' ')) await expectEnded(Number(pid));
  });
});
