/** Reads the roles of `BILLING_ROLES`. Only a server with roles loads this. */
import { readRolesFile } from './file.ts';
import type { Roles } from './role.ts';

/** Reads the roles; `tools` are the names of the catalogue. Throws ConfigError with every problem of the file. */
export function readRoles(path: string, tools: readonly string[]): Roles {
  const { roles, claim = 'billing_role' } = readRolesFile(path, tools);
  const byName = new Map(
    Object.entries(roles).map(
      ([name, { toolsets = [], tools: named = [], exclude_tools, read_only, customers, mask, ...limits }]) => {
        const offered = [...toolsets, ...named];
        const narrowed = {
          excludeTools: exclude_tools,
          mask,
          maxAmount: limits.max_amount,
          maxAmountPerDay: limits.max_amount_per_day,
        };
        return [name, { name, access: { readOnly: read_only === true, tools: offered, ...narrowed }, customers }];
      },
    ),
  );
  return Object.assign(byName, { claim });
}
