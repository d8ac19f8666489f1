import { describe, expect, it } from 'vitest';
import { compareField } from '../../src/policy/compare.ts';

const verdict = (field: string, requested: unknown, shown: unknown) => {
  const { applied, notApplied, notShown } = compareField(field, requested, shown);
  return { applied, notApplied, notShown };
};
const applied = (...paths: string[]) => ({ applied: paths, notApplied: [], notShown: [] });
const notApplied = (...paths: string[]) => ({ applied: [], notApplied: paths, notShown: [] });
const notShown = (...paths: string[]) => ({ applied: [], notApplied: [], notShown: paths });

describe('written differently, and still the same', () => {
  it.each([
    ['a number as decimal text', 'value', 1000, '1000.0'],
    ['a number as text that needs no amount', 'priority', 5, '5.0'],
    ['a text that the service made a number of', 'net_payment_term', '30.0', 30],
    ['decimal texts with other zeros', 'paid_credits', '10', '10.00000'],
    ['a tiny decimal', 'per_unit_amount', '0.0000000001', '0.00000000010'],
    ['the letter case of a currency', 'amount_currency', 'usd', 'USD'],
    ['the letter case of a country', 'country', 'fr', 'FR'],
    ['the letter case of a code', 'code', 'Setup', 'setup'],
    ['the letter case of codes in a list, in another order', 'tax_codes', ['VAT', 'eco'], ['eco', 'vat']],
    ['an instant in another zone', 'ending_at', '2026-04-01T02:00:00+02:00', '2026-04-01T00:00:00Z'],
    ['an instant whose fraction is cut', 'expiration_at', '2026-04-01T00:00:00.250Z', '2026-04-01T00:00:00Z'],
    ['an instant that gets a fraction', 'expiration_at', '2026-04-01T00:00:00Z', '2026-04-01T00:00:00.250Z'],
    ['a day as its first instant', 'ending_at', '2026-04-01', '2026-04-01T00:00:00Z'],
    ['an emptied text shown as null', 'name', '', null],
    ['an emptied list shown as null', 'tax_codes', [], null],
    ['merged metadata', 'metadata', { a: '1' }, { a: '1', b: '2' }],
    ['a metadata value that was a number', 'metadata', { a: 1 }, { a: '1' }],
    ['a metadata key that was taken out', 'metadata', { a: null }, {}],
    ['emptied metadata that is no longer shown', 'metadata', {}, undefined],
    ['an object that asks for nothing', 'payment_method', { payment_method_type: undefined }, {}],
    ['a logo shown by its address', 'logo', 'data:image/png;base64,AAAA', 'https://files.example.com/1.png'],
    [
      'a list of metadata with ids of the service',
      'metadata',
      [{ key: 'po', value: '7' }],
      [{ svc_id: 'm1', key: 'po', value: '7', created_at: '2026-01-01T00:00:00Z' }],
    ],
    [
      'thresholds sent as numbers',
      'thresholds',
      [{ code: 'a', value: 100 }, { value: 7.5 }],
      [
        { code: 'a', value: '100.0', recurring: false },
        { code: null, value: '7.5', recurring: false },
      ],
    ],
    ['thresholds sent as text', 'thresholds', [{ value: '100' }], [{ code: null, value: '100.0', recurring: false }]],
    [
      'one charge of several, by the id of the parent’s charge',
      'plan_overrides',
      { charges: [{ id: 'c1', min_amount_cents: 5 }] },
      {
        charges: [
          { svc_id: 'x0', svc_parent_id: 'c0', min_amount_cents: 0 },
          { svc_id: 'x1', svc_parent_id: 'c1', min_amount_cents: 5 },
        ],
      },
    ],
  ])('%s', (_what, field, requested, shown) => {
    expect(verdict(field, requested, shown)).toEqual(applied(field));
  });
});

describe('visibly not applied', () => {
  it.each([
    ['another number', 'priority', 1, 50],
    ['a null that was ignored', 'priority', null, 50],
    ['a value that was dropped', 'name', 'New', null],
    ['a code of digits with other zeros', 'code', '007', '7'],
    ['a name of digits with other zeros', 'name', '1.0', '1'],
    ['another text that only looks like a number', 'payment_status', '1.0', '1'],
    ['another letter case of a name', 'name', 'setup', 'Setup'],
    ['a set with one entry less', 'tax_codes', ['a', 'b'], ['a']],
    ['a set with one entry more', 'tax_codes', ['a'], ['a', 'b']],
    ['another instant', 'ending_at', '2026-04-01T00:00:00Z', '2026-04-01T01:00:00Z'],
    ['another fraction', 'expiration_at', '2026-04-01T00:00:00.250Z', '2026-04-01T00:00:00.500Z'],
    ['another boolean', 'recurring', true, false],
    ['a metadata key that never arrived', 'metadata', { a: '1' }, { b: '2' }],
    ['metadata that were not emptied', 'metadata', {}, { b: '2' }],
    [
      'a list entry too many',
      'metadata',
      [{ key: 'a', value: '1' }],
      [
        { key: 'a', value: '1' },
        { key: 'b', value: '2' },
      ],
    ],
    ['a logo that is not there', 'logo', 'data:image/png;base64,AAAA', null],
  ])('%s', (_what, field, requested, shown) => {
    expect(verdict(field, requested, shown)).toEqual(notApplied(field));
  });
});

describe('inside an object', () => {
  it('every field is judged for itself', () => {
    const requested = { amount_cents: 5000, trial_period: 30, charges: [] };
    const shown = { amount_cents: 5000, trial_period: 0 };
    expect(verdict('plan_overrides', requested, shown)).toEqual({
      applied: ['plan_overrides.amount_cents'],
      notApplied: ['plan_overrides.trial_period'],
      notShown: ['plan_overrides.charges'],
    });
  });

  it('tax codes are found in the taxes', () => {
    expect(verdict('plan_overrides', { tax_codes: ['vat'] }, { taxes: [{ code: 'vat' }] })).toEqual(
      applied('plan_overrides'),
    );
  });

  it('a charge that the service did not know is named', () => {
    const requested = { charges: [{ id: 'unknown', min_amount_cents: 5 }] };
    expect(verdict('plan_overrides', requested, { charges: [{ svc_id: 'c1', min_amount_cents: 5 }] })).toEqual(
      notApplied('plan_overrides'),
    );
  });
});

it('fields that the answer does not show are not judged', () => {
  expect(verdict('payment_method', { payment_method_type: 'manual' }, undefined)).toEqual(notShown('payment_method'));
  expect(verdict('priority', 1, undefined)).toEqual(notShown('priority'));
});

it('an object that cannot be converted to text is compared like any other', () => {
  for (const requested of [true, 'x', 1, null]) {
    expect(() => compareField('name', requested, { toString: null })).not.toThrow();
    expect(() => compareField('metadata', { a: requested }, { a: { toString: null } })).not.toThrow();
  }
});
