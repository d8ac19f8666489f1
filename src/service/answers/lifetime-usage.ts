import type { InstantText, SubscriptionRecord } from '../../engine/records/index.ts';
import { instant, linkId } from './formats.ts';

/** Usage of a subscription since its start; amounts in cents, without taxes. */
export interface LifetimeUsage {
  subscription: SubscriptionRecord;
  invoiced_cents: number;
  current_cents: number;
  from: InstantText;
  to: InstantText;
  /** Empty without progressive billing. */
  thresholds: LifetimeThreshold[];
}

/** How far lifetime usage is on the way to a threshold. */
export interface LifetimeThreshold {
  amount_cents: number;
  /** From 0 to 1. */
  completion_ratio: number;
  /** When an invoice was made for the threshold; null without one. */
  reached_at: InstantText | null;
}

/** Lifetime usage (lookups §6.3). Usage from before the account does not exist here: 0. */
export function lifetimeUsageAnswer({ subscription, ...usage }: LifetimeUsage) {
  return {
    svc_id: linkId('lifetime_usage', subscription.id),
    svc_subscription_id: subscription.id,
    external_subscription_id: subscription.external_id,
    external_historical_usage_amount_cents: 0,
    invoiced_usage_amount_cents: usage.invoiced_cents,
    current_usage_amount_cents: usage.current_cents,
    from_datetime: instant(usage.from),
    to_datetime: instant(usage.to),
    ...(usage.thresholds.length === 0
      ? {}
      : {
          usage_thresholds: usage.thresholds.map(threshold => ({
            ...threshold,
            reached_at: instant(threshold.reached_at),
          })),
        }),
  };
}
