/** Adds one server to the text of a host's configuration. What is there already stays as it is, byte for byte. */
import { fieldOf, isObject, membersOf } from '../../../lib/json.ts';
import { escapeForSummary } from '../../../words/hidden-characters.ts';
import { redactText } from '../../../words/redact.ts';
import type { Host, HostTarget } from './hosts.ts';
import { appendTo, readObject, repeatedKey, setAt } from './json-edit.ts';
import { addTable, readToml } from './toml-edit.ts';

export type Merged =
  | { kind: 'unchanged' }
  | { kind: 'changed'; text: string }
  /** Nobody but a person can merge two entries: each line says how they differ. */
  | { kind: 'taken'; isOurs: boolean; differences: string[] }
  | { kind: 'unreadable'; reason: string };

/** The file's text with the entry, where its name is free. */
export function mergeServer(current: string, host: Host, name: string, target: HostTarget): Merged {
  const { section } = host;
  const parsed = host.format === 'toml' ? readToml(current) : readObject(current);
  if ('reason' in parsed) return { kind: 'unreadable', reason: parsed.reason };
  const repeated = host.format === 'toml' ? undefined : repeatedKey(current, [], [section]);
  if (repeated !== undefined) return { kind: 'unreadable', reason: `"${escapeForSummary(repeated)}" is there twice` };
  const { [section]: servers = {}, inputs = [] } = membersOf<Host['section'] | 'inputs'>(parsed.value);
  if (!isObject(servers))
    return { kind: 'unreadable', reason: `"${section}" is not ${host.format === 'toml' ? 'a table' : 'an object'}` };
  if (target.inputs && !Array.isArray(inputs)) return { kind: 'unreadable', reason: '"inputs" is not a list' };
  const before = Object.hasOwn(servers, name) ? fieldOf(servers, name) : undefined;
  if (before !== undefined) return compared(before, target);
  const text = host.format === 'toml' ? addTable(current, [section, name], target.entry) : withEntry(current);
  return text === null
    ? { kind: 'unreadable', reason: `"${section}" is written so that no table can be added to it` }
    : { kind: 'changed', text };

  function withEntry(text: string): string {
    const missing = (target.inputs ?? []).filter(input => !hasInput(inputs as unknown[], input));
    const withInputs = missing.reduce((edited, input) => appendTo(edited, 'inputs', input), text);
    return setAt(withInputs, [section, name], target.entry);
  }
}

/** The entry that is there, beside the one that is wanted. A key that was not given is no difference. */
function compared(before: unknown, { entry }: HostTarget): Merged {
  const [is, wanted] = [leavesOf(before), leavesOf(entry)];
  const key = 'env.BILLING_API_KEY';
  if (wanted.get(key) === '""' && is.has(key)) wanted.delete(key);
  const paths = [...new Set([...is.keys(), ...wanted.keys()])].filter(
    path => is.get(path) !== wanted.get(path) && !(path === key && !wanted.has(key)),
  );
  if (paths.length === 0) return { kind: 'unchanged' };
  const differences = paths.map(path =>
    escapeForSummary(`  ${path}: ${shown(path, is.get(path))} → ${shown(path, wanted.get(path))}`),
  );
  return { kind: 'taken', isOurs: /usage-billing-mcp/.test(JSON.stringify(before)), differences };
}

/** Values by their path: `env.BILLING_ASK`. */
function leavesOf(value: unknown, path = ''): Map<string, string> {
  if (!isObject(value) && !Array.isArray(value)) return new Map([[path, JSON.stringify(value) ?? 'null']]);
  const entries = Object.entries(value).flatMap(([key, inner]) => [...leavesOf(inner, path ? `${path}.${key}` : key)]);
  return new Map(entries);
}

/** What may be a secret is not printed. */
function shown(path: string, value: string | undefined): string {
  if (value === undefined) return '(none)';
  return /^(env|headers)\.|key|token|secret|auth|password/i.test(path) && !/^env\.BILLING_(?!API_KEY)/.test(path)
    ? '(set)'
    : redactText(value, []);
}

function hasInput(inputs: readonly unknown[], wanted: { id: string }): boolean {
  return inputs.some(other => membersOf<'id'>(other).id === wanted.id);
}
