/**
 * What was counted in a day, read from the audit log itself: each `begun` line with `counted`, but those of writes that
 * changed nothing. The order of the lines decides between the writes of several processes.
 */
import { open, stat } from 'node:fs/promises';
import { jsonOrNothing, membersOf } from '../../../lib/json.ts';
import { added, type DaySum, type DaySums, dayMs, dayOf, type Sums } from '../ask/write-stores.ts';
import { isUnreadablyPacked, linesOnDisk, rotatedSince, textOf } from './audit-lines.ts';

/** `path`: the file that `BILLING_AUDIT_LOG` names. */
export function daysInAuditLog(path: string): DaySums {
  const log = new CountedInLog(path);
  return {
    async look(caller, now) {
      await log.readOn(now);
      const day = dayOf(now);
      return { day, amounts: log.sumOf(caller, day) };
    },
    // The write's first line is there already, and those before it came first.
    async take({ caller, id, now, fits }) {
      await log.readOn(now);
      const day = log.entries.get(id)?.day;
      if (day === undefined) throw new Error('the entry of the write is not in the audit log');
      const amounts = log.sumOf(caller, day, id);
      return { day, amounts, taken: fits(amounts) };
    },
    // The write's last line gives them back.
    release: async () => {},
  };
}

/** The writes that the log counts, in the order of their lines. Only what was added since is read again. */
class CountedInLog {
  /** By the write's id. What a rotated file said stays. */
  readonly entries = new Map<string, DaySum & { caller: string }>();
  readonly #path: string;
  /** The latest day that was asked for: the writes of the day before it, and those since, are known. */
  #latest = '';
  /** `last`: what stood right before the offset. A file that was emptied, or is another one, does not hold it there. */
  #readTo = { inode: -1, offset: 0, last: '' };
  #reading: Promise<void> = Promise.resolve();

  constructor(path: string) {
    this.#path = path;
  }

  /** One reading after the other: each starts where the one before ended. */
  readOn(now: Date): Promise<void> {
    const done = this.#reading.then(() => this.#readNew(dayOf(now)));
    this.#reading = done.catch(() => {});
    return done;
  }

  /** `before`: only of the writes before that one. */
  sumOf(caller: string, day: string, before?: string): Sums {
    let sum: Sums = {};
    for (const [id, entry] of this.entries) {
      if (id === before) break;
      if (entry.caller === caller && entry.day === day) sum = added(sum, entry.amounts);
    }
    return sum;
  }

  async #readNew(today: string): Promise<void> {
    // A clock that went back asks for writes that are forgotten: all lines are read again.
    if (today < this.#latest) this.#readTo = { inode: -1, offset: 0, last: '' };
    this.#latest = today;
    // A write that began right before midnight still has to fit into the day before.
    const yesterday = dayOf(new Date(Date.parse(today) - dayMs));
    for (const [id, { day }] of this.entries) if (day < yesterday) this.entries.delete(id);
    // A log that was just rotated begins with the next line.
    const { ino: inode, size } = await stat(this.#path).catch(orNothing);
    if (inode !== this.#readTo.inode || !(await this.#goesOn())) {
      for (const rotated of await rotatedSince(this.#path, new Date(today))) await this.#countAll(rotated);
      this.#readTo = { inode, offset: 0, last: '' };
    }
    if (size === 0) return;
    for await (const { bytes, end, whole } of linesOnDisk(this.#path, this.#readTo.offset)) {
      this.#count(bytes);
      // A line without its end is read again with it.
      if (whole) this.#readTo = { inode, offset: end, last: `${bytes.slice(-mostCompared)}\n` };
    }
  }

  /** Throws for a file that cannot be read: then no one knows the sum. */
  async #countAll(rotated: string): Promise<void> {
    if (isUnreadablyPacked(rotated)) throw new Error(`${rotated} uses a compression that this server cannot read`);
    for await (const { bytes } of linesOnDisk(rotated)) this.#count(bytes);
  }

  /** Does the file still hold what was read of it last? */
  async #goesOn(): Promise<boolean> {
    const { offset, last } = this.#readTo;
    if (last === '') return true;
    const file = await open(this.#path);
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(last.length), 0, last.length, offset - last.length);
      return buffer.toString('latin1', 0, bytesRead) === last;
    } finally {
      await file.close();
    }
  }

  #count(bytes: string): void {
    if (!/"event":"(begun|completed|refused)"/.test(bytes)) return;
    const line = membersOf<'event' | 'id' | 'caller' | 'outcome' | 'counted'>(jsonOrNothing(textOf(bytes)));
    const { event, id, caller, outcome } = line;
    if (typeof id !== 'string' || typeof caller !== 'string') return;
    if (event === 'refused' || (event === 'completed' && outcome === 'failed')) this.entries.delete(id);
    const { day, amounts } = membersOf<'day' | 'amounts'>(line.counted);
    if (event !== 'begun' || typeof day !== 'string') return;
    // Of a write that was begun again, the last beginning counts.
    this.entries.delete(id);
    this.entries.set(id, { caller, day, amounts: decimalsOf(amounts) });
  }
}

/** The seal at the end of a line is in no other line. */
const mostCompared = 100;

function orNothing(error: NodeJS.ErrnoException) {
  if (error.code !== 'ENOENT') throw error;
  return { ino: 0, size: 0 };
}

/** Throws for what is no decimal: then no one knows the sum. */
function decimalsOf(amounts: unknown): Sums {
  const entries = Object.entries(membersOf<string>(amounts));
  for (const [, amount] of entries)
    if (typeof amount !== 'string' || !/^\d{1,400}(\.\d{1,1200})?$/.test(amount))
      throw new Error('an amount in the audit log is not a decimal');
  return Object.fromEntries(entries) as Sums;
}
