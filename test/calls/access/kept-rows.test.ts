/** What completion keeps for half a minute is given only to callers who may read it now. */
import { expect, it } from 'vitest';
import { nobody } from '../../../src/definition/asking.ts';
import type { Scope } from '../../../src/definition/caller.ts';
import { complete } from '../../../src/server/protocol/completion.ts';
import { sharedWorld } from './bounds-world.ts';

const world = sharedWorld();

it('kept rows are not given to the same caller with a token of fewer scopes', async () => {
  const rowsFor = async (scope: Scope) => {
    const caller = { ...world.caller(), scopes: new Set([scope]) };
    const completed = async (name: string) => {
      const params = { ref: { type: 'ref/prompt', name: 'quote_plan' }, argument: { name, value: '' } } as const;
      const { total } = await complete(params, tool => world.runtime.pipeline.apiAs(tool, { caller, client: nobody }));
      return total > 0;
    };
    return [await completed('plan_code'), await completed('external_customer_id')];
  };
  expect(await rowsFor('billing:read')).toEqual([true, true]);
  expect(await rowsFor('billing:write')).toEqual([false, false]);
});
