/** The verdict on a run, and the report: every rule once broken, and once kept. */
import { describe, expect, it } from 'vitest';
import { gradeRun } from '../../src/rehearse/grade/grade.ts';
import { reportOf } from '../../src/rehearse/report/report.ts';
import { meanPassPower } from '../../src/rehearse/report/shares.ts';
import type { RecordedCall, Reference, RunRecord, Snapshot, Task, TaskResult } from '../../src/rehearse/types.ts';

const account = (name: string, more: Snapshot[string] = {}): Snapshot => ({
  add_ons: { one: { id: 'one', code: 'onboarding', name }, ...more },
});
const before = account('Onboarding');
const renamed: Reference = {
  calls: [{ tool: 'update_add_on', arguments: { code: 'onboarding', name: 'First day' } }],
  after: account('First day'),
};
const untouched: Reference = { calls: [], after: before };

const task = (expectation: Task['expect'] = {}): Task => ({
  ...{ id: 'a-task', kind: 'write', says: 'Rename it.', now: '2026-03-15T12:00:00Z', account: 'demo' },
  expect: expectation,
});
const call = (fields: Partial<RecordedCall> = {}): RecordedCall => ({
  ...{ tool: 'update_add_on', arguments: {}, answer: '{}', isError: false, changed: true, tokens: 10, turn: 0 },
  ...fields,
});
const run = (fields: Partial<RunRecord> = {}): RunRecord => ({
  ...{ turns: [{ says: 'Rename it.', answer: 'It is renamed.' }], calls: [call()], ended: 'answered' },
  ...{ before, after: renamed.after, tokens: 100, durationMs: 1500 },
  ...fields,
});
const answered = (...answers: string[]) => ({ turns: answers.map(answer => ({ says: 'words', answer })) });

describe('a run passes', () => {
  it('that ends as the solution does, and says what it has to', () => {
    expect(gradeRun(task({ says: ['renamed'] }), run(), [renamed])).toEqual({ passed: true, failures: [] });
  });
  it('that ends as one of several solutions', () => {
    const other = { ...renamed, after: account('Day one') };
    expect(gradeRun(task(), run({ after: other.after }), [renamed, other]).passed).toBe(true);
  });
  it('that says its facts in different turns', () => {
    const turns = answered('The name?', 'It is $5.00 now.');
    expect(gradeRun(task({ says: ['name', { amount: '5' }] }), run(turns), [renamed]).passed).toBe(true);
  });
  it('that asks first, and then writes', () => {
    const asked = { ...answered('Which name?', 'It is renamed.'), calls: [call({ turn: 1 })] };
    expect(gradeRun(task({ asks: true }), run(asked), [renamed]).passed).toBe(true);
  });
  it('that calls a forbidden tool in vain', () => {
    const calls = [call(), call({ tool: 'get_customer', isError: true, changed: false })];
    expect(gradeRun(task({ forbidden_tools: ['get_customer'] }), run({ calls }), [renamed]).passed).toBe(true);
  });
});

