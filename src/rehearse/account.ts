/** The account on which a task starts. */
import { isRecord, type JsonObject, type JsonRecord } from '../lib/json.ts';
import { readAccountSource } from '../service/start.ts';
import type { Task } from './types.ts';

/**
 * The content of the task's account file, with the entries of `add` at the end of its lists. Throws `AccountFileError`
 * when the file cannot be read; what is wrong in it is found when it is loaded.
 */
export async function accountOf({ account, add = {} }: Pick<Task, 'account' | 'add'>): Promise<JsonObject> {
  const file = (await readAccountSource(account)) as JsonObject;
  return isRecord(file) ? { ...file, ...(appended(file, add) as JsonObject) } : file;
}

function appended(file: JsonRecord, add: JsonRecord): JsonRecord {
  return Object.fromEntries(
    Object.entries(add).map(([list, entries]) => [list, [...listOf(file[list]), ...listOf(entries)]]),
  );
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : value === undefined ? [] : [value];
}
