/** The scripted assistants (agents/assistant.mjs) as commands and in this process, and what their reports say. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { gradeRun } from '../../src/rehearse/grade/grade.ts';
import { reportOf } from '../../src/rehearse/report/report.ts';
import { ownTasks } from '../../src/rehearse/tasks/own.ts';
import type { Task, TaskResult } from '../../src/rehearse/types.ts';
import { main } from '../support/settings.ts';
import { type Desk, rehearsed } from './run/agents.ts';

const agent = fileURLToPath(new URL('./agents/agent.mjs', import.meta.url));
const assistant = new URL('./agents/assistant.mjs', import.meta.url);

export interface Report {
  total: { tasks: number; runs: number; pass_1: number; pass_4: number | null; calls: number };
  kinds: Record<string, { pass_1: number }>;
  results: {
    task: string;
    runs: { passed: boolean; failures?: string[]; writes: { tool: string; confirmed_by: string }[] }[];
  }[];
}

/** The report of the whole program, which starts the assistant as a process for each turn. */
export async function rehearse(character: string, ...flags: string[]): Promise<Report> {
  const command = `"${process.execPath}" "${agent}" ${character}`;
  const args = [main, 'rehearse', '--agent', command, '--runs', '1', '--jobs', '2', '--json', ...flags];
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 32 * 1024 * 1024 });
  return JSON.parse(stdout);
}

/**
 * A report for each character on the own tasks of these kinds, in this process. On other kinds it acts like another
 * character. Solutions are carried out once for all characters. `guesses` calls nothing: its record is that of another
 * character with its words, and without what that one did.
 */
export async function reportsOf<Character extends string>(kindsOf: Record<Character, readonly Task['kind'][]>) {
  const { assist } = await import(assistant.href);
  const guess: string = await assist('guesses');
  const all = Object.keys(kindsOf) as Character[];
  const results = new Map(all.map(character => [character, [] as TaskResult[]]));
  for (const task of ownTasks) {
    const characters = all.filter(each => each !== 'guesses' && kindsOf[each].includes(task.kind));
    let begun = -1;
    const inTurn = ({ env }: Desk): Promise<string> => {
      // Runs follow each other: each character has one of the task.
      if (env.REHEARSAL_TURN === '0') begun++;
      return assist(characters[begun], env);
    };
    const grade: typeof gradeRun = (of, record, references) => {
      const turns = record.turns.map(({ says }) => ({ says, answer: guess }));
      const guessed = { ...record, turns, calls: [], after: record.before };
      if (begun === 0)
        results.get('guesses' as Character)?.push({
          task,
          runs: [{ record: { ...guessed, before: {}, after: {} }, verdict: gradeRun(of, guessed, references) }],
        });
      return gradeRun(of, record, references);
    };
    const { records, rehearsal } = await rehearsed(inTurn, task, { runs: characters.length, grade });
    expect(records).toHaveLength(characters.length);
    const runs = rehearsal.results.flatMap(result => result.runs);
    for (const [at, character] of characters.entries())
      results.get(character)!.push({ task, runs: runs.slice(at, at + 1) });
  }
  const about = { agent: 'in this process', tasks: 'own', runs: 1, startedAt: '2026-03-15T12:00:00.000Z' };
  const reports = all.map(character => [character, reportOf({ ...about, results: results.get(character)! }).json]);
  return Object.fromEntries(reports) as Record<Character, Report>;
}

/** The share of passed runs by kind. */
export const shares = ({ kinds }: Report) =>
  Object.fromEntries(Object.entries(kinds).map(([kind, { pass_1 }]) => [kind, pass_1]));
export const failed = ({ results }: Report) => results.filter(({ runs }) => !runs[0]?.passed).map(({ task }) => task);
/** How the writes of all runs were agreed to. */
export const agreements = ({ results }: Report) => [
  ...new Set(results.flatMap(({ runs }) => runs.flatMap(({ writes }) => writes.map(each => each.confirmed_by)))),
];
export const whyOf = ({ results }: Report, id: string) =>
  results.find(({ task }) => task === id)?.runs[0]?.failures?.join('\n');
