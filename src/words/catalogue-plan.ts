/** Plans of the newer product catalogue: the interface shows neither their price nor their interval. */
import type { Plan, Subscription } from '../contract/shown.ts';
import { code, count, listed } from './summary.ts';

const MAX_NAMED = 10;

type Price = Pick<Plan, 'amount_cents' | 'interval'>;
type PricedSubscription = Pick<Subscription, 'plan_code' | 'plan_amount_cents' | 'plan'>;

/** A field that is left out says nothing: such a plan has null. */
export function isPricedElsewhere({ amount_cents, interval }: Price): boolean {
  return amount_cents === null || interval === null;
}

export function isOnCataloguePlan(subscription: PricedSubscription): boolean {
  return subscription.plan_amount_cents === null || isPricedElsewhere(subscription.plan ?? {});
}

/** `Plan cat is priced in the product catalogue, which this interface does not show`; null without such a plan. */
export function catalogueNote(planCodes: readonly unknown[]): string | null {
  const codes = [...new Set(planCodes.map(planCode => code(planCode) ?? 'without a code'))];
  const rest = codes.length - MAX_NAMED;
  const names = rest > 0 ? [...codes.slice(0, MAX_NAMED), count(rest, 'more plan')] : codes;
  const subject = codes.length === 1 ? `Plan ${listed(names)} is` : `Plans ${listed(names, MAX_NAMED + 1)} are`;
  return codes.length === 0 ? null : `${subject} priced in the product catalogue, which this interface does not show`;
}

/** The same for the plans of subscriptions. */
export function catalogueNoteOf(subscriptions: readonly PricedSubscription[]): string | null {
  return catalogueNote(subscriptions.filter(isOnCataloguePlan).map(({ plan_code }) => plan_code));
}
