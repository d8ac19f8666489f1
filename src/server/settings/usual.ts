/** Default durations and limits. They are not settings: only a program that embeds the core can change them. */

/** How long a call waits for what it can go on without, in milliseconds. */
export const usualDurations = Object.freeze({
  /** For reading a record before a write; after that, the write goes on without it. */
  lookMs: 3000,
  /** For what is searched next to an answer or an error, so that it helps more. */
  searchMs: 2000,
  /** For what a chat page draws besides its answer. */
  chatPageReadsMs: 2000,
  /** For the decision on an approval page, before the client is asked to send the call again: shorter than clients wait. */
  approvalPageHoldMs: 45_000,
  /** For the decision on a page that an answer linked to; shorter where look and send need the time. */
  linkHoldMs: 40_000,
  /** While someone is asked: until the client is told again that the call is alive. */
  progressMs: 10_000,
});

export type Durations = Record<keyof typeof usualDurations, number>;

export const usualLimits = Object.freeze({
  /** Repetitions of one request that is safe to repeat. */
  maxRetries: 3,
  /** Requests to the billing API at a time; further ones queue. */
  maxConcurrency: 32,
  /** Bytes of a request body over HTTP. */
  bodyLimit: 2_097_152,
  /** Milliseconds in which a whole request over HTTP must arrive. */
  requestTimeoutMs: 30_000,
  /** Sessions at a time. */
  maxSessions: 1000,
  /** Milliseconds without a request after which a session ends. */
  sessionIdleMs: 900_000,
  /** Milliseconds that a stop over HTTP waits for calls that are running. */
  drainMs: 20_000,
});

export type Limits = Record<keyof typeof usualLimits, number>;
