/**
 * The catalogue as `tools/list` needs it: names and finished list entries. The build replaces this module by its
 * computed value, so that a started server lists its tools without loading their schemas.
 */

import * as z from 'zod';
import { toolDefinitions } from '../../../tools/all-tools.ts';
import { boundListings } from '../../definition/argument-fields.ts';
import type { Effect } from '../../definition/define.ts';
import { type AnyTool, isSet, type Toolset } from '../../definition/define.ts';
import { type ListedTool, listTool } from '../../definition/listing.ts';
import { viewMeta } from '../../words/views/views.ts';
import { isAccountWide } from './bounds/facts/table.ts';

export interface ToolListEntry {
  name: string;
  toolset: Toolset;
  effect: Effect;
  /** Only for the tool that makes several changes: not for callers without any other write. */
  set?: true;
  answer?: AnyTool['answer'];
  listed: ListedTool;
  /** The entry with the argument `confirmation`, offered in mode `always` only. */
  confirming: ListedTool;
  /** It is not for callers who are bound to customers. */
  accountWide?: true;
  /** For these callers, where the entry differs. */
  bound?: Pick<ToolListEntry, 'listed' | 'confirming'>;
}

export const toolList: readonly ToolListEntry[] = toolDefinitions.map(tool => ({
  name: tool.name,
  toolset: tool.toolset,
  effect: tool.effect,
  ...(isSet(tool) && { set: true as const }),
  ...(tool.answer && { answer: tool.answer }),
  listed: withPage(listTool(tool)),
  confirming: withPage(listTool(tool, { confirmation: true })),
  ...forBound(tool),
}));

/** Lookups are listed alike in every mode. */
function forBound(tool: AnyTool): Pick<ToolListEntry, 'accountWide' | 'bound'> {
  const narrower = boundListings.get(tool.input);
  if (narrower === undefined) return isAccountWide(tool.endpoint) ? { accountWide: true } : {};
  const { description, kinds } = narrower;
  const input = z.strictObject({
    ...tool.input.shape,
    kind: z.enum(kinds).describe(tool.input.shape.kind.description),
  });
  const listed = listTool({ ...tool, description, input });
  return { bound: { listed, confirming: listed } };
}

/** `_meta` tells hosts that show pages which page belongs to a tool's results. */
function withPage(listed: ListedTool): ListedTool {
  const page = viewMeta(listed.name);
  return page ? { ...listed, _meta: page } : listed;
}
