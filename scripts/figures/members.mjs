/** The members of a tool's definition, with those of what is nested in it. */
import { parseSync, Visitor } from 'oxc-parser';

const interfaces = [
  ['src/definition/define.ts', 'ToolDefinition'],
  ['src/definition/define.ts', 'ChangeDefinition'],
];

/** A comment that ends in a full stop, above a member and above what the linter is told of it. */
const sentenceAbove = /\/\*\*(?:(?!\*\/)[\s\S])*\.\s*\*\/\s*(?:\/\/ biome-ignore .*\n\s*)?$/;

/** Each with whether a sentence is above it; an object type written within a member counts with its own. */
export function definitionMembers(textOf) {
  const members = new Map();
  for (const [file, name] of interfaces) {
    const text = textOf(file);
    for (const { key, start } of signaturesOf(file, text, name))
      if (!members.has(key)) members.set(key, { name: key, hasSentence: sentenceAbove.test(text.slice(0, start)) });
  }
  return [...members.values()];
}

/** `typeAnnotation` is not entered for what a function takes and gives: that is no part of the definition. */
function signaturesOf(file, text, name) {
  const signatures = [];
  const add = nodes => {
    for (const node of nodes) {
      signatures.push({ key: node.key.name, start: node.start });
      const type = node.typeAnnotation?.typeAnnotation;
      if (type?.type === 'TSTypeLiteral') add(type.members);
    }
  };
  new Visitor({
    TSInterfaceDeclaration({ id, body }) {
      if (id.name === name) add(body.body);
    },
  }).visit(parseSync(file, text).program);
  return signatures;
}
