/** What is taken out of any record. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hide } from '../../../../src/calls/access/mask/hide.ts';
import { hiddenNames } from '../../../../src/contract/hidden-names.ts';
import { hiddenText, maskedFields } from '../../../../src/contract/masked-fields.ts';
import { runs } from '../../../support/extent.ts';

describe('a hidden field', () => {
  it('is hidden at any depth of any JSON, and nothing else changes where no customer is', () => {
    const names = maskedFields.flatMap(field => hiddenNames[field]);
    const { record } = fc.letrec(tie => ({
      value: fc.oneof({ maxDepth: 5 }, fc.constantFrom('text', 7, null, true), fc.array(tie('value')), tie('record')),
      record: fc.dictionary(fc.constantFrom('invoice', 'name', 'country', '__proto__', ...names), tie('value')),
    }));
    fc.assert(
      fc.property(record, fc.subarray([...maskedFields]), (value, fields) => {
        const chosen = new Set<string>(fields.flatMap(field => hiddenNames[field]));
        const expected = JSON.parse(JSON.stringify(value), (key, inner) => (chosen.has(key) ? hiddenText : inner));
        expect(JSON.stringify(hide(value, new Set(fields)).value)).toBe(JSON.stringify(expected));
      }),
      runs(100),
    );
  });
});
