import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { toolList } from '../../src/calls/access/tool-list.ts';
import { decideTool } from '../../src/calls/call/page-buttons.ts';
import { changesAccount } from '../../src/definition/define.ts';
import { listTool } from '../../src/definition/listing.ts';
import { operations, toolByName, toolDefinitions } from '../../tools/all-tools.ts';
import { loadTool, toolNames } from '../../tools/load.ts';
import type { Schema } from './host-limits.ts';

type Shapes = Record<string, Schema>;

const documented = readFileSync('docs/tools.md', 'utf8');
const shown = 'type format enum anyOf items description properties required'.split(' ');
const hidden = `
  $schema additionalProperties propertyNames quietNull listed brief unlisted pattern minItems maxItems $ref $defs
`
  .trim()
  .split(/\s+/);

const listed = [...toolDefinitions.map(tool => listTool(tool)), decideTool];

describe.each(listed.map(tool => [tool.name, tool] as const))('%s', (name, { title, annotations }) => {
  it('has a name of at most 64 letters, digits and _, and a title of its own, which the hints repeat', () => {
    expect(name).toMatch(/^[a-z][a-z0-9_]{0,63}$/);
    expect(title.length).toBeGreaterThan(3);
    expect(listed.filter(other => other.title === title)).toHaveLength(1);
    expect(annotations.title).toBe(title);
  });

  it('either reads or writes, and all four hints say which', () => {
    const { effect, endpoint } = toolByName.get(name) ?? { effect: 'write', endpoint: 'POST /' };
    const writes = changesAccount(effect);
    expect(/^(update|create|delete|change|decide)_/.test(name)).toBe(writes);
    expect(annotations).toEqual({
      ...{ title, readOnlyHint: !writes, destructiveHint: writes, openWorldHint: false },
      idempotentHint: !(writes && endpoint.startsWith('POST ')),
    });
    if (!writes)
      expect(endpoint).toMatch(effect !== 'compute' ? /^GET / : /^POST \/(invoices\/preview|events\/estimate_fees)$/);
  });
});

it('each name loads the tool of that name', () => {
  expect(toolDefinitions.map(({ name }) => name)).toEqual(toolNames);
});

it.each(['get_custmer', 'constructor', ''])('there is no tool %j', async name => {
  await expect(loadTool(name)).rejects.toThrow(`there is no tool ${name}`);
});

describe('the tools', () => {
  it('holds the nineteen operations once each', () => {
    expect(operations).toHaveLength(19);
    expect(new Set(operations.map(tool => tool.endpoint)).size).toBe(19);
    expect(toolByName.size).toBe(toolDefinitions.length);
  });

  it.each(toolDefinitions.map(tool => [tool.name, tool] as const))(
    'lists %s with nothing that the page of `npm run docs` does not show',
    (name, tool) => {
      const { description, inputSchema, outputSchema } = listTool(tool);
      expect(documented).toContain(`\n## ${name}\n\n${description}\n`);
      const args = Object.values(inputSchema.properties as Record<string, Schema>);
      for (const keyword of args.flatMap(keywordsOf)) expect(shown).toContain(keyword);
      const beside = Object.keys(outputSchema?.properties as object).slice(2);
      expect(['next_page', 'more']).toEqual(expect.arrayContaining(beside));
    },
  );

  it.each(toolDefinitions.map(tool => [tool.name, tool] as const))(
    'shows only what models and hosts understand, for %s',
    (_name, tool) => {
      const entry = listTool(tool);
      expect(entry.inputSchema.additionalProperties).toBe(false);
      const text = JSON.stringify(entry.inputSchema.properties);
      for (const keyword of hidden) expect(text).not.toContain(`"${keyword}"`);
      expect(text).not.toContain('9007199254740991');
      expect(text).not.toMatch(/"type":\[/);
    },
  );

  it.each([...toolDefinitions.map(tool => listTool(tool, { confirmation: true })), decideTool])(
    'describes every argument of $name, and begins with a verb',
    ({ description, inputSchema }) => {
      expect(description).toMatch(/^[A-Z][a-z]+s .{40}/);
      const args = Object.entries(inputSchema.properties as Record<string, Schema>);
      const silent = args.filter(([, { description: words }]) => !words);
      expect(silent.map(([name]) => name)).toEqual([]);
    },
  );

  it('offers dry_run on writes only, confirmation only where it is needed, and detail where answers are large', () => {
    const withArgument = (argument: string, confirmation = false) =>
      toolDefinitions
        .filter(tool => argument in (listTool(tool, { confirmation }).inputSchema.properties as object))
        .map(tool => tool.name);
    const writes = toolDefinitions.filter(tool => changesAccount(tool.effect)).map(tool => tool.name);
    expect(withArgument('dry_run')).toEqual(writes);
    expect(withArgument('confirmation')).toEqual([]);
    expect(withArgument('confirmation', true)).toEqual(writes);
    expect(withArgument('detail').sort()).toEqual([
      ...['compare_plans', 'estimate_fees', 'find_customers', 'get_customer', 'get_invoice', 'get_subscription'],
      ...['list_events', 'list_invoices', 'list_plans', 'list_subscription_alerts', 'list_subscriptions'],
      ...['preview_invoice', 'update_credit_note', 'update_invoice', 'update_subscription', 'update_wallet'],
    ]);
  });

  it.each(toolDefinitions.map(tool => [tool.name, tool] as const))(
    'requires the summary alone in answers of %s, and lists first fields that admit null',
    (_name, tool) => {
      const { required, properties } = listTool(tool).outputSchema as unknown as {
        required: string[];
        properties: Shapes;
      };
      expect(required).toEqual(['summary']);
      const { type, items, ...record } = properties[tool.result]!;
      const named = Object.entries((type === 'array' ? items! : record).properties!);
      expect(named.length).toBeGreaterThan(0);
      for (const [, schema] of named) if (schema.type !== undefined) expect(schema.type).toContain('null');
    },
  );

  it('has at most 70 KB', () => {
    const bytes = Buffer.byteLength(JSON.stringify({ tools: toolList.map(({ listed }) => listed) }));
    console.error(`tools/list has ${bytes} bytes`);
    expect(bytes).toBeLessThanOrEqual(70_000);
  });

  it('computes an entry once', () => {
    for (const tool of toolDefinitions) expect(listTool(tool)).toBe(listTool(tool));
  });
});

/** The keywords of a schema, at any depth. */
function keywordsOf(schema: Schema): string[] {
  const inner = [
    ...Object.values(schema.properties ?? {}),
    ...(schema.anyOf ?? []),
    ...(schema.items ? [schema.items] : []),
  ];
  return [...Object.keys(schema), ...inner.flatMap(keywordsOf)];
}
