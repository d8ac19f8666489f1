import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { toolList } from '../../src/calls/access/tool-list.ts';
import { decideTool } from '../../src/calls/call/page-buttons.ts';
import { changesAccount } from '../../src/definition/define.ts';
import { listTool } from '../../src/definition/listing.ts';
import { operations, toolByName, toolDefinitions } from '../../tools/all-tools.ts';
import type { Schema } from './host-limits.ts';

type Shapes = Record<string, Schema>;

const documented = readFileSync('docs/tools.md', 'utf8');
const shown = 'type format enum anyOf items description properties required'.split(' ');
const hidden = `
  $schema additionalProperties propertyNames quietNull listed brief unlisted pattern minItems maxItems $ref $defs
`
  .trim()
  .split(/\s+/);

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

  it.each(toolDefinitions.map(tool => [tool.name, tool] as const))(
    'states all four hints of %s by its effect',
    (_name, tool) => {
      const writes = changesAccount(tool.effect);
      const creates = tool.endpoint.startsWith('POST ');
      expect(listTool(tool).annotations).toEqual({
        title: tool.title,
        readOnlyHint: !writes,
        destructiveHint: writes,
        idempotentHint: !(writes && creates),
        openWorldHint: false,
      });
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
    expect(withArgument('detail').sort()).toEqual(
      [
        'compare_plans',
        'find_customers',
        'list_events',
        'list_invoices',
        'list_subscriptions',
        'get_customer',
        'get_invoice',
        'get_subscription',
        'list_subscription_alerts',
        'preview_invoice',
        'estimate_fees',
        'list_plans',
        'update_invoice',
        'update_credit_note',
        'update_subscription',
        'update_wallet',
      ].sort(),
    );
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
