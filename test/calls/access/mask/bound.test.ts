/** A caller who is bound to a customer and from whom personal data is hidden: both hold together. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Caller } from '../../../../src/definition/caller.ts';
import { startBound } from './bound-world.ts';
import { answerOf, calls } from './marked.ts';

let world: Awaited<ReturnType<typeof startBound>>;
beforeAll(async () => {
  world = await startBound();
});
afterAll(() => world.close());

describe('a bound caller with a mask', () => {
  it('sees in one answer of each tool no hidden field, nor any field of another customer', async () => {
    const oneEach = new Map(calls.map(call => [call.tool, call])).values();
    expect(await world.shown(oneEach)).toEqual({ kinds: ['phone', 'address'], others: [] });
  });

  // Invoices of a bound caller are those of its customers, in which the service searches numbers alone.
  it.each([
    ['find_customers', 'customers'],
    ['list_credit_notes', 'credit_notes'],
  ])('finds its own records with %s by name, and none by email address', async (tool, key) => {
    const { runtime, bound } = world;
    const rows = async (search_term: string, caller: Caller) => {
      const answer = JSON.parse(await answerOf(runtime, tool, { search_term }, caller)).answer;
      return JSON.parse(JSON.stringify(answer.fields))[key];
    };
    expect((await rows('Podcasts', bound)).length).toBeGreaterThan(0);
    expect(await rows('xq-email', bound)).toEqual([]);
    expect((await rows('xq-email', { ...bound, id: 'other', role: undefined })).length).toBeGreaterThan(0);
  });
});
