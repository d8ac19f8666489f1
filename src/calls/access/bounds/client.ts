/**
 * The client of a caller who is bound to customers: judges every request by the table before it is sent, and every answer
 * before anything else sees it. Tools, lookups, resources, completion and the looks of writes all go through it.
 */
import { randomUUID } from 'node:crypto';
import type { Upstream } from '../../api/http/client.ts';
import { accountWide } from './facts/refusals.ts';
import { endpointMatcher, queryOf } from './facts/request-target.ts';
import { table } from './facts/table.ts';
import { createOwnRecords } from './records/own-records.ts';
import { judgeBy } from './rules.ts';

const ruleOf = endpointMatcher(table);

/** `customers`: the external ids of the only customers that the caller may see; none: no one's. */
export function bindUpstream(upstream: Upstream, customers: readonly string[]): Upstream {
  const customerIds: ReadonlySet<string> = new Set(customers);
  const ownRecords = createOwnRecords(upstream, customerIds);
  return {
    // Not async: each further promise would cost a bound caller time that others do not spend.
    send(unjudged, options = {}) {
      const requestId = options.requestId ?? randomUUID();
      // Without the demo's ids for hints, which are others'.
      const call = { ...unjudged, demoIds: undefined };
      const unsent = { requestId, attempts: 0 };
      const [rule, values] = ruleOf(call) ?? [];
      const query = queryOf(call);
      if (rule === undefined || values === undefined || query === null)
        return Promise.resolve(accountWide(call, unsent));
      return judgeBy(rule, {
        upstream,
        call,
        options: { ...options, requestId },
        customerIds,
        ownRecords,
        unsent,
        values,
        query,
      });
    },
  };
}
