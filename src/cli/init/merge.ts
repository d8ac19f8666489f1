/** Adds one server to a host's configuration file without changing anything else in it. */

import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { isRecord, type JsonRecord } from '../../lib/json.ts';
import type { Host, HostTarget } from './hosts.ts';

export type Merged =
  | { kind: 'unchanged' }
  | { kind: 'changed'; text: string; replaces: boolean }
  | { kind: 'unreadable'; reason: string };

/** The file's text after the change. Everything else in the file stays unchanged, with its order and indentation. */
export function mergeServer(current: string | undefined, host: Host, name: string, target: HostTarget): Merged {
  const parsed = parse(current);
  if ('reason' in parsed) return { kind: 'unreadable', reason: parsed.reason };
  const config = parsed.value;
  const servers = config[host.section] ?? {};
  if (!isRecord(servers)) return { kind: 'unreadable', reason: `"${host.section}" is not an object` };
  const before = Object.hasOwn(servers, name) ? servers[name] : undefined;
  const wanted = keepExistingKey(before, target);
  const inputs = mergeInputs(config.inputs, target.inputs);
  if (JSON.stringify(before) === JSON.stringify(wanted) && inputs === undefined) return { kind: 'unchanged' };
  const next = { ...config, ...(inputs && { inputs }), [host.section]: { ...servers, [name]: wanted } };
  return {
    kind: 'changed',
    text: `${JSON.stringify(next, null, indentation(current))}\n`,
    replaces: before !== undefined,
  };
}

/** Reads the file, or undefined when there is none. */
export function readConfig(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

/** Writes through a temporary file, after a backup. Returns the backup's path, if there was a file. */
export function writeConfig(file: string, text: string, now: Date): string | undefined {
  mkdirSync(dirname(file), { recursive: true });
  const existed = existsSync(file);
  const backup = existed ? `${file}.backup-${now.toISOString().replaceAll(/[:.]/g, '-')}` : undefined;
  if (backup) copyFileSync(file, backup);
  // The file may hold a key: others must not read it, and it never becomes more readable than before.
  const mode = existed ? statSync(file).mode & 0o700 : 0o600;
  const draft = `${file}.${process.pid}.tmp`;
  writeFileSync(draft, text, { mode });
  chmodSync(draft, mode);
  renameSync(draft, file);
  if (backup) chmodSync(backup, mode);
  return backup;
}

/** Keeps a key that is already in the file when none was given. */
function keepExistingKey(before: unknown, target: HostTarget): HostTarget['entry'] {
  const { entry } = target;
  const kept = isRecord(before) && isRecord(before.env) ? before.env.BILLING_API_KEY : undefined;
  if (entry.env?.BILLING_API_KEY !== '' || typeof kept !== 'string') return entry;
  return { ...entry, env: { ...entry.env, BILLING_API_KEY: kept } };
}

function mergeInputs(current: unknown, wanted: HostTarget['inputs']): unknown[] | undefined {
  if (!wanted) return undefined;
  const present = Array.isArray(current) ? current : [];
  const missing = wanted.filter(input => !present.some(other => isRecord(other) && other.id === input.id));
  return missing.length ? [...present, ...missing] : undefined;
}

function parse(text: string | undefined): { value: JsonRecord } | { reason: string } {
  if (text === undefined || text.trim() === '') return { value: {} };
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? { value } : { reason: 'it is not a JSON object' };
  } catch (error) {
    return { reason: `it is not plain JSON (${(error as Error).message.split('\n')[0]})` };
  }
}

function indentation(text: string | undefined): string {
  return /\n([ \t]+)"/.exec(text ?? '')?.[1] ?? '  ';
}
