import { describe, expect, it } from 'vitest';
import { toolList } from '../../src/calls/access/tool-list.ts';
import { decideTool } from '../../src/calls/call/page-buttons.ts';
import type { Scope } from '../../src/definition/caller.ts';
import { toolsets } from '../../src/definition/define.ts';
import type { ListedTool } from '../../src/definition/listing.ts';
import { connectClient, startRuntime } from '../support/clients.ts';
import { all, type Host, hostLimits, type Schema } from './host-limits.ts';

const scopeSets: (ReadonlySet<Scope> | null)[] = [
  null,
  new Set<Scope>(['billing:read']),
  new Set<Scope>(['billing:read', 'billing:write']),
  new Set<Scope>(['billing:read', 'billing:write', 'billing:delete']),
];
const settings: [string, Record<string, string>][] = [
  ...['auto', 'always', 'never'].map(
    mode => [`confirmation ${mode}`, { BILLING_CONFIRM: mode }] as [string, Record<string, string>],
  ),
  ['read only', { BILLING_READ_ONLY: 'true' }],
  ...toolsets.map(
    set =>
      [`the toolset ${set}`, { BILLING_TOOLS: set, BILLING_CONFIRM: 'always' }] as [string, Record<string, string>],
  ),
];

/** Every tool list that a server with these settings may return. */
async function listsWith(environment: Record<string, string>): Promise<ListedTool[][]> {
  const runtime = startRuntime('http://127.0.0.1:9', environment);
  const lists = scopeSets.map(scopes => runtime.pipeline.list({ scopes }).tools);
  await runtime.close();
  return lists;
}

const isObject = ({ type }: Schema) => type === 'object';

describe.each(settings)('the lists with %s', (_, environment) => {
  it('break no published limit of a host', async () => {
    for (const tools of await listsWith(environment)) {
      for (const { host, rule, broken } of hostLimits) expect(broken(tools), `${host}: ${rule}`).toEqual([]);
    }
  });

  it('describe the items of each array, the fields of each object, and one type for each argument', async () => {
    const tools = (await listsWith(environment)).flat();
    const inputs = tools.flatMap(({ inputSchema }) => all(inputSchema as Schema));
    const outputs = tools.flatMap(({ outputSchema = {} }) => all(outputSchema as Schema));
    for (const schema of [...inputs, ...outputs]) {
      if (schema.type === 'array') expect(schema).toHaveProperty('items');
      if (isObject(schema)) expect(schema.properties ?? schema.additionalProperties).toBeDefined();
    }
    for (const { type } of inputs) expect(['string', 'undefined']).toContain(typeof type);
    // No host passes an output schema on to a model.
    for (const { type } of outputs) if (typeof type === 'object') expect(type).toContain('null');
  });
});

it('a client of either protocol is given the same list; one that shows pages, the tool of their buttons too', async () => {
  const runtime = startRuntime('http://127.0.0.1:9', { BILLING_CONFIRM: 'always' });
  const tools = toolList.map(({ confirming }) => confirming);
  for (const era of ['2025-11-25', '2026-07-28'] as const) {
    for (const [asks, expected] of [
      [false, tools],
      ['buttons', [...tools, decideTool]],
    ] as const) {
      const client = await connectClient(runtime, era, asks);
      expect(await client.tools(), era).toEqual(expected);
      await client.close();
    }
  }
  await runtime.close();
});

describe('the published limits', () => {
  it('exist for each host, with a source', () => {
    const hosts: Host[] = ['OpenAI', 'Anthropic', 'Gemini', 'VS Code', 'Cursor', 'Bedrock'];
    expect(new Set(hostLimits.map(({ host }) => host))).toEqual(new Set(hosts));
    for (const { source } of hostLimits) expect(new URL(source).protocol).toBe('https:');
  });

  it('detect what breaks them', () => {
    const tool = toolList[0]!.listed;
    const wrong = (change: object): ListedTool => ({ ...tool, ...change });
    const withArgument = (name: string, schema: object) =>
      wrong({ inputSchema: { type: 'object', properties: { [name]: schema } } });
    const deep = (levels: number): object =>
      levels === 0 ? { type: 'string' } : { type: 'object', properties: { a: deep(levels - 1) } };
    const wide = Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`a${index}`, { type: 'string' }]));
    const many = Array.from({ length: 501 }, (_, index) => `value ${index}`);
    const broken: ListedTool[][] = [
      [wrong({ name: 'a.b' })],
      [wrong({ name: '1'.repeat(65), description: 'x'.repeat(2049) })],
      [wrong({ name: '', description: '' })],
      [withArgument('a', { type: 'array' })],
      [withArgument('a', { anyOf: [{ type: 'array' }, { type: 'null' }] })],
      [withArgument('filter[id]', { type: 'string' })],
      [withArgument('a', { type: ['string', 'null'] })],
      [withArgument('a', { const: 'x' })],
      [withArgument('a', { allOf: [] })],
      [withArgument('a', deep(6)), withArgument('b', { type: 'string', enum: many })],
      [withArgument('a', { type: 'string', enum: ['x'.repeat(120_001)] })],
      [wrong({ inputSchema: { type: 'object', properties: wide } })],
      [wrong({ inputSchema: { type: 'object', properties: {} } })],
      [wrong({ inputSchema: { anyOf: [] } })],
      Array.from({ length: 129 }, () => tool),
    ];
    const noticed = hostLimits.filter(limit => broken.some(tools => limit.broken(tools).length > 0));
    expect(noticed.map(({ rule }) => rule)).toEqual(hostLimits.map(({ rule }) => rule));
    for (const tools of broken) expect(hostLimits.some(limit => limit.broken(tools).length > 0)).toBe(true);
  });
});
