/** Property: a set and then the set in its receipt leave the account as it was, but for what was said to have no way back. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { demoIds } from '../../../src/contract/demo-ids.ts';
import type { ChangeMade, SetReceipt } from '../../../src/definition/write-call.ts';
import type { JsonRecord } from '../../../src/lib/json.ts';
import type { TestClient } from '../../support/clients.ts';
import { sameRuns } from '../../support/extent.ts';
import { change, type SetWorld, setWorld } from './set-world.ts';

let world: SetWorld;
let client: TestClient;
let invoices: string[];

beforeAll(async () => {
  world = await setWorld();
  client = (await world.connect()).client;
  const { content } = await client.call('list_invoices', { per_page: 4 });
  invoices = (content.invoices as { svc_id: string }[]).map(({ svc_id }) => svc_id);
});
afterAll(() => world.close());

const word = fc.constantFrom('Alpha', 'Beta', 'Gamma');
const id = { svc_id: demoIds.wallet_svc_id };
const metadata = fc.dictionary(fc.constantFrom('a', 'b', 'cost_center'), word, { maxKeys: 2 });
/** Each field of these records is in a set once at most. */
const parts: fc.Arbitrary<JsonRecord>[] = [
  word.map(name => change('update_add_on', { code: demoIds.add_on_code, name })),
  fc
    .integer({ min: 1, max: 90_000 })
    .map(amount_cents => change('update_add_on', { code: demoIds.add_on_code, amount_cents })),
  word.map(description => change('update_add_on', { code: demoIds.add_on_code, description })),
  word.map(name => change('update_wallet', { ...id, name })),
  fc.integer({ min: 1, max: 50 }).map(priority => change('update_wallet', { ...id, priority })),
  metadata.map(sent => change('update_wallet', { ...id, metadata: sent })),
  word.map(name => change('update_subscription', { external_id: demoIds.external_subscription_id, name })),
  fc
    .constantFrom('2027-01-31T00:00:00Z', '2027-06-30T12:00:00Z')
    .map(ending_at => change('update_subscription', { external_id: demoIds.external_subscription_id, ending_at })),
  ...[0, 1, 2, 3].map(n =>
    metadata.map(sent => {
      const pairs = Object.entries(sent).map(([key, value]) => ({ key, value }));
      return change('update_invoice', { svc_id: invoices[n], metadata: pairs });
    }),
  ),
  fc.constant(change('delete_add_on', { code: 'not-there' })),
];
const someOf = fc
  .shuffledSubarray(
    parts.map((_, index) => index),
    { minLength: 2 },
  )
  .chain(chosen => fc.tuple(...chosen.map(index => parts[index]!)));

/** What the changes of this file can touch. */
async function account(): Promise<JsonRecord> {
  const records = {
    [`add_on ${demoIds.add_on_code}`]: await world.read(`/add_ons/${demoIds.add_on_code}`, 'add_on'),
    [`wallet ${demoIds.wallet_svc_id}`]: await world.read(`/wallets/${demoIds.wallet_svc_id}`, 'wallet'),
    [`subscription ${demoIds.external_subscription_id}`]: await world.read(
      `/subscriptions/${demoIds.external_subscription_id}`,
      'subscription',
    ),
    ...Object.fromEntries(
      await Promise.all(
        invoices.map(async id => [`invoice ${id}`, await world.read(`/invoices/${id}`, 'invoice')] as const),
      ),
    ),
  };
  return JSON.parse(
    JSON.stringify(records, (field, value) =>
      /^(svc_id|updated_at|lago_id|created_at)$/.test(field) ? undefined : value,
    ),
  );
}

/** The records of the changes that have no way back. */
const lost = ({ no_way_back = [] }: SetReceipt, changes: readonly ChangeMade[]) =>
  no_way_back.map(({ number }) => changes.find(each => each.number === number)!.target);

it('a random set and then its way back leave the account as it was', async () => {
  let restored = 0;
  await fc.assert(
    fc.asyncProperty(someOf, fc.constantFrom('stop', 'continue'), async (changes, on_failure) => {
      const before = await account();
      const done = await client.call('change_several', { changes, on_failure });
      const receipt = done.content.receipt as SetReceipt | undefined;
      if (receipt === undefined) {
        expect(await account()).toEqual(before);
        return;
      }
      const { revert } = receipt;
      if (revert !== undefined) {
        const back = await client.call(revert.tool, revert.arguments as JsonRecord);
        expect(back.isError, `${JSON.stringify(changes)}: ${back.text}`).toBe(false);
        restored += 1;
      }
      const said = lost(receipt, done.content.changes as ChangeMade[]);
      const without = (records: JsonRecord) => Object.entries(records).filter(([target]) => !said.includes(target));
      expect(without(await account()), JSON.stringify(changes)).toEqual(without(before));
    }),
    sameRuns(60),
  );
  expect(restored).toBeGreaterThan(5);
});
