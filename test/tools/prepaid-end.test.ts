/** Why prepaid credits pay no more of an invoice, by the wallet beside it. */
import { describe, expect, it } from 'vitest';
import type { JsonRecord } from '../../src/lib/json.ts';
import { invoiceRow, uuidOf } from './lookup-records.ts';
import { onOneDay, sharedWorld } from './lookup-upstream.ts';

onOneDay();
const world = await sharedWorld();

const credit = { prepaid_credit_amount_cents: 5_000, total_amount_cents: 15_000 };
const limited = { fee_types: ['charge'], billable_metric_codes: [] };
const wallet = (fields: JsonRecord = {}) => ({
  ...{ svc_id: uuidOf(70), external_customer_id: 'acme', code: 'prepaid', status: 'active', currency: 'USD' },
  ...{ balance_cents: 5_000, applies_to: limited },
  ...fields,
});
const second = (fields: JsonRecord = {}) => wallet({ svc_id: uuidOf(71), ...fields });
const moved = (index: number, settled_at: string, amount: string, fields: JsonRecord = {}) => ({
  ...{ svc_id: uuidOf(index), status: 'settled', transaction_status: 'purchased', transaction_type: 'inbound' },
  ...{ amount, settled_at, created_at: settled_at, svc_invoice_id: null },
  ...fields,
});
const paying = moved(1, '2026-02-01T00:10:00Z', '50.0', {
  ...{ transaction_status: 'invoiced', transaction_type: 'outbound', svc_invoice_id: uuidOf(1) },
});
const bought = moved(2, '2026-02-05T00:00:00Z', '50.0');

const unknown = 'prepaid credits: the wallet covers only some charges, or was used up';
const usedUp = 'prepaid credits: the wallet was used up';
const limits = 'prepaid credits: the wallet covers only usage fees';

describe('a preview', () => {
  it.each([
    ['takes all that the wallet holds', [wallet()], usedUp],
    ['takes what the wallet may pay', [wallet({ balance_cents: 5_001 })], limits],
    ['takes less, without a limit', [wallet({ balance_cents: 5_001, applies_to: {} })], unknown],
    ['takes from one of two wallets', [wallet(), second()], unknown],
    [
      'takes all that two wallets hold',
      [wallet({ balance_cents: 4_000 }), second({ balance_cents: 1_000 })],
      'all 2 wallets were used up',
    ],
    ['has a wallet in another currency beside it', [wallet(), second({ currency: 'EUR' })], usedUp],
    ['meets a wallet that has ended', [wallet({ status: 'terminated' })], unknown],
  ])('%s', async (_, wallets, sentence) => {
    world.script({
      '/invoices/preview': { invoice: invoiceRow(1, { ...credit, svc_id: null }) },
      '/customers/acme/wallets': wallets,
    });
    const args = { customer: { external_id: 'acme' }, plan_code: 'pro' };
    expect(String((await world.call('preview_invoice', args)).summary).toLowerCase()).toContain(`${sentence}.`);
  });
});

describe('a preview of a running period', () => {
  const asked = { customer: { external_id: 'acme' }, subscriptions: { external_ids: ['main'] } };
  const charge = (code: string) => ({ svc_id: code, billable_metric_code: code, pay_in_advance: true });
  const preview = async (thresholds: JsonRecord[], lifetime: JsonRecord, fields: JsonRecord = {}) => {
    const fees = [
      { item: { type: 'charge', code: 'seats' }, svc_charge_id: 'seats', units: '4.0', amount_cents: 4_000 },
    ];
    world.script({
      '/invoices/preview': { invoice: invoiceRow(1, { svc_id: null, fees }) },
      '/subscriptions/main': {
        subscription: {
          ...{ external_id: 'main', external_customer_id: 'acme', plan_amount_currency: 'USD' },
          ...{ applicable_usage_thresholds: thresholds, ...fields },
        },
      },
      '/subscriptions/main/charges': [charge('seats'), charge('calls')],
      '/subscriptions/main/lifetime_usage': { lifetime_usage: lifetime },
    });
    return (await world.call('preview_invoice', asked)).summary;
  };
  const since = (invoiced_usage_amount_cents: number, current_usage_amount_cents: number) => ({
    ...{ external_historical_usage_amount_cents: 0, invoiced_usage_amount_cents, current_usage_amount_cents },
  });
  const at = (amount_cents: number, recurring = false) => ({ amount_cents, recurring });

  it('does not name a charge billed per event that has a fee in it as not included', async () => {
    expect(await preview([], {})).toContain('Not included: calls, billed per event.');
  });

  it.each<[string, JsonRecord[], JsonRecord, RegExp]>([
    ['one', [at(10_000), at(90_000)], since(0, 18_006), /\$180\.06, has passed .*\$100\.00 in/],
    ['a step', [at(10_000), at(5_000, true)], since(12_000, 10_000), /\$220\.00, has passed .*\$200\.00 in/],
  ])('tells that usage has passed a threshold: %s', async (_, thresholds, lifetime, sentence) => {
    const summary = await preview(thresholds, lifetime);
    expect(summary).toMatch(sentence);
    expect(summary).toContain('invoices it before the period ends');
    expect(await preview(thresholds, lifetime, { progressive_billing_disabled: true })).not.toContain('threshold');
  });

  it.each<[string, JsonRecord]>([
    ['not passed yet', since(0, 9_999)],
    ['passed in an earlier period', since(12_000, 100)],
    ['not told', {}],
  ])('says nothing of a threshold that is %s', async (_, lifetime) => {
    expect(await preview([at(10_000)], lifetime)).not.toContain('threshold');
  });
});

describe('an invoice', () => {
  it.each([
    ['took all that there was, and a top-up came later', [bought, paying], usedUp],
    ['took what the wallet may pay', [paying, moved(3, '2026-01-05T00:00:00Z', '100.0')], limits],
    ['is not among the movements', [bought], unknown],
    ['is followed by a movement without a whole amount', [moved(2, '2026-02-05T00:00:00Z', '0.001'), paying], unknown],
    ['is followed by a movement without a direction', [{ ...bought, transaction_type: null }, paying], unknown],
  ])('%s', async (_, rows, sentence) => {
    world.script({
      [`/invoices/${uuidOf(1)}`]: { invoice: invoiceRow(1, credit) },
      '/customers/acme/wallets': [wallet()],
      [`/wallets/${uuidOf(70)}/wallet_transactions`]: rows,
    });
    expect(String((await world.call('get_invoice', { svc_id: uuidOf(1) })).summary).toLowerCase()).toContain(
      `${sentence}.`,
    );
  });

  it('is told without the reason where wallets cannot be read', async () => {
    world.script({ [`/invoices/${uuidOf(1)}`]: { invoice: invoiceRow(1, credit) } });
    const { summary } = await world.call('get_invoice', { svc_id: uuidOf(1) });
    expect(String(summary).toLowerCase()).toContain(`${unknown}.`);
  });
});
