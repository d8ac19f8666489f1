import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser';

/** Parsers and checks go down into a value by calling themselves. No file of ours is a tenth as deep. */
const mostLevels = 200;

export const tooDeepProblem = `it is nested deeper than ${mostLevels} levels`;

/** Brackets in texts do not count; those in comments do, where they do not come in pairs. */
export function isTooDeep(text: string): boolean {
  let level = 0;
  for (const [bracket] of text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{}]/gs)) {
    if (bracket.startsWith('"')) continue;
    level += bracket === '[' || bracket === '{' ? 1 : -1;
    if (level > mostLevels) return true;
  }
  return false;
}

/** The value of JSON without comments; comments and trailing commas are read where they are there. */
export function parseMostlyJson(text: string): ReturnType<typeof parseJsonc> {
  if (isTooDeep(text)) return { problem: tooDeepProblem };
  try {
    return { value: JSON.parse(text) };
  } catch {
    return parseJsonc(text);
  }
}

/** The value of JSON with comments and trailing commas; undefined in empty text. `problem` is part of a sentence. */
export function parseJsonc(text: string): { value: unknown } | { problem: string } {
  const errors: ParseError[] = [];
  if (isTooDeep(text)) return { problem: tooDeepProblem };
  const value: unknown = parse(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
  const [first] = errors;
  if (!first) return { value };
  const line = text.slice(0, first.offset).split('\n').length;
  const what = printParseErrorCode(first.error).replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ');
  return { problem: `line ${line}: ${what.toLowerCase()}` };
}
