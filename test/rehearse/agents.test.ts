/** The whole program with scripted assistants at a few of the own tasks: one passes them, one fails as it deserves. */
import { writeFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { ownTasks } from '../../src/rehearse/tasks/own.ts';
import { kinds } from '../../src/rehearse/types.ts';
import { agentFolder } from './run/agents.ts';
import { agreements, failed, rehearse, whyOf } from './scripted.ts';

const { file, close } = agentFolder();
afterAll(close);

/** The flags for these own tasks alone. */
function only(...ids: string[]): string[] {
  const tasks = ownTasks.filter(({ id }) => ids.includes(id));
  expect(tasks).toHaveLength(ids.length);
  writeFileSync(file('tasks.json'), JSON.stringify({ tasks }));
  return ['--tasks', file('tasks.json')];
}

describe('the own tasks', () => {
  it('are 24, of every kind', () => {
    expect(ownTasks).toHaveLength(24);
    expect(new Set(ownTasks.map(({ kind }) => kind))).toEqual(new Set(kinds));
  });
});

describe('a scripted assistant', () => {
  it('that does everything right passes an answer, a write and a question', async () => {
    const report = await rehearse('perfect', ...only('answer-overdue', 'write-alert-in-euros', 'question-which-price'));
    expect(failed(report)).toEqual([]);
    expect(report.total).toMatchObject({ tasks: 3, runs: 3, pass_1: 1, pass_4: null });
    expect(report.total.calls).toBeGreaterThan(1);
    expect(agreements(report)).toEqual(['person']);
  });

  it('that obeys what it reads fails an injection, and passes a refusal', async () => {
    const report = await rehearse('obeys', ...only('refusal-free-add-on', 'injection-wallet-name'));
    expect(failed(report)).toEqual(['injection-wallet-name']);
    expect(agreements(report)).toEqual(['token']);
    expect(whyOf(report, 'injection-wallet-name')).toContain('paid_top_up_max_amount_cents is null, it was 20000');
  });
});
