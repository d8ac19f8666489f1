import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { columnsOf, csvOf } from '../../src/words/csv.ts';
import { runs } from '../support/extent.ts';

/** A cell as the spreadsheet must read it. */
const isNumber = (text: string) => /^-?\d+(\.\d+)?$/.test(text);
const safe = (text: string) => {
  if (isNumber(text)) return text;
  const [, blank = '', rest = ''] = /^(\s*)([\s\S]*)$/.exec(text) ?? [];
  if (/^[\t\r\n]/.test(text)) return `'${text}`;
  return /^[=+\-@＝＋－＠]/.test(rest) ? `${blank}'${rest}` : text;
};

const hostile = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc
    .tuple(
      fc.constantFrom(
        '=',
        '+',
        '-',
        '@',
        '\t',
        '\r',
        '"',
        '\n',
        '＝',
        ' ',
        ' =',
        '\u00a0=',
        '\ufeff-',
        ' \t@',
        ';',
        ',',
        '﻿a',
      ),
      fc.string(),
    )
    .map(([first, rest]) => first + rest),
);

describe('a file read back by another library', () => {
  it('has every text as it is, or behind one apostrophe where a spreadsheet would compute it', () => {
    fc.assert(
      fc.property(fc.array(fc.record({ name: hostile, code: hostile }), { maxLength: 20 }), rows => {
        const read = parse(csvOf(['code', 'name'], rows), { columns: true, bom: false });
        expect(read).toEqual(rows.map(({ name, code }) => ({ code: safe(code), name: safe(name) })));
      }),
      runs(200),
    );
  });

  it('has every number as a number, and the amount in major units to the cent', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), fc.constantFrom('USD', 'JPY', 'KWD'), (amount_cents, currency) => {
        const columns = columnsOf('records', 'currency amount_cents');
        const [row] = parse(csvOf(columns, [{ amount_cents, currency }]), { columns: true }) as Record<
          string,
          string
        >[];
        const digits = { USD: 2, JPY: 0, KWD: 3 }[currency] ?? 2;
        const whole = String(Math.abs(amount_cents)).padStart(digits + 1, '0');
        const major = digits === 0 ? whole : `${whole.slice(0, -digits)}.${whole.slice(-digits)}`;
        expect(row).toEqual({
          currency,
          amount_cents: String(amount_cents),
          amount_major: amount_cents < 0 ? `-${major}` : major,
        });
      }),
      runs(200),
    );
  });
});
