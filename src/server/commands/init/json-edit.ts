/**
 * Edits JSON with comments and trailing commas in place: only the value that is set changes. `modify` of jsonc-parser
 * would lay out neighbours anew and give a comment at the end of a line to the wrong value.
 */
import { createScanner, findNodeAtLocation, type Node, parseTree } from 'jsonc-parser';
import { isObject } from '../../../lib/json.ts';
import { parseJsonc } from '../../../lib/jsonc.ts';

const lenient = { allowTrailingComma: true, allowEmptyContent: true };
// Kinds of tokens. The enum of jsonc-parser is a const enum, which a module compiled by itself cannot import.
const comma = 5;
const lineComment = 12;
const blockComment = 13;
const end = 17;

/** The object in the text ({} in empty text), or why there is none. `reason` is part of a sentence. */
export function readObject(text: string): { value: object } | { reason: string } {
  const parsed = parseJsonc(text);
  if ('problem' in parsed) return { reason: `it is not JSON (${parsed.problem})` };
  const { value = {} } = parsed;
  return isObject(value) ? { value } : { reason: 'it is not a JSON object' };
}

/** The first key of these objects that is there twice: programs differ in which of the two counts. */
export function repeatedKey(text: string, ...paths: string[][]): string | undefined {
  const root = parseTree(text, [], lenient);
  const keys = paths.flatMap(path => {
    const node = root && (path.length === 0 ? root : findNodeAtLocation(root, path));
    return node?.type === 'object' ? [keysOf(node)] : [];
  });
  return keys.flatMap(names => names.filter((name, index) => names.indexOf(name) !== index))[0];
}

/** The text with `value` at the path; objects on the way are made where they are missing. */
export function setAt(text: string, path: readonly [string, ...string[]], value: unknown): string {
  const nested = (keys: readonly string[]): unknown => keys.reduceRight((inner, key) => ({ [key]: inner }), value);
  let node = parseTree(text, [], lenient);
  if (node === undefined) return startObject(text, nested(path));
  for (const [index, key] of path.entries()) {
    const property: Node | undefined = node.children?.find(child => child.children?.[0]?.value === key);
    const existing: Node | undefined = property?.children?.[1];
    if (!existing) return insert(text, node, nested(path.slice(index + 1)), key);
    if (index === path.length - 1 || existing.type !== 'object')
      return replace(text, existing, nested(path.slice(index + 1)));
    node = existing;
  }
  return text;
}

/** The text with `value` as the last element of the list that is at the key. */
export function appendTo(text: string, key: string, value: unknown): string {
  const root = parseTree(text, [], lenient);
  const list = root && findNodeAtLocation(root, [key]);
  return list?.type === 'array' ? insert(text, list, value) : setAt(text, [key], [value]);
}

/** The text with a first value, where the file was empty or had only comments. */
function startObject(text: string, value: unknown): string {
  const style = styleOf(text);
  const start = text.trim() === '' ? '' : `${text.trimEnd()}${style.eol}`;
  return start + printed(value, '', style) + style.eol;
}

interface Style {
  eol: string;
  /** One step of indentation. */
  step: string;
}

function styleOf(text: string): Style {
  return { eol: /\r?\n/.exec(text)?.[0] ?? '\n', step: /\n([ \t]+)["/]/.exec(text)?.[1] ?? '  ' };
}

function printed(value: unknown, indent: string, { eol, step }: Style): string {
  return JSON.stringify(value, null, step).replaceAll('\n', `${eol}${indent}`);
}

function replace(text: string, node: Node, value: unknown): string {
  const shown = printed(value, indentAt(text, node.offset), styleOf(text));
  return text.slice(0, node.offset) + shown + text.slice(node.offset + node.length);
}

/** Puts a value at the end of an object or a list, after a comment that belongs to the value before. */
function insert(text: string, container: Node, value: unknown, key?: string): string {
  const style = styleOf(text);
  const close = container.offset + container.length - 1;
  const outer = indentAt(text, container.offset);
  const [first] = container.children ?? [];
  const last = container.children?.at(-1);
  const indent = first && isFirstOnLine(text, first.offset) ? indentAt(text, first.offset) : outer + style.step;
  const shown = (key === undefined ? '' : `${JSON.stringify(key)}: `) + printed(value, indent, style);
  const added = style.eol + indent + shown;
  const closing = style.eol + outer;
  if (!last) return text.slice(0, close).trimEnd() + added + closing + text.slice(close);
  const lastEnd = last.offset + last.length;
  const { commaAt, lineEnd } = afterLast(text, lastEnd, close);
  const before =
    commaAt === undefined ? `${text.slice(0, lastEnd)},${text.slice(lastEnd, lineEnd)}` : text.slice(0, lineEnd);
  const rest = text.slice(lineEnd, close);
  const tail = rest.trim() === '' && !rest.includes('\n') ? closing : rest;
  return before + added + (commaAt === undefined ? '' : ',') + tail + text.slice(close);
}

/** The comma after the last value, and the end of what stands on its line. */
function afterLast(text: string, from: number, close: number): { commaAt: number | undefined; lineEnd: number } {
  const scanner = createScanner(text, false);
  scanner.setPosition(from);
  let commaAt: number | undefined;
  let lineEnd = from;
  for (let kind: number = scanner.scan(); kind !== end && scanner.getTokenOffset() < close; kind = scanner.scan()) {
    const offset = scanner.getTokenOffset();
    const sameLine = !text.slice(lineEnd, offset).includes('\n');
    if (kind === comma) commaAt = offset;
    if (kind === comma || (sameLine && (kind === lineComment || kind === blockComment)))
      lineEnd = offset + scanner.getTokenLength();
  }
  return { commaAt, lineEnd };
}

function keysOf(node: Node): string[] {
  return (node.children ?? []).map(child => String(child.children?.[0]?.value));
}

/** The white space at the beginning of the line. */
function indentAt(text: string, offset: number): string {
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1);
  return /^[ \t]*/.exec(line)?.[0] ?? '';
}

function isFirstOnLine(text: string, offset: number): boolean {
  return text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset).trim() === '';
}
