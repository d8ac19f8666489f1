import type { Effect } from '../../../definition/define.ts';

/** What an error message needs to know about the call. */
export interface CallFacts {
  tool: string;
  effect: Effect;
  /** The ids that the call names, as they were given, by the name of the argument. */
  ids?: Record<string, string> | undefined;
  /** The body that was sent. */
  body?: unknown;
  /** With --demo: existing ids by the resource of a `…_not_found`, for the hint of a 404. */
  demoIds?: Readonly<Record<string, string>> | undefined;
}
