/** How much and how long, where no one needs to choose. No settings: whoever embeds the core in code may give others. */

export interface Limits {
  /** Repetitions of one request that is safe to repeat. */
  maxRetries: number;
  /** Requests to the billing API at a time; further ones queue. */
  maxConcurrency: number;
  /** Bytes of a request body over HTTP. */
  bodyLimit: number;
  /** Milliseconds in which a whole request over HTTP must arrive. */
  requestTimeoutMs: number;
  /** Sessions at a time. */
  maxSessions: number;
  /** Milliseconds without a request after which a session ends. */
  sessionIdleMs: number;
  /** Milliseconds that a stop over HTTP waits for calls that are running. */
  drainMs: number;
}

export const usualLimits: Readonly<Limits> = {
  maxRetries: 3,
  maxConcurrency: 32,
  bodyLimit: 2_097_152,
  requestTimeoutMs: 30_000,
  maxSessions: 1000,
  sessionIdleMs: 900_000,
  drainMs: 20_000,
};
