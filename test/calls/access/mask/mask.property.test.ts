/** Under any set of masks, just what it names is hidden from the answers of any tool. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type MaskedField, maskedFields } from '../../../../src/contract/masked-fields.ts';
import { runs } from '../../../support/extent.ts';
import { answerOf, kindsIn, maskedServers, reads, runtimeFor } from './marked.ts';
import { maskedCaller } from './roles.ts';

const servers = maskedServers('email');

it('hides under any mask just what it names, for the operator’s mask and a caller’s together', async () => {
  const sets = fc.subarray([...maskedFields]);
  await fc.assert(
    fc.asyncProperty(sets, sets, fc.constantFrom(...reads), async (mine, yours, { tool, args }) => {
      const runtime = runtimeFor(servers.baseUrl, mine.length > 0 ? { BILLING_MASK: mine.join() } : {});
      const caller = maskedCaller(runtime.ownCaller(), yours);
      const [answer, whole] = [await answerOf(runtime, tool, args, caller), await answerOf(servers.open, tool, args)];
      await runtime.close();
      const hidden = new Set<MaskedField>([...mine, ...yours]);
      expect(kindsIn(answer)).toEqual(kindsIn(whole).filter(kind => !hidden.has(kind)));
    }),
    runs(120),
  );
});
