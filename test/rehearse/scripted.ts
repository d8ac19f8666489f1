/** The scripted assistants (agents/assistant.mjs) as commands and in this process, and what their reports say. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gradeRun } from '../../src/rehearse/grade/grade.ts';
import { reportOf } from '../../src/rehearse/report/report.ts';
import { ownTasks } from '../../src/rehearse/tasks/own.ts';
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

/** The reports of all own tasks for several characters, in this process: solutions are carried out once for all of them. */
export async function reportsOf<Character extends string>(...characters: Character[]) {
  const { assist } = await import(assistant.href);
  const begun = new Map<string, number>();
  const inTurn = ({ env }: Desk): Promise<string> => {
    const { REHEARSAL_TASK: task = '', REHEARSAL_TURN: turn } = env;
    // Runs follow each other: each character has one of every task.
    if (turn === '0') begun.set(task, (begun.get(task) ?? -1) + 1);
    return assist(characters[begun.get(task) ?? 0], env);
  };
  const { rehearsal } = await rehearsed(inTurn, ownTasks, { runs: characters.length, grade: gradeRun });
  const reports = characters.map((character, at) => {
    const results = rehearsal.results.map(({ task, runs }) => ({ task, runs: runs.slice(at, at + 1) }));
    return [character, reportOf({ ...rehearsal, results }).json as unknown as Report];
  });
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
