/** What the programs answer, ask the service and write down is as in the golden record, to the byte. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { linesOf, makeRecord } from './record.ts';

it('every recorded call is as it was: npm run golden shows what differs', async () => {
  const expected = readFileSync(new URL('record.txt', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n');
  expect(linesOf(await makeRecord())).toEqual(expected);
});
