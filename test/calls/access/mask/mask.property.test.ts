/** Under any set of masks, just what it names is hidden from the answers of any tool. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type MaskedField, maskedFields } from '../../../../src/contract/masked-fields.ts';
import type { Runtime } from '../../../../src/server/runtime.ts';
import { runs } from '../../../support/extent.ts';
import { answerOf, kindsIn, markedAccount, reads, runtimeFor, serve } from './marked.ts';
import { maskedCaller } from './roles.ts';

let service: Awaited<ReturnType<typeof serve>>;
let open: Runtime;
beforeAll(async () => {
  service = await serve(await markedAccount());
  open = runtimeFor(service.baseUrl);
});
afterAll(async () => {
  await open.close();
  await service.close();
});

it('hides under any mask just what it names, for the operator’s mask and a caller’s together', async () => {
  const sets = fc.subarray([...maskedFields]);
  await fc.assert(
    fc.asyncProperty(sets, sets, fc.constantFrom(...reads), async (mine, yours, { tool, args }) => {
      const runtime = runtimeFor(service.baseUrl, mine.length > 0 ? { BILLING_MASK: mine.join() } : {});
      const caller = maskedCaller(runtime.ownCaller(), yours);
      const [answer, whole] = [await answerOf(runtime, tool, args, caller), await answerOf(open, tool, args)];
      await runtime.close();
      const hidden = new Set<MaskedField>([...mine, ...yours]);
      expect(kindsIn(answer)).toEqual(kindsIn(whole).filter(kind => !hidden.has(kind)));
    }),
    runs(120),
  );
});
