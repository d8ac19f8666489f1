/** The abilities of a client that is asked nothing: for reads, and where nobody listens. */
import type { ClientAbilities } from '../../definition/asking.ts';

export const nobody: ClientAbilities = { shows: () => false, holdMs: 0, reply: undefined, state: undefined };
