/** A caller who is bound to a customer and from whom personal data is hidden: both hold together, in every call. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Caller } from '../../src/call/types.ts';
import { demoIds } from '../../src/model/demo-ids.ts';
import type { MaskedField } from '../../src/model/masked-fields.ts';
import type { Runtime } from '../../src/runtime.ts';
import { answerOf, calls, kindsIn, markedAccount, runtimeFor, serve } from './marked.ts';

const own = demoIds.external_customer_id;
let service: Awaited<ReturnType<typeof serve>>;
let runtime: Runtime;
let bound: Caller;
beforeAll(async () => {
  service = await serve(markedAccount());
  runtime = runtimeFor(service.baseUrl);
  bound = { ...runtime.ownCaller('bound'), customers: [own], mask: new Set<MaskedField>(['email', 'tax_id']) };
});
afterAll(async () => {
  await runtime.close();
  await service.close();
});

it('a bound caller with a mask sees in no answer a hidden field, or any field of another customer', async () => {
  const seen = new Set<string>();
  for (const { tool, args } of calls) {
    const answer = await answerOf(runtime, tool, args, bound);
    // The caller itself sends the address of somebody new.
    for (const [mark] of answer.matchAll(/xq-\w+-(?!new)[\w-]+/g)) seen.add(mark);
  }
  expect(kindsIn([...seen].join())).toEqual(['phone', 'address']);
  expect([...seen].filter(mark => !mark.endsWith(`-${own}`))).toEqual([]);
});
