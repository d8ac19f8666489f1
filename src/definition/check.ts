/**
 * Checks a call's arguments before anything is sent. Valid arguments take one pass of the tool's schema. Only when that
 * fails, JSON sent as text is parsed, and each problem names the argument and the fix. Hostile input (deep nesting,
 * huge texts, `__proto__`) costs bounded work and never throws.
 */

import type * as z from 'zod';
import { isGiven, isRecord, type JsonRecord, jsonOrNothing } from '../lib/json.ts';
import { nearest } from '../lib/nearest-word.ts';
import { quotedValue } from '../lib/text.ts';
import { fieldNotes } from './argument-fields.ts';
import { type AnyTool, changesAccount, exportable } from './define.ts';
import { clearable, filledInNulls, withoutBlanks, withoutHostNames, withoutStrayNulls } from './host-arguments.ts';
import { type Problem, plainIssues, problemsOf, shortList, valueAt, wordProblem } from './problems.ts';
import { detailNames } from './selection.ts';

export type { Problem } from './problems.ts';

/** Arguments added to every write (`dry_run`, `confirmation`, some `clear`) or to some tools (`detail`, `format`). */
export interface Control {
  dry_run: boolean;
  confirmation: string | undefined;
  /** The whole body, or names of fields to add to the default answer. */
  detail: 'full' | readonly string[] | undefined;
  /** The rows leave as a file, instead of an answer that holds them. */
  format?: 'csv' | 'csv_excel';
  /** Nulls treated as left out although they could clear a value, because every argument was filled in. */
  left_out?: readonly string[];
}

type Refused = { ok: false; problems: Problem[] };
export type Checked = { ok: true; args: JsonRecord; control: Control } | Refused;

/** Arguments that choose what an answer shows of a list. */
const partOfList = ['page', 'per_page', 'detail'];

const MAX_DEPTH = 40;
const MAX_VALUES = 50_000;
const MAX_CHARACTERS = 3_000_000;
const noControl: Control = Object.freeze({ dry_run: false, confirmation: undefined, detail: undefined });

/** Validated arguments without the control arguments, or the problems found (at most 20). */
export function checkArguments(tool: AnyTool, raw: unknown): Checked {
  const sentArguments = typeof raw === 'string' ? (parseJson(raw) ?? raw) : (raw ?? {});
  if (!isRecord(sentArguments)) return refuse('arguments', 'must be an object of named arguments');
  const excess = beyondBounds(sentArguments);
  if (excess !== null) return refuse('arguments', excess);
  const settled: Checked = isPlain(tool, sentArguments)
    ? { ok: true, args: sentArguments, control: noControl }
    : ownArguments(tool, sentArguments);
  if (!settled.ok) return settled;
  const parsed = parse(tool, settled.args);
  if (!parsed.ok) return parsed;
  const { control } = settled;
  const changes = changesOf(tool);
  if (changes?.every(name => parsed.args[name] === undefined)) {
    const why =
      control.left_out === undefined
        ? ''
        : '; if every argument is sent, null means omitted: use clear to clear a value';
    return refuse('arguments', `contain no change: send at least one of ${changes.join(', ')}${why}`);
  }
  return { ok: true, args: parsed.args, control };
}

/** Are these texts, numbers and switches under names of the tool's own? Then nothing is to be taken out of them. */
function isPlain({ input }: AnyTool, args: JsonRecord): boolean {
  for (const name in args) {
    const value = args[name];
    const isBlank = typeof value === 'string' && value.trim() === '';
    if (typeof value === 'object' || isBlank || !Object.hasOwn(input.shape, name)) return false;
  }
  return true;
}

/** The tool's own arguments, without those that are added to them, and without what hosts fill in. */
function ownArguments(tool: AnyTool, sentArguments: JsonRecord): Checked {
  const taken = takeControl(tool, withoutHostNames(tool, sentArguments));
  if (!taken.ok) return taken;
  const cleared = takeClear(tool, taken.rest);
  if (!cleared.ok) return cleared;
  const leftOut = filledInNulls(tool, sentArguments).filter(name => !cleared.names.includes(name));
  const settled = settleNulls(cleared.rest, cleared.names, leftOut);
  const control = leftOut.length === 0 ? taken.control : { ...taken.control, left_out: leftOut };
  return { ok: true, args: withoutBlanks(tool, withoutStrayNulls(tool, settled)), control };
}

