/** Current usage (§10.1): the usage fees of one subscription's charges over one usage window, without taxes. */

import type { FeeOwner } from './fees.ts';
import { usageFees } from './fees-usage.ts';
import type { Catalogue, Subject } from './preview-parts.ts';
import type { BillableMetricRecord, ChargeRecord, FeeRecord } from './records/index.ts';
import type { UsageAnswer, UsageQuery, UsageWindow } from './types.ts';
import { usageBuckets, usageQuery } from './usage.ts';

/** The subscription whose usage is read, and the plan with its charges. */
export type UsageSubject = Pick<Subject, 'subscription' | 'plan'>;

/** A fee of current usage with the charge and the metric that it comes from. */
export interface CurrentUsageFee {
  fee: FeeRecord;
  charge: ChargeRecord;
  metric: BillableMetricRecord;
}

/**
 * The usage queries of all charges. Where queries of several subscriptions or windows run together, each needs its own
 * `keyPrefix`. Throws `OutOfScope` for charges that cannot be computed (§16).
 */
export function currentUsageQueries(
  subject: UsageSubject,
  catalogue: Catalogue,
  window: UsageWindow,
  keyPrefix: string,
): UsageQuery[] {
  return chargesWithMetric(subject, catalogue).map(({ charge, metric }) =>
    usageQuery(charge, metric, subject.subscription.external_id, window, {
      purpose: 'current',
      key: usageKey(keyPrefix, charge),
    }),
  );
}

/**
 * The fees of all charges from the answered queries, empty ones included: without coupons, taxes and true-ups.
 * `window` and `keyPrefix` are those of the queries. Throws `OutOfScope` for charges that cannot be computed (§16).
 */
export function currentUsageFees(
  subject: UsageSubject,
  catalogue: Catalogue,
  answer: UsageAnswer,
  window: UsageWindow,
  keyPrefix: string,
  owner: FeeOwner,
): CurrentUsageFee[] {
  return chargesWithMetric(subject, catalogue).flatMap(({ charge, metric }) => {
    const buckets = usageBuckets(charge, metric, answer.get(usageKey(keyPrefix, charge)) ?? [], window, {
      purpose: 'current',
    });
    const fees = usageFees({ charge, metric, window, currency: subject.plan.amount_currency, owner }, buckets);
    return fees.map(fee => ({ fee, charge, metric }));
  });
}

function chargesWithMetric({ plan }: UsageSubject, { metrics }: Catalogue) {
  return plan.charges.flatMap(charge => {
    const metric = metrics.get(charge.billable_metric_id);
    return metric === undefined ? [] : [{ charge, metric }];
  });
}

function usageKey(prefix: string, charge: ChargeRecord): string {
  return `${prefix} ${charge.id}`;
}
