/** Subscriptions of one list in words: in which states they are, and which comes first. */
import type { JsonRecord } from '../../src/lib/json.ts';
import { asText, code, listed, money, say } from '../../src/words/summary.ts';

/** The order in which a person means them: one that runs, one that will, one that waits, one that is over. */
const turns = ['active', 'pending', 'incomplete', 'terminated', 'canceled'];

/** Active ones first; within a state in the order of the list. */
export function inTurn(subscriptions: readonly JsonRecord[]): JsonRecord[] {
  return [...subscriptions].sort((a, b) => turnOf(a) - turnOf(b));
}

/** Where the words of one would be too long for a count. */
const countedAs: Readonly<Record<string, string>> = {
  pending: 'not started',
  terminated: 'ended',
  incomplete: 'waiting for a first payment',
};

/** `2 active and 1 ended`; null for an empty list. */
export function countedByStatus(subscriptions: readonly JsonRecord[]): string | null {
  const counts = new Map<string, number>();
  for (const subscription of inTurn(subscriptions)) {
    const status = countedAs[asText(subscription.status) ?? ''] ?? code(subscription.status) ?? 'of an unknown state';
    counts.set(status, (counts.get(status) ?? 0) + 1);
  }
  return listed([...counts].map(([status, number]) => `${number} ${status}`));
}

/** ` on plan pro at $99.00`: without usage, and without the interval, which lists do not have. */
export function onPlan({ plan_code, plan_amount_cents, plan_amount_currency }: JsonRecord): string {
  const price = say` at ${money(plan_amount_cents, plan_amount_currency)}`;
  return `${say` on plan ${code(plan_code)}` ?? ''}${price ?? ''}`;
}

function turnOf({ status }: JsonRecord): number {
  const turn = turns.indexOf(asText(status) ?? '');
  return turn < 0 ? turns.length : turn;
}
