/** Other kinds of link (`javascript:`, `file:`) lead to no portal and no document. */
export function isWebAddress(link: unknown): boolean {
  return typeof link === 'string' && URL.canParse(link) && /^https?:$/.test(new URL(link).protocol);
}

/** `hooks.example`: users, paths and queries of a webhook's address often hold a secret. Null for what is no address. */
export function hostOf(address: unknown): string | null {
  return isWebAddress(address) ? new URL(String(address)).host : null;
}
