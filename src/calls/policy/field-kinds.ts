/**
 * The kind of each field of a write, as the schemas of its arguments say it (argument-fields.ts). A field without a kind
 * is compared as it stands (metadata, codes, names, words, switches).
 */

import { kindOfPrice } from '../../contract/charge-prices.ts';
import { ownValue } from '../../lib/json.ts';
import { type ArgumentField, argumentFields } from '../../tool/argument-fields.ts';
import type { AnyTool } from '../../tool/define.ts';

export type FieldKind =
  /** As it stands: text, a switch, an integer. */
  | 'exact'
  /** Text that the service stores in capitals (service-behaviour §3.12; codes of currencies). */
  | 'capitals'
  /** A decimal number, as text or as a JSON number: `7.50` is 7.5 (§1.6). */
  | 'decimal'
  /** A date-time. The service writes it in UTC, and drops digits of its fraction (§1.6). */
  | 'moment'
  /** A charge's `properties`: decimals under the names of its price model, and texts. */
  | 'prices'
  /** An image that comes back as the address where it is stored. */
  | 'image';

export type FieldKinds = Readonly<Record<string, FieldKind>>;

/** The kinds of a write's fields by path in the request's record; `[]` stands for every entry of a list. */
export function fieldKindsOf({ input }: Pick<AnyTool, 'input'>): FieldKinds {
  let kinds = kindsOf.get(input);
  if (kinds === undefined) {
    const fields = argumentFields(input).map(field => [field.path, kindOf(field)] as const);
    kinds = Object.fromEntries(fields.filter(([, kind]) => kind !== 'exact'));
    kindsOf.set(input, kinds);
  }
  return kinds;
}

const kindsOf = new WeakMap<object, FieldKinds>();

function kindOf({ type, stored }: ArgumentField): FieldKind {
  if (stored !== undefined) return stored;
  if (type === 'decimal' || type === 'number') return 'decimal';
  return type === 'moment' ? 'moment' : type === 'anything' ? 'prices' : 'exact';
}

/** The kind of the field at a path; inside prices, it goes by the name of the price. */
export function kindAt(kinds: FieldKinds, path: string): FieldKind {
  const named = ownValue(kinds, path);
  if (named !== undefined) return named;
  const inside = Object.keys(kinds).some(outer => kinds[outer] === 'prices' && path.startsWith(`${outer}.`));
  const price = inside ? kindOfPrice(path.slice(path.lastIndexOf('.') + 1).replace(/\[\]$/, '')) : undefined;
  return price === undefined || price === 'label' ? 'exact' : 'decimal';
}
