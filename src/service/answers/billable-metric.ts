import { type BillableMetricRecord, billableMetrics } from '../../engine/records/index.ts';
import { pick } from '../../engine/records/table.ts';
import { byText } from '../../lib/text.ts';
import { instant } from './formats.ts';

/** A billable metric with every field of the specification. Its filters come by key, their values sorted (§4). */
export function billableMetricAnswer(metric: BillableMetricRecord) {
  return {
    svc_id: metric.id,
    ...pick(metric, billableMetrics.shown.details),
    filters: metric.filters
      .map(({ key, values }) => ({ key, values: [...values].sort(byText) }))
      .sort((a, b) => byText(a.key, b.key)),
    created_at: instant(metric.created_at),
  };
}

/** A billable metric as its own endpoints answer it, with three counters that are always 0 (lookups §10). */
export function countedMetricAnswer(metric: BillableMetricRecord) {
  return {
    ...billableMetricAnswer(metric),
    active_subscriptions_count: 0,
    draft_invoices_count: 0,
    plans_count: 0,
  };
}
