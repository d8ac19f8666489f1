import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { isRecord, type JsonRecord } from '../../src/lib/json.ts';
import { demoIds } from '../../src/model/demo-ids.ts';
import { stateDifferences } from '../../src/rehearse/grade/state.ts';
import type { Snapshot } from '../../src/rehearse/types.ts';
import { startService } from '../../src/service/start.ts';

type Write = readonly [method: string, path: string, body: object];
type Changeable = Record<string, Record<string, JsonRecord>>;

const options = { account: 'demo', now: '2026-03-15T12:00:00.000Z' } as const;

const done = new Map<string, Promise<{ before: Snapshot; after: Snapshot }>>();

/** The account before and after the writes, on a service of its own. */
function afterWrites(...writes: Write[]): Promise<{ before: Snapshot; after: Snapshot }> {
  const key = JSON.stringify(writes);
  const known = done.get(key) ?? write(writes);
  done.set(key, known);
  return known;
}

async function write(writes: readonly Write[]): Promise<{ before: Snapshot; after: Snapshot }> {
  const service = await startService(options);
  try {
    const before = await service.snapshot();
    for (const [method, path, body] of writes) {
      const headers = { authorization: `Bearer ${service.apiKey}`, 'content-type': 'application/json' };
      const answer = await fetch(`${service.baseUrl}${path}`, { method, headers, body: JSON.stringify(body) });
      expect(answer.status, await answer.clone().text()).toBe(200);
    }
    return { before, after: await service.snapshot() };
  } finally {
    await service.close();
  }
}

/** The differences between what a run wrote and what the solution writes. */
async function compared(run: Write[], solution: Write[], free: string[] = []): Promise<string[]> {
  const { before, after } = await afterWrites(...run);
  const { after: expected } = await afterWrites(...solution);
  return stateDifferences({ before, after, expected }, free);
}

const addOn = (changes: object): Write => ['PUT', `/add_ons/${demoIds.add_on_code}`, { add_on: changes }];
const wallet = (changes: object): Write => ['PUT', `/wallets/${demoIds.wallet_svc_id}`, { wallet: changes }];
const invoice = (changes: object): Write => ['PUT', `/invoices/${demoIds.invoice_svc_id}`, { invoice: changes }];
const entity = (name: string, code: string): Write => ['POST', '/billing_entities', { billing_entity: { name, code } }];
const override = (externalId: string, amount_cents: number): Write => [
  'PUT',
  `/subscriptions/${externalId}`,
  { subscription: { plan_overrides: { amount_cents } } },
];
const alert = (externalId: string, code: string, value: string): Write => [
  'POST',
  `/subscriptions/${externalId}/alerts`,
  { alert: { code, alert_type: 'current_usage_amount', thresholds: [{ code: 'warn', value }, { value: '900000' }] } },
];
const rule = (paid_credits: string) =>
  wallet({
    recurring_transaction_rules: [
      { trigger: 'threshold', threshold_credits: '10', paid_credits, ignore_paid_top_up_limits: true },
    ],
  });
const metadata = (...keys: string[]) => invoice({ metadata: keys.map(key => ({ key, value: `value of ${key}` })) });

describe('two accounts after writes of the same effect', () => {
  it.each<[string, Write[], Write[]]>([
    ['nothing', [], []],
    ['one field', [addOn({ amount_cents: 4321 })], [addOn({ amount_cents: 4321 })]],
    [
      'a field in two steps',
      [addOn({ amount_cents: 1 }), addOn({ amount_cents: 4321 })],
      [addOn({ amount_cents: 4321 })],
    ],
    ['a field that was changed and changed back', [addOn({ name: 'X' }), addOn({ name: 'Onboarding' })], []],
    [
      'new alerts in another order',
      [alert('sakura-arcade', 'a', '100'), alert('martin-starter', 'b', '200')],
      [alert('martin-starter', 'b', '200'), alert('sakura-arcade', 'a', '100')],
    ],
    [
      'new billing entities, whose prefixes are made of their ids',
      [entity('Alpha', 'x'), entity('Alpha', 'y')],
      [entity('Alpha', 'y'), entity('Alpha', 'x')],
    ],
    [
      'plans of two subscriptions, in another order',
      [override('acme-studio', 1500), override('martin-starter', 1500)],
      [override('martin-starter', 1500), override('acme-studio', 1500)],
    ],
    ['metadata in another order', [metadata('po', 'cost')], [metadata('cost', 'po')]],
    ['a decimal written with other zeros', [rule('20')], [rule('20.00')]],
  ])('do not differ: %s', async (_name, run, solution) => {
    expect(await compared(run, solution)).toEqual([]);
  });
});

