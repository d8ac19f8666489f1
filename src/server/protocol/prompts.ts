/** Which prompts there are for a caller, and one prompt with its arguments filled in. */
import type { GetPromptResult, Prompt } from '@modelcontextprotocol/server';
import { type PromptDefinition, promptDefinitions, quote } from './prompt-definitions.ts';

export const prompts: readonly Prompt[] = promptDefinitions.map(({ text: _, ...prompt }) => prompt);

const byName = new Map(promptDefinitions.map(definition => [definition.name, definition]));

/** The names of the tools that a caller is offered. */
type Offered = ReadonlySet<string>;

/** The prompts for a caller: none that names a tool of the catalogue which the caller is not offered. */
export function promptsFor(offered: Offered, isTool: (name: string) => boolean): readonly Prompt[] {
  return prompts.filter(({ name }) => toolsOf(name).every(word => !isTool(word) || offered.has(word)));
}

/** The prompt with its arguments filled in; a problem as text when it is not `known`, or an argument is missing. */
export function getPrompt(
  name: string,
  values: Record<string, string> = {},
  known: readonly Prompt[] = prompts,
): { prompt: GetPromptResult } | { problem: string } {
  const definition = known.some(prompt => prompt.name === name) ? byName.get(name) : undefined;
  if (!definition)
    return {
      problem: `Unknown prompt ${quote(name)}. Known prompts: ${known.map(prompt => prompt.name).join(', ') || 'none'}.`,
    };
  const missing = definition.arguments.filter(argument => argument.required && !values[argument.name]?.trim());
  if (missing.length) return { problem: `Prompt ${name} needs ${missing.map(argument => argument.name).join(', ')}.` };
  const text = definition.text(values);
  return {
    prompt: { description: definition.description, messages: [{ role: 'user', content: { type: 'text', text } }] },
  };
}

/** The words of a prompt that may be names of tools, whichever of its arguments are given. */
function toolsOf(name: string): readonly string[] {
  const { arguments: all, text } = byName.get(name) as PromptDefinition;
  const filled = Object.fromEntries(all.map(argument => [argument.name, 'x']));
  return `${text(filled)} ${text({})}`.match(/[a-z]+(?:_[a-z]+)+/g) ?? [];
}
