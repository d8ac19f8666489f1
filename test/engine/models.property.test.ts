import Big from 'big.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ChargeModel } from '../../src/contract/enums.ts';
import type { JsonObject } from '../../src/engine/records/index.ts';
import { runs } from '../support/extent.ts';
import { amount, pack, sumOf } from './model-cases.ts';
import * as reference from './reference.ts';
import { aggregate } from './reference-records.ts';

const unitText = fc
  .tuple(fc.integer({ min: 0, max: 400 }), fc.integer({ min: 0, max: 99 }))
  .map(([a, b]) => `${a}.${b}`);
const wholeText = fc.integer({ min: 0, max: 400 }).map(String);
const price = fc.tuple(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0, max: 999 })).map(([a, b]) => `${a}.${b}`);
const tiers = fc
  .tuple(
    fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 4 }),
    fc.array(fc.tuple(price, price), { minLength: 5, maxLength: 5 }),
  )
  .map(([steps, prices]) => {
    const bounds = steps.map((_, i) => steps.slice(0, i + 1).reduce((a, b) => a + b));
    return prices.slice(0, steps.length + 1).map(([rate, flat], i) => {
      const to = bounds[i] ?? null;
      return { from: i === 0 ? 0 : (bounds[i - 1] ?? 0) + 1, to, rate, flat };
    });
  });
const percentageTerms = fc.record({
  rate: price,
  fixed: price,
  freeEvents: fc.integer({ min: 0, max: 6 }),
  freeAmount: fc.constantFrom('0', '10', '55.5', '300'),
});

describe('price models against an independent calculation', () => {
  it('standard and package', () => {
    const free = fc.integer({ min: 0, max: 50 });
    const size = fc.integer({ min: 1, max: 30 });
    fc.assert(
      fc.property(unitText, price, free, size, (units, each, freeUnits, packageSize) => {
        same(amount('standard', { amount: each }, aggregate(units)), reference.standardPrice(units, each));
        const expected = reference.packagePrice(units, freeUnits, packageSize, each);
        same(amount('package', pack(freeUnits, packageSize, each), aggregate(units)), expected);
      }),
      runs(2000),
    );
  });

  it('graduated, whether ranges share their boundaries or not, and volume', () => {
    fc.assert(
      fc.property(unitText, tiers, (units, list) => {
        const shared = list.map((range, i) => ({ ...range, from: i === 0 ? 0 : range.from - 1 }));
        const expected = reference.graduatedPrice(units, list);
        same(amount('graduated', propertiesOf('graduated_ranges', list), aggregate(units)), expected);
        same(amount('graduated', propertiesOf('graduated_ranges', shared), aggregate(units)), expected);
        const volume = amount('volume', propertiesOf('volume_ranges', list), aggregate(units));
        same(volume, reference.volumePrice(units, list));
      }),
      runs(2000),
    );
  });

  it('graduated percentage', () => {
    fc.assert(
      fc.property(unitText, tiers, (units, list) => {
        const properties = propertiesOf('graduated_percentage_ranges', list);
        same(amount('graduated_percentage', properties, aggregate(units)), reference.graduatedPrice(units, list, true));
      }),
      runs(2000),
    );
  });

  it('percentage, on totals and per transaction', () => {
    const limit = fc.option(price, { nil: null });
    fc.assert(
      fc.property(fc.array(unitText, { maxLength: 12 }), percentageTerms, limit, limit, (list, terms, a, b) => {
        const properties = percentageProperties(terms);
        same(amount('percentage', properties, sumOf(list)), reference.percentagePrice(list, terms));
        if (a === null && b === null) return;
        const [min, max] = a !== null && b !== null && new Big(a).gt(b) ? [b, a] : [a, b];
        const limits = { per_transaction_min_amount: min, per_transaction_max_amount: max };
        const expected = reference.perTransactionPrice(list, { ...terms, min, max });
        same(amount('percentage', { ...properties, ...limits }, sumOf(list)), expected);
      }),
      runs(2000),
    );
  });
});

describe('properties of every model', () => {
  it('0 units cost nothing, except the flat amount of the first graduated or volume tier', () => {
    fc.assert(
      fc.property(tiers, list => {
        const flat = new Big(list[0]?.flat ?? 0);
        for (const model of ['graduated', 'graduated_percentage', 'volume'] as const) {
          expect(flat.eq(amount(model, propertiesOf(`${model}_ranges`, list), aggregate(0)))).toBe(true);
        }
        for (const [model, properties] of flatless) expect(amount(model, properties, aggregate(0))).toBe('0');
      }),
      runs(2000),
    );
  });

  it('more units never cost less, except where volume moves to a cheaper tier', () => {
    fc.assert(
      fc.property(wholeText, wholeText, tiers, (a, b, list) => {
        const [fewer, more] = Number(a) < Number(b) ? [a, b] : [b, a];
        const models: [ChargeModel, JsonObject][] = [
          ...flatless,
          ['graduated', propertiesOf('graduated_ranges', list)],
          ['graduated_percentage', propertiesOf('graduated_percentage_ranges', list)],
        ];
        for (const [model, properties] of models) {
          const growing = (units: string) => aggregate(units, { events_count: Number(units), growth: 'one' });
          const low = new Big(amount(model, properties, growing(fewer)));
          expect(low.lte(amount(model, properties, growing(more))), model).toBe(true);
        }
      }),
      runs(2000),
    );
  });
});

const flatless: [ChargeModel, JsonObject][] = [
  ['standard', { amount: '1.23' }],
  ['package', pack(7, 10, '4')],
  ['percentage', { rate: '3', fixed_amount: '0.3', free_units_per_events: 4 }],
];

function same(actual: string, expected: reference.Fraction): void {
  expect(new Big(actual).toFixed(12, Big.roundDown)).toBe(new Big(reference.digits(expected, 12)).toFixed(12));
}
function percentageProperties(terms: reference.ReferencePercentage): JsonObject {
  return {
    rate: terms.rate,
    fixed_amount: terms.fixed,
    free_units_per_events: terms.freeEvents,
    free_units_per_total_aggregation: terms.freeAmount,
  };
}
function propertiesOf(key: string, list: readonly reference.ReferenceRange[]): JsonObject {
  return {
    [key]: list.map(({ from, to, rate, flat }) => ({
      from_value: from,
      to_value: to,
      per_unit_amount: rate,
      rate,
      flat_amount: flat,
    })),
  };
}
