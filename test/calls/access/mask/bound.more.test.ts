/** A caller who is bound to a customer and from whom personal data is hidden: both hold together, in every call. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startBound } from './bound-world.ts';
import { calls } from './marked.ts';

let world: Awaited<ReturnType<typeof startBound>>;
beforeAll(async () => {
  world = await startBound();
});
afterAll(() => world.close());

it('a bound caller with a mask sees in no answer a hidden field, or any field of another customer', async () => {
  expect(await world.shown(calls)).toEqual({ kinds: ['phone', 'address'], others: [] });
});
