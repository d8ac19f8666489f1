/** The refusal of a call's arguments, before anything is sent. */
import type { Problem } from '../tool/check.ts';
import type { AnyTool } from '../tool/define.ts';
import type { OwnError } from '../tool/failure.ts';

/** Characters of an error about arguments. */
const MAX_PROBLEM_TEXT = 240;
/** And of the names of the arguments in its details. */
const MAX_NAMES_TEXT = 100;

/** Names the first problems, as far as they are short. */
export function invalid(tool: AnyTool, problems: readonly Problem[]): OwnError {
  const messages = firstTexts(
    problems.map(({ message }) => message),
    MAX_PROBLEM_TEXT,
  );
  return {
    status: null,
    code: 'invalid_arguments',
    message: `${tool.name}: ${messages.texts.join('; ')}${messages.more > 0 ? `; and ${messages.more} more` : ''}`,
    details: firstTexts(
      problems.map(({ argument }) => argument),
      MAX_NAMES_TEXT,
    ).texts,
    hint: 'Correct the arguments, then call again. Nothing was sent.',
    changed: false,
  };
}

/** The first texts, at most eight, as far as they are short; one at least. */
function firstTexts(all: readonly string[], characters: number): { texts: string[]; more: number } {
  const texts: string[] = [];
  let left = characters;
  for (const text of all.slice(0, 8)) {
    left -= text.length;
    if (left < 0 && texts.length > 0) break;
    texts.push(text);
  }
  return { texts, more: all.length - texts.length };
}
