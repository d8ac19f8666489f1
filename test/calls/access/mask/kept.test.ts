/** What is read for one caller's write serves no other from whom other fields are hidden. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { accountOf, type BoundWorld, boundWorld, idsOf } from '../bounds-world.ts';
import { maskedCaller, maskRoles } from './roles.ts';

const acme = { external_id: 'acme', name: 'Acme Corp', marker: 'acmark', cents: 1_203 };
let world: BoundWorld;
beforeAll(async () => {
  world = await boundWorld(accountOf([acme]), { roles: maskRoles });
});
afterAll(() => world.close());

it('the customer of a subscription is read once for each mask', async () => {
  const plain = world.caller();
  const masked = maskedCaller({ ...plain, id: 'masked' }, ['email']);
  const dryRun = { external_id: idsOf(acme).subscription, name: 'Main', dry_run: true };
  for (const caller of [plain, { ...plain, id: 'another' }, masked, { ...masked, id: 'another masked' }]) {
    expect((await world.call(caller, 'update_subscription', dryRun)).code).toBeNull();
  }
  expect(world.received.filter(request => request === 'GET /customers/acme')).toHaveLength(2);
});
