/** Sets of changes against the demo account: what is refused whole, what is asked, and what becomes of each change. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { demoIds } from '../../../src/contract/demo-ids.ts';
import { anyRecord as asRecord, type JsonRecord } from '../../../src/lib/json.ts';
import type { TestClient } from '../../support/clients.ts';
import { change, outcomesOf, type SetWorld, setWorld, three } from './set-world.ts';

let world: SetWorld;
let asked: TestClient;
let word = 0;

beforeAll(async () => {
  world = await setWorld();
  asked = (await world.connect({ BILLING_CONFIRM: 'auto' }, true)).client;
});
afterAll(() => world.close());
afterEach(() => {
  world.fail(undefined);
  world.failReads(undefined);
  world.writes();
  asked.asked.length = 0;
  Object.assign(asked, { answer: 'accept', content: { answer: 'yes' }, person: undefined });
});

/** Three changes that were not made yet. */
const fresh = () => three(`of ${++word}`);
const several = (client: TestClient, changes: unknown[], more: JsonRecord = {}) =>
  client.call('change_several', { changes, ...more });
const wallets = `/wallets/${demoIds.wallet_svc_id}`;
/** Another program renames the wallet: now, or just before a write at a path with this part is carried out. */
const rename = () => world.put(wallets, { wallet: { name: `Other ${++word}` } });
const renameAt = (part: string) =>
  world.fail(async ({ path }) => {
    if (path.includes(part)) await rename();
    return undefined;
  });
const reason = ({ content }: { content: JsonRecord }) => `${asRecord(content.error).code}: ${content.summary}`;

