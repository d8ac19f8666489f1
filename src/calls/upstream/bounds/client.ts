/**
 * The client of a caller who is bound to customers: judges every request by the table before it is sent, and every answer
 * before anything sees it. Tools, lookups, resources, completion and the looks of writes all go through it.
 */
import { randomUUID } from 'node:crypto';
import type { Upstream } from '../client.ts';
import { createOwnRecords } from './own-records.ts';
import { accountWide } from './refusals.ts';
import { matching, queryOf } from './request-target.ts';
import { judgeBy } from './rules.ts';
import { table } from './table.ts';

const ruleOf = matching(table);

/** `customers`: the external ids of the only customers that the caller may see; none: nobody's. */
export function bindUpstream(upstream: Upstream, customers: readonly string[]): Upstream {
  const bound: ReadonlySet<string> = new Set(customers);
  const own = createOwnRecords(upstream, bound);
  return {
    // Not async: each promise on the way costs a bound caller time that others do not spend.
    send(given, options = {}) {
      const requestId = options.requestId ?? randomUUID();
      // Without the ids that the demo has, which are others'.
      const call = { ...given, demoIds: undefined };
      const sent = { requestId, attempts: 0 };
      const [rule, values] = ruleOf(call) ?? [];
      const query = queryOf(call);
      if (rule === undefined || values === undefined || query === null) return Promise.resolve(accountWide(call, sent));
      return judgeBy(rule, { upstream, call, options: { ...options, requestId }, bound, own, sent, values, query });
    },
  };
}
