/** The file of BILLING_ROLES: what each role may do, and what stops the start. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type AccessSettings, createAccess } from '../../../src/calls/access/access.ts';
import { bindingOf, narrowedBy } from '../../../src/calls/access/intersect-customers.ts';
import { readRoles } from '../../../src/calls/access/roles/file.ts';
import { inRole, type Roles } from '../../../src/calls/access/roles/role.ts';
import { toolList as tools } from '../../../src/calls/access/tool-list.ts';
import { type MaskedField, maskedFields } from '../../../src/contract/masked-fields.ts';
import type { Caller } from '../../../src/definition/caller.ts';
import { changesAccount } from '../../../src/definition/define.ts';
import { wordsOf } from '../../../src/definition/failure.ts';
import { ConfigError } from '../../../src/server/settings/settings.ts';
import { codeOf, countingSend, policyWith, writeCall } from '../change/support.ts';

const folder = mkdtempSync(join(tmpdir(), 'roles-'));
afterAll(() => rmSync(folder, { recursive: true }));

const names = tools.map(({ name }) => name);
const sample = 'docs/deploy/roles.jsonc';
const read = (text: string) => {
  writeFileSync(join(folder, 'roles.jsonc'), text);
  return readRoles(join(folder, 'roles.jsonc'), names);
};
const ofRoles = (roles: object) => read(JSON.stringify({ roles }));
const problemsOf = (make: () => unknown): readonly string[] => {
  try {
    make();
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
};
const person: Caller = { id: 'user_a', apiKey: '', scopes: null };
const callerIn = (roles: Roles, role: string | undefined): Caller => {
  const found = roles.get(role ?? '');
  return found ? inRole(person, found) : { ...person, role };
};
const listed = (roles: Roles, role: string | undefined, settings: AccessSettings = { readOnly: false }) => {
  const accessOf = createAccess(settings, tools, roles);
  return accessOf(callerIn(roles, role)).tools.map(({ name }) => name);
};

describe('roles × tools', () => {
  const roles = readRoles(sample, names);
  const table = (settings: AccessSettings) => {
    const columns = [...roles.keys()];
    const of = columns.map(role => listed(roles, role, settings));
    const rows = names.map(name => `| ${name} | ${of.map(list => (list.includes(name) ? '✓' : '')).join(' | ')} |`);
    return [`| tool | ${columns.join(' | ')} |`, `|---|${columns.map(() => ':-:|').join('')}`, ...rows, ''].join('\n');
  };

  it('are as the table says, for the documented file', async () => {
    const servers: [string, AccessSettings][] = [
      ['A server without restrictions', { readOnly: false }],
      ['A server that only reads', { readOnly: true }],
      [
        'A server without lookups and without update_wallet',
        { readOnly: false, lookups: false, excludeTools: ['update_wallet'] },
      ],
    ];
    const text = servers.map(([title, settings]) => `# ${title}\n\n${table(settings)}`).join('\n');
    await expect(text).toMatchFileSnapshot('__snapshots__/roles.md');
  });

  it('narrow what the server offers, and never widen it: tool by tool, listed and called alike', () => {
    for (const settings of [
      { readOnly: true },
      { readOnly: false, tools: ['invoices', 'customers'] },
      { readOnly: false, excludeTools: ['get_invoice'] },
    ]) {
      const open = createAccess(settings, tools)({ scopes: null });
      const accessOf = createAccess(settings, tools, roles);
      for (const role of roles.keys()) {
        const access = accessOf(callerIn(roles, role));
        for (const { name } of tools) {
          const allowed = access.allows(name) === true;
          expect(access.tools.some(tool => tool.name === name)).toBe(allowed);
          if (allowed) expect(open.allows(name)).toBe(true);
        }
      }
      expect(listed(roles, 'admin', settings)).toEqual(names.filter(name => open.allows(name) === true));
    }
  });

  it('are narrowed further by scopes', () => {
    const rights = { scopes: new Set(['billing:read'] as const), role: 'support-lead' };
    const access = createAccess({ readOnly: false }, tools, roles)(rights);
    expect(access.allows('update_wallet')).toMatchObject({ code: 'insufficient_scope' });
    expect(access.tools.some(({ effect }) => changesAccount(effect))).toBe(false);
  });

  it.each([
    [undefined, 'role_missing'],
    ['intern', 'role_unknown'],
  ])('leave nothing to a caller in the role %s, and show it nothing personal', (role, code) => {
    const access = createAccess({ readOnly: false }, tools, roles)({ scopes: null, role });
    expect(access.tools).toEqual([]);
    expect([...access.hidden!]).toEqual(maskedFields);
    for (const name of names) {
      expect(access.allows(name)).toMatchObject({ code });
      expect(access.mayRead(name)).toBe(false);
    }
  });

  it('say which role refuses, and whether it only reads', () => {
    const accessOf = createAccess({ readOnly: false }, tools, roles);
    const refused = (tool: string, role: string) => {
      const allowed = accessOf({ scopes: null, role }).allows(tool);
      return allowed === true ? allowed : wordsOf(allowed);
    };
    expect(refused('update_invoice', 'support')).toMatchObject({
      ...{
        code: 'read_only',
        message: expect.stringContaining('the role support is read-only'),
      },
    });
    expect(refused('delete_add_on', 'finance')).toMatchObject({
      ...{ code: 'tool_not_offered', message: expect.stringContaining('the role finance does not include') },
    });
  });

  it('let a write look at what the role does not list, but not at what it excludes by name', () => {
    const accessOf = createAccess(
      { readOnly: false },
      tools,
      ofRoles({ a: { tools: ['update_invoice'] }, b: { exclude_tools: ['get_invoice'] } }),
    );
    const may = (role: string) => accessOf({ scopes: null, role }).mayRead('get_invoice');
    expect([may('a'), may('b')]).toEqual([true, false]);
  });
});

describe('a caller in a role', () => {
  const roles = ofRoles({
    open: {},
    two: { customers: ['acme', 'globex'], mask: ['email'] },
    nobody: { customers: [] },
  });
  const as = (role: string, caller: Partial<Caller> = {}) => inRole({ ...person, ...caller }, roles.get(role)!);

  it('is another caller than in any other role: nothing that was read, asked or confirmed is shared', () => {
    expect(new Set(['open', 'two', 'nobody'].map(role => as(role).id)).size).toBe(3);
    expect(as('open')).toEqual({ ...person, id: 'user_a/open', credential: 'user_a/open', role: 'open' });
  });

  it.each<[string, readonly string[] | undefined, readonly string[] | undefined]>([
    ['open', undefined, undefined],
    ['open', ['acme'], ['acme']],
    ['two', undefined, ['acme', 'globex']],
    ['two', ['globex', 'initech'], ['globex']],
    ['two', ['initech'], []],
    ['nobody', undefined, []],
    ['nobody', ['acme'], []],
  ])('%s, who is bound to %o, sees the customers %o', (role, bound, seen) => {
    expect(as(role, { customers: bound }).customers).toEqual(seen);
  });

  it.each<[string, readonly string[] | undefined, readonly string[]]>([
    ['open', undefined, ['acme', 'initech']],
    ['open', ['initech'], ['initech']],
    ['two', undefined, ['acme']],
    ['two', ['acme', 'globex'], ['acme']],
    ['two', ['initech'], []],
    ['nobody', undefined, []],
  ])('%s, where the configuration allows %o and a token proves acme and initech, sees %o', (role, allowed, seen) => {
    const waiting = as(role, { customers: [], unbound: 'missing', allowed });
    expect(waiting).toMatchObject({ customers: [], unbound: 'missing' });
    const proved = narrowedBy(waiting, bindingOf(['acme', 'initech']));
    expect(proved).toMatchObject({ customers: seen, credential: `user_a/${role}`, unbound: undefined });
    expect(proved.id).not.toBe(waiting.id);
  });

  it('gets the mask of the role besides that of the server, and keeps what it reads apart', () => {
    const access = (role: string, mask: MaskedField[]) =>
      createAccess({ readOnly: false, mask }, tools, roles)(as(role));
    const hidden = (role: string, mask: MaskedField[] = []) => [...(access(role, mask).hidden ?? [])];
    expect([hidden('open'), hidden('two'), hidden('two', ['phone'])]).toEqual([[], ['email'], ['phone', 'email']]);
    expect(
      new Set([access('open', []), access('open', ['phone']), access('two', [])].map(({ view }) => view)).size,
    ).toBe(3);
  });
});

describe('the amount limit of a role', () => {
  const roles = ofRoles({ small: { max_amount: 'USD:100' }, large: { max_amount: 'USD:5000,JPY:9' }, open: {} });
  const write = async (role: string, maxAmount: string | undefined, args: object) => {
    const call = writeCall({ args: { code: 'setup', ...args } });
    const caller = inRole({ ...call.caller, scopes: null }, roles.get(role)!);
    const counter = countingSend();
    const outcome = await policyWith({ maxAmount }, { roles }).carryOut({ ...call, caller }, counter.send);
    return { code: codeOf(outcome), sent: counter.sent, said: 'error' in outcome ? outcome.error.message : '' };
  };
  const dollars = (amount: number) => ({ amount_cents: amount * 100, amount_currency: 'USD' });

  it.each<[string, string | undefined, object, string | null]>([
    ['small', undefined, dollars(100), null],
    ['small', undefined, dollars(101), '$100.00 (the role small)'],
    ['small', 'USD:1000', dollars(100), null],
    ['small', 'USD:1000', dollars(101), '$100.00 (the role small)'],
    ['large', 'USD:1000', dollars(1000), null],
    ['large', 'USD:1000', dollars(1001), 'over the limit of $1,000.00 (BILLING_MAX_AMOUNT)'],
    ['large', 'USD:1000', { amount_cents: 9, amount_currency: 'JPY' }, 'has no limit in BILLING_MAX_AMOUNT'],
    ['small', undefined, { amount_cents: 9, amount_currency: 'EUR' }, 'no limit in the role small'],
    ['open', 'USD:1000', dollars(1001), '(BILLING_MAX_AMOUNT)'],
    ['open', undefined, dollars(1_000_000), null],
  ])('%s beside BILLING_MAX_AMOUNT=%s: the smaller one decides of %o', async (role, own, args, refusal) => {
    const { code, sent, said } = await write(role, own, args);
    if (refusal === null) expect([code, sent]).toEqual(['done', 1]);
    else {
      expect([code, sent]).toEqual(['amount_limit', 0]);
      expect(said).toContain(refusal);
    }
  });
});

describe('a file is read', () => {
  it('with comments, commas at the end, a byte order mark and the address of its schema', () => {
    const roles = read(
      '\uFEFF// who\n{ "$schema": "x", /* two */ "roles": { "a.b:c-1": { "read_only": true, }, "B": {} }, }',
    );
    expect([...roles.keys()]).toEqual(['a.b:c-1', 'B']);
  });

  const desk = (fields: string) => `{"roles":{"desk":${fields}}}`;
  const mistakes: [what: string, text: string, said: string][] = [
    ['a tool', desk('{"tools":["get_custmer"]}'), 'tools: there is no tool "get_custmer"'],
    ['an excluded tool', desk('{"exclude_tools":["delete_addon"]}'), 'exclude_tools: there is no tool "delete_addon"'],
    ['a toolset', desk('{"toolsets":["invoice"]}'), 'toolsets: there is no toolset "invoice"'],
    ['a field', desk('{"readonly":true}'), 'no field "readonly"'],
    ['a field beside the roles', '{"rolls":{},"roles":{"desk":{}}}', 'no field "rolls" (did you mean'],
    ['personal data', desk('{"mask":["emial"]}'), 'mask: there is no value "emial"'],
    ['a currency', desk('{"max_amount":"US:100"}'), '"US" is not a currency code'],
    ['an amount', desk('{"max_amount":"USD:-1"}'), '"-1" is not an amount'],
    ['a currency that is named twice', desk('{"max_amount":"USD:1,USD:2"}'), 'USD appears twice'],
    ['a list that would mean nothing, or everything', desk('{"tools":[]}'), 'tools: this list is empty'],
    ['an empty id', desk('{"customers":[""]}'), 'customers: this text is empty'],
    ['a text in place of a truth', desk('{"read_only":"true"}'), 'read_only: this must be true or'],
    ['a text in place of a list', desk('{"customers":"acme"}'), 'customers: this must be a list'],
    ['a list in place of a role', desk('[]'), 'this must be an object'],
    [
      'a tool that is named and excluded',
      desk('{"tools":["get_event"],"exclude_tools":["get_event"]}'),
      'both name get_event',
    ],
    ['a name that no line of tokens can hold', '{"roles":{"help desk":{}}}', 'name of a role has letters'],
    ['no role', '{"roles":{}}', 'the file has no roles'],
    ['no roles', '{}', 'roles is missing.'],
    ['a list', '[]', 'this must be an object.'],
    ['a role twice', desk('{},"desk":{"read_only":true}'), '"desk" appears twice'],
    ['a field twice', desk('{"read_only":true,"read_only":false}'), '"read_only" appears twice'],
    ['a name that objects do not keep', '{"roles":{"__proto__":{}}}', '"__proto__" appears twice'],
    ['no JSON', '{"roles":', 'not JSON (ValueExpected)'],
    ['too many levels', '{"roles":'.repeat(100_000), 'nested deeper than 200 levels'],
    ['nothing', '', 'not JSON (ValueExpected)'],
  ];
  it.each(mistakes)('and a mistake stops the start: %s', (_, text, said) => {
    const problems = problemsOf(() => read(text));
    expect(problems).toEqual([expect.stringContaining(said)]);
    expect(problems[0]).toMatch(/^BILLING_ROLES: roles\.jsonc, line 1: /);
  });

  it('and all mistakes are told together, each with its line', () => {
    const text =
      '{\n  "roles": {\n    "desk": {\n      "tools": [\n        "get_event",\n        "get_x"\n      ],\n      "mask": ["name"],\n      "more": 1\n    }\n  }\n}';
    expect(problemsOf(() => read(text)).map(problem => /line (\d+): role desk/.exec(problem)?.[1])).toEqual([
      '6',
      '8',
      '9',
    ]);
  });

  it('and a role that the server leaves no tool stops the start', () => {
    const roles = ofRoles({ reader: { read_only: true }, writer: { tools: ['update_wallet'] } });
    expect(problemsOf(() => createAccess({ readOnly: true }, tools, roles))).toEqual([
      expect.stringMatching(/role writer: .*leaves no tools/),
    ]);
  });

  it('or the start says that it cannot be read', () => {
    expect(problemsOf(() => readRoles(join(folder, 'none.jsonc'), names))).toEqual([
      expect.stringContaining(`${join(folder, 'none.jsonc')} cannot be read`),
    ]);
  });

  it('with rules of confirmation: a wrong one names the line, and an amount needs the limit of a day', () => {
    expect(problemsOf(() => ofRoles({ desk: { confirm: 'mony=always' } }))).toEqual([
      expect.stringMatching(/line 1: .*mony.*money/),
    ]);
    const roles = ofRoles({ desk: { confirm: 'money<50 USD=auto, money=always' } });
    const settings = { readOnly: false };
    expect(problemsOf(() => createAccess(settings, tools, roles))).toEqual([
      expect.stringMatching(/role desk: confirm .*max_amount_per_day or BILLING_MAX_AMOUNT_PER_DAY/),
    ]);
    expect(problemsOf(() => createAccess({ ...settings, maxAmountPerDay: 'USD:100' }, tools, roles))).toEqual([]);
  });

  it('and its published schema names the same fields, tools and toolsets', () => {
    const schema = JSON.parse(readFileSync('docs/roles.schema.json', 'utf8'));
    const { properties } = schema.properties.roles.additionalProperties;
    expect(Object.keys(properties)).toEqual([
      'toolsets',
      'tools',
      'exclude_tools',
      'read_only',
      'max_amount',
      'max_amount_per_day',
      'confirm',
      'confirmed_by',
      'customers',
      'mask',
    ]);
    expect(properties.tools.items.enum).toEqual(names);
  });
});
