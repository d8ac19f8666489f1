/** A caller who is bound to a customer and from whom personal data is hidden: both hold together. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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

describe('a bound caller with a mask', () => {
  it('sees in one answer of each tool no hidden field, nor any field of another customer', async () => {
    const seen = new Set<string>();
    for (const { tool, args } of new Map(calls.map(call => [call.tool, call])).values()) {
      const answer = await answerOf(runtime, tool, args, bound);
      // The caller itself sends the address of somebody new.
      for (const [mark] of answer.matchAll(/xq-\w+-(?!new)[\w-]+/g)) seen.add(mark);
    }
    expect(kindsIn([...seen].join())).toEqual(['phone', 'address']);
    expect([...seen].filter(mark => !mark.endsWith(`-${own}`))).toEqual([]);
  });

  // Invoices of a bound caller are those of its customers, in which the service searches numbers alone.
  it.each([
    ['find_customers', 'customers'],
    ['list_credit_notes', 'credit_notes'],
  ])('finds its own records with %s by name, and none by e-mail address', async (tool, key) => {
    const rows = async (search_term: string, caller: Caller) => {
      const answer = JSON.parse(await answerOf(runtime, tool, { search_term }, caller)).answer;
      return JSON.parse(`{${answer.fields}}`)[key];
    };
    expect((await rows('Podcasts', bound)).length).toBeGreaterThan(0);
    expect(await rows('xq-email', bound)).toEqual([]);
    expect((await rows('xq-email', { ...bound, id: 'other', mask: undefined })).length).toBeGreaterThan(0);
  });
});
