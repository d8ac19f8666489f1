import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { instructions } from '../../src/protocol/instructions.ts';
import { listTool } from '../../src/tool/listing.ts';
import { addedArguments } from '../../src/tool/nulls.ts';
import { toolDefinitions } from '../../tools/index.ts';

/** What a model is shown of a tool; output schemas, titles and annotations are for hosts. */
function lean(tool: (typeof toolDefinitions)[number], withExtras: boolean) {
  const { name, description, inputSchema } = listTool(tool);
  if (withExtras) return { name, description, inputSchema };
  const added = addedArguments(tool);
  const own = Object.entries(inputSchema.properties as object).filter(([argument]) => !added.includes(argument));
  return { name, description, inputSchema: { ...inputSchema, properties: Object.fromEntries(own) } };
}

/** The specification’s operations; what goes beyond them has the rest of the budget. */
const operations = toolDefinitions.filter(tool => tool.fanOut === undefined);

const tokens = (value: unknown) => countTokens(JSON.stringify(value));

describe('the tool list as a model reads it', () => {
  it('costs at most 3,650 tokens with the tools’ own arguments', () => {
    expect(tokens(operations.map(tool => lean(tool, false)))).toBeLessThanOrEqual(3650);
  });

  it('costs at most 4,000 tokens with clear, dry_run and detail, and 4,400 with everything', () => {
    const figures = toolDefinitions.map(
      tool => `${tool.name.padEnd(28)}${String(tokens(lean(tool, true))).padStart(5)}`,
    );
    const all = tokens(toolDefinitions.map(tool => lean(tool, true)));
    const own = tokens(operations.map(tool => lean(tool, true)));
    console.error(`${figures.join('\n')}\n${'all'.padEnd(28)}${String(all).padStart(5)}`);
    expect(own).toBeLessThanOrEqual(4000);
    expect(all).toBeLessThanOrEqual(4400);
  });
});

describe('the server’s instructions', () => {
  it.each([
    ['for an account', instructions(false, false)],
    ['for the demo, with a working id per resource', instructions(true, true)],
  ])('%s stay under 300 tokens', (_, text) => {
    expect(countTokens(text)).toBeLessThan(300);
  });
});
