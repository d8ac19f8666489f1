/** `usage-billing-mcp init <host>`: prints a host's configuration, or merges it into the host's file with `--write`. */
import { type Command, Option } from 'commander';
import { type Host, type HostTarget, hosts, targetFor } from './hosts.ts';
import { mergeServer, readConfig, writeConfig } from './merge.ts';

export interface InitOptions {
  baseUrl?: string;
  name: string;
  file?: string;
  write?: boolean;
}

export function registerInitCommand(program: Command): void {
  program
    .command('init')
    .description('print the configuration of a chat host, or merge it into its file')
    .argument('<host>', `one of ${hosts.map(host => host.id).join(', ')}`)
    .addOption(
      new Option('--base-url <url>', 'the billing account to connect; without it the host gets the demo account'),
    )
    .option('--name <name>', 'name of the server in the host', 'usage-billing')
    .option('--file <path>', "another file than the host's own")
    .option('--write', 'change the file (a backup is kept); without it nothing is written')
    .action((id: string, options: InitOptions) => {
      const { text, code } = initHost(id, options, process.env, new Date());
      process.stdout.write(`${text}\n`);
      process.exitCode = code;
    });
}

/** Runs the command. `BILLING_API_KEY` of the environment goes into the file and is never printed. */
export function initHost(
  id: string,
  options: InitOptions,
  environment: NodeJS.ProcessEnv,
  now: Date,
): { text: string; code: number } {
  const host = hosts.find(candidate => candidate.id === id);
  if (!host) return { text: `Unknown host "${id}". Known hosts: ${hosts.map(known => known.id).join(', ')}.`, code: 2 };
  if (options.baseUrl && !/^https?:\/\/[^\s/]+/.test(options.baseUrl))
    return { text: '--base-url must be an http or https address.', code: 2 };
  const apiKey = environment.BILLING_API_KEY || undefined;
  const target = targetFor(host, { baseUrl: options.baseUrl, apiKey });
  const file = options.file ?? host.file(process.platform, environment);
  const merged = mergeServer(readConfig(file), host, options.name, target);
  const snippet = redacted(host, options.name, target, apiKey);
  if (merged.kind === 'unreadable')
    return { text: `${file} was left alone: ${merged.reason}. Put this into it by hand:\n\n${snippet}`, code: 1 };
  if (merged.kind === 'unchanged')
    return { text: `${file} already has "${options.name}" as wanted. Nothing was changed.`, code: 0 };
  if (!options.write) {
    const verb = merged.replaces ? 'replace' : 'add';
    return {
      text: `Nothing was written. With --write, this would ${verb} "${options.name}" in ${file}:\n\n${snippet}${keyHint(target)}`,
      code: 0,
    };
  }
  const backup = writeConfig(file, merged.text, now);
  const kept = backup ? ` The file as it was: ${backup}.` : '';
  return { text: `Wrote "${options.name}" to ${file}.${kept} ${host.restart}${keyHint(target)}`, code: 0 };
}

function redacted(host: Host, name: string, target: HostTarget, apiKey: string | undefined): string {
  const env = target.entry.env && {
    ...target.entry.env,
    ...(apiKey && target.entry.env.BILLING_API_KEY === apiKey && { BILLING_API_KEY: '********' }),
  };
  const shown = {
    ...(target.inputs && { inputs: target.inputs }),
    [host.section]: { [name]: { ...target.entry, ...(env && { env }) } },
  };
  return JSON.stringify(shown, null, 2);
}

function keyHint(target: HostTarget): string {
  return target.entry.env?.BILLING_API_KEY === ''
    ? '\n\nFill in BILLING_API_KEY in the file, or run this with BILLING_API_KEY set in the environment.'
    : '';
}
