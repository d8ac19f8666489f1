/**
 * The catalogue as `tools/list` needs it: names and finished list entries. The build replaces this module by its
 * computed value, so that a started server lists its tools without loading their schemas.
 */

import { toolDefinitions } from '../../tools/index.ts';
import type { Toolset } from '../tool/define.ts';
import type { Effect } from '../tool/effect.ts';
import { type ListedTool, listTool } from '../tool/listing.ts';
import { viewMeta } from '../views/index.ts';

export interface ToolListEntry {
  name: string;
  toolset: Toolset;
  effect: Effect;
  /** Only for tools that `BILLING_LOOKUPS=false` takes away. */
  lookup?: true;
  listed: ListedTool;
  /** The entry with the argument `confirmation`, offered in mode `always` only. */
  confirming: ListedTool;
}

export const toolList: readonly ToolListEntry[] = toolDefinitions.map(tool => ({
  name: tool.name,
  toolset: tool.toolset,
  effect: tool.effect,
  ...(tool.lookup && { lookup: true as const }),
  listed: withPage(listTool(tool)),
  confirming: withPage(listTool(tool, { confirmation: true })),
}));

/** `_meta` tells hosts that show pages which page belongs to a tool's results. */
function withPage(listed: ListedTool): ListedTool {
  const page = viewMeta(listed.name);
  return page ? { ...listed, _meta: page } : listed;
}
