/**
 * The way back: the call that restores what a write changed, or why there is none. It is data for the receipt and runs
 * like any write, with its own question.
 */

import { isRecord, type JsonRecord } from '../../lib/json.ts';
import type { Revert, WriteCall } from '../../tool/call.ts';
import { checkArguments } from '../../tool/check.ts';
import type { AnyTool } from '../../tool/define.ts';
import { clearable } from '../../tool/null-arguments.ts';
import { isFilled } from '../../words/default-fields.ts';
import { cleanDeep } from '../../words/hidden-characters.ts';
import { isAltered } from '../../words/summary.ts';
import { earlierFields } from './receipt.ts';

/**
 * `record` is the service's answer to the write. Null where the record was not seen before the write: a call that
 * restores guesses would be worse than none.
 */
export function revertOf(call: WriteCall, record: JsonRecord): Revert | null {
  const { tool } = call;
  const way = wayBack(call, record);
  if (way === null) return null;
  if ('impossible' in way) return way;
  const altered = Object.keys(way.arguments).find(field => isAltered(call.known ?? {}, recordField[field] ?? field));
  if (altered !== undefined)
    return {
      impossible: `the earlier ${altered.replaceAll('_', ' ')} holds hidden characters, which no call can give back`,
    };
  const back = cleanDeep({ tool: tool.name, arguments: way.arguments }) as Extract<Revert, { arguments: JsonRecord }>;
  const checked = checkArguments(tool, back.arguments);
  if (checked.ok) return back;
  const [problem] = checked.problems;
  return { impossible: `the earlier value cannot be sent (${problem?.argument ?? 'arguments'})` };
}

/** The record's names of arguments that are called otherwise there. */
const recordField: Readonly<Record<string, string>> = { plan_overrides: 'plan', tax_codes: 'taxes', new_code: 'code' };

function wayBack(call: WriteCall, record: JsonRecord): ReturnType<NonNullable<AnyTool['revert']>> | null {
  const { tool, args, known } = call;
  // What a tool creates did not exist before.
  if (tool.sees === undefined || tool.sees.room) return tool.revert?.(args, {}, record) ?? null;
  if (call.sight !== 'seen' || known === null) return null;
  return tool.revert === undefined ? earlierArguments(call, known) : tool.revert(args, known, record);
}

/** The selectors, and each changed field with its earlier value; what was empty is cleared where the tool can. */
function earlierArguments({ tool, args, request }: WriteCall, known: JsonRecord): Revert {
  const earlier = earlierFields(tool, request, known);
  const back: JsonRecord = {};
  const cleared: string[] = [];
  const clearableFields = clearable(tool);
  for (const [field, value] of Object.entries(args)) {
    if (value === undefined) continue;
    if (tool.selectors?.includes(field)) back[field] = value;
    else if (earlier[field] !== null && earlier[field] !== undefined) back[field] = withoutEmptyEntries(earlier[field]);
    else if (clearableFields.includes(field)) cleared.push(field);
    else return { impossible: `${field.replaceAll('_', ' ')} was empty, and cannot be emptied again` };
  }
  if (cleared.length > 0) back.clear = cleared;
  return { arguments: back };
}

/** Lists that a write replaces are given whole: what is null or empty in their entries is left out. */
function withoutEmptyEntries(value: unknown): unknown {
  return Array.isArray(value) ? value.map(withoutEmpty) : value;
}

function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmpty);
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).map(([field, inner]) => [field, withoutEmpty(inner)] as const);
  return Object.fromEntries(entries.filter(([, inner]) => isFilled(inner)));
}
