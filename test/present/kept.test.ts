/** What the short answer keeps, and which fields it leaves out. */
import { describe, expect, it } from 'vitest';
import { shortJson } from '../../src/present/shape.ts';

const short = (value: unknown, resource: string) => JSON.parse(shortJson(value, resource));

describe('what belongs to the customer or to the price model', () => {
  const inner = { created_at: 'x', svc_id: 'i', sync: true, name: null, list: [], deep: { updated_at: 'y', code: '' } };
  it.each(['properties', 'filters', 'grouped_by', 'values', 'next_action', 'details'])('is kept whole in %s', name => {
    expect(short({ code: 'a', fees: [{ amount_cents: 1, [name]: inner }] }, 'invoice').fees[0][name]).toEqual(inner);
    expect(short({ code: 'a', [name]: inner }, 'payment')[name]).toEqual(inner);
  });

  it('is left out in other fields where it is empty', () => {
    const fees = [{ amount_cents: 1, other: inner }];
    expect(short({ code: 'a', fees }, 'invoice').fees[0]).toEqual({ amount_cents: 1 });
  });
});

describe('a field that repeats another field of the record', () => {
  it.each([
    [
      'the time zone where the one that applies stands',
      { timezone: 'UTC', applicable_timezone: 'UTC' },
      { applicable_timezone: 'UTC' },
    ],
    ['no time zone where none applies', { timezone: 'UTC', applicable_timezone: null }, { timezone: 'UTC' }],
    [
      'a currency of the total that is that of the amount',
      { amount_currency: 'EUR', total_amount_currency: 'EUR' },
      { amount_currency: 'EUR' },
    ],
    [
      'no currency of the total that is another',
      { amount_currency: 'EUR', total_amount_currency: 'USD' },
      { amount_currency: 'EUR', total_amount_currency: 'USD' },
    ],
  ])('%s', (_what, record, expected) => {
    expect(short({ code: 'a', ...record }, 'customer')).toEqual({ code: 'a', ...expected });
  });
});
