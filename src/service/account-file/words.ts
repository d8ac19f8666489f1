/** What is wrong with a value of an account file, in words that say what to write instead. */
import type * as z from 'zod';
import { nearest } from '../../lib/nearest-word.ts';
import { AccountFileError, type Path } from './account-builder.ts';

/** The errors of one issue: several for unknown keys. `knownKeys`: the keys that exist at a place of the file. */
export function errorsOfIssue(
  issue: z.core.$ZodIssue,
  knownKeys: (path: readonly PropertyKey[]) => readonly string[],
  prefix: Path = [],
): AccountFileError[] {
  const path = [...prefix, ...(issue.path as (string | number)[])];
  if (issue.code !== 'unrecognized_keys') return [new AccountFileError(path, messageOf(issue))];
  const known = knownKeys(issue.path);
  return issue.keys.map(key => new AccountFileError([...path, key], unknownKey(key, known)));
}

/** The message for a value of a wrong type or form says what was written. Other issues have a message of their own. */
function messageOf(issue: z.core.$ZodIssue): string {
  if (issue.input === undefined) return 'is missing';
  switch (issue.code) {
    case 'invalid_type':
      return wrongType(issue.expected, issue.input);
    case 'invalid_value':
      return wrongWord(issue.values.map(String), issue.input);
    case 'invalid_union':
      return wrongType('decimal', issue.input);
    case 'too_small':
      return tooSmall(issue.origin, Number(issue.minimum), issue.inclusive !== false);
    case 'too_big':
      return tooBig(issue.origin, Number(issue.maximum));
    case 'invalid_format':
      return formats[issue.format] ?? issue.message;
    default:
      return issue.message;
  }
}

function unknownKey(key: string, known: readonly string[]): string {
  const near = nearest(key, known);
  return `is not known here${near === null ? '' : `; did you mean ${near}?`}`;
}

function wrongType(expected: string, input: unknown): string {
  const written = JSON.stringify(input);
  switch (expected) {
    case 'string':
    case 'decimal':
      return typeof input === 'number'
        ? `must be text: write "${written}" with quotes, not ${written}`
        : `must be ${expected === 'string' ? 'text' : 'a decimal number as text, such as "12.5"'}`;
    case 'int':
    case 'number':
      return `must be a whole number without quotes${notInput(input)}`;
    case 'boolean':
      return `must be true or false without quotes${notInput(input)}`;
    case 'array':
      return 'must be a list: [ … ]';
    default:
      return 'must be an object: { … }';
  }
}

function notInput(input: unknown): string {
  return typeof input === 'object' ? '' : `, not ${JSON.stringify(input)}`;
}

function wrongWord(values: readonly string[], input: unknown): string {
  const near = typeof input === 'string' ? nearest(input, values) : null;
  const wanted = values.length === 1 ? String(values[0]) : `one of ${values.join(', ')}`;
  return `must be ${wanted}${notInput(input)}${near === null ? '' : `; did you mean ${near}?`}`;
}

function tooSmall(origin: string, minimum: number, inclusive: boolean): string {
  if (origin === 'string' || origin === 'array') {
    return minimum === 1 ? 'must not be empty' : `must have at least ${minimum} ${units(origin)}`;
  }
  return inclusive ? `must be at least ${minimum}` : `must be greater than ${minimum}`;
}

function tooBig(origin: string, maximum: number): string {
  const counted = origin === 'string' || origin === 'array';
  return counted ? `must have at most ${maximum} ${units(origin)}` : `must be at most ${maximum}`;
}

function units(origin: string): string {
  return origin === 'string' ? 'characters' : 'entries';
}

const formats: Record<string, string> = {
  uuid: 'must be a UUID, such as 1f0c2b3e-7d55-4c1a-9e52-0d6a3c9b8f10',
  url: 'must be an address, such as https://example.com/hook',
  email: 'must be an e-mail address',
};
