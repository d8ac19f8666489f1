/** Adds one server to the text of a host's configuration without changing anything else in it. */
import { fieldOf, isObject, membersOf } from '../../../lib/json.ts';
import type { Host, HostTarget } from './hosts.ts';
import { appendTo, readObject, repeatedKey, setAt } from './json-edit.ts';
import { addTable, readToml } from './toml-edit.ts';

export type Merged =
  | { kind: 'unchanged' }
  | { kind: 'changed'; text: string; replaces: boolean; keepsKey: boolean }
  | { kind: 'unreadable'; reason: string; replaces?: boolean };

/** The file's text after the change. Comments, order, indentation and line ends of everything else stay. */
export function mergeServer(current: string, host: Host, name: string, target: HostTarget): Merged {
  if (host.format === 'toml') return mergeToml(current, host, name, target);
  const parsed = readObject(current);
  if ('reason' in parsed) return { kind: 'unreadable', reason: parsed.reason };
  const repeated = repeatedKey(current, [], [host.section]);
  if (repeated !== undefined) return { kind: 'unreadable', reason: `"${repeated}" is there twice` };
  const { [host.section]: servers = {}, inputs = [] } = membersOf<Host['section'] | 'inputs'>(parsed.value);
  if (!isObject(servers)) return { kind: 'unreadable', reason: `"${host.section}" is not an object` };
  if (target.inputs && !Array.isArray(inputs)) return { kind: 'unreadable', reason: '"inputs" is not a list' };
  const before = Object.hasOwn(servers, name) ? fieldOf(servers, name) : undefined;
  const { entry, keepsKey } = withExistingVariables(before, target);
  const missing = (target.inputs ?? []).filter(input => !hasInput(inputs as unknown[], input));
  if (same(before, entry) && missing.length === 0) return { kind: 'unchanged' };
  let text = missing.reduce((edited, input) => appendTo(edited, 'inputs', input), current);
  if (!same(before, entry)) text = setAt(text, [host.section, name], entry);
  return { kind: 'changed', text, replaces: before !== undefined, keepsKey };
}

/** An entry that is there already is not replaced: its text may have comments, which only a person can keep. */
function mergeToml(current: string, { section }: Host, name: string, { entry }: HostTarget): Merged {
  const parsed = readToml(current);
  if ('reason' in parsed) return { kind: 'unreadable', reason: parsed.reason };
  const { [section]: servers = {} } = membersOf<Host['section']>(parsed.value);
  if (!isObject(servers)) return { kind: 'unreadable', reason: `"${section}" is not a table` };
  const before = Object.hasOwn(servers, name) ? fieldOf(servers, name) : undefined;
  if (same(before, entry)) return { kind: 'unchanged' };
  if (before !== undefined)
    return { kind: 'unreadable', reason: `it has [${section}.${name}] already, with other values`, replaces: true };
  const text = addTable(current, [section, name], entry);
  return text === null
    ? { kind: 'unreadable', reason: `"${section}" is written so that no table can be added to it` }
    : { kind: 'changed', text, replaces: false, keepsKey: false };
}

/**
 * Settings of the entry that is replaced, such as BILLING_READ_ONLY, stay, also where `init` would set another
 * BILLING_ASK; so does its key when none was given.
 */
function withExistingVariables(
  before: unknown,
  { entry }: HostTarget,
): { entry: HostTarget['entry']; keepsKey: boolean } {
  const { env: earlier } = membersOf<'env'>(before);
  const {
    BILLING_BASE_URL: _,
    BILLING_DEMO: __,
    BILLING_API_KEY: key,
    BILLING_READ_ONLY: readOnly,
    ...kept
  } = (isObject(earlier) ? earlier : {}) as Record<string, string>;
  // With an account, the command says whether writes are offered.
  const others: Record<string, string> = {
    ...kept,
    ...(readOnly && !entry.env?.BILLING_BASE_URL && { BILLING_READ_ONLY: readOnly }),
  };
  const keepsKey = entry.env?.BILLING_API_KEY === '' && typeof key === 'string' && key !== '';
  const { BILLING_ASK: ask } = others;
  const env = { ...others, ...entry.env, ...(ask && { BILLING_ASK: ask }), ...(keepsKey && { BILLING_API_KEY: key }) };
  return { entry: Object.keys(env).length > 0 ? { ...entry, env } : entry, keepsKey };
}

function hasInput(inputs: readonly unknown[], wanted: { id: string }): boolean {
  return inputs.some(other => membersOf<'id'>(other).id === wanted.id);
}

/** Compares without regard to the order of keys. */
function same(left: unknown, right: unknown): boolean {
  const sorted = (_: string, value: unknown) =>
    isObject(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value;
  return JSON.stringify(left, sorted) === JSON.stringify(right, sorted);
}
