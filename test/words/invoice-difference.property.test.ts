/** The difference of two invoices: its causes and lines add up to the cent, and the sentences tell the same. */
import Big from 'big.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { minorUnits } from '../../src/contract/currencies.ts';
import type { Invoice } from '../../src/contract/shown.ts';
import { describeDifference } from '../../src/words/compared-invoices.ts';
import { type InvoiceDifference, invoiceDifference } from '../../src/words/invoice-difference.ts';
import { money } from '../../src/words/summary.ts';
import { runs } from '../support/extent.ts';

const now = new Date('2026-03-15T12:00:00Z');
const cents = fc.integer({ min: 0, max: 500_000 });
const decimal = (max: number, places: number) =>
  fc.integer({ min: 0, max }).map(value => new Big(value).div(10 ** places).toFixed());

/** A fee of units times a price, of tiers, of packages, of a plan, or of whatever its amount says. */
const fee = fc
  .record({
    type: fc.constantFrom('charge', 'subscription', 'fixed_charge', 'add_on', 'commitment'),
    code: fc.constantFrom('calls', 'seats', 'minutes'),
    group: fc.constantFrom({}, { region: 'eu' }, { region: 'us' }),
    charge: fc.constantFrom('c1', 'c2', null),
    units: decimal(5_000, 1),
    price: decimal(300, 2),
    kind: fc.constantFrom('plain', 'tiers', 'package', 'average', 'odd', 'plan'),
    amount: cents,
    pay_in_advance: fc.boolean(),
  })
  .map(({ type, code, group, charge, units, price, kind, amount, pay_in_advance }) => {
    const priced = Number(new Big(units).times(price).times(100).round(0).toFixed());
    const tier = { from_value: 0, to_value: null, flat_unit_amount: '0.0', per_unit_amount: price, units };
    const details = {
      plain: {},
      tiers: { graduated_ranges: [tier] },
      package: { free_units: '0.0', paid_units: units, per_package_size: 10, per_package_unit_amount: price },
      average: {},
      odd: { rate: null },
      plan: { plan_amount_cents: amount },
    }[kind];
    return {
      ...{ item: { type, code, name: code, filters: null, grouped_by: group }, external_subscription_id: 'main' },
      ...{ svc_charge_id: charge, units, pay_in_advance, events_count: 1, amount_details: details },
      precise_unit_amount: kind === 'average' ? '0.053333333333333' : price,
      amount_cents: kind === 'plain' || kind === 'tiers' ? priced : amount,
    };
  });

const invoice = fc
  .record({
    fees: fc.array(fee, { maxLength: 10 }),
    coupons: cents,
    taxes: cents,
    billed: cents,
    notes: cents,
    prepaid: cents,
    /** What the amounts shown leave open, and what the lines leave open. */
    open: fc.constantFrom(0, 0, 0, 1, -700),
    hidden: fc.constantFrom(0, 0, 0, 1_500),
  })
  .map(({ fees, coupons, taxes, billed, notes, prepaid, open, hidden }): Invoice => {
    const charges = fees.reduce((sum, one) => sum + one.amount_cents, 0) + hidden;
    return {
      ...{ number: 'SKY-1', currency: 'USD', status: 'finalized', issuing_date: '2026-03-01', fees },
      ...{ fees_amount_cents: charges, coupons_amount_cents: coupons, taxes_amount_cents: taxes },
      ...{ progressive_billing_credit_amount_cents: billed, credit_notes_amount_cents: notes },
      prepaid_credit_amount_cents: prepaid,
      total_amount_cents: charges - coupons + taxes - billed - notes - prepaid + open,
    } as Invoice;
  });

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);

function causesOf({ difference_cents: _, lines: __, unchanged: ___, ...causes }: InvoiceDifference): number[] {
  return Object.values(causes);
}

/** What a sentence's signed amounts come to, in cents. */
function signedAmounts(text: string): number[] {
  return [...text.matchAll(/([+−])\$([\d,]+)\.(\d\d)/g)].map(
    ([, sign, whole = '', part]) => (sign === '−' ? -1 : 1) * Number(whole.replaceAll(',', '') + part),
  );
}

describe('the difference of two invoices', () => {
  it('is the sum of its causes, and each line the sum of its parts', () => {
    fc.assert(
      fc.property(invoice, invoice, fc.boolean(), (from, to, running) => {
        const difference = invoiceDifference(from, to, running)!;
        expect(difference.difference_cents).toBe(Number(to.total_amount_cents) - Number(from.total_amount_cents));
        expect(sum(causesOf(difference))).toBe(difference.difference_cents);
        for (const { change, cents: all, quantity_cents, price_cents, from_cents, to_cents } of difference.lines) {
          expect(all).toBe(to_cents - from_cents);
          expect(quantity_cents + price_cents).toBe(change === 'divided' ? all : 0);
        }
      }),
      runs(2000),
    );
  });

  it('is told as the same sum: the causes add up to it, and so do the lines to that of the charges', () => {
    fc.assert(
      fc.property(invoice, invoice, fc.boolean(), (from, to, running) => {
        const difference = invoiceDifference(from, to, running)!;
        const text = describeDifference({ from, to, isRunning: running }, difference, now);
        expect(text).not.toMatch(/null|undefined|NaN/);
        const causes = /By cause: (.*?)\.(?: |$)/.exec(text)?.[1] ?? '';
        const [parts = '', total] = causes.split(' = ');
        expect(sum(signedAmounts(parts))).toBe(difference.difference_cents);
        if (total !== undefined) expect(signedAmounts(total)).toEqual([difference.difference_cents]);
        const [, lines = ''] = text.split(causes);
        expect(sum(signedAmounts(lines))).toBe(sum(difference.lines.map(line => line.cents)));
        const size = money(Math.abs(difference.difference_cents), 'USD') ?? '';
        expect(text).toContain(difference.difference_cents === 0 ? 'comes to the same' : `is ${size} `);
      }),
      runs(2000),
    );
  });

  it('backwards is its opposite', () => {
    fc.assert(
      fc.property(invoice, invoice, (from, to) => {
        const [there, back] = [invoiceDifference(from, to)!, invoiceDifference(to, from)!];
        expect(back.difference_cents).toBe(0 - there.difference_cents);
        expect(sum(back.lines.map(line => line.cents))).toBe(0 - sum(there.lines.map(line => line.cents)));
      }),
      runs(1000),
    );
  });

  it('of units at one price on each side is by quantity at the earlier price, the rest by price', () => {
    const plan = [{ svc_id: 'c1', charge_model: 'standard', prorated: false }];
    fc.assert(
      fc.property(decimal(900, 0), decimal(900, 0), decimal(900, 2), decimal(900, 2), (u0, u1, p0, p1) => {
        const side = (units: string, price: string) => {
          const amount_cents = Number(new Big(units).times(price).times(minorUnits('USD')).toFixed());
          const item = { type: 'charge', code: 'seats', name: 'Seats' };
          const fees = [
            { item, svc_charge_id: 'c1', units, precise_unit_amount: price, amount_cents, amount_details: {} },
          ];
          return { currency: 'USD', fees, fees_amount_cents: amount_cents, total_amount_cents: amount_cents };
        };
        const [line] = invoiceDifference(side(u0, p0), side(u1, p1), false, plan)!.lines;
        if (line === undefined) return;
        const quantity = Number(new Big(u1).minus(u0).times(p0).times(100).toFixed());
        expect([line.quantity_cents, line.price_cents]).toEqual([quantity, line.cents - quantity]);
      }),
      runs(1000),
    );
  });
});
