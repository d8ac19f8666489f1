/** What leaves the server for any values that a model in strict mode writes. */
import * as fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import type { JsonRecord } from '../../src/lib/json.ts';
import { samples } from '../calls/change/samples.ts';
import { runs } from '../support/extent.ts';
import { startStrict } from './sent-by.ts';

const id = '5f4a1d4c-6a1b-4f0e-9a51-6d0f5a6f0001';
const server = await startStrict();
afterAll(() => server.close());

describe('an argument that is listed as pairs or JSON text', () => {
  const keys = fc
    .string({ minLength: 1, maxLength: 30, unit: 'grapheme' })
    .filter(key => !/^__proto__$|[[\]]/.test(key));
  const texts = fc.string({ maxLength: 60, unit: 'grapheme' });
  const anything = fc.jsonValue({ maxDepth: 2 }).filter(value => !JSON.stringify(value).includes('__proto__'));
  const objects = (values: fc.Arbitrary<unknown>) =>
    fc.dictionary(keys, values, { minKeys: 1, maxKeys: 12, noNullPrototype: true });

  it.each<[string, JsonRecord, string, fc.Arbitrary<JsonRecord>]>([
    ['estimate_fees', samples.estimate_fees!, 'properties', objects(anything)],
    ['update_wallet', { svc_id: id }, 'metadata', objects(texts)],
    ['update_credit_note', { svc_id: id }, 'metadata', objects(texts)],
    ['find_customers', {}, 'metadata', objects(texts)],
  ])('sends any object for %s, given %o, as %s', async (tool, rest, argument, values) => {
    await fc.assert(
      fc.asyncProperty(values, async object => {
        const pairs = Object.entries(object).map(([key, value]) => ({ key, value }));
        const plain = await server.sentBy(tool, { ...rest, [argument]: object });
        expect(await server.sentBy(tool, { ...rest, [argument]: pairs })).toEqual(plain);
        expect(await server.sentBy(tool, { ...rest, [argument]: JSON.stringify(pairs) })).toEqual(plain);
      }),
      runs(25),
    );
  });

  it('sends any price settings of a charge, as JSON text', async () => {
    await fc.assert(
      fc.asyncProperty(objects(anything), async properties => {
        const charge = { id: 'c', properties, filters: [{ values: { region: ['eu'] }, properties }] };
        const send = (given: unknown) =>
          server.sentBy('update_subscription', { external_id: 's', plan_overrides: { charges: [given] } });
        expect(await send(JSON.stringify(charge))).toEqual(await send(charge));
      }),
      runs(25),
    );
  });
});
