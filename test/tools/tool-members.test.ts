/** How much a person has to know to define a tool: few members, each with its sentence. */
import { readFileSync } from 'node:fs';
import { parseSync, Visitor } from 'oxc-parser';
import { describe, expect, it } from 'vitest';

/** A comment that ends in a full stop, above a member and above what the linter is told of it. */
const sentenceAbove = /\/\*\*(?:(?!\*\/)[\s\S])*\.\s*\*\/\s*(?:\/\/ biome-ignore .*\n\s*)?$/;

/** The members of an interface, each with whether a sentence is above it. */
function membersOf(file: string, name: string): [member: string, hasSentence: boolean][] {
  const text = readFileSync(file, 'utf8');
  const members: [string, boolean][] = [];
  new Visitor({
    TSInterfaceDeclaration({ id, body }) {
      if (id.name !== name) return;
      for (const { start, end } of body.body)
        members.push([/^\w+/.exec(text.slice(start, end))?.[0] ?? '', sentenceAbove.test(text.slice(0, start))]);
    },
  }).visit(parseSync(file, text).program);
  return members;
}

describe('a definition', () => {
  it.each([
    ['ToolDefinition', 14, 'define'],
    ['ChangeDefinition', 11, 'write-definition'],
  ])('%s has at most %i members, each with a sentence', (name, most, file) => {
    const members = membersOf(`src/definition/${file}.ts`, name);
    expect(members).not.toEqual([]);
    expect(members.length).toBeLessThanOrEqual(most);
    expect(members.filter(([, hasSentence]) => !hasSentence)).toEqual([]);
  });
});
