/** The subscription that a preview proposes, and the subscriptions in its answer (§12.7). */

import type { BillingTime } from '../../../contract/enums.ts';
import { localDate, startOfLocalDay } from '../../../engine/days.ts';
import type { ScheduledSubject } from '../../../engine/preview-modes.ts';
import { currentUsageBounds, type InvoicePart } from '../../../engine/preview-parts.ts';
import { type InstantText, type PlanRecord, subscriptions } from '../../../engine/records/index.ts';
import { blankOf } from '../../../engine/records/table.ts';
import type { CustomerSource } from '../../answers/account.ts';
import { type SubscriptionSource, subscriptionAnswer } from '../../answers/subscription.ts';
import type { AccountLists } from '../../store/account-lists.ts';
import type { AccountStore } from '../../store/store.ts';
import type { PreviewCustomer } from './records.ts';

/** The subscriptions in a preview's answer: stored ones as they will be then, proposed ones without ids (§12.7). */
export async function previewSubscriptionAnswers(
  account: AccountStore,
  parts: readonly InvoicePart[],
  customer: CustomerSource,
  lists: AccountLists,
  now: InstantText,
) {
  const answers = [];
  for (const part of parts) {
    const { subject } = part;
    answers.push(
      subscriptionAnswer(shownSubscription(part, subject.timezone), {
        customer,
        plan: subject.plan,
        previousPlanCode: await previousPlanCode(account, part, parts),
        currentPeriod: currentUsageBounds(subject, now, part.end?.at ?? null),
        lists,
      }),
    );
  }
  return answers;
}

/** An old subscription is shown terminated; a proposed one has neither an id nor a status (§12.7). */
function shownSubscription({ subject, end }: InvoicePart, timezone: string): SubscriptionSource {
  const { subscription } = subject;
  if (end === null) {
    const { id, external_id, status } = subscription;
    return { ...subscription, id: id || null, external_id: external_id || null, status: external_id ? status : null };
  }
  const { how, at, next_plan } = end;
  const downgrade_plan_date =
    how === 'downgraded' ? startOfLocalDay(localDate(at, timezone), timezone).slice(0, 10) : null;
  const next = next_plan && { next_plan_code: next_plan.code, downgrade_plan_date };
  return { ...subscription, status: 'terminated', terminated_at: at, ...next };
}

async function previousPlanCode(account: AccountStore, part: InvoicePart, parts: readonly InvoicePart[]) {
  const { subscription } = part.subject;
  if (subscription.previous_subscription_id === null) return null;
  const before = parts.find(other => other.subject.subscription.id === subscription.previous_subscription_id);
  if (before !== undefined && before !== part) return before.subject.plan.code;
  const previous = await account.get('subscriptions', subscription.previous_subscription_id);
  return previous === undefined ? null : ((await account.get('plans', previous.plan_id))?.code ?? null);
}

/** The subscription that a preview proposes: as it would be stored, but without id, external id and status (§12.7). */
export function proposedSubject(
  plan: PlanRecord,
  customer: PreviewCustomer,
  startsAt: InstantText,
  billingTime: BillingTime,
  now: InstantText,
): ScheduledSubject {
  return {
    subscription: {
      ...blankOf(subscriptions.columns),
      status: 'active',
      on_termination_invoice: 'generate',
      consolidate_invoice: true,
      fixed_charge_units: {},
      subscription_at: startsAt,
      started_at: startsAt,
      created_at: now,
      updated_at: now,
      plan_id: plan.id,
      billing_time: billingTime,
      customer_id: customer.stored?.id ?? '',
    },
    plan,
    timezone: customer.timezone,
    first_started_at: startsAt,
    follows: 'nothing',
    billed_fees: [],
    billed_periods: [],
    scheduled: null,
  };
}
