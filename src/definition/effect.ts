/**
 * `compute` is a POST that changes nothing (preview, estimate): read-only to the host, safe to repeat. `lookup` reads what its
 * question needs: `BILLING_LOOKUPS` takes it away, and an installation may lack its paths.
 */
export type Effect = 'read' | 'compute' | 'lookup' | 'write' | 'delete';

/** Does a call of a tool with this effect change the account? */
export function changesAccount(effect: Effect | undefined): boolean {
  return effect === 'write' || effect === 'delete';
}
