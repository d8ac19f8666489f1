import fc from 'fast-check';
import { expect, it } from 'vitest';
import { resultOf, type ToolAnswer } from '../../src/calls/result.ts';
import { writeResult } from '../../src/server/fast/json-result.ts';
import { JsonWriter } from '../../src/server/fast/json-writer.ts';
import { runs } from '../support/extent.ts';

it('the shortcut writes any answer as the SDK would, however large', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary' }),
      fc.jsonValue(),
      fc.integer({ min: 1, max: 9000 }),
      (summary, value, n) => {
        const answer = { summary, fields: { a: [value, '"€\\'.repeat(n)] } };
        expect(JSON.parse(written(answer))).toEqual(JSON.parse(JSON.stringify(resultOf(answer))));
      },
    ),
    runs(100),
  );
});

function written(answer: ToolAnswer): string {
  const out = new JsonWriter(16);
  writeResult(out, answer);
  return out.take().toString('utf8');
}
