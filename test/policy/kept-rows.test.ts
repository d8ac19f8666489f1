/** What completion keeps for half a minute is given only to callers who may read it now. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Scope } from '../../src/definition/caller.ts';
import { accountOf, type BoundWorld, boundWorld } from './bounds-world.ts';

let world: BoundWorld;
beforeAll(async () => {
  world = await boundWorld(accountOf([{ external_id: 'acme', name: 'Acme Corp', marker: 'acmark', cents: 1_203 }]));
});
afterAll(() => world.close());

it('kept rows are not given to the same caller with a token of fewer scopes', async () => {
  const rowsFor = async (scope: Scope) => {
    const caller = { ...world.caller(), scopes: new Set([scope]) };
    const reader = await world.runtime.pipeline.reader({ caller });
    const customers = await reader.keptRows('find_customers', '/customers', 'customers');
    return [(await reader.planCodes()).length > 0, customers.length > 0];
  };
  expect(await rowsFor('billing:read')).toEqual([true, true]);
  expect(await rowsFor('billing:write')).toEqual([false, false]);
});