describe('a set is refused whole, with the line, before anybody is asked', () => {
  const addOn = (args: object) => change('update_add_on', { code: demoIds.add_on_code, ...args });
  const [first] = three('x') as [object];
  it.each<[what: string, changes: unknown[], said: RegExp]>([
    ['one change', [first], /changes must have at least 2/],
    ['26 changes', Array(26).fill(first), /changes has more than 25 entries/],
    ['a read', [first, change('get_customer', {})], /changes\[1\]\.tool is get_customer, which changes nothing/],
    ['a set', [first, change('change_several', { changes: [] })], /changes\[1\]\.tool is change_several: a set cannot/],
    ['no tool', [change('update_walet', {}), first], /update_walet.*did you mean update_wallet/],
    ['a name of every object', [first, change('constructor', {})], /changes\[1\]\.tool is "constructor", which is no/],
    [
      'text that is no JSON',
      [first, { tool: 'update_wallet', arguments: '{"svc_id":' }],
      /changes\[1\]\.arguments is not valid JSON/,
    ],
    ['arguments that are missing', [first, change('update_wallet', {})], /changes\[1\]: svc_id is required/],
    ['two lines', [change('update_wallet', {}), addOn({ amount_cents: 'x' })], /changes\[0\]: .*changes\[1\]: amount/],
    [
      'a dry run in it',
      [first, addOn({ name: 'A', dry_run: true })],
      /changes\[1\]\.arguments\.dry_run applies to the whole set/,
    ],
    ['a confirmation in it', [first, addOn({ confirmation: 'x' })], /changes\[1\]\.arguments\.confirmation applies/],
    ['an id that is no path', [first, change('delete_add_on', { code: '..' })], /changes\[1\]: .*dots/],
    [
      'a field twice',
      [addOn({ name: 'A' }), addOn({ name: 'B' })],
      /changes\[1\] and changes\[0\].* same field .*\(name\)/,
    ],
    [
      'a field twice, of a record whose id is also written in capital letters',
      [demoIds.wallet_svc_id, demoIds.wallet_svc_id.toUpperCase()].map(svc_id =>
        change('update_wallet', { svc_id, name: svc_id }),
      ),
      /changes\[1\] and changes\[0\].* same field .*\(name\)/,
    ],
    ['a change of a record with a new code', [addOn({ new_code: 'b' }), addOn({ name: 'A' })], /sets its code/],
    ['a new code of a changed record', [addOn({ name: 'A' }), addOn({ new_code: 'b' })], /sets its code/],
    [
      'a code that is free once another change is made',
      [change('delete_add_on', { code: 'glossary' }), addOn({ new_code: 'glossary' })],
      /changes\[1\] and changes\[0\].* sets its code/,
    ],
    ['a deleted record', [addOn({ name: 'A' }), change('delete_add_on', { code: demoIds.add_on_code })], /deletes it/],
    [
      'a new code twice',
      [1, 2].map(n => change('create_billing_entity', { code: 'twice', name: `N${n}` })),
      /changes\[1\] and changes\[0\].*same new code/,
    ],
    [
      'a record that is not there',
      [first, addOn({ code: 'onbording', name: 'A' })],
      /changes\[1\]: .*no add-on "onbording"/,
    ],
    [
      'two records that are not there',
      [
        addOn({ code: 'onbording', name: 'A' }),
        first,
        change('update_wallet', { svc_id: demoIds.invoice_svc_id, name: 'A' }),
      ],
      /changes\[0\]: .*also refused: changes\[2\]/,
    ],
    ['a code that is not there', [first, addOn({ tax_codes: ['nothing'] })], /changes\[1\]: .*names "nothing"/],
    [
      'a taken code',
      [first, change('create_billing_entity', { code: 'skylark-us', name: 'A' })],
      /changes\[1\]: .*already used/,
    ],
  ])('%s', async (_, changes, said) => {
    const answer = await several(asked, changes);
    expect(answer.isError).toBe(true);
    expect(answer.content.summary).toMatch(said);
    expect(asRecord(answer.content.error).changed).toBe(false);
    expect([asked.asked.length, world.writes().length]).toEqual([0, 0]);
  });

  it('a tool that this caller may not use', async () => {
    const { client } = await world.connect({ BILLING_EXCLUDE_TOOLS: 'update_wallet' });
    expect(reason(await several(client, fresh()))).toMatch(
      /^tool_not_offered: .*changes\[1\]: update_wallet was refused/,
    );
    expect(world.writes()).toEqual([]);
  });

  it('the tool itself, for a caller without any other write', async () => {
    const { client } = await world.connect({ BILLING_TOOLS: 'changes,customers' });
    expect(await client.names()).not.toContain('change_several');
    expect(reason(await several(client, fresh()))).toMatch(/^tool_not_offered: /);
    const { client: reader } = await world.connect({ BILLING_READ_ONLY: 'true' });
    expect(await reader.names()).not.toContain('change_several');
    expect(reason(await several(reader, fresh()))).toMatch(/^read_only: /);
  });

  it('amounts that only together are above the limit, and one that is above it alone', async () => {
    const { client } = await world.connect({ BILLING_MAX_AMOUNT: 'USD:1000' });
    const priced = (cents: number, other: number) => [
      change('update_add_on', { code: 'onboarding', amount_cents: cents, amount_currency: 'USD' }),
      change('update_wallet', { svc_id: demoIds.wallet_svc_id, paid_top_up_min_amount_cents: other }),
    ];
    const sum = reason(await several(client, priced(60_000, 50_000)));
    expect(sum).toMatch(/^amount_limit: .*\$1,100\.00, over the limit of \$1,000\.00/);
    const dear = change('update_add_on', { code: 'onboarding', amount_cents: 150_000, amount_currency: 'USD' });
    const one = reason(await several(client, [...fresh().slice(1), dear]));
    expect(one).toMatch(/^amount_limit: .*changes\[2\]: .*\$1,500\.00/);
    expect(world.writes()).toEqual([]);
  });

  it('more writes than a minute allows, and those that are left of it', async () => {
    const { client } = await world.connect({ BILLING_MAX_WRITES_PER_MINUTE: '2' });
    expect(reason(await several(client, fresh()))).toMatch(/^write_budget: .*3 writes.* 2 per minute/);
    await client.call('update_add_on', { code: demoIds.add_on_code, description: `One of ${++word}` });
    expect(reason(await several(client, fresh().slice(0, 2)))).toMatch(/^write_budget: /);
    expect(world.writes()).toHaveLength(1);
  });

  it('a question that is too long, with how to divide it', async () => {
    const thresholds = Array.from({ length: 15 }, (_, n) => ({ value: 1000 + n }));
    const types = [
      'lifetime_usage_amount',
      'billable_metric_current_usage_amount',
      'billable_metric_lifetime_usage_units',
    ];
    const changes = types.map((alert_type, n) =>
      change('create_subscription_alert', {
        ...{ external_id: demoIds.external_subscription_id, code: `long-${n}`, alert_type, thresholds },
        ...(n > 0 && { billable_metric_code: 'tokens' }),
      }),
    );
    const answer = await several(asked, changes);
    expect(reason(answer)).toMatch(/^question_too_long: .*45 amounts.*changes\[0\] to changes\[1\] and changes\[2\]/);
    expect((await several(asked, changes.slice(0, 2), { dry_run: true })).isError).toBe(false);
    expect(world.writes()).toEqual([]);
  });
});

