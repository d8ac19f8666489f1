/** `BILLING_CONFIRM` as rules: how strictly each write is confirmed, by the kinds of the fields that it names. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { memoryStores } from '../../../src/calls/change/ask/write-stores.ts';
import { levelOf, levelOfAll, namedBy, typedText } from '../../../src/calls/change/fields/kinds.ts';
import { confirmLevels, fieldKinds, strictest } from '../../../src/contract/confirm-levels.ts';
import { argumentFields, fieldNotes } from '../../../src/definition/argument-fields.ts';
import { changesAccount } from '../../../src/definition/define.ts';
import type { WriteCall } from '../../../src/definition/write-call.ts';
import type { JsonRecord } from '../../../src/lib/json.ts';
import { confirmProblems, confirmRules } from '../../../src/server/settings/confirm-rules.ts';
import { loadConfig } from '../../../src/server/settings/load.ts';
import { ConfigError } from '../../../src/server/settings/settings.ts';
import { deleteAddOn, updateAddOn } from '../../../tools/add-ons.ts';
import { toolDefinitions } from '../../../tools/all-tools.ts';
import { kindsByPath } from '../../../tools/field-kinds.ts';
import { updateInvoice } from '../../../tools/invoices.ts';
import { updateSubscription } from '../../../tools/subscriptions.ts';
import { updateWallet } from '../../../tools/wallets.ts';
import { runs } from '../../support/extent.ts';
import {
  answered,
  type CallOptions,
  canBeAsked,
  countingSend,
  policyWith,
  serverWith,
  showing,
  writeCall,
} from './support.ts';

const writes = toolDefinitions.filter(tool => changesAccount(tool.effect) && tool.change !== undefined);
const rules = (text: string) => ({ rules: confirmRules(text) });
const orderOf = (level: string) => confirmLevels.indexOf(level as never);

const addOn = { code: 'setup', name: 'Setup', amount_cents: 75_000, amount_currency: 'USD' };
const wallet = { svc_id: '1a901a90-1a90-4a90-8a90-1a901a901a90', currency: 'USD', rate_amount: '2.0' };
const own = {
  external_id: 'sub',
  status: 'active',
  plan: { parent_id: 'x', amount_currency: 'USD', amount_cents: 900 },
};
const read = (known: object): CallOptions => ({ known, reading: 'read' });
const ofAddOn = (args: object): CallOptions => ({
  tool: updateAddOn,
  args: { code: 'setup', ...args },
  ...read(addOn),
});
const ofWallet = (args: object, known = {}): CallOptions => ({
  ...{ tool: updateWallet, args: { svc_id: wallet.svc_id, ...args } },
  ...read({ ...wallet, ...known }),
});
/** In June; `from`: until when they last now. */
const expiring = (day: number, from?: number) => {
  const at = (of: number) => ({ expiration_at: `2026-06-${String(of).padStart(2, '0')}T00:00:00Z` });
  return ofWallet(at(day), from === undefined ? {} : at(from));
};
const topUp = (fields: object, known = {}) =>
  ofWallet({ recurring_transaction_rules: [{ svc_id: 'r', paid_credits: '4', ...fields }] }, known);
const ofSubscription = (args: object, known: object = own): CallOptions => ({
  ...{ tool: updateSubscription, args: { external_id: 'sub', ...args } },
  ...read(known),
});

describe('the table of kinds', () => {
  it.each(writes.map(tool => [tool.name, tool] as const))('has each field of %s once, and no other', (name, tool) => {
    const inPath = [...tool.endpoint.matchAll(/\{(\w+)\}/g)].map(([, each]) => each);
    const selects = (path: string): boolean => {
      const field = tool.input.shape[path];
      // The last says which of several subscriptions is meant.
      return (
        inPath.includes(path) ||
        path === 'subscription_status' ||
        (field !== undefined && fieldNotes.get(field)?.changes === false)
      );
    };
    const fields = argumentFields(tool.input).map(({ path }) => path);
    // A deletion changes the record that it names.
    const changed = tool.effect === 'delete' ? fields : fields.filter(path => path === 'merge' || !selects(path));
    expect([...kindsByPath(name).keys()].toSorted()).toEqual(changed.toSorted());
    const rows = fieldKinds.flatMap(kind => [...kindsByPath(name)].filter(([, each]) => each === kind));
    expect(rows).toHaveLength(changed.length);
  });
});

