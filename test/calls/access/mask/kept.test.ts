/** What is read for one caller's write serves no other from whom other fields are hidden. */
import { expect, it } from 'vitest';
import { accountOf, acme, boundWorld, ours, sharedWorld } from '../bounds-world.ts';
import { maskedCaller, maskRoles } from './roles.ts';

const world = sharedWorld(() => boundWorld(accountOf([acme]), { roles: maskRoles }));

it('the customer of a subscription is read once for each mask', async () => {
  const plain = world.caller();
  const masked = maskedCaller({ ...plain, id: 'masked' }, ['email']);
  const dryRun = { external_id: ours.subscription, name: 'Main', dry_run: true };
  for (const caller of [plain, { ...plain, id: 'another' }, masked, { ...masked, id: 'another masked' }]) {
    expect((await world.call(caller, 'update_subscription', dryRun)).code).toBeNull();
  }
  expect(world.received.filter(request => request === 'GET /customers/acme')).toHaveLength(2);
});
