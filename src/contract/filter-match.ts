/** Whether a row of a list meets the list's filters (list-filters.ts), as far as the row shows it. */
import { fieldOf, isGiven, isObject } from '../lib/json.ts';
import type { ListFilters } from './list-filters.ts';

type Filter = ListFilters[string];
/** What was asked for: by the filter's name, of a range by its two names; values as a query sends them, or before that. */
type Query = Readonly<Record<string, unknown>>;

/** The filters that the row does not meet; one whose field the row does not show is not among them. */
export function unmetFilters(filters: ListFilters, query: Query, row: object): string[] {
  return Object.keys(filters).filter(name => meets(filters[name] as Filter, name, query, row) === false);
}

/** True too where the filter was not asked for; null where the row does not show the field. */
export function meets(filter: Filter, name: string, query: Query, row: object): boolean | null {
  const { unit, is, range, set } = filter;
  if (range !== undefined) {
    const value = fieldOf(row, range);
    // A day may come with a time.
    const compared = unit === 'day' && typeof value === 'string' ? value.slice(0, 10) : value;
    return isWithin(compared, query[`${name}_from`], query[`${name}_to`]);
  }
  const wanted = query[name];
  if (!isGiven(wanted) || (Array.isArray(wanted) && wanted.length === 0)) return true;
  if (unit === 'pairs') return hasPairs(fieldOf(row, 'metadata'), wanted);
  const value = fieldOf(row, is ?? set ?? 'billing_entity_code');
  // Null stands for the customer's billing entity, which the row does not name.
  if (value === undefined || (unit === 'entity' && value === null)) return null;
  if (set !== undefined) return isGiven(value) === (String(wanted) === 'true');
  const shown = unit === 'flag' ? (value ?? false) : value;
  return [wanted].flat().some(each => String(each) === String(shown));
}

function isWithin(value: unknown, from: unknown, to: unknown): boolean | null {
  if (!isGiven(from) && !isGiven(to)) return true;
  if (typeof value !== 'number' && typeof value !== 'string') return null;
  const [least, most] = [from, to].map(bound => (typeof value === 'number' && isGiven(bound) ? Number(bound) : bound));
  return (!isGiven(least) || value >= (least as typeof value)) && (!isGiven(most) || value <= (most as typeof value));
}

/** An empty value asks for records without the key. */
function hasPairs(metadata: unknown, wanted: unknown): boolean | null {
  if (!Array.isArray(metadata) || !isObject(wanted)) return null;
  return Object.entries(wanted).every(([key, value]) => {
    const entry = metadata.find(each => isObject(each) && fieldOf(each, 'key') === key);
    return value === '' ? entry === undefined : isObject(entry) && fieldOf(entry, 'value') === value;
  });
}
