/** Clocks that stand still: whatever a busy machine takes, no deadline passes and no pause ends until a test says so. */
import { vi } from 'vitest';

/**
 * Stops the monotonic clock and the time of day. Timers still run. Returns what sets both forward; `vi.restoreAllMocks()`
 * ends it.
 */
export function stopClocks(): (ms: number) => void {
  let counter = 1_000_000;
  // Instants in headers are in whole seconds: the next one is soon.
  let date = Math.floor(Date.now() / 1000) * 1000 + 950;
  vi.spyOn(performance, 'now').mockImplementation(() => counter);
  vi.spyOn(Date, 'now').mockImplementation(() => date);
  return ms => {
    counter += ms;
    date += ms;
  };
}
