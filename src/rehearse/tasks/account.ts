/** The account of a task, as an account file's JSON. */
import type { Json, JsonObject, JsonRecord } from '../../lib/json.ts';
import { readAccountFile } from '../../service/account-file/load.ts';
import type { Task } from '../types.ts';

/** Throws `AccountFileError` when the file cannot be read or is not JSON; what it says is not checked here. */
export async function accountOf({ account, add = {} }: Pick<Task, 'account' | 'add'>): Promise<Json> {
  return appended(await base(account), add);
}

/** The account file with more entries at the end of its lists; the ids of those before stay as they are. */
function appended(file: Json, add: JsonRecord): Json {
  const merged = { ...(file as JsonObject) };
  for (const [list, entries] of Object.entries(add)) {
    merged[list] = [...((merged[list] ?? []) as Json[]), ...(entries as Json[])];
  }
  return merged;
}

async function base(account: string): Promise<Json> {
  if (account !== 'demo') return readAccountFile(account);
  const { demoAccount } = await import('../../service/account-file/demo.ts');
  return demoAccount() as Json;
}
