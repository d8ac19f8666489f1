/** How long a call waits for what it can go on without. No settings: whoever embeds the core in code may give others. */

/** In milliseconds. */
export interface Durations {
  /** For reading a record before a write; after that, the write goes on without it. */
  lookMs: number;
  /** For what is searched next to an answer or an error, so that it helps more. */
  searchMs: number;
  /** For what a chat page draws besides its answer. */
  chatPageReadsMs: number;
  /** For the decision on an approval page, before the client is asked to send the call again: shorter than clients wait. */
  approvalPageHoldMs: number;
  /** For the decision on a page that an answer linked to; shorter where look and send need the time. */
  linkHoldMs: number;
  /** While someone is asked: until the client is told again that the call is alive. */
  progressMs: number;
}

export const usualDurations: Readonly<Durations> = {
  lookMs: 3000,
  searchMs: 2000,
  chatPageReadsMs: 2000,
  approvalPageHoldMs: 45_000,
  linkHoldMs: 40_000,
  progressMs: 10_000,
};
