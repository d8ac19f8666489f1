/** An item of a roster. It stores its own index in the roster. */
export interface Listed {
  /** Set by the roster. */
  place: number;
}

/**
 * The items in progress, in no order. A Set with frequent additions and removals replaces its internal table repeatedly.
 * A replaced table in the old generation keeps all later tables and their items alive through the collections of the
 * young generation. That was half of the garbage collector's work, and the heap looked like a leak.
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

  /** Does nothing when the item is not in the roster. */
  remove(item: T): void {
    const items = this.#items;
    if (items[item.place] !== item) return;
    const last = items.pop();
    if (last === undefined || last === item) return;
    items[item.place] = last;
    last.place = item.place;
  }

  find(wanted: (item: T) => boolean): T | undefined {
    return this.#items.find(wanted);
  }

  /** A copy of the list, so that items may be removed during iteration. */
  all(): readonly T[] {
    return this.#items.slice();
  }
}
