/** The table of `check`: what came of each tool, and what that comes to. */
import { toolDefinitions } from '../../../../tools/all-tools.ts';
import { createAccess } from '../../../calls/access/access.ts';
import { confirmationOf } from '../../../calls/change/fields/kinds.ts';
import { type AnyTool, isSet } from '../../../definition/define.ts';
import { confirmRules } from '../../settings/confirm-rules.ts';
import type { Account } from './connection.ts';
import { readFirsts } from './ids.ts';
import { createSightings } from './sightings.ts';
import { groupOf, isUpdate, type Tried, tryRead, tryUpdate, untried } from './try-tools.ts';

const marks = { answers: '✓', refused: '✗', 'not there': '–', fails: '✗', 'not tried': '·' } as const;
const groups = ['reads and computations', 'lookups', 'writes'] as const;

/** Prints the table. True when something answers and nothing that was tried fails. */
export async function reportTools(
  account: Account,
  { tryWrites, confirms, say }: { tryWrites: boolean; confirms: string; say: (line: string) => void },
): Promise<boolean> {
  const { config } = account;
  const offered = createAccess({ ...config, mask: undefined }, toolDefinitions)({ scopes: null }).tools;
  const sightings = createSightings();
  const firsts = await readFirsts(account, sightings.learn);
  const width = Math.max(...toolDefinitions.map(({ name }) => name.length));
  const all: Tried[] = [];
  for (const group of groups) {
    const tools = toolDefinitions.filter(tool => groupOf(tool) === group && offered.includes(tool));
    if (tools.length > 0) say(`\n${group[0]?.toUpperCase()}${group.slice(1)}:`);
    for (const tool of tools) {
      const tried = await (group === 'writes'
        ? tryWrite(tool, account, tryWrites)
        : tryRead(tool, firsts, account, sightings));
      all.push(tried);
      say(`  ${marks[tried.state]} ${tool.name.padEnd(width)}  ${tried.state}${tried.words && `: ${tried.words}`}`);
    }
  }
  say('');
  say(sumOf(all));
  for (const line of sightings.report(toolDefinitions.filter(tool => offered.includes(tool)))) say(line);
  for (const line of advice(all, toolDefinitions.length - offered.length)) say(line);
  say(confirms);
  if (!config.readOnly) for (const line of confirmTable(config.confirm, offered)) say(line);
  return all.some(({ state }) => state === 'answers') && !all.some(({ state }) => state === 'fails');
}

function confirmTable(confirm: string, offered: readonly AnyTool[]): string[] {
  const rules = confirmRules(confirm);
  return offered.flatMap(({ name }) => {
    const words = confirmationOf(name, rules);
    return words === null ? [] : [`  ${name}: ${words}`];
  });
}

function tryWrite(tool: AnyTool, account: Account, wanted: boolean): Promise<Tried> | Tried {
  if (!wanted) return untried(tool);
  return isUpdate(tool)
    ? tryUpdate(tool, account)
    : untried(tool, isSet(tool) ? 'each of its changes is a separate write' : 'it creates or deletes');
}

/** `11 of 11 reads and computations and 11 of 14 lookups answer; 8 writes not tried.` */
function sumOf(all: readonly Tried[]): string {
  const of = (group: (typeof groups)[number]) => all.filter(({ tool }) => groupOf(tool) === group);
  const answered = (rows: readonly Tried[]) => rows.filter(({ state }) => state === 'answers').length;
  const share = (group: (typeof groups)[number], rows = of(group)) => `${answered(rows)} of ${rows.length} ${group}`;
  const writes = of('writes');
  const tried = writes.filter(({ state }) => state !== 'not tried');
  const untested = writes.length - tried.length;
  const reads = groups.slice(0, 2).filter(group => of(group).length > 0);
  return `${[
    `${reads.map(group => share(group)).join(' and ')} answer`,
    ...(tried.length > 0 ? [`${answered(tried)} of ${tried.length} tested updates work`] : []),
    ...(writes.length === 0 ? ['no writes are offered'] : untested > 0 ? [`${untested} writes not tested`] : []),
  ].join('; ')}.`;
}

function advice(all: readonly Tried[], hidden: number): string[] {
  const refused = all.filter(({ state }) => state === 'refused');
  const rights = [...new Set(refused.flatMap(({ right }) => right ?? []))];
  const missing = all.filter(({ state }) => state === 'not there').map(({ tool }) => tool.name);
  return [
    ...(rights.length > 0 ? [`The key lacks: ${rights.join(', ')}. Grant them in the account settings.`] : []),
    ...(missing.length > 0
      ? [`Not part of this installation: ${missing.join(', ')}. Assistants get this answer when they call them.`]
      : []),
    ...(hidden > 0 ? [`Hidden by the settings, and not tested: ${hidden} tools.`] : []),
  ];
}
