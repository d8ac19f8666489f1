/** The log of changes, as callers who are bound to customers get it. */
import { beforeAll, beforeEach, expect, it } from 'vitest';
import type { Caller } from '../../../src/definition/caller.ts';
import type { JsonRecord } from '../../../src/lib/json.ts';
import { ours, sharedWorld, theirs } from './bounds-world.ts';

const world = sharedWorld();
let bound: Caller;
beforeAll(async () => {
  for (const { wallet } of [ours, theirs]) {
    await world.send(world.caller(), `PUT /wallets/${wallet}`, { wallet: { name: 'New' } });
  }
  const entity = { code: 'e', name: 'Of the whole account' };
  await world.send(world.caller(), 'POST /billing_entities', { billing_entity: entity });
});
beforeEach(() => {
  bound = world.newCaller();
});

const rowsOf = async (endpoint: string, caller = bound) => {
  const answer = await world.send(caller, endpoint);
  if (!answer.ok) return answer.error.code;
  return ((answer.body as JsonRecord).activity_logs as JsonRecord[]).map(row => row.external_customer_id);
};

it.each<[string, string, unknown]>([
  ['of their customer, though all was asked for', 'GET /activity_logs', ['acme']],
  ['that are filtered', 'GET /activity_logs?resource_types[]=Wallet&activity_types[]=wallet.updated', ['acme']],
  ['of another customer not', 'GET /activity_logs?external_customer_id=globex', 'customer_not_found'],
  ['by a filter that is not known not', 'GET /activity_logs?customer=globex', 'account_wide'],
  ['by id not', 'GET /activity_logs/5eb02857-a71e-4ea2-bcf9-57d3a41bc6ba', 'account_wide'],
])('bound callers get changes %s', async (_, endpoint, expected) => {
  expect(await rowsOf(endpoint)).toEqual(expected);
});

it('callers who are not bound get all, the newest first', async () => {
  expect(await rowsOf('GET /activity_logs', world.caller())).toEqual([null, 'globex', 'acme']);
});

it('two customers of one caller are merged by time', async () => {
  const both = world.newCaller(['acme', 'globex']);
  expect(((await rowsOf('GET /activity_logs', both)) as string[]).toSorted()).toEqual(['acme', 'globex']);
});

const own = { activity_id: 'a', external_customer_id: 'acme', activity_object: {}, activity_object_changes: {} };
const deep = '['.repeat(20_000) + ']'.repeat(20_000);
it.each<[string, object | string]>([
  ['no customer', { external_customer_id: null }],
  ['no field for the customer', { external_customer_id: undefined }],
  ['another customer', { external_customer_id: 'globex' }],
  ['a list as customer', { external_customer_id: ['acme'] }],
  ['another customer in the record', { activity_object: { customer: { external_id: 'globex' } } }],
  ['another customer in a text of the record', { activity_object: { x: '{"external_customer_id":"globex"}' } }],
  ['a record that came from another', { activity_object_changes: { external_customer_id: ['globex', 'acme'] } }],
  ['the same as text', { activity_object_changes: { external_customer_id: '["globex","acme"]' } }],
  ['the whole record as text', { activity_object: '{"customer":{"external_id":"globex"}}' }],
  ['another customer in JSON that is cut', { activity_object_changes: { x: '{"external_customer_id":"globex",' } }],
  [
    'another customer in JSON that is nested deeply',
    { activity_object_changes: { x: `{"external_customer_id":"globex","d":${deep}}` } },
  ],
  [
    'another customer in JSON in JSON',
    { activity_object_changes: { x: '"{\\"external_customer_id\\":\\"globex\\"}"' } },
  ],
  ['another customer in another notation', { activity_object_changes: { x: '{"external_customer_id"=>"globex"}' } }],
  ['another customer by another name', { activity_object: { externalCustomerId: 'globex' } }],
  ['two ids of customers', { activity_object_changes: { svc_customer_id: ['an id', 'another'] } }],
  ['a record of another customer', { resource_type: 'Customer', activity_object: { external_id: 'globex' } }],
  ['no row', 'globex'],
])('a row with %s is not passed on, and neither are total and next page', async (_, fields) => {
  const row = typeof fields === 'string' ? fields : { ...own, ...fields };
  const meta = { current_page: 1, next_page: 2, prev_page: null, total_pages: 2, total_count: 2 };
  world.rewrite((path, body) => (path.startsWith('/activity_logs') ? { activity_logs: [own, row], meta } : body));
  const answer = await world.send(bound, 'GET /activity_logs');
  expect(answer).toMatchObject({
    ok: true,
    body: { activity_logs: [own], meta: { next_page: null, total_count: null } },
  });
});

it.each<[string, object]>([
  [
    'the service’s id of their customer',
    { activity_object: { svc_customer_id: 'an id', customer: { external_id: 'acme' } } },
  ],
  ['their customer', { resource_type: 'Customer', activity_object: { external_id: 'acme', name: 'external' } }],
  ['metadata with any words', { activity_object_changes: { metadata: [{}, { external_customer_id: 'x' }] } }],
])('a row with %s is passed on', async (_, fields) => {
  const row = { ...own, ...fields };
  world.rewrite((path, body) => (path.startsWith('/activity_logs') ? { activity_logs: [row] } : body));
  expect(await world.send(bound, 'GET /activity_logs')).toMatchObject({ ok: true, body: { activity_logs: [row] } });
});

it('the tool of a bound caller names nothing of others', async () => {
  const { text, code } = await world.call(bound, 'list_activity', {});
  expect(code).toBeNull();
  expect(text).toContain('by an API key');
  expect(text).not.toMatch(/globex|zglob|whole account/i);
  expect((await world.call(bound, 'list_activity', { external_customer_id: 'globex' })).code).toBe(
    'customer_not_found',
  );
});
