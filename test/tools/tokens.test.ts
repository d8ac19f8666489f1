import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { decideTool } from '../../src/calls/call/page-buttons.ts';
import { maskedFields } from '../../src/contract/masked-fields.ts';
import { isLookup } from '../../src/definition/define.ts';
import { addedArguments } from '../../src/definition/host-arguments.ts';
import { listTool } from '../../src/definition/listing.ts';
import { instructions } from '../../src/server/protocol/identity.ts';
import { operations, toolDefinitions } from '../../tools/all-tools.ts';
import { startRuntime } from '../support/clients.ts';

/** What a model is shown of a tool; output schemas, titles and annotations are for hosts. */
function lean(tool: (typeof toolDefinitions)[number], withExtras: boolean) {
  const { name, description, inputSchema } = listTool(tool);
  if (withExtras) return { name, description, inputSchema };
  const added = addedArguments(tool);
  const own = Object.entries(inputSchema.properties as object).filter(([argument]) => !added.includes(argument));
  return { name, description, inputSchema: { ...inputSchema, properties: Object.fromEntries(own) } };
}

const tokens = (value: unknown) => countTokens(JSON.stringify(value));

describe('the tool list as a model reads it', () => {
  it('costs at most 5,250 tokens with the tools’ own arguments', () => {
    expect(tokens(operations.map(tool => lean(tool, false)))).toBeLessThanOrEqual(5250);
  });

  it('costs little more in mode always: an argument of each write, and the tool for the buttons of pages', () => {
    const { name, description, inputSchema } = decideTool;
    const button = tokens({ name, description, inputSchema });
    const shown = (confirmation: boolean) =>
      toolDefinitions.map(tool => listTool(tool, { confirmation })).map(({ inputSchema: schema }) => tokens(schema));
    const sum = (figures: number[]) => figures.reduce((total, figure) => total + figure, 0);
    const added = sum(shown(true)) - sum(shown(false)) + button;
    console.error(`mode always adds ${added}, of which ${button} for ${name}`);
    expect(button).toBeLessThanOrEqual(115);
    expect(added).toBeLessThanOrEqual(260);
  });

  it('costs at most 5,750 tokens with clear, dry_run, detail and format, 6,500 with compare_plans and change_several, and 11,250 with lookups', () => {
    const figures = toolDefinitions.map(
      tool => `${tool.name.padEnd(28)}${String(tokens(lean(tool, true))).padStart(5)}`,
    );
    const all = tokens(toolDefinitions.map(tool => lean(tool, true)));
    const own = tokens(operations.map(tool => lean(tool, true)));
    const withoutLookups = tokens(toolDefinitions.filter(tool => !isLookup(tool)).map(tool => lean(tool, true)));
    console.error(`${figures.join('\n')}\n${'all'.padEnd(28)}${String(all).padStart(5)}`);
    expect(own).toBeLessThanOrEqual(5750);
    expect(withoutLookups).toBeLessThanOrEqual(6500);
    expect(all).toBeLessThanOrEqual(11_250);
  });
});

describe('the server’s instructions', () => {
  it.each([
    ['for an account', { demo: false, ids: false, finds: true }],
    ['for the demo, with a working id per resource', { demo: true, ids: true, finds: true }],
  ])('%s cost at most 350 tokens, and lead from a name to the answer', (_, options) => {
    const text = instructions(options);
    expect(countTokens(text)).toBeLessThanOrEqual(350);
    for (const step of [
      'find_customers',
      'get_customer_overview',
      'preview_invoice',
      'shown',
      'next_page',
      'all: true',
    ])
      expect(text).toContain(step);
  });

  it('say under every mask what is hidden, in at most 50 more', () => {
    const options = { demo: true, ids: true, finds: true };
    const text = instructions({ ...options, hidden: new Set(maskedFields) });
    expect(text).toContain('addresses and tax and registration numbers');
    expect(countTokens(text)).toBeLessThanOrEqual(countTokens(instructions(options)) + 50);
  });

  it('without lookups stay under 300 tokens, and name no tool that is not there', () => {
    const text = instructions({ demo: true, ids: true, finds: false });
    expect(countTokens(text)).toBeLessThan(300);
    expect(text).toContain('Never guess IDs: ask the user.');
    expect(toolDefinitions.filter(tool => isLookup(tool) && text.includes(tool.name))).toEqual([]);
  });

  it.each([
    [{}, true],
    [{ BILLING_LOOKUPS: 'false' }, false],
    [{ BILLING_EXCLUDE_TOOLS: 'find_customers' }, false],
  ])('with %o name find_customers: %s', async (env, named) => {
    const runtime = startRuntime('http://127.0.0.1:9', env);
    const server = runtime.createMcpServer({ caller: runtime.ownCaller() });
    expect((server as unknown as { _instructions: string })._instructions.includes('find_customers')).toBe(named);
    await runtime.close();
  });
});
