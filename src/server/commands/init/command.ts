/** `usage-billing-mcp init <host>`: prints a host's configuration; with `--write`, adds it to the file of a host that most people use. */
import { nearest } from '../../../lib/nearest-word.ts';
import { checkNames } from '../../settings/load.ts';
import { settings } from '../../settings/settings.ts';
import { type Command, readArguments } from '../command.ts';
import { ConfigFileError, readConfig, writeConfig } from './config-file.ts';
import {
  byHandHosts,
  type EditedHost,
  type Host,
  type HostTarget,
  hosts,
  type PastedHost,
  pastedHosts,
  targetFor,
} from './hosts.ts';
import { launchOf, type Program, runningProgram } from './launch.ts';
import { mergeServer } from './merge.ts';

export interface InitOptions {
  baseUrl?: string | undefined;
  name: string;
  file?: string | undefined;
  write?: boolean;
  /** With an account: without BILLING_READ_ONLY. */
  writes?: boolean;
}

export interface InitContext {
  environment: NodeJS.ProcessEnv;
  now: Date;
  program: Program;
}

/** What to say and the exit code: 0; 1 when a user has to merge two entries; 2 when the command could not do what it was asked. */
interface InitResult {
  text: string;
  code: 0 | 1 | 2;
}

const editedIds = hosts.map(host => host.id);
const ids = [...editedIds, ...pastedHosts.map(host => host.id), ...Object.keys(byHandHosts)];

// biome-ignore format: one row a flag reads as the table it is
const flags = {
  baseUrl: { ...settings.baseUrl, name: null, description: 'Address of the billing account. Without it, the host gets the demo account' },
  name: { name: null, flag: 'name', type: 'text', default: 'usage-billing', description: 'Name of the server in the host' },
  file: { name: null, flag: 'file', type: 'text', description: "Use this file instead of the host's own" },
  writes: { name: null, flag: 'writes', type: 'boolean', description: 'With an account: also offer writes. Without this flag, the host gets BILLING_READ_ONLY=true' },
  write: { name: null, flag: 'write', type: 'boolean', description: 'Add the entry to the file if its name is free, and keep a backup. Without this flag, nothing is written' },
} as const;

export const initCommand: Command = {
  flags,
  more: [`HOST is one of ${ids.join(', ')}. --write works for ${editedIds.join(', ')}.`],
  async run(argv) {
    checkNames(process.env);
    const { argument: id, ...options } = readArguments(flags, argv, 'HOST');
    const context = { environment: process.env, now: new Date(), program: runningProgram() };
    const { text, code } = initHost(id, options, context);
    (code === 0 ? process.stdout : process.stderr).write(`${text}\n`);
    return code;
  },
};

/** Runs the command. `BILLING_API_KEY` of the environment goes into the file and is never printed. */
export function initHost(id: string, options: InitOptions, context: InitContext): InitResult {
  const { environment, program } = context;
  const { baseUrl, name } = options;
  const launch = launchOf(program);
  if (Object.hasOwn(byHandHosts, id)) return { text: byHandHosts[id]?.(launch) ?? '', code: 0 };
  const edited = hosts.find(host => host.id === id);
  const host = edited ?? pastedHosts.find(one => one.id === id);
  if (!host) return { text: unknownHost(id), code: 2 };
  if (baseUrl && !isAddress(baseUrl))
    return { text: '--base-url must be an http or https address without a user name or password.', code: 2 };
  const target = targetFor(host, {
    launch,
    readOnly: !options.writes,
    ...(baseUrl && { baseUrl }),
    ...(environment.BILLING_API_KEY && { apiKey: environment.BILLING_API_KEY }),
  });
  return edited ? edit(edited, options, target, context) : paste(host as PastedHost, name, target);
}

function paste(host: PastedHost, name: string, target: HostTarget): InitResult {
  const where = host.where.replaceAll('`', '');
  return { text: `${byHand(host, name, target, `${host.title} reads ${where}`)}${firstSentence(target)}`, code: 0 };
}

