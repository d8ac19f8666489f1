import { isInitializeRequest } from '@modelcontextprotocol/server';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isPlainInitialize } from '../../../src/server/fast/handshake.ts';
import { sameRuns } from '../../support/extent.ts';
import { opening } from './raw.ts';

it('an initialize is plain only where the SDK accepts it, whatever the capabilities', () => {
  const value = fc.oneof(
    fc.constant({}),
    fc.boolean(),
    fc.constant(null),
    fc.record({ listChanged: fc.oneof(fc.boolean(), fc.integer()) }),
    fc.record({ form: fc.oneof(fc.constant({}), fc.record({ applyDefaults: fc.oneof(fc.boolean(), fc.string()) })) }),
    fc.record({ context: fc.jsonValue() }),
    fc.record({ requests: fc.record({ sampling: fc.record({ createMessage: fc.jsonValue() }) }) }),
    fc.dictionary(fc.string(), fc.jsonValue()),
  );
  const names = ['experimental', 'extensions', 'sampling', 'elicitation', 'roots', 'tasks', 'other', '__proto__'];
  const capabilities = fc.dictionary(fc.constantFrom(...names), value);
  const clientInfo = fc.oneof(
    fc.constant({ name: 'a', version: '1' }),
    fc.dictionary(fc.constantFrom('name', 'version', 'title', 'icons', 'x'), fc.oneof(fc.string(), fc.jsonValue())),
  );
  const cases = sameRuns(2000);
  let plain = 0;
  fc.assert(
    fc.property(capabilities, clientInfo, (declared, info) => {
      const message = JSON.parse(JSON.stringify(opening({ capabilities: declared, clientInfo: info })));
      if (!isPlainInitialize(message)) return;
      plain++;
      expect(isInitializeRequest(message)).toBe(true);
    }),
    cases,
  );
  expect(plain).toBeGreaterThan(cases.numRuns / 20);
});
