/**
 * The way back: the call that restores what a write changed, or why there is none. It is data for the receipt and runs
 * like any write, with its own question.
 */

import { checkArguments } from '../../tool/check.ts';
import { isAboutNoRecord } from '../../tool/define.ts';
import type { Revert, WriteCall } from '../../tool/write-call.ts';
import { cleanDeep } from '../../words/hidden-characters.ts';
import { isAltered } from '../../words/summary.ts';

/**
 * `record` is the service's answer to the write. Null where the record was not seen before the write: a call that
 * restores guesses would be worse than none.
 */
export function revertOf(call: WriteCall, record: object): Revert | null {
  const { tool } = call;
  const way = wayBack(call, record);
  if (way === null) return null;
  if ('impossible' in way) return way;
  const altered = Object.keys(way.arguments).find(field => isAltered(call.known ?? {}, recordField[field] ?? field));
  if (altered !== undefined)
    return {
      impossible: `the earlier ${altered.replaceAll('_', ' ')} holds hidden characters, which no call can give back`,
    };
  const back = cleanDeep({ tool: tool.name, arguments: way.arguments }) as Extract<Revert, { arguments: object }>;
  const checked = checkArguments(tool, back.arguments);
  if (checked.ok) return back;
  const [problem] = checked.problems;
  return { impossible: `the earlier value cannot be sent (${problem?.argument ?? 'arguments'})` };
}

/** The record's names of arguments that are called otherwise there. */
const recordField: Readonly<Record<string, string>> = { plan_overrides: 'plan', tax_codes: 'taxes', new_code: 'code' };

function wayBack({ tool, args, known, sight }: WriteCall, record: object): Revert | null {
  // What a tool creates did not exist before.
  if (isAboutNoRecord(tool)) return tool.change.revert(args, {}, record);
  return sight !== 'seen' || known === null ? null : tool.change.revert(args, known, record);
}
