/** Cancels a call without an `AbortController`, whose creation is slow compared to a call. */
import type { CancelSignal } from '../../lib/cancel-signal.ts';

/** Cancels one call, like an `AbortController` but without the other features of events. */
export class Cancel implements CancelSignal {
  aborted = false;
  #listeners: (() => void)[] = [];

  addEventListener(_: 'abort', listener: () => void): void {
    this.#listeners.push(listener);
  }

  removeEventListener(_: 'abort', listener: () => void): void {
    const at = this.#listeners.indexOf(listener);
    if (at >= 0) this.#listeners.splice(at, 1);
  }

  /** Calls every listener once. */
  abort(): void {
    if (this.aborted) return;
    this.aborted = true;
    const listeners = this.#listeners;
    this.#listeners = [];
    for (const listener of listeners) listener();
  }
}
