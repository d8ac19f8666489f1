/** The entry of a list that has just one; null for an empty list and for a longer one. */
export function only<T>(items: readonly T[]): T | null {
  return items.length === 1 ? (items[0] ?? null) : null;
}

/** The entry of a name that must be there. Throws where it is not, which is a mistake of this program. */
export function entryOf<T>(entries: ReadonlyMap<string, T>, name: string): T {
  const entry = entries.get(name);
  if (entry === undefined) throw new Error(`there is no entry ${name}`);
  return entry;
}
