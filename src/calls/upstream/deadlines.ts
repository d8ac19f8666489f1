/** Ends requests whose time is over. */

export interface OpenRequest {
  /** When its time is over, by `performance.now()`. */
  readonly deadline: number;
  onDeadline(): void;
  /** For a list that remembers in each item where it stands. */
  place: number;
}

/** The requests under way. */
export interface OpenRequests {
  readonly size: number;
  add(request: OpenRequest): void;
  remove(request: OpenRequest): void;
  /** A copy, so that requests may be removed meanwhile. */
  all(): readonly OpenRequest[];
}

const checkEveryMs = 20;

/** One timer checks all requests: under load, a timer for each would cost more than the request. */
export class Deadlines {
  readonly #open: OpenRequests;
  #checking: NodeJS.Timeout | undefined;

  constructor(open: OpenRequests = plainList()) {
    this.#open = open;
  }

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

function plainList(): OpenRequests {
  const open = new Set<OpenRequest>();
  return {
    get size() {
      return open.size;
    },
    add: request => void open.add(request),
    remove: request => void open.delete(request),
    all: () => [...open],
  };
}
