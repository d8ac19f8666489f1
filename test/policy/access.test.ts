import { describe, expect, it } from 'vitest';
import { type Access, type AccessSettings, createAccess } from '../../src/calls/policy/access.ts';
import { toolList } from '../../src/calls/tool-list.ts';
import { ConfigError } from '../../src/server/settings/settings.ts';
import type { Scope } from '../../src/tool/caller.ts';
import { toolsets } from '../../src/tool/define.ts';
import { changesAccount } from '../../src/tool/effect.ts';
import { operations, toolDefinitions as tools } from '../../tools/index.ts';

const names = (list: readonly { name: string }[]) => list.map(tool => tool.name);
const writes = names(tools.filter(tool => changesAccount(tool.effect)));
const find = (name: string) => tools.find(tool => tool.name === name)!;

const offered = (access: Access, granted: ReadonlySet<Scope> | null) =>
  access.variants[access.variantOf({ scopes: granted })]!;

describe('which tools are offered', () => {
  it('are all of them by default, in listing order', () => {
    expect(names(offered(createAccess({ readOnly: false }, tools), null))).toEqual(names(tools));
  });

  it('are those that change nothing in read-only mode; the others are refused when called anyway', () => {
    const access = createAccess({ readOnly: true }, tools);
    expect(writes).toHaveLength(8);
    expect(names(offered(access, null))).toEqual(names(tools).filter(name => !writes.includes(name)));
    for (const name of writes) {
      expect(access.allows(find(name), { scopes: null })).toMatchObject({ code: 'read_only', changed: false });
    }
    expect(access.allows(find('preview_invoice'), { scopes: null })).toBe(true);
  });

  it.each(toolsets)('are those of the toolset %s, and no other may be called', toolset => {
    const access = createAccess({ readOnly: false, tools: [toolset] }, tools);
    for (const tool of tools) {
      const own = tool.toolset === toolset;
      expect(names(offered(access, null)).includes(tool.name)).toBe(own);
      expect(access.allows(tool, { scopes: null }) === true).toBe(own);
    }
  });

  describe('with BILLING_LOOKUPS=false', () => {
    const lookups = names(tools.filter(tool => tool.lookup));
    const others = names(tools.filter(tool => !tool.lookup));

    it('are the nineteen operations and compare_plans; the others are refused when called anyway', () => {
      const access = createAccess({ readOnly: false, lookups: false }, tools);
      expect(names(offered(access, null)).sort()).toEqual([...names(operations), 'compare_plans'].sort());
      expect(lookups).toContain('find_customers');
      for (const name of lookups) {
        expect(access.allows(find(name), { scopes: null })).toMatchObject({ code: 'tool_not_offered', changed: false });
      }
    });

    it.each<[string, Partial<AccessSettings>, readonly string[]]>([
      ['a toolset', { tools: ['customers'] }, ['get_customer', 'get_customer_portal_url']],
      ['a name, which does not bring it back', { tools: ['find_customers', 'get_event'] }, ['get_event']],
      ['an exclusion', { excludeTools: ['get_event'] }, others.filter(name => name !== 'get_event')],
      ['read-only', { readOnly: true }, others.filter(name => !writes.includes(name))],
    ])('and %s', (_, settings, expected) => {
      const access = createAccess({ readOnly: false, lookups: false, ...settings }, tools);
      expect(names(offered(access, null))).toEqual(expected);
    });
  });

  it('are the sum of toolsets and names, less the excluded ones', () => {
    const access = createAccess(
      { readOnly: false, tools: ['add_ons', 'get_customer'], excludeTools: ['delete_add_on'] },
      tools,
    );
    expect(names(offered(access, null)).sort()).toEqual(['get_customer', 'update_add_on']);
    expect(access.allows(find('delete_add_on'), { scopes: null })).toMatchObject({
      code: 'tool_not_offered',
      changed: false,
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
      expect(start).toThrow(new RegExp(`^${used}: together they leave no tool at all`));
    },
  );
});

describe('granted scopes', () => {
  const access = createAccess({ readOnly: false }, tools);
  const scopes = (...granted: Scope[]) => new Set(granted);

  it('limit list and calls in the same way, tool by tool', () => {
    const all: Scope[] = ['billing:read', 'billing:write', 'billing:delete'];
    for (let bits = 0; bits < 8; bits++) {
      const granted = new Set(all.filter((_, index) => bits & (1 << index)));
      const listed = names(offered(access, granted));
      for (const tool of tools)
        expect(listed.includes(tool.name)).toBe(access.allows(tool, { scopes: granted }) === true);
    }
  });

  it('separate reading, writing and deleting', () => {
    expect(names(offered(access, scopes('billing:read')))).not.toContain('update_add_on');
    expect(names(offered(access, scopes('billing:write')))).toEqual(writes.filter(name => name !== 'delete_add_on'));
    expect(names(offered(access, scopes('billing:delete')))).toEqual(['delete_add_on']);
    expect(offered(access, scopes())).toEqual([]);
    expect(access.allows(find('delete_add_on'), { scopes: scopes('billing:read', 'billing:write') })).toMatchObject({
      code: 'insufficient_scope',
      details: { required_scope: 'billing:delete' },
    });
  });

  it('are what a caller who is bound to customers has too, of the tools that are not about the whole account', () => {
    const bound = createAccess({ readOnly: false }, toolList);
    for (const granted of [null, scopes('billing:read'), scopes('billing:write', 'billing:delete')]) {
      const caller = { scopes: granted, customers: ['acme'] };
      const listed = names(bound.variants[bound.variantOf(caller)]!);
      for (const tool of toolList) expect(listed.includes(tool.name)).toBe(bound.allows(tool, caller) === true);
      expect(listed).toEqual(
        names(bound.variants[bound.variantOf({ scopes: granted })]!).filter(name => listed.includes(name)),
      );
      expect(listed).not.toContain('get_revenue');
    }
    expect(bound.allows(find('get_customer'), { scopes: null, customers: [] })).toBe(true);
  });

  it('give the same list object for the same scopes, one of sixteen prepared ones', () => {
    expect(offered(access, scopes('billing:read'))).toBe(offered(access, scopes('billing:read')));
    expect(access.variants).toHaveLength(16);
    expect(access.variants[access.variantOf({ scopes: null })]).toBe(offered(access, null));
  });
});