/** The names in `clear`, and the arguments without it. */
function takeClear(tool: AnyTool, args: JsonRecord): { ok: true; rest: JsonRecord; names: string[] } | Refused {
  const offered = Object.hasOwn(args, 'clear') ? clearable(tool) : [];
  if (offered.length === 0) return { ok: true, rest: args, names: [] };
  const { clear, ...rest } = args;
  const names = typeof clear === 'string' ? parseJson(clear) : (clear ?? []);
  if (!Array.isArray(names)) return refuse('clear', 'must be a list of names');
  for (const [index, name] of names.entries()) {
    const argument = `clear[${index}]`;
    if (!offered.includes(name)) return refuse(argument, wordProblem(offered, name));
    const value = rest[name] ?? undefined;
    if (value !== undefined) return refuse(argument, `names ${name}, which also has a value: send one of the two`);
  }
  return { ok: true, rest, names };
}

/** Sets the arguments that `clear` names to null, and removes those whose null means "left out". */
function settleNulls(args: JsonRecord, cleared: readonly string[], leftOut: readonly string[]): JsonRecord {
  if (cleared.length === 0 && leftOut.length === 0) return args;
  const kept = Object.entries(args).filter(([name]) => !leftOut.includes(name));
  return Object.fromEntries([...kept, ...cleared.map(name => [name, null])]);
}

function parse(tool: AnyTool, args: JsonRecord): { ok: true; args: JsonRecord } | Refused {
  let input = args;
  let result = (tool.input as z.ZodObject).safeParse(input);
  for (let round = 0; !result.success && round < 5; round++) {
    const read = readTexts(input, plainIssues(result.error.issues));
    if (read === null) break;
    const excess = beyondBounds(read);
    if (excess !== null) return refuse('arguments', excess);
    input = withoutStrayNulls(tool, read);
    result = (tool.input as z.ZodObject).safeParse(input);
  }
  return result.success
    ? { ok: true, args: result.data as JsonRecord }
    : { ok: false, problems: problemsOf(tool.input, input, plainIssues(result.error.issues)) };
}

/** Reads arguments sent as text as the expected type (`"[1]"`, `"10"`, `"true"`). Null when none could be read. */
function readTexts(input: JsonRecord, issues: readonly z.core.$ZodIssue[]): JsonRecord | null {
  let copy: JsonRecord | null = null;
  for (const issue of issues.slice(0, 200)) {
    if (issue.code !== 'invalid_type' || issue.path.length === 0) continue;
    const value = valueAt(copy ?? input, issue.path);
    const read = typeof value === 'string' ? readAs(issue.expected, value) : undefined;
    if (read === undefined) continue;
    copy ??= structuredClone(input);
    const parent = valueAt(copy, issue.path.slice(0, -1)) as JsonRecord;
    parent[issue.path.at(-1) as string] = read;
  }
  return copy;
}

function readAs(expected: string, value: string): unknown {
  if (expected === 'number' || expected === 'int')
    return /^-?\d{1,15}(\.\d{1,12})?$/.test(value) ? Number(value) : undefined;
  if (expected === 'boolean') return value === 'true' ? true : value === 'false' ? false : undefined;
  const parsed = expected === 'array' || expected === 'object' || expected === 'record' ? parseJson(value) : undefined;
  return parsed !== undefined && Array.isArray(parsed) === (expected === 'array') ? parsed : undefined;
}