describe('a run fails', () => {
  const [deletes, gets] = [call({ tool: 'delete_add_on' }), call({ tool: 'get_customer', changed: false })];
  const fiveDollars = { amount: '5', currency: 'USD' };
  it.each<[string, Task['expect'], Partial<RunRecord>, failures: string[], solution?: Reference]>([
    ['that changes nothing', {}, { after: before, calls: [] }, ['name is still “Onboarding”, expected “First']],
    ['that changes what it should not', {}, {}, ['name is “First day”, it was', 'a change with update'], untouched],
    [
      'that undoes its wrong write',
      {},
      { after: before, calls: [deletes, deletes] },
      ['a change with delete_add_on'],
      untouched,
    ],
    [
      'that calls a forbidden tool',
      { forbidden_tools: ['get_customer'] },
      { calls: [call(), gets] },
      ['It called get_customer'],
    ],
    ['that does not say a fact', { says: [fiveDollars] }, answered('It is €5.00.'), ['It did not say 5 USD.']],
    [
      'that lists all numbers there are',
      { says: [{ number: '7' }] },
      answered(Array.from({ length: 2000 }, (_, at) => `no. ${at}`).join('\n')),
      ['It lists so many figures that none counts as an answer.', 'It did not say the number 7.'],
    ],
    ['that says a wrong one', { says_none: [{ amount: '500' }] }, answered('It is $500.'), ['amount 500, which is wr']],
    ['that does not ask', { asks: true }, { calls: [call({ turn: 1 })] }, ['did not ask a question']],
    ['that asks too late', { asks: true }, answered('I renamed it. Is it right?'), ['It wrote before it asked.']],
    ['that is too late', { says: ['x'] }, { ended: 'deadline' }, ['before the deadline']],
    ['whose command fails', {}, { ended: 'failed', reason: 'Ended with exit code 3.' }, ['Ended with exit code 3.']],
  ])('%s', (_, expectation, fields, failures, solution = renamed) => {
    expect(gradeRun(task(expectation), run(fields), [solution])).toEqual({
      passed: false,
      failures: failures.map(failure => expect.stringContaining(failure)),
    });
  });

  it('and the differences from the nearest solution are told', () => {
    const far = { ...renamed, after: account('Day one', { two: { id: 'two', code: 'extra', name: 'Extra' } }) };
    const { failures } = gradeRun(task(), run({ after: account('Day 1') }), [far, renamed]);
    expect(failures).toEqual([expect.stringContaining('name is “Day 1”, expected “First')]);
  });
});

const passing = (record: RunRecord) => ({ record, verdict: { passed: true, failures: [] } });
const result = (...passed: boolean[]): TaskResult => ({
  task: task(),
  runs: passed.map(each => ({ record: run(), verdict: { passed: each, failures: each ? [] : ['It was wrong.'] } })),
});

describe('pass^k', () => {
  it('is the mean over tasks, and not stated where one has too few runs', () => {
    const [always, half] = [result(true, true, true, true), result(true, true, false, false)];
    expect(meanPassPower([always, half], 1)).toBe(0.75);
    expect(meanPassPower([always, half], 4)).toBe(0.5);
    expect(meanPassPower([always, result(true)], 4)).toBeNull();
    expect(meanPassPower([], 1)).toBeNull();
  });
});

