/** Codes that a write names: unknown ones are refused before anybody is asked. Lists are kept for a minute. */

import { readRows } from '../../tools/reads/pages.ts';
import { cutText } from '../lib/cut-text.ts';
import { nearest } from '../lib/nearest-word.ts';
import type { OwnError } from '../tool/failure.ts';
import type { Reads } from '../tool/reads.ts';
import type { NamedCodes } from '../tool/write-definition.ts';

export type Catalogue = keyof NamedCodes;

export interface CatalogueCodes {
  /** What `read` gives, kept for a minute under `key`; null is not kept. */
  kept<T>(key: string, read: () => Promise<T | null>): Promise<T | null>;
  /** The codes of a list, kept for a minute for each account and key; null where they cannot be read whole. */
  of(account: string, catalogue: Catalogue, reads: Reads): Promise<readonly string[] | null>;
}

const keptForMs = 60_000;
const mostKept = 300;

/** `now` gives milliseconds of a clock that never goes back. */
export function createCatalogueCodes(now: () => number = () => performance.now()): CatalogueCodes {
  const lists = new Map<string, { at: number; value: Promise<unknown> }>();
  const kept = <T>(key: string, read: () => Promise<T | null>): Promise<T | null> => {
    const earlier = lists.get(key);
    if (earlier !== undefined && now() - earlier.at < keptForMs) return earlier.value as Promise<T | null>;
    if (lists.size >= mostKept) lists.clear();
    const value = read();
    lists.set(key, { at: now(), value });
    // What could not be read is asked for again.
    void value.then(one => one === null && lists.delete(key));
    return value;
  };
  return {
    kept,
    of: (account, catalogue, reads) => kept(`${account}\0${catalogue}`, () => readCodes(reads, catalogue)),
  };
}

async function readCodes(reads: Reads, catalogue: Catalogue): Promise<readonly string[] | null> {
  const list = await readRows(reads, `/${catalogue}`, { key: catalogue }, { all: true });
  if (!list.ok || list.stopped) return null;
  return list.rows.map(({ code }) => String(code));
}

/** The error for the first code that its list does not have; null where all are known, or the lists cannot be read. */
export async function unknownCode(
  named: NamedCodes,
  codesOf: (catalogue: Catalogue) => Promise<readonly string[] | null>,
  tool: string,
): Promise<OwnError | null> {
  for (const catalogue of Object.keys(named) as Catalogue[]) {
    const wanted = named[catalogue] ?? [];
    const known = wanted.length === 0 ? null : await codesOf(catalogue);
    const unknown = known && wanted.find(({ code }) => !known.includes(code));
    if (known && unknown) return unknownError(tool, catalogue, unknown, known);
  }
  return null;
}

const what: Record<Catalogue, string> = {
  billable_metrics: 'billable metric',
  taxes: 'tax',
  plans: 'plan',
  billing_entities: 'billing entity',
};

function unknownError(
  tool: string,
  catalogue: Catalogue,
  { argument, code }: { argument: string; code: string },
  known: readonly string[],
): OwnError {
  const near = nearest(code, known);
  const meant = near === null ? '' : `: did you mean ${JSON.stringify(near)}?`;
  return {
    status: null,
    code: 'invalid_arguments',
    message: `${tool}: ${argument} names ${JSON.stringify(cutText(code, 60))}, which is no ${what[catalogue]} of the account${meant}`,
    details: [argument],
    hint: `Correct the code, then call again; list_catalogue shows the ${catalogue.replaceAll('_', ' ')}. Nothing was sent, and nobody was asked.`,
    changed: false,
  };
}
