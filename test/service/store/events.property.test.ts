import Big from 'big.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AggregationType } from '../../../src/contract/enums.ts';
import { ExpressionError, evaluateExpression } from '../../../src/engine/expression.ts';
import type { BillableMetricRecord } from '../../../src/engine/records/index.ts';
import { eventRow, splitNumber } from '../../../src/service/store/events.ts';
import { runs } from '../../support/extent.ts';
import { NOW } from './small-account.ts';

function joined({ int, frac_hi, frac_lo }: ReturnType<typeof splitNumber>): Big {
  return new Big(int ?? Number.NaN).plus(new Big(frac_hi ?? 0).div(1e9)).plus(new Big(frac_lo ?? 0).div('1e18'));
}

const digits = (max: number) => fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: max });
const decimals = (before: number, after: number) =>
  fc
    .tuple(fc.boolean(), digits(before), fc.option(digits(after)))
    .map(([minus, whole, part]) => `${minus ? '-' : ''}${whole.join('')}${part ? `.${part.join('')}` : ''}`);

describe('the split of a number into three integers', () => {
  it('adds up to the number itself, whatever its digits', () => {
    fc.assert(
      fc.property(decimals(15, 18), text => {
        const parts = splitNumber(text);
        expect(parts.exact).toBe(true);
        expect(joined(parts).toFixed()).toBe(new Big(text).plus(0).toFixed().replace(/^-0$/, '0'));
        expect(Object.is(parts.int, -0)).toBe(false);
      }),
      runs(3000),
    );
  });

  it('says when a number has too many digits', () => {
    fc.assert(
      fc.property(decimals(40, 40), text => {
        const parts = splitNumber(text);
        if (parts.exact) expect(joined(parts).eq(new Big(text))).toBe(true);
        else expect(parts).toMatchObject({ int: null, frac_hi: null, frac_lo: null });
      }),
      runs(3000),
    );
    expect(splitNumber('1234567890123456').exact).toBe(false);
    expect(splitNumber('0.0000000000000000001').exact).toBe(false);
    expect(splitNumber('000000000000000000001.50000000000000000000000')).toMatchObject({ int: 1, exact: true });
  });

  it.each(['', 'abc', '1e5', '1.', '.5', '+1', ' 1', '1,5', '0x10', 'NaN'])('does not take "%s" for a number', text => {
    expect(splitNumber(text)).toEqual({ int: null, frac_hi: null, frac_lo: null, exact: true });
  });
});

describe('a metric’s expression', () => {
  const event = {
    timestamp: '2026-03-10T12:00:00.500Z',
    properties: { a: '0.1', b: 0.2, zero: 0, text: 'eu', list: [1] },
  };

  it.each([
    ['1 + 2 * 3', '7'],
    ['(1 + 2) * 3', '9'],
    ['8 - 2 - 1', '5'],
    ['-event.properties.a + 1', '0.9'],
    ['event.properties.a + event.properties.b', '0.3'],
    ['event.timestamp', '1773144000.5'],
    ['round(2.345, 2)', '2.35'],
    ['round(1250, -2)', '1300'],
    ['ceil(2.1) + floor(2.9)', '5'],
    ['ceil(-2.5)', '-2'],
    ['floor(-2.5)', '-3'],
    ["concat(event.properties.text, '-', 5)", 'eu-5'],
  ])('%s is %s', (expression, expected) => {
    expect(evaluateExpression(expression, event)).toBe(expected);
  });

  it.each([
    ['1 +', 'ends too early'],
    ['1 1', 'unexpected "1"'],
    ['event.properties.unknown', 'no text or number in its property "unknown"'],
    ['event.properties.list', 'no text or number'],
    ['event.properties.constructor', 'no text or number'],
    ['event.properties.text * 2', 'needs a number'],
    ['1 / event.properties.zero', 'divides by zero'],
    ['process.exit(1)', 'unknown name "process.exit"'],
    ['2 ** 3', 'unexpected "*"'],
    ['round(1', '")" is missing'],
    ['a;b', 'cannot read'],
    ['1 ; 2', 'cannot read'],
    ['('.repeat(200), 'nested too deeply'],
  ])('%s is refused: %s', (expression, message) => {
    expect(() => evaluateExpression(expression, event)).toThrow(ExpressionError);
    expect(() => evaluateExpression(expression, event)).toThrow(message);
  });

  it('never fails in any other way', () => {
    const parts = ['1', '2.5', '+', '-', '*', '/', '(', ')', ',', 'round', 'event.properties.a', "'x'", ' ', 'concat'];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...parts), { maxLength: 12 }), tokens => {
        try {
          expect(typeof evaluateExpression(tokens.join(''), event)).toBe('string');
        } catch (error) {
          expect(error).toBeInstanceOf(ExpressionError);
        }
      }),
      runs(3000),
    );
  });
});

