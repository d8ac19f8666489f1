/** Which tools a host takes that holds its model to the schema (OpenAI's strict mode). */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { decideTool } from '../../src/calls/call/page-buttons.ts';
import { listTool } from '../../src/definition/listing.ts';
import { toolDefinitions } from '../../tools/all-tools.ts';
import type { Schema } from './host-limits.ts';
import { notStrict } from './strict-rules.ts';

const page = readFileSync(new URL('../../docs/clients.md', import.meta.url), 'utf8');

describe('strict conversion', () => {
  it.each(toolDefinitions.map(tool => [tool.name, tool] as const))('takes %s, in every mode', (_, tool) => {
    for (const confirmation of [false, true])
      expect(notStrict(listTool(tool, { confirmation }).inputSchema as Schema)).toBeNull();
  });

  it('took as many tools in the run of the real client', () => {
    expect(page).toContain(`\nStrict conversion takes all ${toolDefinitions.length} tools.\n`);
  });

  it('does not take the tool for the buttons of pages, which no model calls: the docs say so', () => {
    expect(notStrict(decideTool.inputSchema as Schema)).toContain('names are not all listed');
    expect(page).toContain(`\`${decideTool.name}\`, listed only`);
  });

  it.each<[string, Schema]>([
    ['an object of free names', { type: 'object', additionalProperties: { type: 'string' } }],
    ['an open object', { type: 'object', additionalProperties: true }],
    ['an open object in a list', { type: 'array', items: { type: 'object', additionalProperties: true } }],
    ['an object without names', { type: 'object', properties: {} }],
    ['an open object in a union', { anyOf: [{ type: 'string' }, { type: 'object', additionalProperties: true }] }],
    [
      'an optional argument in a union',
      {
        anyOf: [
          { type: 'string' },
          { type: 'array', items: { type: 'object', properties: { a: { type: 'string' } } } },
        ],
      },
    ],
    ['a word beside a union', { type: 'string', anyOf: [{ type: 'string' }] }],
    ['a keyword that it does not know', { oneOf: [{ type: 'string' }] }],
  ])('refuses %s', (_, schema) => {
    expect(notStrict({ type: 'object', properties: { a: schema } })).not.toBeNull();
  });
});
