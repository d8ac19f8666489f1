/** `usage-billing-mcp init <host>`: prints a host's configuration, or merges it into the host's file with `--write`. */
import { stringify } from 'smol-toml';
import { nearest } from '../../../lib/nearest-word.ts';
import { checkNames } from '../../settings/load.ts';
import { settings } from '../../settings/settings.ts';
import { type Command, readArguments } from '../command.ts';
import { type ConfigFile, ConfigFileError, readConfig, writeConfig } from './config-file.ts';
import { byHandHosts, type Host, type HostTarget, hosts, targetFor } from './hosts.ts';
import { launchOf, type Program, runningProgram, unbuilt } from './launch.ts';
import { type Merged, mergeServer } from './merge.ts';

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

/** What to say and the exit code: 0; 1 when a person has to merge two entries; 2 when the command could not do what it was asked. */
interface InitResult {
  text: string;
  code: 0 | 1 | 2;
}

const ids = [...hosts.map(host => host.id), ...Object.keys(byHandHosts)];

// biome-ignore format: one row a flag reads as the table it is
const flags = {
  baseUrl: { ...settings.baseUrl, name: null, description: 'The billing account to connect; without it the host gets the demo account' },
  name: { name: null, flag: 'name', type: 'text', default: 'usage-billing', description: 'Name of the server in the host' },
  file: { name: null, flag: 'file', type: 'text', description: "Another file than the host's own" },
  writes: { name: null, flag: 'writes', type: 'boolean', description: 'With an account: offer writes too; without it the host gets BILLING_READ_ONLY=true' },
  write: { name: null, flag: 'write', type: 'boolean', description: 'Add the entry to the file where its name is free (a backup is kept); without it nothing is written' },
} as const;

export const initCommand: Command = {
  flags,
  more: [`HOST is one of ${ids.join(', ')}.`],
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
  const host = hosts.find(candidate => candidate.id === id);
  const byHandText = Object.hasOwn(byHandHosts, id) ? byHandHosts[id] : undefined;
  if (byHandText) return { text: byHandText(launchOf(context.program)), code: 0 };
  if (!host) return { text: unknownHost(id), code: 2 };
  if (options.baseUrl && !isAddress(options.baseUrl))
    return { text: '--base-url must be an http or https address without a user name or password.', code: 2 };
  const { environment, program } = context;
  const launch = launchOf(program);
  const target = targetFor(host, {
    launch,
    readOnly: !options.writes,
    ...(options.baseUrl && { baseUrl: options.baseUrl }),
    ...(environment.BILLING_API_KEY && { apiKey: environment.BILLING_API_KEY }),
  });
  const name = options.file ?? host.file(program.platform, environment);
  try {
    const result = merge(host, { ...options, file: readConfig(name) }, target, context.now);
    const missing = unbuilt(program);
    return missing === undefined
      ? result
      : { ...result, text: `${result.text}\n\n${missing} is not there yet: run npm run build.` };
  } catch (error) {
    if (error instanceof ConfigFileError) return { text: `${error.message} Nothing was changed.`, code: 2 };
    throw error;
  }
}

function merge(
  host: Host,
  { name, file, write = false }: { name: string; file: ConfigFile; write?: boolean },
  target: HostTarget,
  now: Date,
): InitResult {
  const merged = mergeServer(file.text, host, name, target);
  if (merged.kind === 'unreadable')
    return { text: `${file.path} was left alone: ${merged.reason}. ${byHand(host, name, target)}`, code: 2 };
  if (merged.kind === 'taken') return { text: takenText(host, name, file, target, merged), code: 1 };
  if (merged.kind === 'unchanged')
    return { text: `${file.path} already has "${name}" as wanted. Nothing was changed.`, code: 0 };
  const key = keyText(target);
  if (!write) {
    const shown = snippet(host, name, target, { withKey: false });
    const text = `Nothing was written. With --write, this would add "${name}" in ${file.path}:\n\n${shown}${key}`;
    return { text, code: 0 };
  }
  const backup = writeConfig(file, merged.text, now);
  const kept = backup ? ` The file as it was: ${backup}.` : '';
  const text = `Wrote "${name}" to ${file.path}.${kept} ${host.restart}${key}${firstSentence(target)}`;
  return { text, code: 0 };
}

/** An entry of this name is there, with other values: it may hold settings, comments and keys that only a person can judge. */
function takenText(
  host: Host,
  name: string,
  file: ConfigFile,
  target: HostTarget,
  { isOurs, differences }: Extract<Merged, { kind: 'taken' }>,
): string {
  const whose = isOurs ? `"${name}" already, with other values` : `"${name}" already, which starts another program`;
  const advice = isOurs ? 'Merge the two by hand, or choose another --name.' : 'Choose another --name.';
  const changes = `The file has → this would have:\n${differences.join('\n')}`;
  return `${file.path} was left alone: it has ${whose}. ${advice}\n\n${changes}\n\n${snippet(host, name, target, { withKey: true })}`;
}

/** What to put into the file by hand. The key is left empty there: a masked one would be copied as if it were a key. */
function byHand(host: Host, name: string, target: HostTarget): string {
  const shown = snippet(host, name, target, { withKey: true });
  const fill = hasKeyField(target) ? '\n\nFill in BILLING_API_KEY: it is not printed here.' : '';
  return `Put this into it by hand:\n\n${shown}${fill}`;
}

function snippet(host: Host, name: string, { entry, inputs }: HostTarget, { withKey }: { withKey: boolean }): string {
  const { BILLING_API_KEY: key, ...others } = entry.env ?? {};
  const shownKey = key?.startsWith('${') ? key : withKey && key !== undefined ? '' : undefined;
  const env = entry.env && { ...others, ...(shownKey !== undefined && { BILLING_API_KEY: shownKey }) };
  const shown = { ...(inputs && { inputs }), [host.section]: { [name]: { ...entry, ...(env && { env }) } } };
  return host.format === 'toml' ? stringify(shown).trim() : JSON.stringify(shown, null, 2);
}

function keyText(target: HostTarget): string {
  if (!hasKeyField(target)) return '';
  return target.entry.env?.BILLING_API_KEY === ''
    ? '\n\nFill in BILLING_API_KEY in the file, or run this with BILLING_API_KEY set in the environment.'
    : '\n\nThe file also gets BILLING_API_KEY from the environment; it is not printed here.';
}

/** What to say first, so that somebody sees whether it works. */
function firstSentence({ entry: { env } }: HostTarget): string {
  if (env?.BILLING_BASE_URL === undefined) return '\n\nThen say: “How is acme-podcasts doing?”';
  const readOnly = env.BILLING_READ_ONLY === 'true';
  const writes = readOnly
    ? ' It begins read-only: once the answers are right, remove BILLING_READ_ONLY from the entry.'
    : '';
  return `\n\nThen say: “Which customers have overdue invoices?”${writes}`;
}

/** VS Code asks for the key, so that its file has a reference to the input instead. */
function hasKeyField({ entry }: HostTarget): boolean {
  const key = entry.env?.BILLING_API_KEY;
  return key !== undefined && !key.startsWith('${');
}

function unknownHost(id: string): string {
  const near = nearest(id, ids);
  return `Unknown host "${id}".${near ? ` Did you mean ${near}?` : ''} Known hosts: ${ids.join(', ')}.`;
}

function isAddress(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url !== undefined && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
}
