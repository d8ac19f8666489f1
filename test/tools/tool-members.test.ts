/** How much a person has to know to define a tool: few members, each with its sentence, and none for one tool alone. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { toolDefinitions } from '../../tools/all-tools.ts';

interface Counted {
  definitionMembers(textOf: (path: string) => string): { name: string; hasSentence: boolean }[];
  limits: { members: number };
}

/** The scripts have no types. */
async function counting<Name extends keyof Counted>(script: string): Promise<Pick<Counted, Name>> {
  return await import(new URL(`../../scripts/figures/${script}.mjs`, import.meta.url).href);
}

const { definitionMembers } = await counting<'definitionMembers'>('members');
const { limits } = await counting<'limits'>('table');
const members = definitionMembers(path => readFileSync(path, 'utf8'));

describe('a definition with all that is nested in it', () => {
  it('has few members', () => {
    expect(members.length).toBeGreaterThan(15);
    expect(members.length).toBeLessThanOrEqual(limits.members);
  });

  it.each(members)('has a sentence above $name, and several tools with it', ({ name, hasSentence }) => {
    expect(hasSentence).toBe(true);
    const users = toolDefinitions.filter(tool => name in tool || (tool.change && name in tool.change));
    expect(users.length).toBeGreaterThan(1);
  });
});
