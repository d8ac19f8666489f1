/** Checks an account file against its schema, and finds the entries that can be built although others cannot. */
import type * as z from 'zod';
import type { Json, JsonObject } from '../records/index.ts';
import { AccountFileError, type Section } from './account-builder.ts';
import { knownKeys } from './json-schema.ts';
import { type AccountEntries, accountFileSchema } from './schema.ts';
import { told } from './words.ts';

interface ReadEntries {
  /** Those that the schema accepts. */
  entries: AccountEntries;
  /** Where they stand in their lists of the file, unless all of them are there. */
  positions: ReadonlyMap<object, number>;
  problems: string[];
  /** The entries that the schema refuses, as they are in the file. */
  broken: { section: Section; entry: Json }[];
}

/** Throws `AccountFileError` when nothing can be built: the organization or a whole section is wrong. */
export function readEntries(file: Json): ReadEntries {
  const result = accountFileSchema.safeParse(file, { reportInput: true });
  if (result.success) return { entries: result.data, positions: new Map(), problems: [], broken: [] };
  const problems = result.error.issues.flatMap(issue => told(issue, knownKeys).flatMap(error => error.problems)) as [
    string,
    ...string[],
  ];
  const rest = withoutRefused(file, result.error.issues);
  const again = accountFileSchema.safeParse(rest.file);
  if (!again.success) throw AccountFileError.ofAll(problems);
  const positions = new Map<object, number>();
  for (const [section, kept] of Object.entries(rest.kept)) {
    const entries = again.data[section as Section] as readonly object[];
    for (const [i, position] of kept.entries()) positions.set(entries[i] as object, position);
  }
  return { entries: again.data, positions, problems, broken: rest.broken };
}

/** The file without the entries and sections that have issues, and which positions of each list are left. */
function withoutRefused(file: Json, issues: readonly z.core.$ZodIssue[]) {
  const refused = new Set(issues.map(({ path }) => path.slice(0, 2).join(' ')));
  const broken: ReadEntries['broken'] = [];
  const kept: { [section: string]: number[] } = {};
  const sections = Object.entries(file as JsonObject).filter(([section]) => section in accountFileSchema.shape);
  const rest = sections.map(([section, list]) => {
    if (!Array.isArray(list)) return [section, list];
    const positions = [...list.keys()].filter(position => !refused.has(`${section} ${position}`));
    kept[section] = positions;
    for (const [position, entry] of list.entries()) {
      if (refused.has(`${section} ${position}`)) broken.push({ section: section as Section, entry });
    }
    return [section, positions.map(position => list[position])];
  });
  return { file: Object.fromEntries(rest), kept, broken };
}
