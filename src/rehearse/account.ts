/** The account on which a task starts. */
import { isObject, type Json } from '../lib/json.ts';
import type { AccountContent } from '../service/account-file/read-entries.ts';
import { readAccountSource } from '../service/start.ts';
import type { Task } from './types.ts';

/**
 * The content of the task's account file, with the entries of `add` at the end of its lists. Throws `AccountFileError`
 * when the file cannot be read; what is wrong in it is found when it is loaded.
 */
export async function accountOf({ account, add = {} }: Pick<Task, 'account' | 'add'>): Promise<AccountContent> {
  const file = (await readAccountSource(account)) as AccountContent;
  return isObject(file) ? { ...file, ...appended(file, add) } : file;
}

function appended(file: AccountContent, add: AccountContent): AccountContent {
  const lists = Object.keys(add) as (keyof AccountContent)[];
  return Object.fromEntries(lists.map(list => [list, [...listOf(file[list]), ...listOf(add[list])]]));
}

function listOf(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : value === undefined ? [] : [value];
}