describe('the kinds that a write names', () => {
  const cases: [string, CallOptions, string][] = [
    ['a name', ofAddOn({ name: 'New' }), 'metadata'],
    ['a new code', ofAddOn({ new_code: 'new' }), 'state'],
    ['a price with a name', ofAddOn({ name: 'New', amount_cents: 1 }), 'metadata money'],
    ['no taxes any more', ofAddOn({ tax_codes: [] }), 'money'],
    ['a deletion', { tool: deleteAddOn, args: { code: 'setup' }, ...read(addOn) }, 'irreversible'],
    ['a status', { tool: updateInvoice, args: { svc_id: wallet.svc_id, payment_status: 'succeeded' } }, 'state'],
    ['an end in a month', ofSubscription({ ending_at: '2026-04-15T12:00:00Z' }), 'state'],
    ['an end now', ofSubscription({ ending_at: '2026-03-15T12:00:00Z' }), 'irreversible'],
    ['an end yesterday', ofSubscription({ ending_at: '2026-03-14T12:00:00Z' }), 'irreversible'],
    ['no end any more', ofSubscription({ clear: ['ending_at'] }), 'state'],
    ['a later override', ofSubscription({ plan_overrides: { amount_cents: 1000 } }), 'money'],
    ['a later override of a name', ofSubscription({ plan_overrides: { name: 'Own' } }), 'metadata'],
    ['no charges any more', ofSubscription({ plan_overrides: { charges: [] } }), 'metadata money'],
    [
      'a first override',
      ofSubscription({ plan_overrides: { name: 'Own' } }, { plan: { parent_id: null } }),
      'irreversible',
    ],
    ['an override of an unread plan', ofSubscription({ plan_overrides: { name: 'Own' } }, {}), 'irreversible'],
    ['credits that expire', expiring(1), 'irreversible'],
    ['credits that expire earlier', expiring(1, 2), 'irreversible'],
    ['credits that expire later', expiring(3, 2), 'state'],
    ['no top-up any more', ofWallet({ recurring_transaction_rules: [] }), 'metadata state money'],
  ];
  it.each(cases)('%s', (_what, options, kinds) => {
    const { kinds: named } = namedBy(writeCall(options));
    expect(fieldKinds.filter(kind => named.has(kind)).join(' ')).toBe(kinds);
  });
});

describe('money below an amount', () => {
  const setting = 'metadata=never, state=never, money<10 USD=never, money<50 USD=auto, money<1000 JPY=never';
  const cases: [string, CallOptions, string][] = [
    ['below the smallest bound', ofAddOn({ amount_cents: 999 }), 'never'],
    ['at the smallest bound', ofAddOn({ amount_cents: 1000 }), 'auto'],
    ['one cent below a bound', ofAddOn({ amount_cents: 4999 }), 'auto'],
    ['at a bound', ofAddOn({ amount_cents: 5000 }), 'always'],
    ['a currency without minor units', ofAddOn({ amount_cents: 999, amount_currency: 'JPY' }), 'never'],
    ['another currency', ofAddOn({ amount_cents: 1, amount_currency: 'EUR' }), 'always'],
    ['another currency for the present number', ofAddOn({ amount_currency: 'EUR' }), 'always'],
    ['a price with taxes', ofAddOn({ amount_cents: 1, tax_codes: ['vat'] }), 'always'],
    ['a record that was not read', { args: { code: 'setup', amount_cents: 1 }, reading: 'unreadable' }, 'always'],
    ['a minimum that is cleared', ofWallet({ clear: ['paid_top_up_min_amount_cents'] }), 'always'],
    ['credits at their rate', topUp({}), 'never'],
    ['credits that are more together', topUp({ granted_credits: '4' }), 'auto'],
    ['credits as often as an interval says', topUp({ interval: 'weekly' }), 'always'],
    ['credits without a rate', topUp({}, { rate_amount: null }), 'always'],
    ['a fee of a plan', ofSubscription({ plan_overrides: { amount_cents: 4999 } }), 'auto'],
    [
      'a quantity with a price',
      ofSubscription({ plan_overrides: { amount_cents: 1, fixed_charges: [{ id: 'f', units: 1 }] } }),
      'always',
    ],
    [
      'a price per unit',
      ofSubscription(
        { plan_overrides: { charges: [{ id: 'c', properties: { amount: '0.01' } }] } },
        { plan: { ...own.plan, charges: [{ svc_id: 'c', charge_model: 'standard' }] } },
      ),
      'always',
    ],
    ['no money', ofAddOn({ name: 'New' }), 'never'],
  ];
  it.each(cases)('%s', (_what, options, level) => {
    expect(levelOf(rules(setting), writeCall(options))).toBe(level);
  });
});

