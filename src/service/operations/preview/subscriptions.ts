/** The subscriptions in a preview's answer: stored ones as they will be then, proposed ones without ids (§12.7). */
import type { CustomerSource } from '../../answers/customer.ts';
import { type SubscriptionSource, subscriptionAnswer } from '../../answers/subscription.ts';
import { chargesPeriodAt, subscriptionBounds } from '../../engine/periods.ts';
import type { PlannedPreview } from '../../engine/preview-modes.ts';
import { basisOf, type InvoicePart, type SubscriptionEnd } from '../../engine/preview-parts.ts';
import type { InstantText } from '../../records/index.ts';
import type { AccountLists } from '../../store/account-lists.ts';
import type { AccountStore } from '../../store/store.ts';

export async function previewSubscriptionAnswers(
  account: AccountStore,
  planned: PlannedPreview,
  customer: CustomerSource,
  lists: AccountLists,
  now: InstantText,
) {
  const next = planned.parts[1];
  const answers = [];
  for (const part of planned.parts) {
    const { subject } = part;
    answers.push(
      subscriptionAnswer(part.end ? endedSubscription(part, part.end, next) : shownSubscription(part), {
        customer,
        plan: subject.plan,
        previousPlanCode: await previousPlanCode(account, part, planned),
        currentPeriod: currentPeriod(part, now),
        lists,
      }),
    );
  }
  return answers;
}

function shownSubscription({ subject }: InvoicePart): SubscriptionSource {
  return subject.stored ? subject.subscription : { ...subject.subscription, id: null, external_id: null, status: null };
}

/** The old subscription: terminated at once, or (downgrade) active until its period ends. */
function endedSubscription(
  { subject }: InvoicePart,
  end: SubscriptionEnd,
  next: InvoicePart | undefined,
): SubscriptionSource {
  const { subscription } = subject;
  const nextPlan = next && !next.subject.stored ? next.subject.plan.code : subscription.next_plan_code;
  if (end.how === 'downgraded') return { ...subscription, next_plan_code: nextPlan };
  return { ...subscription, status: 'terminated', terminated_at: end.at, next_plan_code: nextPlan };
}

async function previousPlanCode(
  account: AccountStore,
  part: InvoicePart,
  planned: PlannedPreview,
): Promise<string | null> {
  const { subscription } = part.subject;
  if (subscription.previous_subscription_id === null) return null;
  const before = planned.parts.find(other => other.subject.subscription.id === subscription.previous_subscription_id);
  if (before !== undefined && before !== part) return before.subject.plan.code;
  const previous = await account.get('subscriptions', subscription.previous_subscription_id);
  return previous === undefined ? null : ((await account.get('plans', previous.plan_id))?.code ?? null);
}

/** The usage period that runs now, or the first one of a subscription that starts later (§4). */
function currentPeriod({ subject }: InvoicePart, now: InstantText): { from: string; to: string } | null {
  const start = subject.subscription.started_at ?? subject.subscription.subscription_at;
  const period = chargesPeriodAt(basisOf(subject), subject.plan, start > now ? start : now);
  return subscriptionBounds(period, { start, end: null }, subject.timezone)?.usage ?? null;
}
