/** For sorting: a negative number when `a` comes first, 0 when equal. Compares by UTF-16 units, so instants by time. */
export function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
