/** The entry of a list that has just one; null for an empty list and for a longer one. */
export function only<T>(items: readonly T[]): T | null {
  return items.length === 1 ? (items[0] ?? null) : null;
}