describe('the one question', () => {
  it('has each change from what to what, by customer, with warnings, sums, what is so already and what has no way back', async () => {
    asked.content = { answer: 'no' };
    const changes = [
      change('update_add_on', { code: demoIds.add_on_code, amount_cents: 90_000, new_code: 'begin' }),
      change('update_wallet', { svc_id: demoIds.wallet_svc_id, paid_top_up_min_amount_cents: 2_000 }),
      change('create_billing_entity', { code: 'fr', name: 'France' }),
      change('delete_add_on', { code: 'not-there' }),
    ];
    const answer = await several(asked, changes, { on_failure: 'continue' });
    expect(reason(answer)).toMatch(/^declined: /);
    const lines = asked.asked[0]!.split('\n');
    expect(lines).toContain('Without a customer:');
    expect(lines).toContain('Customer “Acme Podcasts” (acme-podcasts):');
    expect(asked.asked[0]).toContain('the code onboarding can no longer');
    expect(asked.asked[0]).toContain('Cannot be undone: a billing entity');
    expect(lines.slice(-3)).toEqual([
      expect.stringContaining('$920.00'),
      'Already in effect, and skipped: 4.',
      'If one fails, the others still run.',
    ]);
    expect(asked.asked[0]).toMatch(/\n1\. .*\$750\.00.*\$900\.00/);
    expect(world.writes()).toEqual([]);
  });
});

