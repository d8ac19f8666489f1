import type { Effect } from '../tool/effect.ts';

/** What an error message needs to know about the call. */
export interface CallFacts {
  tool: string;
  effect: Effect;
  /** Raw path values by argument name. */
  ids?: Record<string, string> | undefined;
  /** With --demo: one existing id for each resource, for the hint of a 404. */
  demoIds?: string | undefined;
}
