/** Subscriptions of one list in words: which states they are in, and which comes first. */
import type { Subscription } from '../../src/contract/shown.ts';
import { wordsOf } from '../../src/words/code-words.ts';
import { isPast } from '../../src/words/dates.ts';
import { isOnCataloguePlan } from '../../src/words/subscription.ts';
import { code, countedKinds, money, opt, phrase, say } from '../../src/words/summary.ts';
import { onDay } from '../../src/words/zoned-times.ts';
import type { WithInterval } from '../quotes/quantities.ts';

/** The order in which a user most likely means them: running, starting later, waiting for payment, over. */
const statusOrder = ['active', 'pending', 'incomplete', 'terminated', 'canceled'];

/** Active ones first; within a state in the order of the list. */
export function activeFirst<Row extends Subscription>(subscriptions: readonly Row[]): Row[] {
  return [...subscriptions].sort((a, b) => orderOf(a) - orderOf(b));
}

/** States whose usual words are too long for a count. */
const statusWords: Readonly<Record<string, string>> = {
  pending: 'not started',
  terminated: 'ended',
  incomplete: 'waiting for a first payment',
};

/** `active`, `ended`. */
export function stateOf(status: Subscription['status']): string {
  return statusWords[status ?? ''] ?? code(status) ?? 'in an unknown state';
}

/** `2 active and 1 ended`; null for an empty list. */
export function countedByStatus(subscriptions: readonly Subscription[]): string | null {
  return countedKinds(activeFirst(subscriptions).map(({ status }) => stateOf(status)));
}

/** ` on plan pro at $99.00 a month`: without usage, and without the interval where that was not read. */
export function onPlan(subscription: Subscription & WithInterval): string {
  const { plan_code, plan_amount_cents, plan_amount_currency, plan_interval } = subscription;
  const amount = isOnCataloguePlan(subscription) ? null : money(plan_amount_cents, plan_amount_currency);
  const price = say` at ${amount}${opt` ${wordsOf('interval', plan_interval)}`}`;
  return phrase`${say` on plan ${code(plan_code)}`}${price}`;
}

/** `, whose end was due on 2 Sep`, of a subscription that still runs. */
export function overdueEnd({ status, ending_at }: Subscription, zone: string | null, now: Date): string {
  const isLate = status === 'active' && isPast(ending_at, now);
  return isLate ? opt`, which was due to end ${onDay(ending_at, zone, now)}` : '';
}

/** Of those that run or will: which are known to have no end date. A service that shows none of them says nothing. */
export function withoutEnd(subscriptions: readonly Subscription[]): string | null {
  const open = subscriptions.filter(({ status }) => status === 'active' || status === 'pending');
  const endless = open.filter(({ ending_at }) => ending_at === null).length;
  if (endless === 0) return null;
  return endless === open.length ? 'No end date is set' : `${endless} of ${open.length} without an end date`;
}

function orderOf({ status }: Subscription): number {
  const turn = statusOrder.indexOf(status ?? '');
  return turn < 0 ? statusOrder.length : turn;
}
