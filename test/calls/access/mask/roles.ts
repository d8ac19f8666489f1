/** A role for every mask, and none for no mask: callers of one server from whom different data are hidden. */

import type { Role, Roles } from '../../../../src/calls/access/roles/role.ts';
import { type MaskedField, maskedFields } from '../../../../src/contract/masked-fields.ts';
import type { Caller } from '../../../../src/definition/caller.ts';

const masks = Array.from({ length: 2 ** maskedFields.length }, (_, bits) =>
  maskedFields.filter((_field, index) => bits & (1 << index)),
);

export const maskRoles: Roles = Object.assign(new Map(masks.map(mask => [mask.join(), roleWith(mask)])), {
  claim: 'billing_role',
});

/** The caller in the role that hides these. */
export function maskedCaller(caller: Caller, mask: readonly MaskedField[]): Caller {
  return { ...caller, role: maskedFields.filter(field => mask.includes(field)).join() };
}

function roleWith(mask: readonly MaskedField[]): Role {
  return { name: mask.join(), access: { readOnly: false, mask }, customers: undefined };
}
