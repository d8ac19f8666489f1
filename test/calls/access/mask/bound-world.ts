/** A server in front of the marked account, and a caller who is bound to one customer and does not see two kinds of data. */

import { demoIds } from '../../../../src/contract/demo-ids.ts';
import { answerOf, type calls, kindsIn, markedAccount, runtimeFor, serve } from './marked.ts';
import { maskedCaller } from './roles.ts';

const own = demoIds.external_customer_id;

export async function startBound() {
  const service = await serve(await markedAccount());
  const runtime = runtimeFor(service.baseUrl);
  const bound = maskedCaller({ ...runtime.ownCaller('bound'), customers: [own] }, ['email', 'tax_id']);
  return {
    runtime,
    bound,
    /** What the answers to these calls show: the kinds of data, and the marks of other customers. */
    async shown(asked: Iterable<(typeof calls)[number]>): Promise<{ kinds: string[]; others: string[] }> {
      const seen = new Set<string>();
      for (const { tool, args } of asked) {
        const answer = await answerOf(runtime, tool, args, bound);
        // The caller itself sends the address of somebody new.
        for (const [mark] of answer.matchAll(/xq-\w+-(?!new)[\w-]+/g)) seen.add(mark);
      }
      return { kinds: kindsIn([...seen].join()), others: [...seen].filter(mark => !mark.endsWith(`-${own}`)) };
    },
    close: async () => {
      await runtime.close();
      await service.close();
    },
  };
}