describe('the strictest wins', () => {
  const level = fc.constantFrom(...confirmLevels);
  const levels = fc.record({ metadata: level, state: level, money: level, irreversible: level });
  const textOf = (each: Record<string, string>) =>
    Object.entries(each)
      .map(([kind, at]) => `${kind}=${at}`)
      .join(', ');
  const samples: CallOptions[] = [
    ofAddOn({ name: 'New' }),
    ofAddOn({ new_code: 'new' }),
    ofAddOn({ amount_cents: 1, name: 'New' }),
    ofAddOn({ amount_cents: 1, name: 'New', new_code: 'new' }),
    ofSubscription({ ending_at: '2026-03-14T12:00:00Z', name: 'New' }),
    { tool: deleteAddOn, args: { code: 'setup' }, ...read(addOn) },
  ];
  const write = fc.constantFrom(...samples).map(writeCall);

  it('of the fields of a write, and of the changes of a set', () => {
    fc.assert(
      fc.property(levels, fc.array(write, { minLength: 1, maxLength: 5 }), (each, set) => {
        const parts = rules(textOf(each));
        for (const one of set) {
          const ofKinds = [...namedBy(one).kinds].map(kind => orderOf(each[kind]));
          expect(orderOf(levelOf(parts, one))).toBe(Math.max(...ofKinds));
        }
        const all = set.map(one => orderOf(levelOf(parts, one)));
        expect(orderOf(levelOfAll(parts, set) ?? '')).toBe(Math.max(...all));
      }),
      runs(1000),
    );
  });

  it('of the setting and a role: a role only tightens', () => {
    const some = fc.oneof(
      levels.map(textOf),
      fc.constantFrom('never', 'auto', 'always'),
      fc.constantFrom(...fieldKinds).chain(kind => level.map(at => `${kind}=${at}`)),
      level.map(at => `money<5 USD=never, money=${strictest([at])}`),
    );
    fc.assert(
      fc.property(some, some, write, (setting, ofRole, one) => {
        const alone = levelOf(rules(setting), one);
        const inRole: WriteCall = { ...one, access: { ...one.access, confirm: [confirmRules(ofRole, 'never')] } };
        const role = levelOf({ rules: confirmRules(ofRole, 'never') }, one);
        expect(levelOf(rules(setting), inRole)).toBe(strictest([alone, role]));
        expect(orderOf(levelOf(rules(setting), inRole))).toBeGreaterThanOrEqual(orderOf(alone));
      }),
      runs(1000),
    );
  });
});

describe('without a rule', () => {
  it.each([
    ['metadata=never', ofAddOn({ name: 'New' }), 'never'],
    ['metadata=never', ofAddOn({ new_code: 'new' }), 'always'],
    ['metadata=never', ofAddOn({ amount_cents: 1 }), 'always'],
    ['metadata=never', { tool: deleteAddOn, args: { code: 'setup' }, ...read(addOn) }, 'typed'],
    ['always', { tool: deleteAddOn, args: { code: 'setup' }, ...read(addOn) }, 'always'],
  ] as [string, CallOptions, string][])('of %s', (setting, options, level) => {
    expect(levelOf(rules(setting), writeCall(options))).toBe(level);
  });
});

describe('the text to type', () => {
  const parts = rules('state=typed, money=typed, irreversible=typed');
  const credit = { svc_id: wallet.svc_id, number: 'CN-1' };
  const cases: [string, CallOptions, string][] = [
    ['the code of an add-on', { tool: deleteAddOn, args: { code: 'setup' }, ...read(addOn) }, 'setup'],
    ['the external ID of a subscription', ofSubscription({ ending_at: '2026-03-14T12:00:00Z' }), 'sub'],
    ['the code of a wallet', ofWallet({ expiration_at: '2026-06-01T00:00:00Z' }, { code: 'main' }), 'main'],
    ['the id of a wallet without a code', ofWallet({ expiration_at: '2026-06-01T00:00:00Z' }), wallet.svc_id],
    [
      'the number of an invoice',
      { tool: updateInvoice, args: { svc_id: wallet.svc_id, payment_status: 'failed' }, ...read(credit) },
      'CN-1',
    ],
  ];
  it.each(cases)('is %s', (_what, options, text) => {
    expect(typedText(parts, [writeCall(options)], false)).toBe(text);
  });

  it('of a set is the number of its final changes', () => {
    const set = [ofAddOn({ name: 'New' }), ofAddOn({ new_code: 'new' }), ofAddOn({ amount_cents: 1 })];
    expect(typedText(parts, set.map(writeCall), true)).toBe('2');
  });
});

