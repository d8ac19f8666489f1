/**
 * Hides personal data in everything that one caller reads (`BILLING_MASK`): tools, lookups, resources, completion, looks
 * before writes and pages see answers only as they leave this module. Loaded by the first request that it is needed for.
 */

import type { MaskedField } from '../../../contract/masked-fields.ts';
import type { UpstreamAnswer } from '../../../tool/call.ts';
import type { SendOptions, Upstream, UpstreamCall } from '../client.ts';
import { withoutHidden } from './errors.ts';
import { hide } from './hide.ts';
import { createSearch, searchIn } from './search.ts';

/** The client without these fields. They are neither shown nor searched. */
export function withMask(upstream: Upstream, hidden: ReadonlySet<MaskedField>): Upstream {
  const search = createSearch(upstream);
  const send = (call: UpstreamCall, options: SendOptions): Promise<UpstreamAnswer> => {
    const searched = hidden.has('email') ? searchIn(call) : undefined;
    return searched === undefined ? upstream.send(call, options) : search(call, searched, options);
  };
  return {
    async send(call, options = {}) {
      const answer = await send(call, options);
      // The sellers' own addresses are on every invoice.
      if (isOfSellers(call)) return answer;
      if (!answer.ok) return { ...answer, error: withoutHidden(answer.error, call, hidden) };
      return { ...answer, body: hide(answer.body, hidden).value };
    },
  };
}

/** Billing entities come without a wrapper key from some operations. */
function isOfSellers({ target }: UpstreamCall): boolean {
  return /^\/billing_entities(?:[/?]|$)/.test(target);
}
