/** Ends requests whose time is over. */

import { type Listed, Roster } from '../../../../lib/roster.ts';

export interface OpenRequest extends Listed {
  /** When its time is over, by `performance.now()`. */
  readonly deadline: number;
  onDeadline(): void;
}

const checkEveryMs = 20;

/** One timer checks all requests: under load, a timer for each would cost more than the request. */
export class Deadlines {
  readonly #open = new Roster<OpenRequest>();
  #checking: NodeJS.Timeout | undefined;

  watch(request: OpenRequest): void {
    this.#open.add(request);
    this.#checking ??= setInterval(() => this.#check(), checkEveryMs);
  }

  forget(request: OpenRequest): void {
    this.#open.remove(request);
  }

  #check(): void {
    const now = performance.now();
    for (const request of this.#open.all()) if (request.deadline <= now) request.onDeadline();
    if (this.#open.size > 0) return;
    clearInterval(this.#checking);
    this.#checking = undefined;
  }
}