/** An object or array written as JSON text; undefined for anything else. */
function parseJson(value: string): unknown {
  return /^\s*[[{]/.test(value) && value.length <= MAX_CHARACTERS ? jsonOrNothing(value) : undefined;
}

const controlNames = ['dry_run', 'confirmation', 'detail', 'format'];

function takeControl(tool: AnyTool, args: JsonRecord): { ok: true; rest: JsonRecord; control: Control } | Refused {
  const writes = changesAccount(tool.effect);
  if (!controlNames.some(name => Object.hasOwn(args, name))) return { ok: true, rest: args, control: noControl };
  const rest = { ...args };
  const control: Control = { ...noControl };
  if (writes && 'dry_run' in rest) {
    const value = rest.dry_run === 'true' ? true : rest.dry_run === 'false' ? false : (rest.dry_run ?? false);
    if (typeof value !== 'boolean') return refuse('dry_run', 'must be true or false');
    control.dry_run = value;
    delete rest.dry_run;
  }
  if (writes && 'confirmation' in rest) {
    const value = rest.confirmation ?? undefined;
    if (value !== undefined && typeof value !== 'string')
      return refuse('confirmation', 'must be the token that the first call returned');
    control.confirmation = value === '' ? undefined : value;
    delete rest.confirmation;
  }
  if (tool.more !== undefined && 'detail' in rest) {
    const detail = detailOf(tool, rest.detail);
    if (typeof detail === 'object' && 'wrong' in detail) return refuse('detail', detail.wrong);
    control.detail = detail;
    delete rest.detail;
  }
  if (exportable(tool) && 'format' in rest) {
    const value = rest.format ?? '';
    if (value !== '' && value !== 'csv' && value !== 'csv_excel')
      return refuse('format', 'must be "csv", "csv_excel" (for Excel), or left out');
    const shown = partOfList.find(name => isGiven(args[name]) && args[name] !== '');
    if (value !== '' && shown !== undefined)
      return refuse(shown, 'cannot be used with format: a file has all rows and all their fields');
    if (value !== '') control.format = value;
    delete rest.format;
  }
  return { ok: true, rest, control };
}

/** `full`, names of fields separated by commas (a list of them is read too), or nothing. */
function detailOf(tool: AnyTool, value: unknown): Control['detail'] | { wrong: string } {
  if (value === null || value === undefined || value === '') return undefined;
  const text = Array.isArray(value) ? value.join(',') : value;
  if (typeof text !== 'string') return { wrong: 'must be "full", or names of fields separated by commas' };
  const names = text
    .toLowerCase()
    .split(',')
    .map(name => name.trim())
    .filter(name => name !== '');
  if (names.includes('full')) return 'full';
  const known = detailNames(tool);
  const unknown = names.find(name => !known.includes(name));
  if (unknown === undefined) return names.length === 0 ? undefined : names;
  const near = nearest(unknown, known);
  const fix = near === null ? `send "full" or names from ${shortList(known)}` : `did you mean ${near}?`;
  return { wrong: `has no field ${quotedValue(unknown)}: ${fix}` };
}

/** Says what is too deep, too large or unsafely named; null when nothing is. */
function beyondBounds(value: unknown): string | null {
  let values = 0;
  let characters = 0;
  const visit = (node: unknown, depth: number): string | null => {
    if (typeof node === 'string') characters += node.length;
    if (++values > MAX_VALUES || characters > MAX_CHARACTERS) return 'are larger than any billing request; send less';
    if (typeof node !== 'object' || node === null) return null;
    if (depth >= MAX_DEPTH) return `are nested deeper than ${MAX_DEPTH} levels; flatten them`;
    for (const key of Object.keys(node)) {
      if (key === '__proto__') return 'contain the name "__proto__", which is never accepted';
      characters += key.length;
      const problem = visit((node as JsonRecord)[key], depth + 1);
      if (problem !== null) return problem;
    }
    return null;
  };
  return visit(value, 0);
}

/** The arguments of an update that do not only say which record it is, or how the others are taken; null where all do more. */
function changesOf({ endpoint, input }: AnyTool): string[] | null {
  if (!endpoint.startsWith('PUT ')) return null;
  const names = Object.keys(input.shape);
  const changes = names.filter(
    name => !endpoint.includes(`{${name}}`) && fieldNotes.get(input.shape[name])?.changes !== false,
  );
  return changes.length < names.length ? changes : null;
}

function refuse(argument: string, message: string): Refused {
  return { ok: false, problems: [{ argument, message: `${argument} ${message}` }] };
}
