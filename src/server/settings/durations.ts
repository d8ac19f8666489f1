/** How long a call waits for what it can go on without. No settings: whoever embeds the core in code may give others. */

/** In milliseconds. */
export interface Durations {
  /** For the look at a record before a write; the write then goes on without it. */
  lookMs: number;
  /** For what is searched beside an answer or an error, so that it helps more. */
  searchMs: number;
  /** For what a page draws besides its answer. */
  pageReadsMs: number;
  /** For the decision on a page, before the client is asked to send the call again: shorter than clients wait. */
  pageHoldMs: number;
  /** While somebody is asked: until the client is told again that the call is alive. */
  progressMs: number;
}

export const usualDurations: Readonly<Durations> = {
  lookMs: 3000,
  searchMs: 2000,
  pageReadsMs: 2000,
  pageHoldMs: 45_000,
  progressMs: 10_000,
};
