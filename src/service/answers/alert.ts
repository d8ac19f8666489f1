import { type AlertRecord, alerts, type BillableMetricRecord } from '../../engine/records/index.ts';
import { pick } from '../../engine/records/table.ts';
import { billableMetricAnswer } from './billable-metric.ts';
import { amount, instant } from './formats.ts';

/** What an alert refers to. */
export interface AlertRelations {
  organizationId: string;
  externalCustomerId: string;
  metric: BillableMetricRecord | null;
  walletCode: string | null;
}

/**
 * An alert with every field of the specification and the extras of §4.
 * `previous_value` is a number, as the specification states it (the hosted service sends text, §15).
 */
export function alertAnswer(
  alert: AlertRecord,
  { organizationId, externalCustomerId, metric, walletCode }: AlertRelations,
) {
  return {
    svc_id: alert.id,
    svc_organization_id: organizationId,
    external_customer_id: externalCustomerId,
    external_subscription_id: alert.external_subscription_id,
    subscription_external_id: alert.external_subscription_id,
    svc_wallet_id: alert.wallet_id,
    wallet_code: walletCode,
    billable_metric: metric === null ? null : billableMetricAnswer(metric),
    ...pick(alert, alerts.shown.details),
    previous_value: Number(amount(alert.previous_value, 5)),
    last_processed_at: instant(alert.last_processed_at),
    thresholds: alert.thresholds.map(threshold => ({
      code: threshold.code,
      value: amount(threshold.value, 5),
      recurring: threshold.recurring,
    })),
    created_at: instant(alert.created_at),
  };
}
