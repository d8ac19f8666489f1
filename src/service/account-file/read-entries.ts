/** Checks an account file against its schema, and finds the entries that can be built although others cannot. */
import * as z from 'zod';
import type { Json, JsonObject } from '../records/index.ts';
import { AccountFileError, type Section } from './account-builder.ts';
import { knownKeys } from './json-schema.ts';
import { type AccountEntries, accountFileSchema } from './schema.ts';
import { billingEntityEntry } from './schema-catalogue.ts';
import { webhookEndpointEntry } from './schema-documents.ts';
import { told } from './words.ts';

interface ReadEntries {
  /** Those that the schema accepts. */
  entries: AccountEntries;
  /** Where they stand in their lists of the file, unless all of them are there. */
  positions: ReadonlyMap<object, number>;
  problems: string[];
  /** The entries that the schema refuses, as they are in the file; null for a whole list. */
  broken: { section: Section; entry: Json }[];
}

/** What is built from a file that the schema refuses is never stored: the name only lets the other entries be checked. */
const anyOrganization = { name: 'organization' };
const withoutLengths = accountFileSchema.extend({
  billing_entities: z.array(billingEntityEntry).default([]),
  webhook_endpoints: z.array(webhookEndpointEntry).default([]),
});

/** Throws `AccountFileError` when the file is no object. */
export function readEntries(file: Json): ReadEntries {
  const result = accountFileSchema.safeParse(file, { reportInput: true });
  if (result.success) return { entries: result.data, positions: new Map(), problems: [], broken: [] };
  const { issues } = result.error;
  const problems = issues.flatMap(issue => told(issue, knownKeys).flatMap(error => error.problems));
  if (typeof file !== 'object' || file === null || Array.isArray(file)) {
    throw AccountFileError.ofAll(problems as [string, ...string[]]);
  }
  const rest = withoutRefused(file, issues);
  const entries = withoutLengths.parse(rest.file);
  const positions = new Map<object, number>();
  for (const [section, kept] of Object.entries(rest.kept)) {
    const list = entries[section as Section] as readonly object[];
    for (const [i, position] of kept.entries()) positions.set(list[i] as object, position);
  }
  return { entries, positions, problems, broken: rest.broken };
}

/** The file without the entries and sections that have issues, and which positions of each list are left. */
function withoutRefused(file: JsonObject, issues: readonly z.core.$ZodIssue[]) {
  const refused = new Set(issues.map(({ path }) => path.slice(0, 2).join(' ')));
  const broken: ReadEntries['broken'] = [];
  const kept: { [section: string]: number[] } = {};
  const rest: JsonObject = {};
  for (const section of Object.keys(accountFileSchema.shape)) {
    const list = file[section];
    if (Array.isArray(list)) {
      const positions = [...list.keys()].filter(position => !refused.has(`${section} ${position}`));
      kept[section] = positions;
      for (const [position, entry] of list.entries()) {
        if (refused.has(`${section} ${position}`)) broken.push({ section: section as Section, entry });
      }
      rest[section] = positions.map(position => list[position] as Json);
    } else if (refused.has(section)) {
      broken.push({ section: section as Section, entry: null });
    }
  }
  const { success, data } = accountFileSchema.shape.organization.safeParse(file.organization);
  rest.organization = success ? (data as JsonObject) : anyOrganization;
  return { file: rest, kept, broken };
}
