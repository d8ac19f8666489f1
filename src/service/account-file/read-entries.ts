/** Checks an account file against its schema, and finds the entries that can be built although others cannot. */
import * as z from 'zod';
import type { Json, JsonOf } from '../../engine/records/index.ts';
import { problemsOf, valueProblem } from '../../lib/value-problems.ts';
import { AccountFileError, type Section } from './account-builder.ts';
import { type AccountEntries, accountFileSchema } from './schema.ts';
import { billingEntityEntry } from './schema-catalogue.ts';
import { webhookEndpointEntry } from './schema-documents.ts';

interface ReadEntries {
  /** The entries that the schema accepts. */
  entries: AccountEntries;
  /** Their positions in the lists of the file; empty if the schema accepts the whole file. */
  positions: ReadonlyMap<object, number>;
  problems: string[];
  /** The entries that the schema refuses, as they are in the file; null for a whole list. */
  broken: { section: Section; entry: Json }[];
}

/** The content of an account file: each section as it stands there. */
export type AccountContent = JsonOf<typeof accountFileSchema.shape>;

/** Lets the entries be checked without a valid organization. What is built from a refused file is never stored. */
const placeholderOrganization = { name: 'organization' };
const schemaWithoutLengths = accountFileSchema.extend({
  billing_entities: z.array(billingEntityEntry).default([]),
  webhook_endpoints: z.array(webhookEndpointEntry).default([]),
});

/** Throws `AccountFileError` when the file is no object. */
export function readEntries(file: Json): ReadEntries {
  const result = accountFileSchema.safeParse(file, { error: valueProblem });
  if (result.success) return { entries: result.data, positions: new Map(), problems: [], broken: [] };
  const { issues } = result.error;
  const problems = problemsOf(issues);
  if (typeof file !== 'object' || file === null || Array.isArray(file)) {
    throw AccountFileError.ofAll(problems as [string, ...string[]]);
  }
  const rest = acceptedPart(file, issues);
  const entries = schemaWithoutLengths.parse(rest.file);
  const positions = new Map<object, number>();
  for (const [section, kept] of Object.entries(rest.keptPositions)) {
    const list = entries[section as Section] as readonly object[];
    for (const [i, position] of kept.entries()) positions.set(list[i] as object, position);
  }
  return { entries, positions, problems, broken: rest.broken };
}

/** The file without the entries and sections that have issues, and the positions of each list that are left. */
function acceptedPart(file: AccountContent, issues: readonly z.core.$ZodIssue[]) {
  const refused = new Set(issues.map(({ path }) => path.slice(0, 2).join(' ')));
  const broken: ReadEntries['broken'] = [];
  const keptPositions: { [section: string]: number[] } = {};
  const rest: AccountContent = {};
  for (const section of Object.keys(accountFileSchema.shape) as (keyof AccountContent)[]) {
    const list = file[section];
    if (Array.isArray(list)) {
      const positions = [...list.keys()].filter(position => !refused.has(`${section} ${position}`));
      keptPositions[section] = positions;
      for (const [position, entry] of list.entries()) {
        if (refused.has(`${section} ${position}`)) broken.push({ section: section as Section, entry });
      }
      rest[section] = positions.map(position => list[position] as Json);
    } else if (refused.has(section)) {
      broken.push({ section: section as Section, entry: null });
    }
  }
  const { success, data } = accountFileSchema.shape.organization.safeParse(file.organization);
  rest.organization = success ? (data as Json) : placeholderOrganization;
  return { file: rest, keptPositions, broken };
}
