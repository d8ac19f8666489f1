/** Keeps long lists under a token limit, estimated from their size, and says what was left out and how to get it. */

/** JSON of billing records has 3 to 3.6 bytes per token (o200k); JSON of nothing but ids has fewer. */
const BYTES_PER_TOKEN = 2.9;

export interface Fitted<T> {
  items: readonly T[];
  /** Number of items at the end that did not fit. */
  leftOut: number;
  /** A sentence for the summary, null when everything fits. */
  note: string | null;
}

/** A cheap, slightly high estimate of what a value costs as compact JSON. */
export function estimateTokens(value: unknown): number {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);
}

/** The first items that stay within `maxTokens`, at least one. The note names a size of list pages that each fit. */
export function fitList<T>(items: readonly T[], maxTokens: number, what = 'items'): Fitted<T> {
  let spent = 0;
  let kept = 0;
  for (const item of items) {
    spent += estimateTokens(item) + 1;
    if (spent > maxTokens && kept > 0) break;
    kept++;
  }
  const leftOut = items.length - kept;
  if (leftOut === 0) return { items, leftOut, note: null };
  return { items: items.slice(0, kept), leftOut, note: leftOutNote(leftOut, kept, what) };
}

function leftOutNote(leftOut: number, kept: number, what: string): string {
  return `${leftOut} of ${leftOut + kept} ${what} are left out to keep this short; call again with per_page: ${kept} and page by page for all of them.`;
}
