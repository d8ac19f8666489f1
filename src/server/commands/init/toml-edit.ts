/** Adds a table to the text of a TOML file; what was there stays as it is, comments included. */
import { parse, stringify } from 'smol-toml';
import { isObject } from '../../../lib/json.ts';

/** The values of the text, or why there are none. `reason` is part of a sentence. */
export function readToml(text: string): { value: object } | { reason: string } {
  try {
    return { value: parse(text) };
  } catch (error) {
    const { line } = error as { line?: number };
    return { reason: `it is not TOML${line === undefined ? '' : ` (line ${line})`}` };
  }
}

/** Null where the text with the table would not read as before with the table beside it. */
export function addTable(text: string, [section, name]: readonly [string, string], entry: object): string | null {
  const eol = /\r?\n/.exec(text)?.[0] ?? '\n';
  const table = stringify({ [section]: { [name]: entry } })
    .trim()
    .replaceAll('\n', eol);
  const added = `${text.trimEnd()}${text.trim() === '' ? '' : eol + eol}${table}${eol}`;
  const [before, after] = [readToml(text), readToml(added)];
  if ('reason' in before || 'reason' in after) return null;
  const members = before.value as { [key: string]: unknown };
  const servers = members[section];
  const wanted = { ...members, [section]: { ...(isObject(servers) && servers), [name]: entry } };
  return sorted(wanted) === sorted(after.value) ? added : null;
}

function sorted(value: unknown): string {
  const inOrder = (_: string, inner: unknown) =>
    isObject(inner) ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1))) : inner;
  return JSON.stringify(value, inOrder);
}