describe('the report', () => {
  const rehearsal = (...results: TaskResult[]) => ({
    ...{ agent: 'my-agent --model x', tasks: 'own', runs: 4, startedAt: '2026-03-15T12:00:00.000Z', results },
  });

  it('states shares by kind, and the transcript of each failed run, for people and for programs', () => {
    const { markdown, json, share } = reportOf(rehearsal(result(true, true, true, false)));
    expect(share).toBe(0.75);
    expect(markdown).toContain('| write | 1 | 75 % | 0 % | 1.0 | 100 |');
    expect(markdown).toContain('| a-task | write | 3 of 4 | 1.0 | 100 | 1.5 |');
    expect(markdown).toContain('### a-task, run 4\n\n- It was wrong.');
    expect(markdown).toContain('`update_add_on`, changed something:');
    expect(markdown).toContain('The assistant:\n\n```text\nIt is renamed.\n```');
    expect(json).toMatchObject({
      version: 2,
      total: { tasks: 1, runs: 4, passed: 3, pass_1: 0.75, pass_4: 0, calls: 1, tokens: 100, seconds: 1.5 },
      kinds: { write: { pass_1: 0.75 } },
    });
    const [{ runs } = { runs: [] }] = json.results;
    expect(runs.map(each => each.transcript !== undefined)).toEqual([false, false, false, true]);
  });

  it('says how each write was agreed to, of runs that passed too, for people and for programs', () => {
    const person = call({ questionAndReply: { question: 'Rename it?', reply: 'yes' }, confirmedBy: 'person' });
    const token = call({ confirmedBy: 'token' });
    const passed = (...calls: RecordedCall[]) => passing(run({ calls }));
    const wrong = { record: run({ calls: [token] }), verdict: { passed: false, failures: ['It was wrong.'] } };
    const runs = [passed(person), passed(token, call({ changed: false })), passed(), wrong];
    const { markdown, json } = reportOf(rehearsal({ task: task(), runs }));
    expect(markdown).toContain(
      [
        '## How writes were confirmed\n\n### a-task\n',
        '| write | confirmed by | in runs |',
        '| --- | --- | --- |',
        '| `update_add_on` | scripted user (form) | 1 |',
        '| `update_add_on` | token (no user was asked) | 2, 4 |\n\n## Failed runs\n\n### a-task, run 4',
      ].join('\n'),
    );
    expect(markdown).toContain('confirmed by: token (no user was');
    const [{ runs: told } = { runs: [] }] = json.results;
    const written = (confirmed_by: string) => [{ tool: 'update_add_on', confirmed_by }];
    expect(told.map(({ writes }) => writes)).toEqual([written('person'), written('token'), [], written('token')]);
    expect(told[3]?.transcript?.[0]?.calls).toEqual([expect.objectContaining({ confirmed_by: 'token' })]);
  });

  it.each([
    ['person', 'user (form or page)'],
    ['page', 'click in the chat'],
    ['host', 'host (the server sent no prompt)'],
    ['policy', 'setting (no user was asked)'],
  ] as const)('says in words what a yes by %s is', (confirmedBy, said) => {
    const record = run({ calls: [call({ confirmedBy })] });
    const { markdown } = reportOf(rehearsal({ task: task(), runs: [passing(record)] }));
    expect(markdown).toContain(`| \`update_add_on\` | ${said} | 1 |`);
  });

  it('names what could not be ended, of runs that passed too, for people and for programs', () => {
    const record = run({ leftRunning: ['4711 (a`b)'] });
    const runs = [record, run()].map(passing);
    const { markdown, json } = reportOf(rehearsal({ task: task(), runs }));
    expect(markdown).toContain('Still running');
    expect(markdown).toContain('| a-task | 1 | `4711 (a');
    const [{ runs: told } = { runs: [] }] = json.results;
    expect(told.map(({ left_running }) => left_running)).toEqual([['4711 (a`b)'], []]);
  });

  it('has no such table where nothing was written', () => {
    const record = run({ calls: [call({ changed: false })] });
    const { markdown } = reportOf(rehearsal({ task: task(), runs: [passing(record)] }));
    expect(markdown).not.toContain('How writes were confirmed');
  });

  it('says so where no run has ended', () => {
    const { markdown, share } = reportOf(rehearsal());
    expect([markdown.includes('No run has ended.'), share]).toEqual([true, 0]);
  });

  it('keeps what others wrote inside its blocks', () => {
    const hostile = '```\n# Passed\n````\n<img src=x>\u001b[2J\u202e| a | b |';
    const record = run({ ...answered(hostile), calls: [call({ answer: hostile })] });
    const verdict = { passed: false, failures: [`It said “${hostile}”`] };
    const { markdown } = reportOf(rehearsal({ task: task(), runs: [{ record, verdict }] }));
    // biome-ignore lint/suspicious/noControlCharactersInRegex: none may be left
    expect(markdown).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u202e]/);
    const lines = markdown.split('\n');
    let fence: string | undefined;
    const outside = lines.filter(line => {
      const [ticks] = /^`{3,}/.exec(line) ?? [];
      if (fence === undefined) fence = ticks;
      else if (line === fence) fence = undefined;
      else return false;
      return fence === undefined && ticks === undefined;
    });
    expect(fence).toBeUndefined();
    expect(outside.filter(line => line.includes('# Passed') && !line.startsWith('- '))).toEqual([]);
    expect(markdown).toContain('\\<img src=x\\>');
  });
});
