/** What a roster holds: it knows its own place in it. */
export interface Listed {
  /** Set by the roster. */
  place: number;
}

/**
 * What is under way, in no order. A Set that things come to and leave from replaces its table again and again, and a table
 * that the garbage collector has moved to its old generation keeps all later ones, with what was in them, from the cheap
 * collections of the young: half of the collector's work, and a heap that looks like a leak.
 */
export class Roster<T extends Listed> {
  readonly #items: T[] = [];

  get size(): number {
    return this.#items.length;
  }

  add(item: T): void {
    item.place = this.#items.length;
    this.#items.push(item);
  }

  /** Does nothing when the item is not there (any more). */
  remove(item: T): void {
    const items = this.#items;
    if (items[item.place] !== item) return;
    const last = items.pop()!;
    if (last === item) return;
    items[item.place] = last;
    last.place = item.place;
  }

  find(wanted: (item: T) => boolean): T | undefined {
    return this.#items.find(wanted);
  }

  /** A copy, so that items may leave while it is gone through. */
  all(): readonly T[] {
    return this.#items.slice();
  }
}