describe('an event that is stored', () => {
  const metric = { code: 'gpu', field_name: 'seconds', expression: null } as BillableMetricRecord;
  const event = {
    id: 'e1',
    transaction_id: 't1',
    code: 'gpu',
    timestamp: NOW,
    external_subscription_id: 's1',
    subscription_id: null,
    customer_id: null,
    properties: { seconds: 1.5 } as Record<string, string | number | boolean>,
    precise_total_amount_cents: '-12.345',
    created_at: NOW,
  };

  it('carries its value and amount as text and as integers', () => {
    expect(eventRow(event, metric)).toMatchObject({
      value_text: '1.5',
      operation_type: 'add',
      value_int: 1,
      value_frac_hi: 500_000_000,
      value_frac_lo: 0,
      amount_int: -12,
      amount_frac_hi: -345_000_000,
      exact: 1,
    });
  });

  it('stores the value of the expression under the metric’s field', () => {
    const milliseconds = { ...metric, expression: 'event.properties.seconds * 1000' };
    const row = eventRow(event, milliseconds);
    expect(row).toMatchObject({ value_text: '1500', value_int: 1500 });
    expect(JSON.parse(row.properties as string)).toEqual({ seconds: '1500' });
  });

  it.each([
    [{ seconds: 1e21 }, '1000000000000000000000', 0],
    [{ seconds: 'user-1' }, 'user-1', 1],
    [{ seconds: true }, 'true', 1],
    [{}, null, 1],
  ])('keeps %j as %s', (properties, text, exact) => {
    expect(eventRow({ ...event, properties }, metric)).toMatchObject({ value_text: text, exact });
  });

  it.each<[AggregationType, Record<string, string | null>, number, string | null]>([
    ['count_agg', { seconds: 'abc' }, 0, null],
    ['sum_agg', { seconds: 'abc' }, 1, null],
    ['sum_agg', {}, 1, null],
    ['sum_agg', { seconds: '5' }, 0, null],
    ['max_agg', { seconds: '' }, 1, null],
    ['latest_agg', { seconds: '1e3' }, 1, null],
    ['weighted_sum_agg', { seconds: ' 1' }, 1, null],
    ['unique_count_agg', { seconds: '' }, 0, '='],
    ['unique_count_agg', { seconds: '-' }, 0, '=-'],
    ['unique_count_agg', { seconds: null }, 0, '-'],
    ['unique_count_agg', {}, 0, '-'],
  ])('%s, %j, with an amount of 19 decimals: exact %i, key %s', (aggregation_type, properties, exact, value_key) => {
    const long = { ...event, properties, precise_total_amount_cents: '0.1234567890123456789' };
    expect(eventRow(long, { ...metric, aggregation_type })).toMatchObject({ exact, value_key });
  });

  it('has no value without a metric', () => {
    expect(eventRow(event, undefined)).toMatchObject({ value_text: null, value_int: null });
  });
});