describe('a write that needs a text by the time of its yes', () => {
  const later = ofWallet(
    { expiration_at: '2026-06-10T00:00:00Z' },
    { code: 'main', expiration_at: '2026-06-01T00:00:00Z' },
  );
  const sooner = { ...wallet, code: 'main', expiration_at: '2026-06-20T00:00:00Z' };
  const rows: [string, string, string, JsonRecord][] = [
    ['its record changed, so that it is final', 'state=always', 'state=always', sooner],
    ['another machine has stricter rules', 'state=always', 'state=typed', later.known as JsonRecord],
  ];
  it.each(rows)('is asked about again: %s', async (_what, before, after, known) => {
    const stores = memoryStores();
    const [one, other] = [before, after].map(confirm => serverWith({ confirm }, { stores }, { wallet: sooner }));
    const first = await one!.ask(canBeAsked, later);
    expect(first.message).not.toContain('type:');
    const second = await other!.ask(answered(first.state), { ...later, known });
    expect(second.message).toMatch(/To approve, type: main$/);
    expect(one!.upstream.sent + other!.upstream.sent).toBe(0);
    const client = answered(second.state, 'accept', { answer: 'yes', typed: 'main' });
    expect(await other!.ended(client, { ...later, known })).toBe('done');
    expect(other!.upstream.sent).toBe(1);
  });
});

describe('the setting', () => {
  it.each([
    ['allways', /allways.*always/],
    ['metadata', /metadata.*not a rule/],
    ['money<50USD=auto', /not a rule/],
    ['metadata=never, metadat=auto', /metadat.*metadata/],
    ['metadata=maybe', /maybe/],
    ['metadata=never, metadata=auto', /metadata.*two rules/],
    ['money<50 USD=auto, money<50.00 USD=never', /two rules/],
    ['state<50 USD=auto', /only money/],
    ['money<50 USB=auto', /USB/],
    ['money<-1 USD=auto', /-1/],
    ['money<1e3 USD=auto', /1e3/],
    ['money=never, money<50 USD=auto', /50 USD=auto.*never/],
    ['money<10 USD=always, money<50 USD=auto', /10 USD=always.*auto/],
    ['', /not a rule/],
  ])('%j is refused', (text, problem) => {
    expect(confirmProblems(text, 'X').join('\n')).toMatch(problem);
  });

  it('with an amount needs the limit of a day, and the start says so', () => {
    const problemsOf = (env: Record<string, string>) => {
      try {
        loadConfig([], { BILLING_AUDIT_LOG: '/tmp/x.jsonl', BILLING_CONFIRM: 'money<50 USD=auto', ...env });
      } catch (error) {
        if (error instanceof ConfigError) return error.problems;
        throw error;
      }
      return [];
    };
    expect(problemsOf({})).toEqual([expect.stringMatching(/BILLING_CONFIRM.*BILLING_MAX_AMOUNT_PER_DAY/)]);
    expect(problemsOf({ BILLING_MAX_AMOUNT_PER_DAY: 'USD:100' })).toEqual([]);
    expect(problemsOf({ BILLING_CONFIRM: 'money=auto' })).toEqual([]);
  });
});

describe('by rules', () => {
  const confirm = 'metadata=never, state=auto';
  const rows: [string, CallOptions, string][] = [
    ['metadata, which no one is asked about', ofAddOn({ name: 'New' }), 'policy'],
    ['a state that the host decides', ofAddOn({ new_code: 'new' }), 'host'],
    ['a state in a form', { ...ofAddOn({ new_code: 'new' }), client: canBeAsked }, 'ask'],
    ['a state, with buttons', { ...ofAddOn({ new_code: 'new' }), client: showing('buttons') }, 'host'],
    ['money, with buttons', { ...ofAddOn({ amount_cents: 1 }), client: showing('buttons') }, 'needs_token'],
    ['money and metadata', { ...ofAddOn({ amount_cents: 1, name: 'New' }), client: canBeAsked }, 'ask'],
  ];
  it.each(rows)('%s', async (_what, options, ends) => {
    const { call, upstream } = serverWith({ confirm });
    const outcome = await call(undefined, options);
    expect(outcome.kind === 'done' ? outcome.receipt.confirmed_by : outcome.kind).toBe(ends);
    expect(upstream.sent).toBe(outcome.kind === 'done' ? 1 : 0);
  });

  it('a yes in a form counts, also where the write needs less by then', async () => {
    const { ask, ended, upstream } = serverWith({ confirm });
    const { state } = await ask(canBeAsked, ofAddOn({ amount_cents: 1 }));
    expect(await ended(answered(state), ofAddOn({ amount_cents: 1 }))).toBe('done');
    expect(upstream.sent).toBe(1);
  });

  it('a role asks where the setting does not', async () => {
    const roles = new Map([['strict', { access: { readOnly: false, confirm: 'metadata=always' } }]]);
    const policy = policyWith({ confirm: 'never' }, { roles });
    const write = writeCall({ ...ofAddOn({ name: 'New' }), client: canBeAsked });
    const upstream = countingSend();
    const inRole = { ...write, caller: { ...write.caller, role: 'strict' } };
    expect((await policy.carryOut(inRole, upstream.send)).kind).toBe('ask');
    expect(upstream.sent).toBe(0);
  });
});