function edit(host: EditedHost, options: InitOptions, target: HostTarget, context: InitContext): InitResult {
  const { name, write = false } = options;
  const file = options.file ?? host.file(context.program.platform, context.environment);
  try {
    const merged = mergeServer(readConfig(file), host, name, target);
    if (merged.kind === 'unreadable')
      return { text: byHand(host, name, target, `${file} was not changed: ${merged.reason}`), code: 2 };
    if (merged.kind === 'taken') {
      const advice = 'with other values. Merge the two by hand, or choose another --name';
      const text = byHand(host, name, target, `${file} was not changed: it already has "${name}", ${advice}`);
      return { text, code: 1 };
    }
    if (merged.kind === 'unchanged')
      return { text: `${file} already has this "${name}" entry. Nothing was changed.`, code: 0 };
    if (!write) {
      const text = `Nothing was written. With --write, this would add "${name}" in ${file}:\n\n${snippet(host, name, target)}`;
      return { text, code: 0 };
    }
    const backup = writeConfig(file, merged.text, context.now);
    const kept = backup ? ` Backup of the earlier file: ${backup}.` : '';
    const isEmpty = target.entry.env?.BILLING_API_KEY === '';
    const key = isEmpty ? '\n\nFill in BILLING_API_KEY in the file.' : '';
    return { text: `Wrote "${name}" to ${file}.${kept} ${host.restart}${key}${firstSentence(target)}`, code: 0 };
  } catch (error) {
    if (error instanceof ConfigFileError) return { text: `${error.message} Nothing was changed.`, code: 2 };
    throw error;
  }
}

function byHand(host: Host, name: string, target: HostTarget, why: string): string {
  return `${why}. Put this into it by hand:\n\n${snippet(host, name, target)}`;
}

/** The key is left empty: a masked one would be copied as if it were a key. VS Code has a reference to what it asks for. */
function snippet(host: Host & { format?: 'toml' }, name: string, { entry, input }: HostTarget): string {
  const key = entry.env?.BILLING_API_KEY;
  const isField = key !== undefined && !key.startsWith('${');
  const shown = isField ? { ...entry, env: { ...entry.env, BILLING_API_KEY: '' } } : entry;
  const inputs = input && { inputs: [input] };
  const text =
    host.format === 'toml'
      ? tomlTable(`${host.section}.${JSON.stringify(name)}`, shown)
      : JSON.stringify({ ...inputs, [host.section]: { [name]: shown } }, null, 2);
  if (!isField) return text;
  const source = key === '' ? 'Fill in BILLING_API_KEY' : 'BILLING_API_KEY comes from the environment';
  return `${text}\n\n${source}: it is not printed here.`;
}

/** Texts and lists of texts are written in TOML as in JSON. */
function tomlTable(path: string, { env, ...values }: HostTarget['entry']): string {
  const lines = (table: object) => Object.entries(table).map(([key, value]) => `${key} = ${JSON.stringify(value)}`);
  const environment = env === undefined ? [] : ['', `[${path}.env]`, ...lines(env)];
  return [`[${path}]`, ...lines(values), ...environment].join('\n');
}

/** What to say first, so that someone sees whether it works. */
function firstSentence({ entry: { env } }: HostTarget): string {
  if (env?.BILLING_BASE_URL === undefined) return '\n\nThen say: “How is acme-podcasts doing?”';
  const readOnly = env.BILLING_READ_ONLY === 'true';
  const writes = readOnly ? ' It starts read-only. To allow writes, remove BILLING_READ_ONLY from the entry.' : '';
  return `\n\nThen say: “Which customers have overdue invoices?”${writes}`;
}

function unknownHost(id: string): string {
  const near = nearest(id, ids);
  return `Unknown host "${id}".${near ? ` Did you mean ${near}?` : ''} Known hosts: ${ids.join(', ')}.`;
}

function isAddress(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url !== undefined && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
}
