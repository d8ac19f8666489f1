/** Previews of accounts that a case invents, most of them on 10 March 2026. */
import { expect } from 'vitest';
import type { EventRecord, PlanRecord, SubscriptionRecord } from '../../src/engine/records/index.ts';
import type { AccountStore } from '../../src/service/store/store.ts';
import { type Records, world } from './service-world.ts';
import { eventRecord, planRecord, subscriptionRecord } from './world.ts';

export const NOW = '2026-03-10T12:00:00.000Z';

interface PreviewOptions {
  now?: string;
  /** Looks into the account afterwards: a preview stores nothing. */
  after?: (account: AccountStore) => Promise<void>;
}

/** The previewed invoice. The account lives for this preview only. */
// biome-ignore lint/suspicious/noExplicitAny: answers are looked into field by field
export async function preview(records: Records, body: object, { now = NOW, after }: PreviewOptions = {}): Promise<any> {
  const opened = await world(records, now);
  try {
    const answer = await opened.post('/invoices/preview', body);
    expect(answer.body.error_details ?? answer.body.code).toBeUndefined();
    expect(answer.status).toBe(200);
    await after?.(opened.account);
    return answer.body.invoice;
  } finally {
    await opened.close();
  }
}

/** The fees of an invoice: `plan 3100, charge units 500, fixed seat 1000, commitment plan 400`. */
export function lines({ fees }: { fees: { item: { type: string; code: string }; amount_cents: number }[] }): string {
  const shown = fees.map(({ item: { type, code }, amount_cents }) => {
    const kind = { subscription: '', fixed_charge: 'fixed ' }[type] ?? `${type} `;
    return `${kind}${code} ${amount_cents}`;
  });
  return shown.join(', ');
}

/** A month costs 31.00: 1.00 a day in March. */
export function daily(fields: Partial<PlanRecord> = {}): PlanRecord {
  return planRecord({ amount_cents: 3100, ...fields });
}

/** An account with the subscription `sub` of the first of these plans. */
export function running(
  plans: PlanRecord | PlanRecord[],
  rest: Records = {},
  fields: Partial<SubscriptionRecord> = {},
): Records {
  return { plans: [plans].flat(), subscriptions: [subscriptionRecord(fields)], ...rest };
}

/** `value` units of the metric `units` on a day of 2026, `MM-DD`. */
export function event(n: number, day: string, value: number): EventRecord {
  return eventRecord(n, { timestamp: `2026-${day}T08:00:00.000Z`, properties: { value } });
}
