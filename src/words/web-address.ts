/** Other kinds of link (`javascript:`, `file:`) lead to no portal and no document. */
export function isWebAddress(link: unknown): boolean {
  return typeof link === 'string' && URL.canParse(link) && /^https?:$/.test(new URL(link).protocol);
}
