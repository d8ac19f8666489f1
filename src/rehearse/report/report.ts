/** The report of a rehearsal, for people and for programs. */
import type { Rehearsal } from '../types.ts';
import { jsonReport } from './json.ts';
import { markdownReport } from './markdown.ts';
import { meanPassPower } from './shares.ts';

/** `share`: pass^1 of all tasks, from 0 to 1; 0 when no run has ended. */
export function reportOf(rehearsal: Rehearsal): {
  markdown: string;
  json: ReturnType<typeof jsonReport>;
  share: number;
} {
  return {
    markdown: markdownReport(rehearsal),
    json: jsonReport(rehearsal),
    share: meanPassPower(rehearsal.results, 1) ?? 0,
  };
}
