/** Two customers who are alike, but that only the first holds coupons: what a preview says without them, and what is previewed. */
import { expect } from 'vitest';
import type { JsonRecord } from '../../src/lib/json.ts';
import { previewInvoice } from '../../tools/invoices.ts';
import { NOW } from '../engine/preview-world.ts';
import { type Records, world } from '../engine/service-world.ts';
import { appliedCouponRecord, type couponRecord, customerRecord } from '../engine/world.ts';

/** What the summary says of the total without coupons. */
export const sentence = (invoice: JsonRecord) =>
  /Without coupons.*?(?= Taxes (?:\(|and)|$)/.exec(
    previewInvoice.say(invoice, { args: { without_coupons: true }, now: new Date(0) }),
  )?.[0];

/** The previews of a plan for two customers who are alike, but that only the first holds the coupons. */
export async function both(records: Records, coupons: ReturnType<typeof couponRecord>[]) {
  const bare = { id: 'bare', external_id: 'bare' };
  const ofBoth = <T extends { id: string }>(all: T[] = []) => [
    ...all,
    ...all.map(one => ({ ...one, id: `bare-${one.id}`, customer_id: bare.id })),
  ];
  const opened = await world(
    {
      ...records,
      ...{ customers: [customerRecord(), customerRecord(bare)], coupons },
      applied_coupons: coupons.map(coupon => appliedCouponRecord(coupon)),
      ...{ credit_notes: ofBoth(records.credit_notes), wallets: ofBoth(records.wallets) },
    },
    NOW,
  );
  const ask = async (external_id: string) => {
    const body = { plan_code: 'plan', subscription_at: '2026-04-01', customer: { external_id } };
    const answer = await opened.post('/invoices/preview', body);
    expect(answer.status).toBe(200);
    return answer.body.invoice;
  };
  try {
    return { held: await ask('acme'), bare: await ask(bare.external_id) };
  } finally {
    await opened.close();
  }
}
