import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser';

/** The value of JSON with comments and trailing commas; undefined in empty text. `problem` is part of a sentence. */
export function parseJsonc(text: string): { value: unknown } | { problem: string } {
  const errors: ParseError[] = [];
  let value: unknown;
  try {
    value = parse(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { problem: 'it is nested too deeply to be read' };
  }
  const [first] = errors;
  if (!first) return { value };
  const line = text.slice(0, first.offset).split('\n').length;
  const what = printParseErrorCode(first.error).replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ');
  return { problem: `line ${line}: ${what.toLowerCase()}` };
}
