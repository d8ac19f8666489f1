import { describe, expect, it } from 'vitest';
import { columnsOf, csvOf } from '../../../src/words/csv.ts';

describe('the columns of a file', () => {
  it('are the fields of the interface, ids first, each amount followed by the same in major units', () => {
    expect(columnsOf('records', 'number svc_id total_amount_cents currency customer_ids')).toEqual([
      'svc_id',
      'customer_ids',
      'number',
      'total_amount_cents',
      'total_amount_major',
      'currency',
    ]);
    const invoices = columnsOf('invoices', 'svc_id number customer{external_id name?=external_id}');
    expect(invoices.slice(0, 4)).toEqual(['svc_id', 'customer.external_id', 'sequential_id', 'number']);
    expect(invoices).toEqual(expect.arrayContaining(['taxes_amount_cents', 'taxes_amount_major', 'voided_at']));
  });

  it('leave out what holds many records, and links to documents that show what a mask hides', () => {
    const invoices = columnsOf('invoices', 'number');
    for (const name of ['fees', 'credits', 'metadata', 'file_url', 'xml_url', 'web_url'])
      expect(invoices).not.toContain(name);
    expect(columnsOf('records', 'svc_id unknown{a b}')).toEqual(['svc_id', 'unknown']);
  });
});

describe('a cell', () => {
  const cell = (value: unknown) => csvOf(['value'], [{ value }], false);
  it.each([
    ['a decimal below zero that the interface has as text', '-12.50', '-12.50\r\n'],
    ['a number below zero', -12, '-12\r\n'],
    ['a formula', '=1+1', '"\'=1+1"\r\n'],
    ['a telephone number', '+49 30 1', '"\'+49 30 1"\r\n'],
    ['a name that begins with a dash', '-acme', '"\'-acme"\r\n'],
    ['an account name', '@acme', '"\'@acme"\r\n'],
    ['a tab', '\tx', '"\'\tx"\r\n'],
    ['a return', '\rx', '"\'\rx"\r\n'],
    ['a line feed before a formula', '\n=1+1', '"\'\n\'=1+1"\r\n'],
    ['a formula in wide signs', '\uFF1D1+1', '"\'\uFF1D1+1"\r\n'],
    ['an account name with a wide sign', '\uFF20acme', '"\'\uFF20acme"\r\n'],
    ['a formula behind blanks', '  =1', '"  \'=1"\r\n'],
    ['a formula behind a no-break space', '\u00a0@x', '"\u00a0\'@x"\r\n'],
    ['a semicolon before a formula', 'a; =1;b', '"a; \'=1;b"\r\n'],
    ['a quote before a formula', 'a"=1', '"a""\'=1"\r\n'],
    ['a dash within a text', 'A-1, b - c', '"A-1, b - c"\r\n'],
    ['a list of texts', ['A-1', 'A-2'], '"A-1; A-2"\r\n'],
    ['a list whose first text is a formula', ['=A', 'B'], '"\'=A; B"\r\n'],
    ['an object', { a: 1 }, '"{""a"":1}"\r\n'],
    ['a switch', false, 'false\r\n'],
  ])('holds %s', (_, value, text) => {
    expect(cell(value)).toBe(text);
  });

  it('is empty for what is not there, and has no amount where the currency is not known', () => {
    expect(
      csvOf(['svc_id', 'amount_cents', 'amount_major'], [{ svc_id: 'a', amount_cents: 5 }, { svc_id: null }]),
    ).toBe('"svc_id","amount_cents","amount_major"\r\n"a",5,\r\n,,\r\n');
  });

  it('takes the currency that stands beside its amount', () => {
    const columns = ['amount_cents', 'amount_major', 'total.amount_cents', 'total.amount_major'];
    const record = { amount_cents: 5, amount_currency: 'JPY', total: { amount_cents: 5, currency: 'USD' } };
    expect(csvOf(columns, [record], false)).toBe('5,5,5,0.05\r\n');
  });
});
