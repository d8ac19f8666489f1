/** All tools at once, for what is derived from them. A server loads each by itself. */

import { type AnyTool, isSet, makesAnswer } from '../src/definition/define.ts';
import { loadTool, toolNames } from './load.ts';

/** Every tool, in listing order. */
export const toolDefinitions: readonly AnyTool[] = await Promise.all(toolNames.map(loadTool));

/** The nineteen operations of docs/interface.md: one request each. The other tools are made of reads and previews. */
export const operations: readonly AnyTool[] = toolDefinitions.filter(tool => !makesAnswer(tool) && !isSet(tool));

export const toolByName: ReadonlyMap<string, AnyTool> = new Map(toolDefinitions.map(tool => [tool.name, tool]));
