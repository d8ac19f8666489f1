import { describe, expect, it } from 'vitest';
import { compareField, type Measure } from '../../../src/calls/change/fields/compare.ts';
import { fieldKindsOf } from '../../../src/definition/argument-fields.ts';
import { toolByName } from '../../../tools/all-tools.ts';

/** The write that has the field; where several have it, it is the same in all. */
const writeOf: Readonly<Record<string, string>> = {
  ...{
    plan_overrides: 'update_subscription',
    ending_at: 'update_subscription',
    thresholds: 'create_subscription_alert',
  },
  ...{ amount_currency: 'update_add_on', expiration_at: 'update_wallet', recurring_transaction_rules: 'update_wallet' },
};
const verdict = (field: string, requested: unknown, shown: unknown, measure: Measure = 'applied') => {
  const kinds = fieldKindsOf(toolByName.get(writeOf[field] ?? 'create_billing_entity')!);
  return compareField(field, requested, shown, { kinds, measure });
};
/** A value in a top-up rule, and in a charge's prices. */
const inRule = (name: string, value: unknown) => [{ svc_id: 'r', [name]: value }];
const inRules = (name: string, requested: unknown, shown: unknown) =>
  ['recurring_transaction_rules', inRule(name, requested), inRule(name, shown)] as const;
const inPrices = (properties: object) => ({ charges: [{ id: 'c', svc_id: 'c', properties }] });
const applied = (...paths: string[]) => ({ applied: paths, not_applied: [], not_shown: [] });
const notApplied = (...paths: string[]) => ({ applied: [], not_applied: paths, not_shown: [] });
const notShown = (...paths: string[]) => ({ applied: [], not_applied: [], not_shown: paths });

