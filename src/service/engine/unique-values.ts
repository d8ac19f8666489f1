/** Reads the histories of a unique count's values (service-behaviour §8): which values are added, carried, known. */
import type { ValueHistory } from './types.ts';

export interface CountedValues {
  /** Distinct values still added at the end of the window. */
  unique: number;
  /** Distinct values that were carried into the window or added within it. */
  known: number;
  /** The values carried into the window; only recurring metrics carry any. */
  carried: string[];
}

export function countValues(values: readonly ValueHistory[], recurring: boolean): CountedValues {
  const carried = recurring ? values.filter(isCarried) : [];
  return {
    unique: values.filter(history => isAdded(history, recurring)).length,
    known: values.filter(history => isKnown(history, recurring)).length,
    carried: carried.map(history => history.value),
  };
}

/** Still added at the end of the window. A removal at the same instant comes after the addition. */
export function isAdded(history: ValueHistory, recurring: boolean): boolean {
  const { added_within: added, removed_within: removed } = history;
  if (added === null && removed === null) return recurring && isCarried(history);
  return added !== null && (removed === null || added > removed);
}

/** Already paid for in this window: adding the value again costs nothing (§10.3). */
export function isKnown(history: ValueHistory, recurring: boolean): boolean {
  return history.added_within !== null || (recurring && isCarried(history));
}

function isCarried({ added_before: added, removed_before: removed }: ValueHistory): boolean {
  return added !== null && (removed === null || added > removed);
}
