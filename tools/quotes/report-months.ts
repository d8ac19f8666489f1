/** The months of a report: which were asked for, and which of them hold nothing. */
import type { MonthRow } from './months.ts';

/** The running month in UTC and those before it, the newest first: `2026-03`, `2026-02`. */
export function monthsOf(now: Date, count: number): string[] {
  return Array.from({ length: count }, (_, back) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1)).toISOString().slice(0, 7),
  );
}

/** The months in which no currency has an amount, as spans: `2025-04 – 2025-12, 2026-02`. */
export function zeroMonths(rows: readonly MonthRow[], months: readonly string[]): { count: number; text: string } {
  const filled = new Set(rows.map(({ month }) => month));
  const spans: string[][] = [];
  for (const month of [...months].reverse()) {
    if (filled.has(month)) spans.push([]);
    else (spans.at(-1) ?? spans[spans.push([]) - 1])?.push(month);
  }
  const texts = spans.flatMap(span => (span.length > 1 ? `${span[0]} – ${span.at(-1)}` : span));
  return { count: months.filter(month => !filled.has(month)).length, text: texts.join(', ') };
}