describe('written differently, and still the same', () => {
  it.each([
    ['a decimal with other zeros', ...inRules('paid_credits', '10', '10.00000')],
    [
      'a tiny decimal in prices',
      'plan_overrides',
      inPrices({ graduated_ranges: [{ per_unit_amount: '0.0000000001' }] }),
      inPrices({ graduated_ranges: [{ per_unit_amount: '0.00000000010' }] }),
    ],
    [
      'units of a fixed charge as decimal text',
      'plan_overrides',
      { fixed_charges: [{ id: 'f', units: 2.5 }] },
      { fixed_charges: [{ svc_id: 'f', units: '2.50' }] },
    ],
    ['the letter case of a currency', 'amount_currency', 'usd', 'USD'],
    ['the letter case of a country', 'country', 'fr', 'FR'],
    ['the letter case of a prefix', 'document_number_prefix', 'Sky-1', 'SKY-1'],
    ['codes in a list, in another order', 'tax_codes', ['vat', 'eco'], ['eco', 'vat']],
    ['an instant in another zone', 'ending_at', '2026-04-01T02:00:00+02:00', '2026-04-01T00:00:00Z'],
    ['an instant whose fraction is dropped', 'expiration_at', '2026-04-01T00:00:00.250Z', '2026-04-01T00:00:00Z'],
    ['an instant that gets zeros', 'expiration_at', '2026-04-01T00:00:00Z', '2026-04-01T00:00:00.000Z'],
    ['an instant cut to milliseconds', 'ending_at', '2026-04-01T00:00:00.2509Z', '2026-04-01T00:00:00.250Z'],
    ['an emptied text shown as null', 'name', '', null],
    ['an emptied list shown as null', 'tax_codes', [], null],
    ['merged metadata', 'metadata', { a: '1' }, { a: '1', b: '2' }],
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
      'thresholds sent with other zeros',
      'thresholds',
      [{ code: 'a', value: '100' }, { value: '7.50' }],
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
    ['a code in other letter case', 'code', 'Setup', 'setup'],
    ['codes in a list in other letter case', 'tax_codes', ['VAT'], ['vat']],
    ['a name of digits with other zeros', 'name', '1.0', '1'],
    ['a name that looks like the same instant', 'name', '2026-04-01T02:00:00+02:00', '2026-04-01T00:00:00Z'],
    ['a name that is a day', 'name', '2026-04-01', '2026-04-01T00:00:00Z'],
    ['a zip code of digits', 'zipcode', '01000', '1000'],
    ['another text that only looks like a number', 'payment_status', '1.0', '1'],
    ['another letter case of a name', 'name', 'setup', 'Setup'],
    ['another letter case of a language', 'document_locale', 'pt-br', 'pt-BR'],
    ['an integer shown as text', 'net_payment_term', 30, '30.0'],
    ['a text where a number was sent', 'priority', 5, '5'],
    ['a metadata value with other zeros', 'metadata', { a: '7' }, { a: '007' }],
    ['a metadata value in another notation', 'metadata', { a: '1000' }, { a: '1e3' }],
    ['a metadata value with one more digit', 'metadata', { a: '1.1' }, { a: '1.10' }],
    ['a decimal in the notation of another language', ...inRules('paid_credits', '1000', '1e3')],
    ['a day for a moment', 'ending_at', '2026-04-01', '2026-04-01T00:00:00Z'],
    ['a fraction that was not sent', 'expiration_at', '2026-04-01T00:00:00Z', '2026-04-01T00:00:00.250Z'],
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
      not_applied: ['plan_overrides.trial_period'],
      not_shown: ['plan_overrides.charges'],
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

it('values of entries are text, whatever they are called', () => {
  const entry = (value: string) => [{ key: 'rate', value }];
  expect(verdict('metadata', entry('1.1'), entry('1.10')).not_applied).toEqual(['metadata[].value']);
  const rules = [inRule('transaction_metadata', entry('1')), inRule('transaction_metadata', entry('1.0'))] as const;
  expect(verdict('recurring_transaction_rules', ...rules).not_applied).toEqual([
    'recurring_transaction_rules[].transaction_metadata[].value',
  ]);
});

it('fields that the answer does not show are not judged', () => {
  expect(verdict('payment_method', { payment_method_type: 'manual' }, undefined)).toEqual(notShown('payment_method'));
  expect(verdict('priority', 1, undefined)).toEqual(notShown('priority'));
});

it('an object that cannot be converted to text is compared like any other', () => {
  for (const requested of [true, 'x', 1, null]) {
    expect(() => verdict('name', requested, { toString: null })).not.toThrow();
    expect(() => verdict('metadata', { a: requested }, { a: { toString: null } })).not.toThrow();
  }
});

describe('equal enough to send nothing', () => {
  const idle = (field: string, requested: unknown, shown: unknown) =>
    expect(verdict(field, requested, shown, 'idle').applied).toEqual([field]);
  const sent = (field: string, requested: unknown, shown: unknown) =>
    expect(verdict(field, requested, shown, 'idle').applied).toEqual([]);

  it('is what the service would store as it is', () => {
    idle('expiration_at', '2026-04-01T02:00:00.0+02:00', '2026-04-01T00:00:00Z');
    idle('country', 'fr', 'FR');
    idle('recurring_transaction_rules', inRule('paid_credits', '10'), inRule('paid_credits', '10.0'));
    idle('name', null, null);
    idle('metadata', { a: null }, { a: null });
  });

  it('is not what its way of writing would hide', () => {
    sent('expiration_at', '2026-04-01T00:00:00.250Z', '2026-04-01T00:00:00Z');
    sent('name', '', null);
    sent('metadata', { a: null }, {});
    sent('tax_codes', ['vat', 'eco'], ['eco', 'vat']);
    sent('recurring_transaction_rules', [{ svc_id: 'x', paid_credits: '1' }], [{ svc_id: 'r', paid_credits: '1' }]);
    sent('logo', 'data:image/png;base64,AAAA', 'https://files.example.com/1.png');
  });
});
