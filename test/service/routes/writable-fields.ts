/** The cases of a resource's plain fields: a new one is tested where the others are. */
import { expect, it } from 'vitest';
import type * as z from 'zod';
import { type Unit, writableFields } from '../../../src/contract/fields.ts';
import type { Json, JsonObject } from '../../../src/engine/records/index.ts';
import { expectOk, type Reply } from './service.ts';

/** Of each unit a value that is stored as it is sent, and one that is refused. */
export const values: Record<Unit, { good: Json; bad: Json }> = {
  text: { good: 'new', bad: 5 },
  integer: { good: 7, bad: 'x' },
  cents: { good: 600, bad: 'x' },
  currency: { good: 'USD', bad: 'XXX' },
  flag: { good: true, bad: 2 },
  instant: { good: '2027-01-01T00:00:00Z', bad: 'soon' },
};

/** `put` sends the fields, and answers with the whole body. */
export function itWrites(resource: z.ZodObject, key: string, put: (fields: JsonObject) => Promise<Reply>) {
  it.each(writableFields(resource))(
    'stores and shows %s, refuses what it is not, and clears it by null or not at all',
    async (name, { unit, change }) => {
      const refusedOf = async (value: Json) => (await put({ [name]: value })).body.error_details;
      const shown = async (value: Json) => (expectOk(await put({ [name]: value }))[key] as JsonObject)[name];
      const { good, bad } = values[unit];
      const before = change.needed ? null : await shown(null);
      expect(await shown(good)).toBe(good);
      expect(await refusedOf(bad)).toEqual({ [name]: [expect.any(String)] });
      if (change.longest !== undefined)
        expect(await refusedOf('x'.repeat(change.longest + 1))).toEqual({ [name]: ['value_is_too_long'] });
      if (change.least !== undefined)
        expect(await refusedOf(change.least - 1)).toEqual({ [name]: [expect.any(String)] });
      if (change.needed) expect(await refusedOf(null)).toEqual({ [name]: [expect.any(String)] });
      else expect(await shown(null)).toBe(change.clears ? null : good);
      if (!change.clears && before !== null) await shown(before!);
    },
  );
}
