import { describe, expect, it } from 'vitest';
import {
  type AccessibleTool,
  type AccessOf,
  type AccessSettings,
  createAccess,
} from '../../../src/calls/access/access.ts';
import { toolList } from '../../../src/calls/access/tool-list.ts';
import type { Scope } from '../../../src/definition/caller.ts';
import { changesAccount, isLookup, isSet } from '../../../src/definition/define.ts';
import { ConfigError } from '../../../src/server/settings/settings.ts';
import { operations, toolDefinitions } from '../../../tools/all-tools.ts';

const names = (list: readonly { name: string }[]) => list.map(tool => tool.name);
/** With what access knows of a set. */
const tools = toolDefinitions.map(tool => ({ ...tool, ...(isSet(tool) && { set: true as const }) }));
const writes = names(tools.filter(tool => changesAccount(tool.effect)));
const everything = { scopes: null };

const offered = <Tool extends AccessibleTool>(accessOf: AccessOf<Tool>, scopes: ReadonlySet<Scope> | null) =>
  accessOf({ scopes }).tools;

describe('which tools are offered', () => {
  it('are all of them by default, in listing order', () => {
    expect(names(offered(createAccess({ readOnly: false }, tools), null))).toEqual(names(tools));
  });

  describe('with BILLING_LOOKUPS=false', () => {
    const lookups = names(tools.filter(isLookup));
    const others = names(tools.filter(tool => !isLookup(tool)));

    it('are the nineteen operations, compare_plans and sets of changes; the others are refused when called anyway', () => {
      const accessOf = createAccess({ readOnly: false, lookups: false }, tools);
      expect(names(offered(accessOf, null)).sort()).toEqual(
        [...names(operations), 'compare_plans', 'change_several'].sort(),
      );
      expect(lookups).toContain('find_customers');
      for (const name of lookups) {
        expect(accessOf(everything).allows(name)).toMatchObject({ code: 'tool_not_offered' });
      }
    });

    it.each<[string, Partial<AccessSettings>, readonly string[]]>([
      ['a toolset', { tools: ['customers'] }, ['get_customer', 'get_customer_portal_url']],
      ['a name, which does not bring it back', { tools: ['find_customers', 'get_event'] }, ['get_event']],
      ['an exclusion', { excludeTools: ['get_event'] }, others.filter(name => name !== 'get_event')],
      ['read-only', { readOnly: true }, others.filter(name => !writes.includes(name))],
    ])('and %s', (_, settings, expected) => {
      const accessOf = createAccess({ readOnly: false, lookups: false, ...settings }, tools);
      expect(names(offered(accessOf, null))).toEqual(expected);
    });
  });

  it('are the sum of toolsets and names, less the excluded ones', () => {
    const accessOf = createAccess(
      { readOnly: false, tools: ['add_ons', 'get_customer'], excludeTools: ['delete_add_on'] },
      tools,
    );
    expect(names(offered(accessOf, null)).sort()).toEqual(['get_customer', 'update_add_on']);
    expect(accessOf(everything).allows('delete_add_on')).toMatchObject({
      code: 'tool_not_offered',
    });
  });
});

describe('a typo in a setting', () => {
  it.each([
    ['BILLING_TOOLS', { tools: ['get_custmer'] }, 'did you mean get_customer?', 'delete_add_on'],
    ['BILLING_TOOLS, of a resource,', { tools: ['custommers'] }, 'did you mean customers?', 'webhook_endpoints'],
    ['BILLING_EXCLUDE_TOOLS', { excludeTools: ['delete_addon'] }, 'did you mean delete_add_on?', 'update_wallet'],
  ])('in %s stops with the list of valid names', (setting, settings, guess, valid) => {
    const start = () => createAccess({ readOnly: false, ...settings }, tools);
    expect(start).toThrow(ConfigError);
    expect(start).toThrow(setting.split(',')[0]);
    expect(start).toThrow(guess);
    expect(start).toThrow(valid);
  });

  it('is reported together with all others', () => {
    const start = () => createAccess({ readOnly: false, tools: ['x', 'y'], excludeTools: ['z'] }, tools);
    expect(start).toThrow(/BILLING_TOOLS: "x" is not known[^;]*; "y" is not known[\s\S]*BILLING_EXCLUDE_TOOLS/);
  });

  const noTool: [string, Partial<AccessSettings>][] = [
    ['BILLING_READ_ONLY, BILLING_TOOLS', { readOnly: true, tools: ['update_wallet'] }],
    ['BILLING_READ_ONLY, BILLING_TOOLS', { readOnly: true, tools: ['add_ons'] }],
    ['BILLING_TOOLS, BILLING_EXCLUDE_TOOLS', { tools: ['get_customer'], excludeTools: ['get_customer'] }],
    ['BILLING_EXCLUDE_TOOLS', { tools: [], excludeTools: names(tools) }],
    ['BILLING_LOOKUPS, BILLING_TOOLS', { lookups: false, tools: ['find_customers'] }],
  ];
  it.each(noTool)(
    'is not taken as a wish for no tools: %s that leave no tool also stop the start',
    (used, settings) => {
      const start = () => createAccess({ readOnly: false, ...settings }, tools);
      expect(start).toThrow(ConfigError);
      expect(start).toThrow(`${used}: `);
    },
  );
});

describe('granted scopes', () => {
  const accessOf = createAccess({ readOnly: false }, tools);
  const scopes = (...granted: Scope[]) => new Set(granted);

  it('limit list and calls in the same way, tool by tool', () => {
    const all: Scope[] = ['billing:read', 'billing:write', 'billing:delete'];
    for (let bits = 0; bits < 8; bits++) {
      const granted = new Set(all.filter((_, index) => bits & (1 << index)));
      const listed = names(offered(accessOf, granted));
      for (const tool of tools)
        expect(listed.includes(tool.name)).toBe(accessOf({ scopes: granted }).allows(tool.name) === true);
    }
  });

  it('separate reading, writing and deleting', () => {
    expect(names(offered(accessOf, scopes('billing:read')))).not.toContain('update_add_on');
    expect(names(offered(accessOf, scopes('billing:write')))).toEqual(writes.filter(name => name !== 'delete_add_on'));
    expect(names(offered(accessOf, scopes('billing:delete')))).toEqual(['delete_add_on']);
    expect(offered(accessOf, scopes())).toEqual([]);
    expect(accessOf({ scopes: scopes('billing:read', 'billing:write') }).allows('delete_add_on')).toMatchObject({
      code: 'insufficient_scope',
      facts: { scope: 'billing:delete' },
    });
  });

  it('are what a caller who is bound to customers has too, of the tools that are not about the whole account', () => {
    const bound = createAccess({ readOnly: false }, toolList);
    for (const granted of [null, scopes('billing:read'), scopes('billing:write', 'billing:delete')]) {
      const caller = { scopes: granted, customers: ['acme'] };
      const access = bound(caller);
      const listed = names(access.tools);
      for (const { name } of toolList) expect(listed.includes(name)).toBe(access.allows(name) === true);
      expect(listed).toEqual(names(offered(bound, granted)).filter(name => listed.includes(name)));
      expect(listed).not.toContain('get_revenue');
    }
    expect(bound({ scopes: null, customers: [] }).allows('get_customer')).toBe(true);
  });

  it('give the same list for the same scopes, of any caller', () => {
    expect(offered(accessOf, scopes('billing:read'))).toBe(offered(accessOf, scopes('billing:read')));
    expect(accessOf({ id: 'ada', scopes: null }).tools).toBe(accessOf({ id: 'bob', scopes: null }).tools);
  });
});
