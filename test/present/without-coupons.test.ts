/** The total without coupons, computed from a preview, beside the embedded service's preview without them. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonRecord } from '../../src/lib/json.ts';
import { formatMoney } from '../../src/present/money.ts';
import { previewInvoice } from '../../tools/invoices.ts';
import { daily, NOW, preview } from '../engine/preview-world.ts';
import { type Records, world } from '../engine/service-world.ts';
import {
  addOnRecord,
  appliedCouponRecord,
  couponRecord,
  creditNoteRecord,
  customerRecord,
  fixedChargeRecord,
  taxRecord,
  walletRecord,
} from '../engine/world.ts';

const sentence = (invoice: JsonRecord) =>
  /Without coupons.*?(?= Issued| Taxes and terms| No stored)/.exec(
    previewInvoice.summary(invoice, { args: { without_coupons: true }, now: new Date(0) }),
  )?.[0];

/** The previews of a plan for two customers who are alike, but that only the first holds the coupons. */
async function both(records: Records, coupons: ReturnType<typeof couponRecord>[]) {
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

const ten = couponRecord('ten', { coupon_type: 'percentage', amount_cents: null, percentage_rate: '10' });
const vat = { taxes: [taxRecord('vat', '20')], plans: [daily({ tax_codes: ['vat'] })] };

describe('the total without coupons', () => {
  it('is one figure with the difference: taxes come off with the coupon', async () => {
    const { held, bare } = await both(vat, [ten]);
    expect([held.total_amount_cents, bare.total_amount_cents]).toEqual([3348, 3720]);
    expect(sentence(held)).toBe('Without coupons: €37.20 (€3.72 more): fees €31.00, taxes €6.20.');
  });

  it('keeps credit notes that are used up', async () => {
    const { held } = await both({ ...vat, credit_notes: [creditNoteRecord('note', 500)] }, [ten]);
    expect(sentence(held)).toBe(
      'Without coupons: €32.20 (€3.72 more): fees €31.00, taxes €6.20, less the same credits.',
    );
  });

  it.each<[string, Records]>([
    ['credit notes pay everything', { credit_notes: [creditNoteRecord('note', 99_999)] }],
    ['a wallet pays a part', { wallets: [walletRecord('main')] }],
  ])('is told before credits where %s', async (_, credits) => {
    const { held } = await both({ ...vat, ...credits }, [ten]);
    expect(sentence(held)).toBe(
      'Without coupons, before credits: €37.20 (€3.72 more): fees €31.00, taxes €6.20; how much of it credit notes and prepaid credits would pay cannot be told from this preview.',
    );
  });

  it('is told before credits where the coupons leave nothing that credits could pay', async () => {
    const { held } = await both(vat, [couponRecord('all', { amount_cents: 99_999 })]);
    expect(sentence(held)).toMatch(/^Without coupons, before credits: €37.20 \(€37.20 more\)/);
  });

  it('is whole for a customer that is not stored, who has no credits', async () => {
    const coupons = [{ name: 'All', amount_cents: 99_999, amount_currency: 'EUR' }];
    const invoice = await preview(vat, { plan_code: 'plan', subscription_at: '2026-04-01', coupons });
    expect(sentence(invoice)).toBe('Without coupons: €37.20 (€37.20 more): fees €31.00, taxes €6.20.');
  });

  it('is the same without a coupon', async () => {
    const { bare } = await both(vat, []);
    expect(sentence(bare)).toBe('Without coupons: the same, none takes anything off.');
  });

  it('stops at the sub-total where the taxes do not follow from the fees', async () => {
    const { held } = await both(vat, [ten]);
    expect(sentence({ ...held, taxes_amount_cents: 700 })).toBe(
      'Without coupons: €31.00 before tax (€3.10 more); the tax on it cannot be told from this preview.',
    );
  });

  it('is not told unless asked for', async () => {
    const { held } = await both(vat, [ten]);
    expect(previewInvoice.summary(held, { args: {}, now: new Date(0) })).not.toContain('Without coupons');
  });
});

describe('whatever the plan, taxes, coupons and credits are', () => {
  const cents = fc.integer({ min: 0, max: 20_000 });
  const rates = fc.constantFrom('0', '5.5', '8.875', '19.6', '20');
  const coupon = fc.oneof(
    fc.record({ coupon_type: fc.constant('fixed_amount' as const), amount_cents: fc.integer({ min: 1, max: 9_000 }) }),
    fc.record({
      ...{ coupon_type: fc.constant('percentage' as const), amount_cents: fc.constant(null) },
      percentage_rate: fc.constantFrom('0.3', '10', '33.3', '100'),
    }),
  );
  const account = fc.record({
    price: cents,
    units: fc.constantFrom('0', '1', '3', '7.5'),
    amount: fc.constantFrom('0.01', '0.333', '12'),
    prorated: fc.boolean(),
    rates: fc.tuple(rates, rates, rates),
    coupons: fc.array(coupon, { minLength: 1, maxLength: 3 }),
    limited: fc.boolean(),
    notes: fc.array(fc.integer({ min: 1, max: 3_000 }), { maxLength: 2 }),
    wallet: fc.option(fc.record({ balance: fc.integer({ min: 1, max: 30_000 }), limited: fc.boolean() }), { freq: 1 }),
  });

  it('each figure is the embedded service’s to the cent', async () => {
    let whole = 0;
    await fc.assert(
      fc.asyncProperty(account, async drawn => {
        const [first, second, third] = drawn.rates.map((rate, n) => taxRecord(`tax-${n}`, rate));
        const { units, prorated, amount } = drawn;
        const seat = fixedChargeRecord('seat', { units, prorated, properties: { amount }, tax_codes: ['tax-2'] });
        const records: Records = {
          taxes: [first!, second!, third!],
          plans: [daily({ amount_cents: drawn.price, fixed_charges: [seat], tax_codes: ['tax-0', 'tax-1'] })],
          add_ons: [addOnRecord('seat')],
          credit_notes: drawn.notes.map((balance, n) => creditNoteRecord(`note-${n}`, balance)),
          wallets: [drawn.wallet].flatMap(wallet =>
            wallet === null
              ? []
              : [
                  walletRecord('main', {
                    balance_cents: wallet.balance,
                    fee_types: wallet.limited ? ['fixed_charge'] : [],
                  }),
                ],
          ),
        };
        const plan_codes = drawn.limited ? ['plan'] : [];
        const coupons = drawn.coupons.map((fields, n) => couponRecord(`c${n}`, { ...fields, plan_codes }));
        const { held, bare } = await both(records, coupons);
        const said = sentence(held) ?? '';
        const money = (value: number) => formatMoney(value, 'EUR');
        if (held.coupons_amount_cents === 0) {
          expect(said).toContain('the same');
          return;
        }
        const sums = `fees ${money(bare.fees_amount_cents)}, taxes ${money(bare.taxes_amount_cents)}`;
        const isWhole = !said.includes('before credits');
        const name = isWhole ? 'total_amount_cents' : 'sub_total_including_taxes_amount_cents';
        const figure = `${money(bare[name])} (${money(bare[name] - held[name])} more): ${sums}`;
        expect(said).toContain(isWhole ? `Without coupons: ${figure}` : `Without coupons, before credits: ${figure}`);
        if (isWhole) whole++;
      }),
      { numRuns: 40 },
    );
    expect(whole).toBeGreaterThan(0);
  });
});
