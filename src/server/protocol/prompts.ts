/** Which prompts there are for a caller, and one prompt with its arguments filled in. */
import type { GetPromptResult, Prompt } from '@modelcontextprotocol/server';
import { type PromptDefinition, promptDefinitions, quote } from './prompt-definitions.ts';
import { toolWords } from './skills.ts';

export const prompts: readonly Prompt[] = promptDefinitions.map(({ text: _text, needs: _needs, ...prompt }) => prompt);

const byName = new Map(promptDefinitions.map(definition => [definition.name, definition]));

/** Whether a word is the name of a tool that the caller is offered, or of none. */
type Offers = (word: string) => boolean;

/** The prompts for a caller: none that needs a tool of the catalogue which the caller is not offered. */
export function promptsFor(offers: Offers): readonly Prompt[] {
  return prompts.filter(({ name }) => toolsOf(name).every(offers));
}

/** The prompt with its arguments filled in; a problem as text when it is not `known`, or an argument is missing. */
export function getPrompt(
  name: string,
  values: Record<string, string> = {},
  known: readonly Prompt[] = prompts,
  offers: Offers = () => true,
): { prompt: GetPromptResult } | { problem: string } {
  const definition = known.some(prompt => prompt.name === name) ? byName.get(name) : undefined;
  if (!definition)
    return {
      problem: `Unknown prompt ${quote(name)}. Known prompts: ${known.map(prompt => prompt.name).join(', ') || 'none'}.`,
    };
  const missing = definition.arguments.filter(argument => argument.required && !values[argument.name]?.trim());
  if (missing.length) return { problem: `Prompt ${name} needs ${missing.map(argument => argument.name).join(', ')}.` };
  const text = definition.text(values, offers);
  return {
    prompt: { description: definition.description, messages: [{ role: 'user', content: { type: 'text', text } }] },
  };
}

/** What a prompt needs: else the words of its text that may be names of tools, whichever of its arguments are given. */
function toolsOf(name: string): readonly string[] {
  const { arguments: all, needs, text } = byName.get(name) as PromptDefinition;
  if (needs) return needs;
  const filled = Object.fromEntries(all.map(argument => [argument.name, 'x']));
  const always = () => true;
  return toolWords(`${text(filled, always)} ${text({}, always)}`);
}
