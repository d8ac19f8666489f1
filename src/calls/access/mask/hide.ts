/**
 * Takes personal data out of records, wherever a customer is nested in them: the fields that the contract names, and those of
 * other services that read like them.
 */

import { fieldNames } from '../../../contract/field-names.ts';
import { hiddenNames } from '../../../contract/hidden-names.ts';
import { documentLinks, hiddenText, type MaskedField } from '../../../contract/masked-fields.ts';
import { customerKeys } from '../../../contract/shown.ts';
import { isRecord, type JsonRecord, mapTexts } from '../../../lib/json.ts';

/**
 * Not looked into: objects whose keys the customers chose (usage and metadata may have a key `city`), and the seller.
 * `filters` and `values` are those of metrics.
 */
const skipped = new Set([
  ...customerKeys,
  ...['filters', 'presentation_breakdowns', 'billing_entity', 'billing_entities'],
]);

interface HideResult {
  /** The value, or a copy in which each hidden field is a fixed text, also where it was empty. */
  value: unknown;
  /** The texts that were there. */
  removed: ReadonlySet<string>;
}

/** What the value is, where it is not any record. */
interface Kind {
  /** A customer's record, without its wrapper. */
  isCustomer?: boolean;
  /** The log of changes, which holds records in texts too: what a text in the field of this name shows. */
  textOf?: ((text: string, name: string) => unknown) | undefined;
}

export function hide(value: unknown, hidden: ReadonlySet<MaskedField>, kind: Kind = {}): HideResult {
  const { isCustomer = false, textOf } = kind;
  const copying: Copying = { isHidden: hiddenBy(hidden), textOf, removed: new Set(), withErrors: [] };
  const copied = hidden.size === 0 ? value : copy(value, '', isCustomer, copying);
  if (copying.withErrors.length > 0) {
    // A tax provider's errors may repeat the customer's address, all of which is known only now.
    const remove = textRemover(copying.removed);
    for (const record of copying.withErrors) record.error_details = remove(record.error_details);
  }
  return { value: copied, removed: copying.removed };
}

interface Copying {
  isHidden: (name: string) => boolean;
  textOf: Kind['textOf'];
  removed: Set<string>;
  withErrors: JsonRecord[];
}

/**
 * Returns the value itself where nothing in it is hidden. Of a customer, also the fields that the contract does not have are
 * hidden: no one has judged whether they are personal.
 */
function copy(value: unknown, field: string, isCustomer: boolean, copying: Copying): unknown {
  if (typeof value === 'string') {
    const shown = copying.textOf === undefined ? value : copying.textOf(value, field);
    return typeof shown === 'string' ? shown : copy(shown, field, isCustomer, copying);
  }
  if (Array.isArray(value)) {
    const entries = value.map(entry => copy(entry, field, isCustomer, copying));
    return entries.some((entry, index) => entry !== value[index]) ? entries : value;
  }
  if (!isRecord(value)) return value;
  let changed: JsonRecord | undefined;
  for (const name of Object.keys(value)) {
    const inner = value[name];
    const isHidden = copying.isHidden(name) || (isCustomer && isUnjudged(name)) || isDocument(name, inner);
    if (isHidden) collectTexts(inner, copying.removed);
    const shown = isHidden ? hiddenText : shownValue(name, inner, value, copying);
    if (shown === inner) continue;
    changed ??= { ...value };
    // A plain assignment would run the setter of `__proto__`.
    if (name === '__proto__') Object.defineProperty(changed, name, { value: shown });
    else changed[name] = shown;
  }
  const { error_details: errors } = value;
  if (typeof errors === 'object' && errors !== null && Object.keys(errors).length > 0) {
    changed ??= { ...value };
    copying.withErrors.push(changed);
  }
  return changed ?? value;
}

function shownValue(name: string, value: unknown, parent: JsonRecord, copying: Copying): unknown {
  const holdsRecords = typeof value === 'object' ? value !== null : copying.textOf !== undefined;
  if (!holdsRecords || skipped.has(name)) return value;
  const isCustomer = name === 'customer' || name === 'customers' || isOfLoggedCustomer(name, parent);
  return copy(value, name, isCustomer, copying);
}

/** A document shows what is hidden. That there is none may be told. */
function isDocument(name: string, link: unknown): boolean {
  return typeof link === 'string' && link !== '' && documents.has(name);
}

const documents: ReadonlySet<string> = new Set(documentLinks);

function isOfLoggedCustomer(name: string, { resource_type }: JsonRecord): boolean {
  return resource_type === 'Customer' && (name === 'activity_object' || name === 'activity_object_changes');
}

function collectTexts(value: unknown, removed: Set<string>): void {
  if (typeof value === 'string') removed.add(value);
  else if (typeof value === 'object' && value !== null)
    for (const inner of Object.values(value)) collectTexts(inner, removed);
}

/** Replaces these texts, where they are whole words, in any text of a value. */
export function textRemover(texts: ReadonlySet<string>): (value: unknown) => unknown {
  const wanted = [...texts].map(text => text.trim()).filter(text => text.length > 1);
  if (wanted.length === 0) return value => value;
  // The longest first: a street holds its house number.
  const words = wanted.sort((a, b) => b.length - a.length).map(text => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'));
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}_])(?:${words.join('|')})(?![\\p{L}\\p{N}_])`, 'giu');
  return value => mapTexts(value, text => text.replace(pattern, hiddenText));
}

/** `billing_email`, `contact_phone`. No name of the contract is among them that is not hidden. */
const alike: Readonly<Record<MaskedField, string>> = {
  email: 'e_?mail(?!_settings)',
  phone: 'phone|(?:^|_)(?:mobile|fax|tel)(?:_number)?$',
  address: 'address|street|post(?:al)?_?code|(?:^|_)zip(?:_?code)?$|^shipping_|(?:billing|legal)_(?:city|state)$',
  tax_id:
    '(?:^|_)vat(?:_(?:id|number|code))?$|(?:legal|registration|company|tax_identification)_(?:id|number)$|tax_number',
};

const tests = new WeakMap<ReadonlySet<MaskedField>, (name: string) => boolean>();

/** Is the field of this name hidden? */
export function hiddenBy(hidden: ReadonlySet<MaskedField>): (name: string) => boolean {
  const known = tests.get(hidden);
  if (known) return known;
  const names = new Set<string>([...hidden].flatMap(field => hiddenNames[field]));
  const pattern = new RegExp([...hidden].map(field => alike[field]).join('|'));
  const test = (name: string) => {
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
function isUnjudged(name: string): boolean {
  return !namesOfCustomer.has(name);
}
