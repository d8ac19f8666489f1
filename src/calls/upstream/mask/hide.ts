/** Takes personal data out of records, wherever a customer is nested in them. */

import { hiddenText, type MaskedField, masks } from '../../../contract/masked-fields.ts';
import { isRecord, type JsonRecord } from '../../../lib/json.ts';

/**
 * Not looked into: what the customers named themselves (usage and metadata may have a key `city`), and the seller.
 * `filters` and `values` are those of metrics.
 */
const skipped = new Set([
  ...['metadata', 'properties', 'grouped_by', 'filters', 'values', 'presentation_by', 'presentation_breakdowns'],
  ...['billing_entity', 'billing_entities'],
]);

interface Hidden {
  /** The value, or a copy without the fields; each one that was there is a fixed text, also where it was empty. */
  value: unknown;
  /** The texts that were taken out. */
  taken: ReadonlySet<string>;
}

export function hide(value: unknown, hidden: ReadonlySet<MaskedField>): Hidden {
  const names = new Set<string>([...hidden].flatMap(field => masks[field].fields));
  const copying: Copying = { names, taken: new Set(), withErrors: [] };
  const copied = copy(value, copying);
  if (copying.withErrors.length > 0) {
    // What a tax provider says of a customer may repeat the address; only now all of it is known.
    const remove = remover(copying.taken);
    for (const record of copying.withErrors) record.error_details = remove(record.error_details);
  }
  return { value: copied, taken: copying.taken };
}

interface Copying {
  names: ReadonlySet<string>;
  taken: Set<string>;
  withErrors: JsonRecord[];
}

/** The same value where nothing in it is hidden. */
function copy(value: unknown, copying: Copying): unknown {
  if (Array.isArray(value)) {
    const entries = value.map(entry => copy(entry, copying));
    return entries.some((entry, index) => entry !== value[index]) ? entries : value;
  }
  if (!isRecord(value)) return value;
  let changed: JsonRecord | undefined;
  for (const name of Object.keys(value)) {
    const inner = value[name];
    const shown = shownOf(name, inner, copying);
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

function shownOf(name: string, value: unknown, copying: Copying): unknown {
  if (!copying.names.has(name)) {
    return typeof value !== 'object' || value === null || skipped.has(name) ? value : copy(value, copying);
  }
  take(value, copying.taken);
  return hiddenText;
}

function take(value: unknown, taken: Set<string>): void {
  if (typeof value === 'string') taken.add(value);
  else if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) take(inner, taken);
}

/** Takes these texts, as whole words, out of any text of a value. */
export function remover(texts: ReadonlySet<string>): (value: unknown) => unknown {
  const wanted = [...texts].map(text => text.trim()).filter(text => text.length > 1);
  if (wanted.length === 0) return value => value;
  // The longest first: a street holds its house number.
  const words = wanted.sort((a, b) => b.length - a.length).map(text => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'));
  const found = new RegExp(`(?<![\\p{L}\\p{N}_])(?:${words.join('|')})(?![\\p{L}\\p{N}_])`, 'giu');
  return value => replaceIn(value, text => text.replace(found, hiddenText));
}

/** Changes every text at any depth, and no name. */
export function replaceIn(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map(entry => replaceIn(entry, change));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, replaceIn(inner, change)]));
}
