/** What is said of any requested value and any shown one. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { compareField } from '../../../src/calls/change/fields/compare.ts';
import { fieldKindsOf } from '../../../src/definition/argument-fields.ts';
import { toolByName } from '../../../tools/all-tools.ts';
import { runs } from '../../support/extent.ts';

it('every value is the same as itself, and each field gets exactly one verdict or inner ones', () => {
  fc.assert(
    fc.property(fc.string(), fc.jsonValue(), fc.option(fc.jsonValue(), { nil: undefined }), (field, value, other) => {
      const kinds = Object.assign({}, ...[...toolByName.values()].map(fieldKindsOf));
      for (const measure of ['applied', 'idle'] as const)
        expect(compareField(field, value, value, { kinds, measure }).not_applied).toEqual([]);
      const { applied, not_applied, not_shown } = compareField(field, value, other, { kinds, measure: 'applied' });
      const paths = [...applied, ...not_applied, ...not_shown];
      expect(paths.length).toBeGreaterThan(0);
      expect(new Set(paths).size).toBe(paths.length);
    }),
    runs(3000),
  );
});
