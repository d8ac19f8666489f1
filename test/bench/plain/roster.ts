/** A Set. */
export class Roster<T> {
  readonly #items = new Set<T>();

  get size(): number {
    return this.#items.size;
  }

  add(item: T): void {
    this.#items.add(item);
  }

  remove(item: T): void {
    this.#items.delete(item);
  }

  find(wanted: (item: T) => boolean): T | undefined {
    for (const item of this.#items) if (wanted(item)) return item;
    return undefined;
  }

  all(): readonly T[] {
    return [...this.#items];
  }
}
