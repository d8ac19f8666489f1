/** How tests wait: for a state, never for a time. */
import { setTimeout } from 'node:timers/promises';

/** What ends a test that hangs. No test has a limit of its own. */
export const limitMs = 600_000;

/**
 * Resolves with what `look` gives once that is truthy and nothing is thrown; while it waits, errors count as "not yet".
 * After the suite's limit it throws what stood in the way.
 */
export async function until<T>(look: () => T | Promise<T>): Promise<NonNullable<T>> {
  const end = performance.now() + limitMs / 2;
  for (;;) {
    let inTheWay: unknown = new Error(`not reached in the suite's limit: ${look}`);
    try {
      const found = await look();
      if (found) return found;
    } catch (error) {
      inTheWay = error;
    }
    if (performance.now() > end) throw inTheWay;
    await setTimeout(10);
  }
}
