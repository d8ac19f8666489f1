/**
 * What is read right before and right after a write, to tell its effect. The write waits for it no longer than for a
 * suggestion, goes on without it, and is never repeated for it.
 */
import type { ReadAnswer } from '../tool/reads.ts';
import type { Sight } from '../tool/write-call.ts';
import type { ChangingCall } from './context.ts';
import type { Reading } from './id-suggestions.ts';

export class AroundWrite {
  readonly #read: () => Promise<ReadAnswer | null>;
  #before: ReadAnswer | null = null;

  constructor({ tool, args }: ChangingCall, sight: Exclude<Sight, { kind: 'refused' }>, reading: Reading) {
    this.#read = async () => {
      const readAround = tool.write.around;
      if (readAround === undefined || sight.kind !== 'seen') return null;
      // A fault of these reads must not become one of the write.
      return reading(async reads => (await readAround(args, sight.record, reads)) ?? null).catch(() => null);
    };
  }

  async before(): Promise<void> {
    this.#before = await this.#read();
  }

  /** Both answers; undefined where there was nothing to read before the write. */
  async after(): Promise<object | undefined> {
    if (this.#before === null) return undefined;
    return { aroundBefore: this.#before, aroundAfter: this.#before.ok ? await this.#read() : this.#before };
  }
}