describe('a set is carried out in its order', () => {
  const asWritten = () => world.writes().map(({ path }) => path.split('/')[3]);

  it.each(['2026-07-28', '2025-11-25'] as const)('after one yes, each change once, with progress, in %s', async era => {
    const { client } = await world.connect({ BILLING_CONFIRM: 'auto' }, true, era);
    const heard: (string | undefined)[] = [];
    const changes = fresh();
    const onprogress = ({ message }: { message?: string | undefined }) => heard.push(message);
    const done = await client.call('change_several', { changes }, { onprogress });
    expect(done.content.summary).toBe('All 3 changes were carried out.');
    expect(outcomesOf(done.content)).toEqual(['done', 'done', 'done']);
    expect(done.content.receipt).not.toHaveProperty('warnings');
    expect(asWritten()).toEqual(['add_ons', 'wallets', 'subscriptions']);
    expect(client.asked).toHaveLength(1);
    for (const n of [1, 2, 3]) expect(heard).toContain(`Change ${n} of 3`);
    const again = await client.call('change_several', { changes });
    expect(again.content).toMatchObject({
      changed: false,
      summary: expect.stringContaining('changes 1, 2 and 3'),
    });
    expect([client.asked.length, world.writes()]).toEqual([1, []]);
  });

  it.each([
    ['stop', 500, ['done', 'unknown (made_to_fail)', 'not_done (set_stopped)']],
    ['stop', 422, ['done', 'not_done (made_to_fail)', 'not_done (set_stopped)']],
    ['continue', 500, ['done', 'unknown (made_to_fail)', 'done']],
    ['continue', 422, ['done', 'not_done (made_to_fail)', 'done']],
  ] as const)(
    'on_failure: %s, where the second is answered %i, and the same set goes on',
    async (on_failure, status, outcomes) => {
      world.fail(({ path }) => (path.includes('/wallets/') ? status : undefined));
      const changes = fresh();
      const first = await several(asked, changes, { on_failure });
      expect(outcomesOf(first.content)).toEqual(outcomes);
      const sure = status === 500 ? 'check change 2, then ' : '';
      expect(first.content.summary).toMatch(/change 2 \(update_wallet, wallet a/);
      expect(first.content.summary).toContain(`To continue, ${sure}send the same set again`);
      expect(asWritten()).toEqual(
        on_failure === 'stop' ? ['add_ons', 'wallets'] : ['add_ons', 'wallets', 'subscriptions'],
      );
      world.fail(undefined);
      const next = await several(asked, changes, { on_failure });
      const rest = on_failure === 'stop' ? ['idle', 'done', 'done'] : ['idle', 'done', 'idle'];
      expect(outcomesOf(next.content)).toEqual(rest);
      expect(asked.asked.at(-1)).toMatch(/Already in effect, and skipped: 1/);
    },
  );

  it('a write whose answer is lost is found by a look, counts as done, and is sent once', async () => {
    world.fail(({ path }) => (path.includes('/wallets/') ? 'lost' : undefined));
    const done = await several(asked, fresh());
    expect(outcomesOf(done.content)).toEqual(['done', 'done', 'done']);
    expect((done.content.changes as JsonRecord[])[1]!.why).toMatch(/^confirmed by a check/);
    expect(asWritten()).toEqual(['add_ons', 'wallets', 'subscriptions']);
  });

  it('nothing is sent after a cancellation, and what was sent before is told on record', async () => {
    const stop = new AbortController();
    world.fail(({ path }) => void (path.includes('/wallets/') && stop.abort()));
    await expect(asked.call('change_several', { changes: fresh() }, { signal: stop.signal })).rejects.toThrow();
    expect(asWritten()).toEqual(['add_ons', 'wallets']);
  });

  it.each<[when: string, () => unknown, isReversed: boolean]>([
    ['between question and yes', () => (asked.person = rename), false],
    ['while the set is carried out', () => renameAt('/add_ons/'), false],
    ['after another record of the customer', () => renameAt('/subscriptions/'), true],
  ])('a change that a second writer makes %s falls out, and nobody is asked anew', async (_, meanwhile, isReversed) => {
    meanwhile();
    const done = await several(asked, isReversed ? fresh().reverse() : fresh());
    expect(outcomesOf(done.content)).toEqual(['done', 'not_done (record_changed)', 'done']);
    expect(asked.asked).toHaveLength(1);
    expect(asWritten()).toEqual(isReversed ? ['subscriptions', 'add_ons'] : ['add_ons', 'subscriptions']);
  });

  it('where all have changed, nothing is sent, and the answer is an error with all lines', async () => {
    const changes = fresh()
      .slice(1, 2)
      .concat(change('delete_add_on', { code: 'not-there' }));
    asked.person = rename;
    const done = await several(asked, changes);
    expect(done.isError).toBe(true);
    expect(asked.asked.at(-1)).toMatch(/^Make this change\?\n/);
    expect(reason(done)).toMatch(/^record_changed: None of 1 change/);
    expect(outcomesOf(done.content)).toEqual(['not_done (record_changed)', 'idle']);
    expect(world.writes()).toEqual([]);
  });

  it.each([
    ['done', () => {}],
    ['partly', rename],
    ['failed', () => world.fail(() => 422)],
    ['unknown', () => world.fail(() => 500)],
  ] as const)('the page on which it was approved says how the set ended: %s', async (end, meanwhile) => {
    const { client, runtime } = await world.connect({ BILLING_CONFIRM: 'auto' }, 'url');
    const pages = await runtime.pipeline.pages();
    let id = '';
    client.person = async url => {
      id = url!.split('/').at(-1)!;
      await pages.decide(id, 'approve');
      await meanwhile();
    };
    await several(client, fresh());
    expect((await pages.look(id))?.carried).toBe(end);
  });

  it('two changes of different fields of one record are both made, and both are taken back', async () => {
    const before = await world.read(wallets, 'wallet');
    const wallet = (fields: object) => change('update_wallet', { svc_id: demoIds.wallet_svc_id, ...fields });
    const done = await several(asked, [wallet({ name: `W ${++word}` }), wallet({ priority: 3 })]);
    expect(outcomesOf(done.content)).toEqual(['done', 'done']);
    const { revert } = done.content.receipt as { revert: { tool: string; arguments: JsonRecord } };
    expect((await asked.call(revert.tool, revert.arguments)).isError).toBe(false);
    const after = await world.read(wallets, 'wallet');
    expect([after.name, after.priority]).toEqual([before.name, before.priority]);
  });

  it('the way back of a single change is a call of its own tool', async () => {
    const done = await several(asked, [...fresh().slice(0, 1), change('delete_add_on', { code: 'not-there' })]);
    const { revert } = done.content.receipt as { revert: JsonRecord };
    expect(revert).toMatchObject({ tool: 'update_add_on', arguments: { code: demoIds.add_on_code } });
  });

  it('creates are made once, found by their code, and said to have no way back', async () => {
    const code = `fr-${++word}`;
    const changes = [...fresh().slice(0, 1), change('create_billing_entity', { code, name: 'France' })];
    const done = await several(asked, changes);
    expect(done.content.receipt).toMatchObject({
      no_way_back: [{ number: 2, why: expect.stringContaining('deleted') }],
    });
    expect(outcomesOf((await several(asked, changes)).content)).toEqual(['idle', 'idle']);
    expect(world.writes()).toHaveLength(2);
  });
});

describe('each change is judged as the earlier ones leave its record', () => {
  const path = `/add_ons/${demoIds.add_on_code}`;
  const addOn = (args: object) => change('update_add_on', { code: demoIds.add_on_code, ...args });
  const euro = addOn({ amount_currency: 'EUR' });
  const dollars = { amount_cents: 75_000, amount_currency: 'USD' };
  beforeEach(() => world.put(path, { add_on: dollars }));
  afterAll(() => world.put(path, { add_on: dollars }));

  it.each([
    ['the currency, then the amount', [euro, addOn({ amount_cents: 80_000 })], [/€750\.00/, /€750\.00.*€800\.00/]],
    ['the amount, then the currency', [addOn({ amount_cents: 80_000 }), euro], [/\$750\.00.*\$800\.00/, /€800\.00/]],
  ])('in its words and sums: %s', async (_, changes, words) => {
    const done = await several(asked, changes);
    expect(outcomesOf(done.content)).toEqual(['done', 'done']);
    const lines = asked.asked[0]!.split('\n').filter(line => !line.startsWith('Added up'));
    const [first, second] = [1, 2].map(n => lines.slice(lines.findIndex(line => line.startsWith(`${n}. `))).join(' '));
    expect(first).toMatch(words[0]!);
    expect(second).toMatch(words[1]!);
    expect(second).not.toMatch(/from \$750/);
    const made = await world.read(path, 'add_on');
    expect([made.amount_cents, made.amount_currency]).toEqual([80_000, 'EUR']);
  });

  it('in its limit', async () => {
    const { client } = await world.connect({ BILLING_MAX_AMOUNT: 'USD:1000,JPY:100000' });
    const yen = [addOn({ amount_cents: 100_000 }), addOn({ amount_currency: 'JPY' })];
    expect((await several(client, yen, { dry_run: true })).isError).toBe(false);
    const { client: low } = await world.connect({ BILLING_MAX_AMOUNT: 'USD:1000,JPY:90000' });
    for (const changes of [yen, [...yen].reverse(), [...yen, ...three('x').slice(1)]])
      expect(reason(await several(low, changes))).toMatch(/^amount_limit: .*¥100,000/);
    expect(world.writes()).toEqual([]);
  });

  it.each([
    ['two changes', [] as object[]],
    ['three changes', three('y').slice(1, 2)],
  ])('a currency that another program changes meanwhile leaves out the amount, in a set of %s', async (_, more) => {
    world.fail(async ({ body }) => {
      if (asRecord(body.add_on).description !== undefined)
        await world.put(path, { add_on: { amount_currency: 'EUR' } });
      return undefined;
    });
    const changes = [addOn({ description: `D ${++word}` }), addOn({ amount_cents: 80_000 }), ...more];
    const done = await several(asked, changes);
    expect(outcomesOf(done.content).slice(0, 2)).toEqual(['done', 'not_done (record_changed)']);
    expect((await world.read(path, 'add_on')).amount_cents).toBe(75_000);
  });

  it('what the service refuses of the first leaves out a change that was approved as following it', async () => {
    world.fail(({ body }) => (asRecord(body.add_on).amount_currency !== undefined ? 422 : undefined));
    const changes = [euro, addOn({ amount_cents: 80_000 })];
    const done = await several(asked, changes, { on_failure: 'continue' });
    expect(outcomesOf(done.content)).toEqual(['not_done (made_to_fail)', 'not_done (record_changed)']);
    expect((await world.read(path, 'add_on')).amount_cents).toBe(75_000);
  });

  it('the first change is looked at again before it is sent', async () => {
    const { client } = await world.connect();
    let reads = 0;
    world.failReads(at => (at.includes('/add_ons/') && ++reads > 1 ? 404 : undefined));
    const done = await several(client, fresh());
    expect(outcomesOf(done.content)).toEqual([
      'not_done (add_on_not_found)',
      'not_done (set_stopped)',
      'not_done (set_stopped)',
    ]);
    expect(world.writes()).toEqual([]);
  });
});

describe('a change that its second look refuses', () => {
  it.each([
    ['stop', 404, 'not_done (wallet_not_found)', 'not_done (set_stopped)'],
    ['continue', 404, 'not_done (wallet_not_found)', 'done'],
    ['stop', 500, 'not_done (record_unseen)', 'not_done (set_stopped)'],
    ['continue', 500, 'not_done (record_unseen)', 'done'],
  ])('ends a set on %s, where the record answers %i', async (on_failure, status, second, third) => {
    const { client } = await world.connect();
    let reads = 0;
    world.failReads(path => (path.includes('/wallets/') && ++reads > 1 ? status : undefined));
    const done = await several(client, fresh(), { on_failure });
    expect(outcomesOf(done.content)).toEqual(['done', second, third]);
    if (status === 500) expect(JSON.stringify(done.content.changes)).not.toMatch(/changed since/);
  });
});

describe('a set of a caller', () => {
  it('who is bound to customers cannot change those of another, nor what belongs to none', async () => {
    const { client } = await world.connect({ BILLING_CUSTOMER: 'someone-else' });
    const answer = await several(client, fresh().slice(1));
    expect(answer.isError).toBe(true);
    expect(answer.content.summary).toMatch(/changes\[0\]: update_wallet: .*wallet/);
    const wide = await several(client, fresh());
    expect(reason(wide)).toMatch(/^tool_not_offered: .*changes\[0\]: update_add_on was refused/);
    expect(world.writes()).toEqual([]);
  });
});
