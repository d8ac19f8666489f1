/** Gives each admitted caller its role (`BILLING_ROLES`), or refuses it: 403, with a code. */

import { inRole, type Role, type Roles } from '../../calls/access/roles/role.ts';
import type { Caller } from '../../definition/caller.ts';
import { refusalText, refuse } from '../../definition/failure.ts';
import type { ErrorCode } from '../../definition/refusals.ts';
import type { Admission } from './credentials.ts';

type RoleCode = Extract<ErrorCode, `role_${string}`>;

/** Where the role is named, for the words of a refusal. */
export type RoleSource = 'token' | 'claim';

/**
 * The caller in the role that its credential names: a text, or a list in which exactly one is a role of the file, because
 * issuers list every group of a user. Never guesses among several.
 */
export function admitInRole(caller: Caller, claimed: unknown, roles: Roles, source: RoleSource): Admission {
  const roleOrCode = roleOf(claimed, roles);
  if (typeof roleOrCode !== 'string') return { ok: true, caller: inRole(caller, roleOrCode) };
  const message = refusalText(refuse(roleOrCode, { case: 'admission', credential: sources[source] }));
  return { ok: false, refusal: { status: 403, code: roleOrCode, message } };
}

function roleOf(claimed: unknown, roles: Roles): Role | RoleCode {
  const names: unknown[] = [claimed ?? []].flat();
  if (names.length === 0) return 'role_missing';
  const known = [...roles.values()].filter(({ name }) => names.includes(name));
  return known.length > 1 ? 'role_ambiguous' : (known[0] ?? 'role_unknown');
}

const sources: Record<RoleSource, string> = { token: 'this bearer token', claim: 'this access token' };
