/** Current usage (lookups §6.1) and the preview of the running period (service-behaviour §12.5) price arrears charges alike. */
import Big from 'big.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../support/extent.ts';
import { anyEvent, charges, NOW, recordsOf } from './random-usage.ts';
import { ofSubscription, world } from './service-world.ts';

const CURRENT = '/customers/acme/current_usage?external_subscription_id=sub';

// The minimum of a charge is on the invoice only. Two filters, one of them with groups of its own, make the shapes differ.
const arrears = charges
  .filter(charge => !charge.pay_in_advance)
  .map(charge => ({ ...charge, min_amount_cents: 0 }))
  .map(charge =>
    charge.code === 'charge-max'
      ? {
          ...charge,
          filters: [
            { ...filter('eu'), properties: { ...charge.properties, pricing_group_keys: ['operation_type'] } },
            { ...filter('us'), properties: charge.properties },
          ],
        }
      : charge,
  );

/** One event of each metric. */
const usedOnce = (['count', 'sum', 'max', 'latest', 'unique', 'weighted', 'level'] as const).map((code, minute) => ({
  ...({ code, minute, value: 7, region: 'eu', operation_type: 'add', cents: '12.5' } as const),
}));

function filter(region: string) {
  return { id: `max-${region}`, invoice_display_name: region, properties: {}, values: { region: [region] } };
}

/** One price of a charge: its filter and group, units, events and cents. */
type Line = [charge: string, filter: object | null, group: object, units: string, events: number, cents: number];

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into field by field
type Answer = any;

/** What was used, at the finest level that the answer shows. */
function linesOfUsage(usage: Answer): Line[] {
  return usage.charges_usage.flatMap((each: Answer) => {
    const line = (part: Answer, values: object | null, group: object): Line => {
      return [each.charge.svc_id, values, group, part.units, part.events_count, part.amount_cents];
    };
    const parts = each.grouped_usage.length > 0 ? each.grouped_usage : [{ ...each, grouped_by: {} }];
    const found: Line[] = parts.flatMap((part: Answer) =>
      part.filters.length > 0
        ? part.filters.map((own: Answer) => line(own, own.values, part.grouped_by))
        : [line(part, null, part.grouped_by)],
    );
    return found.filter(([, , , units, events, cents]) => units !== '0.0' || events !== 0 || cents !== 0);
  });
}

function linesOfPreview(invoice: Answer): Line[] {
  return invoice.fees
    .filter((fee: Answer) => fee.item.type === 'charge')
    .map((fee: Answer): Line => {
      const { filters, grouped_by } = fee.item;
      return [fee.svc_charge_id, filters, grouped_by, fee.units, fee.events_count, fee.amount_cents];
    });
}

/** Usage shows up to 20 decimals of a weighted sum, a fee 15 (§1.6). */
function sorted(lines: Line[]): string[] {
  const digits = (units: string) => new Big(units).round(9).toFixed();
  return lines
    .map(([id, values, group, units, ...rest]) => JSON.stringify([id, values, group, digits(units), ...rest]))
    .sort();
}

describe('current usage', () => {
  it('has the charge lines and the taxes of a preview of the running period', async () => {
    let compared = 0;
    const property = fc.asyncProperty(fc.array(anyEvent, { minLength: 1, maxLength: 40 }), async events => {
      const one = await world(recordsOf(events, arrears), NOW);
      try {
        const { customer_usage: usage } = (await one.get(CURRENT)).body;
        const { invoice } = (await one.post('/invoices/preview', ofSubscription())).body;
        const lines = linesOfPreview(invoice);
        expect(sorted(linesOfUsage(usage))).toEqual(sorted(lines));
        expect(usage.charges_usage).toHaveLength(arrears.length);
        // Besides the plan fee of 100.00 with 19.6 %.
        expect([10_000 + usage.amount_cents, 1960 + usage.taxes_amount_cents]).toEqual([
          invoice.fees_amount_cents,
          invoice.taxes_amount_cents,
        ]);
        compared += lines.length;
      } finally {
        await one.close();
      }
    });
    await fc.assert(property, { ...runs(20), examples: [[usedOnce]] });
    expect(compared).toBeGreaterThan(0);
  });

  it('of each charge adds up its filters, its groups, and of each group its filters', async () => {
    const property = fc.asyncProperty(fc.array(anyEvent, { maxLength: 40 }), async events => {
      const one = await world(recordsOf(events), NOW);
      try {
        const { customer_usage: usage } = (await one.get(CURRENT)).body;
        const cents = (parts: Answer[]) => parts.reduce((total, part) => total + part.amount_cents, 0);
        expect(cents(usage.charges_usage)).toBe(usage.amount_cents);
        for (const each of usage.charges_usage) {
          for (const parts of [each.filters, each.grouped_usage]) {
            if (parts.length > 0) expect(cents(parts)).toBe(each.amount_cents);
          }
          for (const group of each.grouped_usage) {
            if (group.filters.length > 0) expect(cents(group.filters)).toBe(group.amount_cents);
          }
        }
      } finally {
        await one.close();
      }
    });
    await fc.assert(property, runs(10));
  });
});
