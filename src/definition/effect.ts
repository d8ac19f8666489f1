/** `compute` is a POST that changes nothing (preview, estimate): read-only to the host, safe to repeat. */
export type Effect = 'read' | 'compute' | 'write' | 'delete';

/** Does a call of a tool with this effect change the account? */
export function changesAccount(effect: Effect | undefined): boolean {
  return effect === 'write' || effect === 'delete';
}
