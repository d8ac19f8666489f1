/** The default form of a record: what it keeps, leaves out and names. */
import { describe, expect, it } from 'vitest';
import { detailNames, parseSelection } from '../../src/definition/selection.ts';
import { formOf, inForm, leftOut } from '../../src/words/default-fields.ts';

const kept = (brief: string, record: object, detail?: string[]) => inForm(formOf({ brief }, detail), record) as object;

describe('the default form', () => {
  it.each<[string, string, object, object]>([
    ['the named fields, in their order', 'b a', { a: 1, b: 'x', c: 2 }, { b: 'x', a: 1 }],
    ['no null, empty text, list or object', 'a b c d', { a: null, b: '', c: [], d: {} }, {}],
    ['zeros and false', 'a b c', { a: 0, b: false, c: '0.0' }, { a: 0, b: false, c: '0.0' }],
    ['no zeros and false that say nothing', 'a? b? c? d?', { a: 0, b: false, c: '0.0', d: '0.5' }, { d: '0.5' }],
    ['no usual value', 'type?charge units?1.0', { type: 'charge', units: '1.0' }, {}],
    ['another than the usual value', 'type?charge', { type: 'add_on' }, { type: 'add_on' }],
    ['no usual number', 'priority?50 type?Invoice', { priority: 50, type: 'Invoice' }, {}],
    ['another than the usual number', 'priority?50', { priority: 5 }, { priority: 5 }],
    ['no name that is the code', 'code name?=code', { code: 'big_plan', name: 'Big plan' }, { code: 'big_plan' }],
    ['a name that is not', 'code name?=code', { code: 'p1', name: 'Big' }, { code: 'p1', name: 'Big' }],
    ['nulls that mean something', 'a|null b|null', { a: null }, { a: null }],
    ['objects and lists whole', 'a b', { a: { x: null }, b: [{ y: 1 }] }, { a: { x: null }, b: [{ y: 1 }] }],
    ['named fields of a record', 'a{x}', { a: { x: 1, y: 2 } }, { a: { x: 1 } }],
    ['no record of which nothing is kept', 'a{x}', { a: { y: 2 } }, {}],
    ['named fields of each record of a list', 'a{x}', { a: [{ x: 1, y: 2 }, { y: 3 }] }, { a: [{ x: 1 }, {}] }],
    [
      'the price of a charge in the currency of its plan',
      'charges{price}',
      { amount_currency: 'EUR', charges: [{ charge_model: 'standard', properties: { amount: '2' } }] },
      { charges: [{ price: '€2.00 each' }] },
    ],
    [
      'the model of a charge whose price cannot be said',
      'charges{price}',
      { amount_currency: 'EUR', charges: [{ charge_model: 'lunar', properties: {} }] },
      { charges: [{ price: 'lunar' }] },
    ],
  ])('keeps %s', (_what, brief, record, expected) => {
    expect(kept(brief, record)).toEqual(expected);
    expect(Object.keys(kept(brief, record))).toEqual(Object.keys(expected));
  });

  it('adds the fields that are asked for, whole', () => {
    const charges = [{ svc_id: 'c', code: 'x', units: 0 }];
    const record = { code: 'p', name: 'P', taxes: [{ code: 't', rate: 0 }], charges };
    expect(kept('code', record, ['taxes'])).toEqual({ code: 'p', taxes: record.taxes });
    const both = { code: 'p', charges: [{ code: 'x', svc_id: 'c' }] };
    expect(kept('code charges{code}', record, ['charges.svc_id'])).toEqual(both);
    expect(kept('code charges{code}', record, ['charges'])).toEqual({ code: 'p', charges: record.charges });
    expect(kept('code', record, ['charges.svc_id'])).toEqual({ code: 'p', charges: [{ svc_id: 'c' }] });
  });

  it('names what it leaves out, once, where a record has it', () => {
    const tool = { brief: 'code', more: 'taxes metadata flag charges{svc_id code} note' };
    const records = [
      { taxes: [], flag: false },
      { taxes: [1], metadata: {}, charges: [{ code: null }, { svc_id: 'c', code: 'c' }] },
    ];
    expect(leftOut(formOf(tool), records)).toEqual(['taxes', 'charges']);
    expect(leftOut(formOf(tool, ['charges']), records)).toEqual(['taxes']);
    expect(leftOut(formOf(tool, ['charges.svc_id']), records)).toEqual(['taxes', 'charges']);
    const names = ['taxes', 'metadata', 'flag', 'charges.svc_id', 'charges.code', 'note', 'charges'];
    expect(detailNames(tool)).toEqual(names);
  });

  it.each(['a b}', 'a{b', 'a{b{c}', 'A', 'a-b', '{a}'])('refuses the selection %s', text => {
    expect(() => parseSelection(text)).toThrow();
  });
});
