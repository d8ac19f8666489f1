/** A caller who is bound to a customer and from whom personal data is hidden: both hold together, in every call. */
import { beforeAll, describe, expect, it } from 'vitest';
import { demoIds } from '../../../../src/contract/demo-ids.ts';
import type { Caller } from '../../../../src/definition/caller.ts';
import { answerOf, calls, kindsIn, maskedServers } from './marked.ts';
import { maskedCaller } from './roles.ts';

const own = demoIds.external_customer_id;
const servers = maskedServers('phone');
let bound: Caller;
beforeAll(() => {
  bound = maskedCaller({ ...servers.open.ownCaller('bound'), customers: [own] }, ['email', 'tax_id']);
});

describe('a bound caller with a mask', () => {
  it('sees in no answer a hidden field, nor any field of another customer', async () => {
    const seen = new Set<string>();
    for (const { tool, args } of calls) {
      const answer = await answerOf(servers.open, tool, args, bound);
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
  ])('finds its own records with %s by name, and none by email address', async (tool, key) => {
    const rows = async (search_term: string, caller: Caller) => {
      const answer = JSON.parse(await answerOf(servers.open, tool, { search_term }, caller)).answer;
      return JSON.parse(JSON.stringify(answer.fields))[key];
    };
    expect((await rows('Podcasts', bound)).length).toBeGreaterThan(0);
    expect(await rows('xq-email', bound)).toEqual([]);
    expect((await rows('xq-email', { ...bound, id: 'other', role: undefined })).length).toBeGreaterThan(0);
  });
});
