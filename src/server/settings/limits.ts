/** How much and how long, where no one needs to choose. No settings: whoever embeds the core in code may give others. */

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
