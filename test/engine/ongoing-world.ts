import { expect } from 'vitest';
import type { FeeItem, WalletRecord } from '../../src/engine/records/index.ts';
import { daily, event, NOW, running } from './preview-world.ts';
import { type Records, world } from './service-world.ts';
import { chargeRecord, invoiceRecord, metricRecord, storedFee, taxRecord, walletRecord } from './world.ts';

const WALLET = '11111111-1111-4111-8111-111111111111';
export const plan = daily({
  charges: [chargeRecord('units'), chargeRecord('calls', { pay_in_advance: true })],
  tax_codes: ['vat'],
});
export const item = (fields: Partial<FeeItem>) => ({ ...storedFee(0).item, ...fields });
export const draft = (fields: object = {}) =>
  invoiceRecord([storedFee(100, { taxes_amount_cents: 20, precise_coupons_amount_cents: '10.0' })], {
    status: 'draft',
    ...fields,
  });
export const records = (wallet: Partial<WalletRecord>, more: Records = {}): Records =>
  running(plan, {
    billable_metrics: [metricRecord('units'), metricRecord('calls')],
    taxes: [taxRecord('vat', '20')],
    events: [event(1, '03-02', 12.34), { ...event(2, '03-03', 3), code: 'calls' }],
    invoices: [draft()],
    wallets: [walletRecord('w', { id: WALLET, ...wallet })],
    ...more,
  });
export const shown = async (given: Records, databaseUrl?: string) => {
  const opened = await world(given, NOW, databaseUrl);
  try {
    const { status, headers, body } = await opened.get(`/wallets/${WALLET}`);
    expect(status).toBe(200);
    return { ...body.wallet, notice: headers['x-service-notice'] };
  } finally {
    await opened.close();
  }
};
export const two = { balance_cents: 2000, credits_balance: '40', rate_amount: '0.5' };
