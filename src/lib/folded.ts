/** As searches of the billing API compare: without case, and a final sigma equals any other (docs/lookups.md §14). */
export function folded(text: string): string {
  return text.toLowerCase().replaceAll('ς', 'σ');
}
