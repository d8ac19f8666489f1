/** What is wrong with the values of a file: in zod's words, and where these do not say what to write instead, in our own. */
import * as z from 'zod';
import { nearest } from './nearest-word.ts';

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

/** A sentence that already suggests a word lists no more than so many others. */
const MOST_LISTED = 12;
const ofWholeValue = ['invalid_type', 'invalid_value', 'invalid_union'];
const formats: Readonly<Record<string, string>> = {
  uuid: 'must be a UUID, such as 1f0c2b3e-7d55-4c1a-9e52-0d6a3c9b8f10',
  url: 'must be an address, such as https://example.com/hook',
  email: 'must be an email address',
};

/** zod's error map: `schema.safeParse(file, { error: valueProblem })`. Messages that a schema states come first. */
export const valueProblem: z.core.$ZodErrorMap = issue => {
  const { code, input } = issue;
  if (input === undefined && ofWholeValue.includes(code)) return 'is missing';
  if (code === 'unrecognized_keys') return unknownKeys(issue.keys, issue.inst);
  if (code === 'invalid_format') return formats[issue.format];
  if (code === 'invalid_value') return wrongWord(input, issue.values.map(String));
  const takesText = code === 'invalid_union' || (code === 'invalid_type' && issue.expected === 'string');
  return takesText && typeof input === 'number' ? `must be text: write "${input}", with quotes` : undefined;
};

/** The problems with their places: `customers[3].currency: …`. */
export function problemsOf(issues: readonly Issue[], prefix: Path = []): string[] {
  return issues.flatMap(issue => {
    const path = [...prefix, ...issue.path];
    const meant = issue.code === 'invalid_union' ? meantOption(issue.errors) : undefined;
    return meant ? problemsOf(meant, path) : [problemAt(path, issue.message)];
  });
}

export function problemAt(path: Path, message: string): string {
  return path.length === 0 ? message : `${z.core.toDotPath(path)}: ${message}`;
}

/** The only option that is of the form of the value: the others have a problem with the whole of it. */
function meantOption(options: readonly Issue[][]): Issue[] | undefined {
  const [meant, ...others] = options.filter(issues => issues.every(({ path }) => path.length > 0));
  return others.length === 0 ? meant : undefined;
}

function unknownKeys(keys: readonly string[], schema: unknown): string {
  const known = schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
  const texts = keys.map(key => `"${key}"${suggestion(nearest(key, known))}`);
  return `unknown ${keys.length === 1 ? 'key' : 'keys'} ${texts.join(', ')}`;
}

function wrongWord(input: unknown, words: readonly string[]): string {
  const near = typeof input === 'string' ? nearest(input, words) : null;
  const text = JSON.stringify(input).slice(0, 64);
  if (near !== null && words.length > MOST_LISTED) return `there is no ${text} here${suggestion(near)}`;
  return `must be ${words.length === 1 ? '' : 'one of '}${words.join(', ')}, not ${text}${suggestion(near)}`;
}

function suggestion(word: string | null): string {
  return word === null ? '' : ` (did you mean ${word}?)`;
}
