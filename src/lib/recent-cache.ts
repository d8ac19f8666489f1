/**
 * A cache of the most recently used values by key. A value is made at its first use; above the limit, the least recently
 * used value is dropped. Repeated use of one key, as in a process with one caller, costs only a comparison.
 */
export class Recent<T> {
  readonly #most: number;
  readonly #dropped: ((value: T) => void) | undefined;
  /** Oldest first: a Map keeps insertion order. */
  readonly #entries = new Map<string, T>();
  #last: { key: string; value: T } | undefined;

  constructor(most: number, dropped?: (value: T) => void) {
    this.#most = most;
    this.#dropped = dropped;
  }

  of(key: string, make: () => T): T {
    if (this.#last?.key === key) return this.#last.value;
    const value = this.#entries.get(key) ?? make();
    this.#entries.delete(key);
    this.#entries.set(key, value);
    this.#last = { key, value };
    if (this.#entries.size > this.#most) this.#dropOldest();
    return value;
  }

  /** Removes all values and returns them. */
  clear(): T[] {
    const values = [...this.#entries.values()];
    this.#entries.clear();
    this.#last = undefined;
    return values;
  }

  #dropOldest(): void {
    const [key, value] = this.#entries.entries().next().value as [string, T];
    this.#entries.delete(key);
    this.#dropped?.(value);
  }
}
