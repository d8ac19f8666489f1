/**
 * Hides personal data in everything that one caller reads (`BILLING_MASK`): tools, lookups, resources, completion, looks
 * before writes and chat pages see answers only as they leave this module. Loaded by the first request that needs it.
 */

import { hiddenNames } from '../../../contract/hidden-names.ts';
import { listFilters, queryNames } from '../../../contract/list-filters.ts';
import { hiddenWords, type MaskedField } from '../../../contract/masked-fields.ts';
import type { UpstreamAnswer } from '../../../definition/api.ts';
import { type OwnError, refuse } from '../../../definition/failure.ts';
import { isObject, ownValue } from '../../../lib/json.ts';
import type { SendOptions, Upstream, UpstreamCall } from '../../api/http/client.ts';
import { isOfLog, textOfLog } from './activity-logs.ts';
import { hide } from './hide.ts';
import { withoutHidden } from './masked-errors.ts';
import { createSearch, searchOf } from './search.ts';

/** The client that neither shows nor searches these fields, nor filters by them. */
export function withMask(upstream: Upstream, hidden: ReadonlySet<MaskedField>): Upstream {
  const search = createSearch(upstream);
  const send = (call: UpstreamCall, options: SendOptions): Promise<UpstreamAnswer> => {
    const searchRequest = hidden.has('email') ? searchOf(call) : undefined;
    return searchRequest === undefined ? upstream.send(call, options) : search(call, searchRequest, options);
  };
  return {
    async send(call, options = {}) {
      const refused = refusalOfFilter(call, hidden);
      if (refused) return { ok: false, error: refused, requestId: options.requestId ?? '', attempts: 0 };
      const answer = await send(call, options);
      // The sellers' own addresses are on every invoice.
      if (isOfSellers(call)) return answer;
      if (!answer.ok) return { ...answer, error: withoutHidden(answer.error, call, hidden) };
      const textOf = isOfLog(call) ? textOfLog(hidden) : undefined;
      return {
        ...answer,
        body: hide(answer.body, hidden, { textOf, isCustomer: isCustomer(call, answer.body) }).value,
      };
    },
  };
}

/** Told by the path: some operations answer billing entities without a wrapper key. */
function isOfSellers({ target }: UpstreamCall): boolean {
  return /^\/billing_entities(?:[/?]|$)/.test(target);
}

/** The record alone: some installations answer it without its wrapper key. */
function isCustomer({ target }: UpstreamCall, body: unknown): boolean {
  return /^\/customers\/[^/?]+(?:\?|$)/.test(target) && isObject(body) && !('customer' in body);
}

/**
 * Why the request is not sent: who is let through a filter by a hidden field, and how many, would tell the field's value.
 * Null where it filters by none.
 */
function refusalOfFilter({ tool, target }: UpstreamCall, hidden: ReadonlySet<MaskedField>): OwnError | null {
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
