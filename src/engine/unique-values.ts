/** Reads the histories of a unique count's values (service-behaviour §8): which values are added, and which carried. */
import type { ValueHistory } from './types.ts';

/** The values that are still added at the end of the window, and those carried into it, which only recurring metrics have. */
export function countValues(values: readonly ValueHistory[], recurring: boolean) {
  const carried = recurring ? values.filter(isCarried) : [];
  return {
    unique: values.filter(history => isAdded(history, recurring)).length,
    carried: carried.map(history => history.value),
    // Whether any value was removed within the window. If none was, the peak is what was added (§10.3).
    falls: values.some(history => history.removed_within !== null),
  };
}

/** Whether the value is still added at the end of the window. A removal at the same instant comes after the addition. */
export function isAdded(history: ValueHistory, recurring: boolean): boolean {
  const { added_within: added, removed_within: removed } = history;
  if (added === null && removed === null) return recurring && isCarried(history);
  return added !== null && (removed === null || added > removed);
}

function isCarried({ added_before: added, removed_before: removed }: ValueHistory): boolean {
  return added !== null && (removed === null || added > removed);
}
