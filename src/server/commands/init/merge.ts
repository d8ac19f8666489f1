/** Adds one server to the text of a host's configuration. What is there already stays as it is, byte for byte. */
import { isDeepStrictEqual } from 'node:util';
import { findNodeAtLocation, type Node, parseTree } from 'jsonc-parser';
import { isObject, membersOf } from '../../../lib/json.ts';
import { parseJsonc } from '../../../lib/jsonc.ts';
import type { Host, HostTarget } from './hosts.ts';

export type Merged =
  | { kind: 'unchanged' }
  | { kind: 'changed'; text: string }
  /** Another entry has the name: no one but a user can merge the two. */
  | { kind: 'taken' }
  /** Part of a sentence. */
  | { kind: 'unreadable'; reason: string };

type Servers = { readonly [name: string]: unknown };

/** The file's text with the entry, where its name is free. */
export function mergeServer(current: string, { section }: Host, name: string, target: HostTarget): Merged {
  const { entry, input } = target;
  const parsed = parseJsonc(withoutMark(current));
  if ('problem' in parsed) return { kind: 'unreadable', reason: `it is not JSON (${parsed.problem})` };
  const { value = {} } = parsed;
  if (!isObject(value)) return { kind: 'unreadable', reason: 'it is not a JSON object' };
  const { [section]: servers = {}, inputs = [] } = membersOf<Host['section'] | 'inputs'>(value);
  if (!isObject(servers)) return { kind: 'unreadable', reason: `"${section}" is not an object` };
  if (!Array.isArray(inputs)) return { kind: 'unreadable', reason: '"inputs" is not a list' };
  if (Object.hasOwn(servers, name)) return isSame((servers as Servers)[name], entry);
  const isMissing = input && !inputs.some(other => membersOf<'id'>(other).id === input.id);
  const text = addIn(isMissing ? addIn(current, 'inputs', null, input) : current, section, name, entry);
  // Programs differ in which of two equal keys counts.
  const { value: after } = parseJsonc(withoutMark(text)) as { value?: Servers };
  return isDeepStrictEqual(membersOf<string>(after?.[section])[name], entry)
    ? { kind: 'changed', text }
    : { kind: 'unreadable', reason: `"${section}" appears twice` };
}

/** A key that was not given is no difference. */
function isSame(before: unknown, entry: HostTarget['entry']): Merged {
  const { env } = membersOf<'env'>(before);
  const { BILLING_API_KEY: key } = membersOf<'BILLING_API_KEY'>(env);
  const kept = entry.env?.BILLING_API_KEY === '' && key !== undefined ? { BILLING_API_KEY: key } : {};
  const wanted = entry.env === undefined ? entry : { ...entry, env: { ...entry.env, ...kept } };
  return isDeepStrictEqual(before, wanted) ? { kind: 'unchanged' } : { kind: 'taken' };
}

/** The text with a value in the object (or, without a key, the list) `at`, which is made where it is missing. */
function addIn(text: string, at: string, key: string | null, value: unknown): string {
  const root = parseTree(withoutMark(text), [], { allowTrailingComma: true, allowEmptyContent: true });
  const member = key === null ? [value] : { [key]: value };
  if (root === undefined)
    return `${text.trim() && `${text.trimEnd()}\n`}${JSON.stringify({ [at]: member }, null, 2)}\n`;
  const container = findNodeAtLocation(root, [at]);
  return container ? insertFirst(text, container, key, value) : insertFirst(text, root, at, member);
}

/** First in its container, where no comment and no trailing comma of another value is in the way. */
function insertFirst(text: string, container: Node, key: string | null, value: unknown): string {
  const eol = /\r?\n/.exec(text)?.[0] ?? '\n';
  const step = /\n([ \t]+)["/]/.exec(text)?.[1] ?? '  ';
  const start = container.offset + 1;
  const [outer = ''] = /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', start - 1) + 1)) ?? [];
  const indent = outer + step;
  const shown = JSON.stringify(value, null, step).replaceAll('\n', eol + indent);
  const added = `${eol}${indent}${key === null ? '' : `${JSON.stringify(key)}: `}${shown}`;
  const rest = text.slice(start);
  const comma = container.children?.length ? ',' : '';
  const isOnLine = /^[ \t]*\S/.test(rest) && !/^[ \t]*\/[/*]/.test(rest);
  return (
    text.slice(0, start) +
    added +
    comma +
    (isOnLine ? eol + (comma ? indent : outer) : '') +
    (isOnLine ? rest.trimStart() : rest)
  );
}

/** A byte order mark is no JSON; its place is kept. */
function withoutMark(text: string): string {
  return text.replace(/^\uFEFF/, ' ');
}
