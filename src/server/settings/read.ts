/** Reads the settings of a table from flags and environment; checks each value by itself. */
import { parseArgs } from 'node:util';
import { nearest } from '../../lib/nearest-word.ts';
import { removedSetting, shorten } from './names.ts';
import type { Flag, ValuesOf } from './settings.ts';

/** The subcommands, of which a start needs no more: name, name with its argument, and what it does. */
export const commands = [
  ['service', 'service', 'run only the sandbox billing service, on 127.0.0.1'],
  ['check', 'check', 'test the configured base URL and key, and report what works'],
  ['audit', 'audit FILE', 'print an audit log as a table and list writes without an outcome, or verify the log'],
  ['rehearse', 'rehearse', 'run an assistant on sandbox accounts, and grade its actions and answers'],
  ['init', 'init HOST', 'print or write the configuration of a chat host'],
] as const;

interface ReadValues<Table> {
  values: ValuesOf<Table>;
  /** Keys whose value comes from a flag or variable, not from the default. */
  setKeys: Set<keyof Table>;
  /** The arguments without a flag, where they are taken. */
  bare: string[];
  problems: string[];
}

/** An empty value, or a placeholder that a bundle host did not fill in, counts as not set. */
const unfilled = /^\s*$|^\$\{user_config\.[^}]*\}$/;

/** `takes`: the name of the one argument without a flag, e.g. FILE; of several, FILE... */
export function readValues<const Table extends Record<string, Flag>>(
  table: Table,
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
  takes?: string,
): ReadValues<Table> {
  const values: { [Key in keyof Table]?: unknown } = {};
  const setKeys = new Set<keyof Table>();
  const problems: string[] = [];
  const { flagValues, bare } = readFlags(table, argv, problems, takes);
  for (const [key, row] of Object.entries(table) as [keyof Table, Flag][]) {
    const flag = row.flag === null ? undefined : flagValues[row.flag];
    const text = row.name === null ? undefined : textOf(row.name, env);
    const raw = flag ?? (text === undefined || unfilled.test(text) ? undefined : text);
    const label = flag !== undefined ? `--${row.flag}` : (row.name ?? `--${row.flag}`);
    if (raw !== undefined && !unfilled.test(raw)) setKeys.add(key);
    values[key] = setKeys.has(key) ? convert(row, label, raw as string, problems) : fallback(row);
  }
  return { values: values as ValuesOf<Table>, setKeys, bare, problems };
}

/** Variables that other programs use too may be in lower case, which then takes precedence, as is usual. */
function textOf(name: string, env: NodeJS.ProcessEnv): string | undefined {
  return (name.startsWith('BILLING_') ? undefined : env[name.toLowerCase()]) ?? env[name];
}

function readFlags(
  table: Record<string, Flag>,
  argv: readonly string[],
  problems: string[],
  takes: string | undefined,
): { flagValues: Record<string, string | undefined>; bare: string[] } {
  const options: Record<string, { type: 'string' | 'boolean' }> = {};
  for (const { flag, type } of Object.values(table)) {
    if (flag !== null) options[flag] = { type: type === 'boolean' ? 'boolean' : 'string' };
  }
  const flagValues: Record<string, string | undefined> = {};
  const { tokens } = parseArgs({ args: [...argv], options, strict: false, tokens: true, allowPositionals: true });
  let afterUnknown = false;
  const bare: string[] = [];
  for (const token of tokens) {
    // The argument after an unknown flag is its value, and may be a secret.
    if (token.kind === 'positional' && !afterUnknown) {
      if (takes === undefined) problems.push(unknownArgument(token.value, Object.keys(options)));
      else if (bare.length > 0 && !takes.endsWith('...'))
        problems.push(`The command accepts only one ${takes}. Remove ${shorten(token.value)}.`);
      else bare.push(token.value);
    }
    if (token.kind !== 'option') continue;
    const known = Object.hasOwn(options, token.name) ? options[token.name] : undefined;
    afterUnknown = !known;
    if (!known) problems.push(unknownFlag(token.rawName, Object.keys(options), table));
    else if (known.type === 'boolean' && token.value !== undefined) {
      problems.push(`--${token.name} accepts no value. Remove the value or the flag.`);
    } else if (known.type === 'string' && (token.value === undefined || token.value === '')) {
      problems.push(`--${token.name} needs a value: --${token.name} VALUE.`);
    } else flagValues[token.name] = known.type === 'boolean' ? 'true' : token.value;
  }
  if (takes !== undefined && bare.length === 0) problems.push(`${takes.replace('...', '')} is missing. See --help.`);
  return { flagValues, bare };
}

/** The problem of an argument that is neither a command nor a flag. */
export function unknownArgument(value: string, flags: readonly string[]): string {
  const names = commands.map(([name]) => name as string);
  if (names.includes(value)) return `The command must come first: usage-billing-mcp ${value} …. See --help.`;
  const near = nearest(value, names) ?? (flags.includes(value) ? `--${value}` : null);
  return `Unknown command or argument: ${shorten(value)}.${near ? ` Did you mean ${near}?` : ''} See --help.`;
}

function unknownFlag(raw: string, flags: readonly string[], table: Record<string, Flag>): string {
  const removed = removedSetting(raw);
  if (removed !== undefined) return removed;
  const name = raw.replace(/^-+/, '');
  const variable = `BILLING_${name.replaceAll('-', '_').toUpperCase()}`;
  if (Object.values(table).some(row => row.name === variable && row.flag === null)) {
    return `${raw} is not a flag, because flags are visible in process lists. Set ${variable} in the environment.`;
  }
  const near = nearest(name, flags);
  return `Unknown flag ${raw}.${near ? ` Did you mean --${near}?` : ''} See --help.`;
}

function convert(row: Flag, label: string, text: string, problems: string[]): unknown {
  const value = text.trim();
  // The given value is repeated only when it cannot be a secret.
  const insteadOf = row.secret ? '' : `, not ${JSON.stringify(shorten(value))}`;
  const wrong = (wanted: string): undefined => {
    problems.push(`${label} must be ${wanted}${insteadOf}.`);
    return undefined;
  };
  if (row.pattern && !row.pattern[0].test(value)) return wrong(row.pattern[1]);
  switch (row.type) {
    case 'boolean':
      if (value === 'true' || value === '1') return true;
      return value === 'false' || value === '0' ? false : wrong('true, false, 1 or 0');
    case 'integer': {
      const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
      const { min = 0, max = 999_999_999 } = row;
      return number >= min && number <= max ? number : wrong(`a whole number from ${min} to ${max}`);
    }
    case 'choice':
      return row.choices?.includes(value) ? value : wrong(`one of ${row.choices?.join(', ')}`);
    case 'list': {
      const items = value.split(',').map(item => item.trim());
      if (items.includes('')) return wrong('a comma-separated list without empty entries');
      const unknown = items.find(item => row.choices?.includes(item) === false);
      if (unknown === undefined) return items;
      const near = nearest(unknown, row.choices ?? []);
      return wrong(`a list of ${row.choices?.join(', ')}${near === null ? '' : ` (did you mean ${near}?)`}`);
    }
    default:
      return value;
  }
}

function fallback(row: Flag): unknown {
  if (row.type === 'list') return String(row.default ?? '') === '' ? undefined : String(row.default).split(',');
  return row.type === 'boolean' ? row.default === true : row.default;
}
