/** Which fields are hidden: those that the contract names, and those of other services that read like them. */
import { fieldNames } from '../../../contract/field-names.ts';
import { hiddenNames } from '../../../contract/hidden-names.ts';
import type { MaskedField } from '../../../contract/masked-fields.ts';

/** `billing_email`, `contact_phone`. No name of the contract is among them that is not hidden. */
const alike: Readonly<Record<MaskedField, string>> = {
  email: 'e_?mail(?!_settings)',
  phone: 'phone|(?:^|_)(?:mobile|fax|tel)(?:_number)?$',
  address: 'address|street|post(?:al)?_?code|(?:^|_)zip(?:_?code)?$|^shipping_|(?:billing|legal)_(?:city|state)$',
  tax_id:
    '(?:^|_)vat(?:_(?:id|number|code))?$|(?:legal|registration|company|tax_identification)_(?:id|number)$|tax_number',
};

/** Is the field of this name hidden? */
export type IsHidden = (name: string) => boolean;

const tests = new WeakMap<ReadonlySet<MaskedField>, IsHidden>();

export function hiddenBy(hidden: ReadonlySet<MaskedField>): IsHidden {
  const known = tests.get(hidden);
  if (known) return known;
  const names = new Set<string>([...hidden].flatMap(field => hiddenNames[field]));
  const pattern = new RegExp([...hidden].map(field => alike[field]).join('|'));
  const test: IsHidden = name => {
    const plain = plainName(name);
    return hidden.size > 0 && (names.has(plain) || pattern.test(plain));
  };
  tests.set(hidden, test);
  return test;
}

/** `billing_email` for `billingEmail` and `Billing Email`, also with hidden characters in it. */
function plainName(name: string): string {
  if (/^[a-z\d_]+$/.test(name)) return name;
  const words = name.replace(/\p{Cf}/gu, '').replace(/(?<=[a-z\d])(?=[A-Z])/g, '_');
  return words.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '_');
}

/** `portal_url` stands alone in the answer to a request for a portal link. */
const namesOfCustomer: ReadonlySet<string> = new Set([...(fieldNames.customer ?? []), 'portal_url']);

/** A field of a customer's record that the contract does not have: no one has judged whether it is personal. */
export function isUnjudged(name: string): boolean {
  return !namesOfCustomer.has(name);
}
