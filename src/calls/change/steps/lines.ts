/** The changes of a set as calls of their tools. A set with a line that cannot be one is refused whole, with the line. */

import { loadTool, toolNames } from '../../../../tools/load.ts';
import { checkArguments, type Problem } from '../../../definition/check.ts';
import {
  type AnyTool,
  type Arguments,
  argumentsUnderNewCode,
  changesAccount,
  isSet,
} from '../../../definition/define.ts';
import { type OwnError, refuse, wordsOf } from '../../../definition/failure.ts';
import { fieldOf } from '../../../lib/json.ts';
import { nearest } from '../../../lib/nearest-word.ts';
import { quotedValue } from '../../../lib/text.ts';
import type { Account } from '../../api/account/upstreams.ts';
import { beginCall, type Call, type ChangingCall, isChanging, type PipelineParts, targetOf } from '../../call/call.ts';
import { requestedFields } from '../fields/compare.ts';
import { type Line, placeOf } from '../set.ts';

export interface LineNeeds {
  parts: Pick<PipelineParts, 'config' | 'upstreams'>;
  account: Account;
}

interface SentChange {
  tool: string;
  arguments: Arguments;
}

export async function linesOf(needs: LineNeeds, set: Call): Promise<Line[] | OwnError> {
  const sent = set.args.changes as SentChange[];
  const lines = await Promise.all(sent.map((change, at) => lineOf(needs, set, change, at)));
  const denied = lines.find(line => 'denied' in line);
  if (denied !== undefined) return denied.denied;
  const invalid = (problems: readonly Problem[]) =>
    refuse('invalid_arguments', { case: 'arguments', tool: set.tool.name, problems });
  const problems = lines.flatMap(line => ('problems' in line ? line.problems : []));
  if (problems.length > 0) return invalid(problems);
  const whole = lines.filter(line => 'call' in line);
  const clash = clashIn(whole);
  return clash === null ? whole : invalid([clash]);
}

type Read = Line | { problems: Problem[] } | { denied: OwnError };

async function lineOf(needs: LineNeeds, set: Call, change: SentChange, at: number): Promise<Read> {
  const place = placeOf(at);
  const problem = (argument: string, message: string): Read => ({
    problems: [{ argument: `${place}.${argument}`, message: `${place}.${argument} ${message}` }],
  });
  if (!toolNames.includes(change.tool)) {
    const near = nearest(change.tool, toolNames);
    return problem(
      'tool',
      `is ${quotedValue(change.tool)}, which is not a tool${near === null ? '' : `: did you mean ${near}?`}`,
    );
  }
  const tool = await loadTool(change.tool);
  if (isSet(tool)) return problem('tool', `is ${tool.name}: a set cannot contain a set`);
  if (!changesAccount(tool.effect))
    return problem('tool', `is ${tool.name}, which changes nothing: call it separately`);
  const allowed = set.access.allows(tool.name);
  if (allowed !== true) {
    const error = wordsOf(allowed);
    return { denied: { ...error, message: `${set.tool.name}: ${place}: ${error.message}` } };
  }
  const control = ['dry_run', 'confirmation'].find(name => Object.hasOwn(change.arguments, name));
  if (control !== undefined)
    return problem(`arguments.${control}`, 'applies to the whole set: send it next to changes');
  return callOf(needs, set, tool, change.arguments, at);
}

function callOf({ parts, account }: LineNeeds, set: Call, tool: AnyTool, sent: Arguments, at: number): Read {
  const inLine = ({ argument, message }: Problem): Problem => ({
    argument: `${placeOf(at)}.${argument}`,
    message: `${placeOf(at)}: ${message}`,
  });
  const checked = checkArguments(tool, sent);
  if (!checked.ok) return { problems: checked.problems.map(inLine) };
  const { args, control } = checked;
  const request = tool.change?.request(args) ?? {};
  const target = targetOf(tool, request);
  if (typeof target !== 'string')
    return { problems: [{ argument: placeOf(at), message: `${placeOf(at)}: ${target.message}` }] };
  const { decided: _, ...context } = set.context;
  // What came back to a question is about the whole set.
  const client = { ...context.client, reply: undefined, state: undefined };
  const received = {
    sentArguments: sent,
    context: { ...context, client },
    requestId: set.requestId,
    access: set.access,
  };
  const call = beginCall(parts, tool, account, received, { args, control, request, target });
  if (!isChanging(call)) throw new Error(`${tool.name} is not a write`);
  const renamed = argumentsUnderNewCode(args);
  const becomes = renamed && targetOf(tool, call.tool.change.request(renamed));
  return { at, call, ...(typeof becomes === 'string' && { becomes }) };
}

/** Two changes of one field of one record, or of a record that one of them deletes or renames; null where there are none. */
function clashIn(lines: readonly Line[]): Problem | null {
  const touched = new Map<string, number>();
  for (const { at, call, becomes } of lines) {
    const records = [call.target, ...(becomes === undefined ? [] : [becomes])].map(target => recordOf({ target }));
    // A record with a new code does not answer to the path of the others.
    const fields = becomes === undefined ? fieldsOf(call) : [everything];
    for (const record of records) {
      for (const field of fields) {
        const same = touched.get(`${record} ${field}`);
        const whole = touched.get(`${record} ${everything}`);
        const changed = field === everything ? touched.get(record) : undefined;
        const earlier = same ?? whole ?? changed;
        if (earlier === undefined) continue;
        return { argument: placeOf(at), message: clashWords(at, earlier, same === undefined ? everything : field) };
      }
    }
    for (const record of records) {
      touched.set(record, at);
      for (const field of fields) touched.set(`${record} ${field}`, at);
    }
  }
  return null;
}

const everything = '*';

function clashWords(at: number, earlier: number, field: string): string {
  const both = `${placeOf(at)} and ${placeOf(earlier)} change the same`;
  if (field === everything)
    return `${both} record, and one of them deletes it or sets its code: send one of the two, or one change with both sets of fields`;
  return `${both} ${field.startsWith('=') ? 'new code' : `field of a record (${field})`}: send one of the two`;
}

const uuid = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/gi;

/** The path of the record, or of the list that a new one is put into. Ids are the same in capital letters. */
export function recordOf({ target }: Pick<Call, 'target'>): string {
  return target.replace(/\?.*/, '').replaceAll(uuid, id => id.toLowerCase());
}

/** Of a creation the codes of what it makes. */
function fieldsOf({ tool, request }: ChangingCall): string[] {
  if (tool.effect === 'delete') return [everything];
  const fields = requestedFields(tool, request);
  if (!tool.endpoint.startsWith('POST ')) return Object.keys(fields);
  const list = (fieldOf(fields, tool.result) ?? []) as readonly { readonly code?: string }[];
  const made: readonly { readonly code?: string }[] = list.length > 0 ? list : [fields];
  return made.map(each => `=${each.code ?? ''}`);
}
