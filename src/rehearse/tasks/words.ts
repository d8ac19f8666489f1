/** What is wrong with a value of a task file, in words that say what to write instead. */
import * as z from 'zod';
import { nearest } from '../../lib/nearest-word.ts';
import { errorsOfIssue } from '../../service/account-file/words.ts';

type Issue = z.core.$ZodIssue;
type Path = readonly (string | number)[];

/** A sentence lists at most so many words. */
const MOST_LISTED = 8;

/** Each problem begins with its place: `expect.says[0]: must be …`. */
export function problemsOf(schema: z.ZodType, { issues }: z.ZodError): string[] {
  return issues.flatMap(issue => problems(schema, issue, []));
}

function problems(schema: z.ZodType, issue: Issue, prefix: Path): string[] {
  const path = [...prefix, ...(issue.path as Path)];
  if (issue.code === 'invalid_union') {
    const meant = meantOption(issue.errors);
    if (meant) return meant.flatMap(inner => problems(schema, inner, path));
    return errorsOfIssue({ ...issue, path, code: 'custom' }, () => []).flatMap(error => error.problems);
  }
  if (issue.code === 'invalid_value' && issue.values.length > MOST_LISTED && typeof issue.input === 'string') {
    const near = nearest(issue.input, issue.values.map(String));
    const valid = near === null ? `Valid: ${issue.values.join(', ')}.` : `Did you mean ${near}?`;
    const message = `there is no ${JSON.stringify(issue.input.slice(0, 64))} here. ${valid}`;
    return errorsOfIssue({ ...issue, path, code: 'custom', message }, () => []).flatMap(error => error.problems);
  }
  return errorsOfIssue({ ...issue, path }, place => keysAt(schema, place)).flatMap(error => error.problems);
}

/** The only option that is of the form of the value: the others have a problem with the whole of it. */
function meantOption(options: readonly Issue[][]): Issue[] | undefined {
  const [meant, ...others] = options.filter(issues => issues.every(({ path }) => path.length > 0));
  return others.length === 0 ? meant : undefined;
}

/** The keys that the object at the place may have. */
function keysAt(schema: z.ZodType, place: readonly PropertyKey[]): string[] {
  let here: z.core.$ZodType | undefined = schema;
  for (const step of place) {
    const inner: z.core.$ZodType | undefined = here && unwrapped(here);
    if (inner instanceof z.ZodObject) here = inner.shape[String(step)];
    else here = inner instanceof z.ZodArray ? inner.element : undefined;
  }
  const schemaAtPlace = here && unwrapped(here);
  return schemaAtPlace instanceof z.ZodObject ? Object.keys(schemaAtPlace.shape) : [];
}

function unwrapped(schema: z.core.$ZodType): z.core.$ZodType {
  return schema instanceof z.ZodOptional ? unwrapped(schema.unwrap()) : schema;
}
