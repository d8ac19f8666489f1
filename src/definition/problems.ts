/** Problems with arguments, in sentences that name the argument and the fix. */

import type * as z from 'zod';
import { ownValue } from '../lib/json.ts';
import { nearest } from '../lib/nearest-word.ts';
import { cutText, quotedValue } from '../lib/text.ts';
import { definitionOf } from './define.ts';

export interface Problem {
  /** Its path: `plan_overrides.charges[0].id`. */
  argument: string;
  /** A sentence that begins with the argument's name. */
  message: string;
}

const MAX_PROBLEMS = 20;
/** Characters of a list of known names. */
const MAX_LIST = 200;
const words: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object of names and values',
};

/** The issues; those of the nearest option replace the issue of a union, which says nothing. */
export function plainIssues(issues: readonly z.core.$ZodIssue[]): z.core.$ZodIssue[] {
  return issues.flatMap(issue => {
    if (issue.code !== 'invalid_union') return [issue];
    const options = issue.errors.map(errors =>
      plainIssues(errors).map(error => ({ ...error, path: [...issue.path, ...error.path] })),
    );
    const otherType = ({ code, path }: z.core.$ZodIssue): boolean =>
      path.length === issue.path.length && (code === 'invalid_type' || code === 'invalid_value');
    return options.find(errors => !errors.some(otherType)) ?? options.flat();
  });
}

/** One problem per issue of the schema, unknown names first, at most 20. */
export function problemsOf(schema: z.ZodType, input: unknown, issues: readonly z.core.$ZodIssue[]): Problem[] {
  const rank = ({ code }: z.core.$ZodIssue) => (code === 'unrecognized_keys' ? 0 : 1);
  const unknownFirst = issues.toSorted((a, b) => rank(a) - rank(b));
  const problems: Problem[] = [];
  for (const issue of unknownFirst) {
    if (issue.code === 'unrecognized_keys') {
      for (const [index, key] of issue.keys.slice(0, MAX_PROBLEMS).entries())
        problems.push(unknownArgument(schema, issue.path, key, index === 0));
    } else {
      const argument = nameOf(issue.path);
      const message = `${argument} ${reason(issue, valueAt(input, issue.path), issues)}`;
      // Of a value that fits no option of a union, each option's issue says the same.
      if (!problems.some(problem => problem.message === message)) problems.push({ argument, message });
    }
    if (problems.length >= MAX_PROBLEMS) break;
  }
  return problems.slice(0, MAX_PROBLEMS);
}

/** The problem with a value that is not in a closed list. */
export function wordProblem(values: readonly string[], value: unknown): string {
  const near = typeof value === 'string' ? nearest(value, values) : null;
  return `must be one of ${values.join(', ')}, not ${quotedValue(value)}${near === null ? '' : `: did you mean ${near}?`}`;
}

/** The schema of the argument at a path. Only schemas on the way lose their optional and nullable wrappers. */
function schemaAt(schema: z.core.$ZodType, path: readonly PropertyKey[]): z.core.$ZodType | undefined {
  let node: z.core.$ZodType | undefined = schema;
  for (const key of path) {
    const { shape, element, valueType } = definitionOf(unwrap(node));
    if (shape !== undefined) node = ownValue(shape, String(key));
    else node = element ?? valueType;
    if (node === undefined) return undefined;
  }
  return node;
}

function unwrap(schema: z.core.$ZodType): z.core.$ZodType {
  let node = schema;
  for (;;) {
    const { innerType, in: before, options } = definitionOf(node);
    const inner = innerType ?? before ?? options?.find(holdsOthers);
    if (inner === undefined) return node;
    node = inner;
  }
}

function holdsOthers(schema: z.core.$ZodType): boolean {
  const { shape, element } = definitionOf(unwrap(schema));
  return (shape ?? element) !== undefined;
}

/** Lists the known names for the `first` unknown one only. */
function unknownArgument(schema: z.ZodType, path: readonly PropertyKey[], key: string, first: boolean): Problem {
  const owner = schemaAt(schema, path);
  const known = Object.keys((owner && definitionOf(unwrap(owner)).shape) ?? {});
  const near = nearest(key, known);
  const argument = nameOf([...path, key.length > 60 ? `${cutText(key, 59)}…` : key]);
  const inside = path.length === 0 ? 'arguments of this tool' : `fields of ${nameOf(path)}`;
  const all = `: the ${inside} are ${shortList(known) || 'none'}`;
  const fix = near === null ? (first ? all : '') : `: did you mean ${near}?`;
  return { argument, message: `${argument} is not known${fix}` };
}

/** As many names as fit into a short sentence, and how many are left. */
export function shortList(names: readonly string[]): string {
  let text = '';
  for (const [index, name] of names.entries()) {
    if (text.length + name.length > MAX_LIST) return `${text} and ${names.length - index} more`;
    text += `${index === 0 ? '' : ', '}${name}`;
  }
  return text;
}

function reason(issue: z.core.$ZodIssue, value: unknown, all: readonly z.core.$ZodIssue[]): string {
  switch (issue.code) {
    case 'invalid_type':
      return typeReason(issue.path, typesAt(issue.path, all), value);
    case 'invalid_value':
      if (value === undefined) return `is required: one of ${issue.values.map(String).join(', ')}`;
      return wordProblem(issue.values.map(String), value);
    case 'invalid_key':
      return issue.issues[0]?.message ?? issue.message;
    case 'too_small':
    case 'too_big':
      if (issue.origin === 'int' || issue.origin === 'number')
        return `must be at ${issue.code === 'too_small' ? `least ${issue.minimum}` : `most ${issue.maximum}`}, not ${quotedValue(value)}`;
      if (issue.code === 'too_small')
        return Number(issue.minimum) > 1 ? `must have at least ${issue.minimum} entries` : 'must not be empty';
      return issue.origin === 'array' ? `has more than ${issue.maximum} entries` : 'is too long';
    default:
      return issue.message;
  }
}

function typeReason(path: readonly PropertyKey[], types: readonly string[], value: unknown): string {
  if (value === undefined) return 'is required';
  const last = String(path.at(-1));
  const whole = last.endsWith('_cents') ? 'a whole number in minor units of its currency (1250 for $12.50)' : undefined;
  const expected = whole ?? types.map(type => words[type] ?? type).join(' or ');
  if (value === null) return `cannot be null here: it must be ${expected}; omit it to keep the current value`;
  const broken = typeof value === 'string' && /^\s*[[{]/.test(value) && !types.includes('string');
  return broken ? `is not valid JSON: it must be ${expected}` : `must be ${expected}, not ${quotedValue(value)}`;
}

/** The types that the value at this path may have: those of all options of a union. */
function typesAt(path: readonly PropertyKey[], issues: readonly z.core.$ZodIssue[]): string[] {
  const name = nameOf(path);
  const types = issues.flatMap(issue =>
    issue.code === 'invalid_type' && nameOf(issue.path) === name ? [issue.expected] : [],
  );
  return [...new Set<string>(types)];
}

function nameOf(path: readonly PropertyKey[]): string {
  let name = '';
  for (const key of path.slice(0, 12))
    name += typeof key === 'number' ? `[${key}]` : `${name === '' ? '' : '.'}${String(key)}`;
  return name === '' ? 'arguments' : name;
}

export function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  let node = input;
  for (const key of path) {
    if (typeof node !== 'object' || node === null || !Object.hasOwn(node, key)) return undefined;
    node = (node as Record<PropertyKey, unknown>)[key];
  }
  return node;
}
