/** Checks an account file against its schema, and finds the entries that can be built although others cannot. */
import type * as z from 'zod';
import type { Json, JsonOf } from '../../engine/records/index.ts';
import { mapEntries } from '../../lib/collections.ts';
import { problemsOf, valueProblem } from '../../lib/value-problems.ts';
import { AccountFileError, type Entries, type FileFacts } from './account-builder.ts';
import { organizationEntry } from './account-entries.ts';
import { keyOf, type Reference, referencesIn } from './references.ts';
import { accountFileSchema, lists } from './schema.ts';

type Sections = { [Name in keyof typeof lists]: Entries<(typeof lists)[Name]['entry']> };
interface ReadEntries {
  organization: z.output<typeof organizationEntry>;
  /** The entries that the schema accepts. */
  entries: Sections;
  facts: FileFacts;
}

/** The content of an account file: each section as it stands there. */
export type AccountContent = JsonOf<typeof accountFileSchema.shape>;

/** Lets the entries be checked without a valid organization. What is built from a refused file is never stored. */
const placeholderOrganization = { name: 'organization' };
const references = mapEntries<{ entry: z.ZodType }, Reference[]>(lists, ({ entry }) => referencesIn(entry));

/** Throws `AccountFileError` when the file is no object. */
export function readEntries(file: Json): ReadEntries {
  const { data, error } = accountFileSchema.safeParse(file, { error: valueProblem });
  const problems = problemsOf(error?.issues ?? []);
  if (typeof file !== 'object' || file === null || Array.isArray(file)) throw new AccountFileError(problems);
  const refused = new Set(error?.issues.map(({ path }) => path.slice(0, 2).join(' ')));
  const incomplete = new Set(error?.issues.map(({ path }) => String(path[0])));
  const sections = Object.entries(lists).map(([name, { entry: schema }]) => {
    const list: Json = file[name] ?? [];
    const rows = Array.isArray(list) ? [...list.entries()].filter(([at]) => !refused.has(`${name} ${at}`)) : [];
    const parsed = data?.[name as keyof Sections];
    const entries = rows.map(([at, entry]) => [at, parsed ? parsed[at] : schema.parse(entry)] as const);
    const keys = new Set(Array.isArray(list) ? list.map(keyOf) : '*');
    return { name, entries: new Map(entries), keys };
  });
  const organization = organizationEntry.safeParse(file.organization).data ?? placeholderOrganization;
  const bySection = <Value>(value: (section: (typeof sections)[number]) => Value) =>
    Object.fromEntries(sections.map(section => [section.name, value(section)]));
  return {
    organization,
    entries: bySection(({ entries }) => entries) as unknown as Sections,
    facts: { references, keys: bySection(({ keys }) => keys), incomplete, problems },
  };
}
