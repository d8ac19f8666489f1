/** Reads a file of tasks: JSON with comments. All problems of the file are reported at once, each with its task and field. */
import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { isObject } from '../../lib/json.ts';
import { parseJsonc } from '../../lib/jsonc.ts';
import { fileReason } from '../../lib/system-errors.ts';
import { problemsOf, valueProblem } from '../../lib/value-problems.ts';
import type { Task } from '../types.ts';
import { createTaskCheck } from './check.ts';
import { headSchema, taskSchema } from './schema.ts';

/** The file cannot be used. Each problem is a sentence that names the task and the field. */
export class TaskFileError extends Error {
  override name = 'TaskFileError';
  readonly problems: readonly string[];

  constructor(path: string, problems: readonly string[]) {
    super([`The task file ${resolve(path)} cannot be used:`, ...problems].join('\n'));
    this.problems = problems;
  }
}

/** The tasks, with the paths of their accounts resolved. Throws `TaskFileError` with every problem of the file. */
export async function readTasks(path: string): Promise<readonly Task[]> {
  const content = await readContent(path);
  const head = headSchema.safeParse(content, { error: valueProblem });
  if (!head.success) throw new TaskFileError(path, problemsOf(head.error.issues));
  const { $schema: _, tasks: entries, ...shared } = head.data;
  const check = createTaskCheck();
  const read = await Promise.all(
    entries.map(async (entry, at) => {
      const parsed = taskSchema.safeParse(isObject(entry) ? { ...shared, ...entry } : entry, { error: valueProblem });
      if (!parsed.success) return { problems: named(entry, at, problemsOf(parsed.error.issues)) };
      const task: Task = { ...parsed.data, account: accountPath(parsed.data.account, path) };
      const taken = entries.findIndex(other => isObject(other) && 'id' in other && other.id === task.id) < at;
      const problems = [...(taken ? ['id: another task already uses it'] : []), ...(await check(task))];
      return { task, problems: named(entry, at, problems) };
    }),
  );
  const problems = read.flatMap(each => each.problems);
  if (problems.length > 0) throw new TaskFileError(path, problems);
  return read.flatMap(({ task }) => task ?? []);
}

async function readContent(path: string): Promise<unknown> {
  const text = await readFile(path, 'utf8').catch((error: Error) => {
    throw new TaskFileError(path, [`it cannot be read: ${fileReason(error)}.`]);
  });
  const parsed = parseJsonc(text.replace(/^\uFEFF/, ''));
  if ('problem' in parsed) throw new TaskFileError(path, [`it is not JSON: ${parsed.problem}.`]);
  if (!isObject(parsed.value)) throw new TaskFileError(path, ['it must be an object with a list of tasks']);
  return parsed.value;
}

/** Relative to the file, so that a folder with both can be moved. */
function accountPath(account = 'demo', file: string): string {
  return account === 'demo' ? account : resolve(dirname(file), account);
}

function named(entry: unknown, at: number, problems: readonly string[]): string[] {
  const id = isObject(entry) && 'id' in entry && typeof entry.id === 'string' ? entry.id.slice(0, 64) : undefined;
  return problems.map(problem => `${id === undefined ? `tasks[${at}]` : `task ${id}`}: ${problem}`);
}
