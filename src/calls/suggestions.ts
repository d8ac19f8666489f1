/** What all suggestions have in common: they are short, look like codes, and delay an error only a little. */
import type { CancelSignal } from '../lib/cancel.ts';

/** A suggestion is read as our own words, so only text that looks like a code may become one. */
export const plainCode = /^[\p{L}\p{N}_.:-]{1,60}$/u;

/** Runs a look-up whose signal is aborted after so many milliseconds, or when the call is cancelled. */
export async function withinTime<T>(
  longestMs: number,
  signal: CancelSignal | undefined,
  lookUp: (stop: CancelSignal) => Promise<T>,
): Promise<T> {
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), longestMs);
  const cancel = (): void => stop.abort();
  if (signal?.aborted) cancel();
  signal?.addEventListener('abort', cancel);
  try {
    return await lookUp(stop.signal);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', cancel);
  }
}