describe('two accounts after different writes', () => {
  const prepaid = 'wallet prepaid of customer acme-podcasts';

  it.each<[string, Write[], Write[], (string | RegExp)[]]>([
    ['another value', [wallet({ name: 'X' })], [wallet({ name: 'Y' })], [`${prepaid}: name is “X”, expected “Y”`]],
    [
      'no value',
      [],
      [addOn({ amount_cents: 4321 })],
      ['add-on onboarding: amount_cents is still 75000, expected 4321'],
    ],
    [
      'one field too many',
      [addOn({ amount_cents: 4321, name: 'Z' })],
      [addOn({ amount_cents: 4321 })],
      ['add-on onboarding was not expected to change: name is “Z”, it was “Onboarding”'],
    ],
    [
      'another record',
      [addOn({ amount_cents: 4321 })],
      [],
      ['add-on onboarding was not expected to change: amount_cents is 4321, it was 75000'],
    ],
    [
      'a deletion',
      [['DELETE', `/add_ons/${demoIds.add_on_code}`, {}]],
      [],
      ['add-on onboarding was not expected to change: deleted_at is “2026-03-15T12:00:00.000Z”, it was null'],
    ],
    [
      'nothing created',
      [],
      [alert('sakura-arcade', 'a', '100')],
      ['missing: a new alert a of subscription sakura-arcade'],
    ],
    ['something created', [entity('Alpha', 'x')], [], ['not expected: a new billing entity x']],
    [
      'something created twice',
      [entity('Alpha', 'x'), entity('Beta', 'y')],
      [entity('Beta', 'y')],
      ['not expected: a new billing entity x'],
    ],
    [
      'a new record on another subscription',
      [alert('martin-starter', 'a', '100')],
      [alert('sakura-arcade', 'a', '100')],
      [
        'alert a of subscription sakura-arcade: subscription_id is subscription martin-starter, expected subscription sakura-arcade',
        'alert a of subscription sakura-arcade: external_subscription_id is “martin-starter”, expected “sakura-arcade”',
        // What the service measured at once.
        /^alert a of subscription sakura-arcade: previous_value is /,
      ],
    ],
    [
      'another threshold',
      [alert('sakura-arcade', 'a', '100')],
      [alert('sakura-arcade', 'a', '200')],
      [/thresholds has .*"100\.0.*which was not expected$/, /thresholds lacks .*"200\.0/],
    ],
    [
      'another rule',
      [rule('30.0')],
      [rule('20.0')],
      [`${prepaid}: recurring_transaction_rules.paid_credits is “30.0”, expected “20.0”`],
    ],
    [
      'another price of the plan of its own',
      [override('acme-studio', 1500)],
      [override('acme-studio', 1600)],
      ["a subscription's own copy of plan studio: amount_cents is 1500, expected 1600"],
    ],
    ['one entry less', [metadata('po')], [metadata('po', 'cost')], [/^invoice .*: metadata lacks \{.*"key":"cost"/]],
  ])('differ in %s', async (_name, run, solution, sentences) => {
    const found = await compared(run, solution);
    expect(found).toHaveLength(sentences.length);
    for (const [place, sentence] of sentences.entries()) {
      if (typeof sentence === 'string') expect(found[place]).toBe(sentence);
      else expect(found[place]).toMatch(sentence);
    }
  });

  it('may differ in free fields of the records that the solution writes, and in no others', async () => {
    const solution = [alert('sakura-arcade', 'a', '100'), wallet({ name: 'Y' })];
    const run = [alert('sakura-arcade', 'b', '100'), wallet({ name: 'X' })];
    expect(await compared(run, solution, ['alerts.code', 'wallets.name'])).toEqual([]);
    expect(await compared(run, solution, ['alerts.code'])).toEqual([`${prepaid}: name is “X”, expected “Y”`]);
    expect(await compared([addOn({ name: 'Z' })], [], ['add_ons.name', 'add_ons'])).toHaveLength(1);
    const renamed = [addOn({ name: 'Z', amount_cents: 1 })];
    expect(await compared(renamed, [addOn({ amount_cents: 1 })], ['add_ons.nam'])).toHaveLength(1);
  });
});

describe('for any account', () => {
  let before: Snapshot;
  let expected: Snapshot;

  beforeAll(async () => {
    ({ before, after: expected } = await afterWrites(
      override('acme-studio', 1500),
      override('martin-starter', 1500),
      alert('sakura-arcade', 'mine', '100'),
      entity('Alpha', 'x'),
      rule('20'),
      metadata('po', 'cost'),
    ));
  });

  it('other new ids, in another order, are no difference', () => {
    fc.assert(
      fc.property(fc.infiniteStream(fc.nat()), numbers => {
        expect(stateDifferences({ before, after: renamed(shuffled(expected, numbers), before), expected }, [])).toEqual(
          [],
        );
      }),
      { numRuns: 20 },
    );
  });

  it('a change of any one field is a difference', () => {
    const fields = Object.entries(expected).flatMap(([table, records]) =>
      Object.entries(records)
        .slice(0, 12)
        .flatMap(([id, record]) => leaves(record).map(path => ({ table, id, path }))),
    );
    fc.assert(
      fc.property(fc.constantFrom(...fields), fc.boolean(), ({ table, id, path }, withNewIds) => {
        const after = structuredClone(expected) as Changeable;
        change(after[table]?.[id] as JsonRecord, path);
        const found = stateDifferences({ before, after: withNewIds ? renamed(after, before) : after, expected }, []);
        expect(found.join('\n'), `${table}.${path.join('.')}`).toContain(String(path.find(each => /\D/.test(each))));
      }),
      { numRuns: 200 },
    );
  });
});

/** The paths of all values that count, ids of the object itself left out. */
function leaves(value: unknown, path: string[] = []): string[][] {
  if (Array.isArray(value)) return value.flatMap((entry, at) => leaves(entry, [...path, String(at)]));
  if (!isRecord(value)) return [path];
  return Object.entries(value).flatMap(([name, entry]) =>
    ['id', 'svc_id', 'updated_at'].includes(name) ? [] : leaves(entry, [...path, name]),
  );
}

function change(value: JsonRecord, path: readonly string[]): void {
  const [name = '', ...rest] = path;
  const inside = value[name];
  if (rest.length > 0) change(inside as JsonRecord, rest);
  else
    value[name] = typeof inside === 'number' ? inside + 1 : typeof inside === 'boolean' ? !inside : `${inside} changed`;
}

/** The same account, had all ids that it did not have before come out otherwise. */
function renamed(snapshot: Snapshot, before: Snapshot): Snapshot {
  const known = new Set(JSON.stringify(before).match(/[\w-]{36}/g));
  const others = new Map<string, string>();
  const text = JSON.stringify(snapshot).replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, id => {
    if (!known.has(id) && !others.has(id)) others.set(id, randomUUID());
    return others.get(id) ?? id;
  });
  const ends = [...others].map(([was, is]) => [`-${was.slice(-4).toUpperCase()}"`, `-${is.slice(-4).toUpperCase()}"`]);
  return JSON.parse(ends.reduce((all, [was = '', is = '']) => all.replaceAll(was, is), text)) as Snapshot;
}

/** The same account with its records, and the entries of its lists, in another order. */
function shuffled<T>(value: T, numbers: Iterator<number>): T {
  const mixed = <Entry>(entries: Entry[]) =>
    entries
      .map(entry => [numbers.next().value as number, entry] as const)
      .sort(([left], [right]) => left - right)
      .map(([, entry]) => entry);
  if (Array.isArray(value)) return mixed(value.map(entry => shuffled(entry, numbers))) as T;
  if (!isRecord(value)) return value;
  return Object.fromEntries(mixed(Object.entries(value)).map(([name, entry]) => [name, shuffled(entry, numbers)])) as T;
}
