/** Filters of lists by a hidden field: who is let through, and how many, would tell the field's value. */

import { hiddenNames } from '../../../contract/hidden-names.ts';
import { listFilters, queryNames } from '../../../contract/list-filters.ts';
import { hiddenWords, type MaskedField } from '../../../contract/masked-fields.ts';
import { type OwnError, refuse } from '../../../definition/failure.ts';
import { ownValue } from '../../../lib/json.ts';
import type { UpstreamCall } from '../../api/http/client.ts';

/** Why the request is not sent; null where it filters by no hidden field. */
export function refusalOfFilter({ tool, target }: UpstreamCall, hidden: ReadonlySet<MaskedField>): OwnError | null {
  const [path = '', query = ''] = target.split('?');
  const filters = ownValue(listFilters, path.slice(path.lastIndexOf('/') + 1));
  const names = new Set(new URLSearchParams(query).keys());
  for (const [name, filter] of Object.entries(filters ?? {})) {
    if (![name, ...queryNames({ [name]: filter })].some(each => names.has(each))) continue;
    const field = String(filter.is ?? filter.set ?? filter.range);
    const mask = [...hidden].find(each => hiddenNames[each].includes(field));
    if (mask === undefined) continue;
    const hiddenKind = hiddenWords(new Set([mask]));
    return refuse('invalid_arguments', { case: 'filter', tool, argument: name, hidden: hiddenKind });
  }
  return null;
}
