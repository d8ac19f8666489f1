/**
 * What was used lately, by key: made when first asked for, and the longest unused dropped when there is too much. Who asks
 * again in a row, as the one caller of most processes does, costs no more than the comparison.
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

  /** Gives up everything, and returns it. */
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
