/** What the schema of a task file cannot say: tools' arguments, settings, accounts, and what contradicts itself. */
import { toolDefinitions } from '../../../tools/all-tools.ts';
import { createAccess } from '../../calls/access/access.ts';
import { checkArguments } from '../../definition/check.ts';
import { fieldOf } from '../../lib/json.ts';
import { nearest } from '../../lib/nearest-word.ts';
import { loadConfig } from '../../server/settings/load.ts';
import { ConfigError, settings } from '../../server/settings/settings.ts';
import { AccountFileError, readAccount } from '../../service/account-file/load.ts';
import { columns } from '../../service/store/columns.ts';
import { accountOf } from '../account.ts';
import type { ReferenceCall, Task } from '../types.ts';

/** Finds everything that is wrong with tasks of the right form. Equal accounts are read once. */
export function createTaskCheck(): (task: Task) => Promise<string[]> {
  const accounts = new Map<string, Promise<string[]>>();
  const ofAccount = (task: Task) => {
    const key = JSON.stringify([task.account, task.now, task.add]);
    const known = accounts.get(key) ?? accountProblems(task);
    accounts.set(key, known);
    return known;
  };
  return async task => [
    ...settingProblems(task.settings ?? {}).map(problem => `settings: ${problem}`),
    ...solutionProblems(task),
    ...(task.expect.free ?? []).flatMap(freeProblems),
    ...(await ofAccount(task)),
  ];
}

function solutionProblems({ expect, person }: Task): string[] {
  const problems = [
    ...callProblems('expect.writes', expect.writes ?? []),
    ...(expect.or_writes ?? []).flatMap((calls, at) => callProblems(`expect.or_writes[${at}]`, calls)),
  ];
  if (expect.asks && expect.writes?.length && !person?.replies?.length) {
    problems.push('expect.asks: expect.writes needs an answer of the user: add it to person.replies.');
  }
  if (expect.or_writes?.length && !expect.writes) {
    problems.push('expect.or_writes: the first solution is missing: add expect.writes.');
  }
  return problems;
}

/** The reference calls are made as they stand, so the tool must take them. */
function callProblems(where: string, calls: readonly ReferenceCall[]): string[] {
  return calls.flatMap(({ tool: name, arguments: args }, at) => {
    const tool = toolDefinitions.find(each => each.name === name);
    const checked = tool && checkArguments(tool, args);
    const place = `${where}[${at}].arguments`;
    if (!checked) return [];
    if (!checked.ok) return checked.problems.map(({ message }) => `${place}: ${message}`);
    return checked.control.dry_run ? [`${place}: dry_run writes nothing: remove it.`] : [];
  });
}

function freeProblems(place: string, at: number): string[] {
  const [table = '', field = ''] = place.split('.');
  const tables: Readonly<Record<string, ReadonlyMap<string, unknown>>> = columns;
  const fields = Object.hasOwn(tables, table) ? tables[table] : undefined;
  if (fields?.has(field)) return [];
  const known = [...(fields?.keys() ?? Object.keys(tables))].join(', ');
  const missing = fields ? `the table ${table} has no field ${field}` : `there is no table ${table}`;
  return [`expect.free[${at}]: ${missing}. Valid: ${known}.`];
}

/** Checks the account alone, then with what the task adds; problems of these entries name their places in `add`. */
async function accountProblems({ account, add, now }: Task): Promise<string[]> {
  const problemsOf = async (task: Pick<Task, 'account' | 'add'>): Promise<readonly string[]> => {
    try {
      readAccount(await accountOf(task), new Date(now));
      return [];
    } catch (error) {
      if (error instanceof AccountFileError) return error.problems;
      throw error;
    }
  };
  const alone = await problemsOf({ account });
  if (alone.length > 0 || add === undefined) return alone.map(problem => `account: ${problem}`);
  const baseAccount = await accountOf({ account });
  return (await problemsOf({ account, add })).map(problem => `add: ${withPlaceInAdd(problem, baseAccount)}`);
}

/** `customers[6].name: …` of the whole account as `customers[0].name: …` of what is added to its six customers. */
function withPlaceInAdd(problem: string, baseAccount: object): string {
  return problem.replace(/^(\w+)\[(\d+)\]/, (place, list: string, at: string) => {
    const before = fieldOf(baseAccount, list);
    const position = Number(at) - (Array.isArray(before) ? before.length : 0);
    return position < 0 ? place : `${list}[${position}]`;
  });
}

/** Addresses, keys, files, limits of HTTP and the clock are the rehearsal's own. */
const policy = [
  settings.readOnly,
  settings.tools,
  settings.excludeTools,
  settings.lookups,
  settings.customer,
  settings.confirm,
  settings.ask,
  settings.maxWritesPerMinute,
  settings.maxAmount,
  settings.maxResultTokens,
  settings.mask,
].map(({ name }) => name as string);

/** What is wrong with a task's settings, one sentence each. */
function settingProblems(taskSettings: Readonly<Record<string, string>>): string[] {
  const others = Object.keys(taskSettings).filter(name => !policy.includes(name));
  if (others.length > 0) {
    return others.map(name => {
      const near = nearest(name, policy);
      const meant = near === null ? `allowed: ${policy.join(', ')}` : `did you mean ${near}?`;
      return `${name.slice(0, 64)} is not a setting that a task can set; ${meant}`;
    });
  }
  if (taskSettings.BILLING_CUSTOMER?.trim() === 'required') {
    return ['BILLING_CUSTOMER: a rehearsal cannot prove customers. List their external IDs.'];
  }
  try {
    const { config } = loadConfig([], { ...taskSettings }, { embedded: true });
    createAccess(config, toolDefinitions);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return [...error.problems];
    throw error;
  }
}
