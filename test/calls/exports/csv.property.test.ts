import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { columnsOf, csvOf } from '../../../src/words/csv.ts';
import { runs } from '../../support/extent.ts';

/** A cell as the spreadsheet must read it. */
const isNumber = (text: string) => /^-?\d+(\.\d+)?$/.test(text);
/** As the file must hold it: no sign that is computed begins the text, nor what follows a separator in it. */
const isSafe = (text: string) =>
  isNumber(text) || text.split(/[;\t\r\n"]/).every(part => !/^\s*[=+\-@＝＋－＠]/.test(part));
const without = (text: string) => text.replaceAll("'", '');

const hostile = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc
    .tuple(fc.constantFrom(...'=+-@\t\r"\n＝ ;,', ' =', '\u00a0=', '\ufeff-', ' \t@', '\ufeffa'), fc.string())
    .map(([first, rest]) => first + rest),
);

describe('a file read back by another library', () => {
  it('has every text as it is, but for apostrophes before what a spreadsheet would compute', () => {
    fc.assert(
      fc.property(fc.array(fc.record({ name: hostile, code: hostile }), { maxLength: 20 }), rows => {
        const read = parse(csvOf(['code', 'name'], rows), { columns: true, bom: false });
        for (const [index, { code, name }] of (read as { code: string; name: string }[]).entries()) {
          expect([isSafe(code), isSafe(name)]).toEqual([true, true]);
          expect([code, name].map(without)).toEqual(
            [rows[index]?.code, rows[index]?.name].map(text => without(text ?? '')),
          );
        }
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
