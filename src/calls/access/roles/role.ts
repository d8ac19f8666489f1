/** A role: what its callers may do, besides what the settings of the server allow everybody. */

import type { Caller } from '../../../definition/caller.ts';
import type { AccessSettings } from '../access.ts';
import { bindingOf, credentialOf, limitedTo } from '../intersect-customers.ts';

export interface Role {
  name: string;
  /** Narrows the settings of the server. */
  access: AccessSettings;
  /** External ids; undefined: all customers. */
  customers: readonly string[] | undefined;
}

export interface Roles extends ReadonlyMap<string, Role> {
  /** Of the access token: what names the role, or lists one role among other names. */
  readonly claim: string;
}

/**
 * The caller in this role. Its credential, and so its id, name the role: nothing that was read, asked or confirmed in one
 * role counts in another. The `/` tells the name apart, for no id has one before.
 */
export function inRole(caller: Caller, { name, customers }: Role): Caller {
  const credential = `${credentialOf(caller)}/${name}`;
  const placed: Caller = { ...caller, id: credential, credential, role: name };
  const customerIds = customers ?? (placed.unbound === undefined ? placed.customers : undefined);
  return customerIds === undefined ? placed : limitedTo(placed, bindingOf(customerIds));
}
