/** The entry of a list that has just one; null for an empty list and for a longer one. */
export function only<T>(items: readonly T[]): T | null {
  return items.length === 1 ? (items[0] ?? null) : null;
}

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

/** Values that are kept by key for a while, by a clock in milliseconds; above the limit, the oldest is dropped. */
export class Kept<T> {
  readonly #entries = new Map<string, { value: T; until: number }>();
  readonly #most: number;
  readonly #now: () => number;

  constructor(most: number, now: () => number = () => performance.now()) {
    this.#most = most;
    this.#now = now;
  }

  /** Those whose time is over may be among them. */
  get size(): number {
    return this.#entries.size;
  }

  get(key: string): T | undefined {
    const entry = this.#entries.get(key);
    return entry !== undefined && entry.until > this.#now() ? entry.value : undefined;
  }

  set(key: string, value: T, forMs: number): void {
    this.#entries.delete(key);
    this.#entries.set(key, { value, until: this.#now() + forMs });
    if (this.#entries.size > this.#most) this.delete(this.#entries.keys().next().value as string);
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }
}

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

/** The items with equal keys together, groups in the order of their first item. */
export function grouped<T>(items: readonly T[], keyOf: (item: T) => string): T[][] {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return [...groups.values()];
}

/** The same names, each with what the function makes of its entry. */
export function mapEntries<T, Made>(record: Readonly<Record<string, T>>, make: (entry: T, name: string) => Made) {
  return Object.fromEntries(Object.entries(record).map(([name, entry]) => [name, make(entry, name)]));
}
