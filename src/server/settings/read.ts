/** Reads the settings of a table from flags and environment; checks each value by itself. */
import { parseArgs } from 'node:util';
import { nearest } from '../../lib/nearest-word.ts';
import { commands } from './help.ts';
import { nameProblems, shorten } from './names.ts';
import { removedSetting } from './removed.ts';
import type { Setting } from './settings.ts';

interface ReadValues<Key extends string> {
  values: Record<Key, unknown>;
  /** Keys whose value comes from a flag or variable, not from the default. */
  setKeys: Set<Key>;
  problems: string[];
}

/** An empty value, or a placeholder that a bundle host did not fill in, counts as not set. */
const unfilled = /^\s*$|^\$\{user_config\.[^}]*\}$/;

export function readValues<Key extends string>(
  table: Record<Key, Setting>,
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
): ReadValues<Key> {
  const read: ReadValues<Key> = { values: {} as Record<Key, unknown>, setKeys: new Set(), problems: [] };
  const flags = readFlags(table, argv, read.problems);
  for (const [key, setting] of Object.entries(table) as [Key, Setting][]) {
    const flag = setting.flag === null ? undefined : flags[setting.flag];
    const text = setting.name === null ? undefined : textOf(setting.name, env);
    const raw = flag ?? (text === undefined || unfilled.test(text) ? undefined : text);
    const label = flag !== undefined ? `--${setting.flag}` : (setting.name ?? `--${setting.flag}`);
    if (raw !== undefined && !unfilled.test(raw)) read.setKeys.add(key);
    read.values[key] = read.setKeys.has(key)
      ? convert(setting, label, raw as string, read.problems)
      : fallback(setting);
  }
  read.problems.push(...nameProblems(table, env));
  return read;
}

/** Variables that other programs use too may be in lower case, which then takes precedence, as is usual. */
function textOf(name: string, env: NodeJS.ProcessEnv): string | undefined {
  return (name.startsWith('BILLING_') ? undefined : env[name.toLowerCase()]) ?? env[name];
}

function readFlags(
  table: Record<string, Setting>,
  argv: readonly string[],
  problems: string[],
): Record<string, string | undefined> {
  const options: Record<string, { type: 'string' | 'boolean' }> = {};
  for (const { flag, type } of Object.values(table)) {
    if (flag !== null) options[flag] = { type: type === 'boolean' ? 'boolean' : 'string' };
  }
  const flagValues: Record<string, string | undefined> = {};
  const { tokens } = parseArgs({ args: [...argv], options, strict: false, tokens: true, allowPositionals: true });
  let afterUnknown = false;
  for (const token of tokens) {
    // The argument after an unknown flag is its value, and may be a secret.
    if (token.kind === 'positional' && !afterUnknown) {
      problems.push(unknownArgument(token.value, Object.keys(options)));
    }
    if (token.kind !== 'option') continue;
    const known = options[token.name];
    afterUnknown = !known;
    if (!known) problems.push(unknownFlag(token.rawName, Object.keys(options), table));
    else if (known.type === 'boolean' && token.value !== undefined) {
      problems.push(`--${token.name} takes no value: leave the value out, or leave the flag out.`);
    } else if (known.type === 'string' && (token.value === undefined || token.value === '')) {
      problems.push(`--${token.name} needs a value: --${token.name} VALUE.`);
    } else flagValues[token.name] = known.type === 'boolean' ? 'true' : token.value;
  }
  return flagValues;
}

function unknownArgument(value: string, flags: readonly string[]): string {
  const names = commands.map(([name]) => name as string);
  if (names.includes(value)) return `A command comes first: usage-billing-mcp ${value} …. See --help.`;
  const near = nearest(value, names) ?? (flags.includes(value) ? `--${value}` : null);
  return `Unknown command or argument: ${shorten(value)}.${near ? ` Did you mean ${near}?` : ''} See --help.`;
}

function unknownFlag(raw: string, flags: readonly string[], table: Record<string, Setting>): string {
  const removed = removedSetting(raw);
  if (removed !== undefined) return removed;
  const name = raw.replace(/^-+/, '');
  const variable = `BILLING_${name.replaceAll('-', '_').toUpperCase()}`;
  if (Object.values(table).some(setting => setting.name === variable && setting.flag === null)) {
    return `${raw} is not a flag, because flags show in process lists: set ${variable} in the environment.`;
  }
  const near = nearest(name, flags);
  return `Unknown flag ${raw}.${near ? ` Did you mean --${near}?` : ''} See --help.`;
}

function convert(setting: Setting, label: string, text: string, problems: string[]): unknown {
  const value = text.trim();
  // The given value is repeated only when it cannot be a secret.
  const insteadOf = setting.secret ? '' : `, not ${JSON.stringify(shorten(value))}`;
  const wrong = (wanted: string): undefined => {
    problems.push(`${label} must be ${wanted}${insteadOf}.`);
    return undefined;
  };
  if (setting.pattern && !setting.pattern[0].test(value)) return wrong(setting.pattern[1]);
  switch (setting.type) {
    case 'boolean':
      if (value === 'true' || value === '1') return true;
      return value === 'false' || value === '0' ? false : wrong('true, false, 1 or 0');
    case 'integer': {
      const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
      const { min = 0, max = 999_999_999 } = setting;
      return number >= min && number <= max ? number : wrong(`a whole number from ${min} to ${max}`);
    }
    case 'choice':
      return setting.choices?.includes(value) ? value : wrong(`one of ${setting.choices?.join(', ')}`);
    case 'list': {
      const items = value.split(',').map(item => item.trim());
      if (items.includes('')) return wrong('a list separated by commas, without empty entries');
      const unknown = items.find(item => setting.choices?.includes(item) === false);
      if (unknown === undefined) return items;
      const near = nearest(unknown, setting.choices ?? []);
      return wrong(`a list of ${setting.choices?.join(', ')}${near === null ? '' : ` (did you mean ${near}?)`}`);
    }
    default:
      return value;
  }
}

function fallback(setting: Setting): unknown {
  if (setting.type === 'list')
    return String(setting.default ?? '') === '' ? undefined : String(setting.default).split(',');
  return setting.type === 'boolean' ? setting.default === true : setting.default;
}
