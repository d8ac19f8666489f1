/** What was asked for, compared field by field with what the service's answer shows of it; and the way back. */

import type { ApiRequest } from '../../../definition/api.ts';
import { inListedForm } from '../../../definition/argument-fields.ts';
import type { ConfirmedBy } from '../../../definition/asking.ts';
import { checkArguments } from '../../../definition/check.ts';
import { type AnyTool, isAboutNoRecord, isSet, type WriteTool } from '../../../definition/define.ts';
import type { Receipt, Revert, WriteCall } from '../../../definition/write-call.ts';
import { fieldOf, isObject, membersOf } from '../../../lib/json.ts';
import { cleanDeep, redactDeep } from '../../../words/safe-text.ts';
import { asRecords, isAltered } from '../../../words/summary.ts';
import { compareField, fieldKindsOf, type Measure } from './compare.ts';

export interface ReceiptInput {
  tool: WriteTool;
  request: ApiRequest;
  /** The whole answer, with or without the resource's wrapper. */
  body: unknown;
  revert: Revert | null;
  leftOut?: readonly string[];
  found?: string;
  confirmedBy: ConfirmedBy;
  warnings: string[];
  requestId: string;
  at: Date;
}

export function writeReceipt(input: ReceiptInput): Receipt {
  const { tool } = input;
  const requested = requestedFields(tool, input.request);
  const record = unwrap(input.body, tool.result);
  const receipt: Receipt = {
    tool: tool.name,
    target: targetText(tool, input.request),
    requested: redactDeep(requested) as object,
    ...compareRequest(tool, input.request, record),
    confirmed_by: input.confirmedBy,
    warnings: input.warnings,
    request_id: input.requestId,
    at: input.at.toISOString(),
  };
  if (input.found !== undefined) receipt.found = input.found;
  if (input.leftOut) receipt.left_out = input.leftOut;
  if (input.revert) receipt.revert = asListed(tool, shownWhole(input.revert));
  return receipt;
}

/** A call with parts taken out of it would store what the receipt shows in place of them. */
function shownWhole(revert: Revert): Revert {
  const safe = redactDeep(revert) as Revert;
  if ('impossible' in safe || JSON.stringify(safe) === JSON.stringify(revert)) return safe;
  return { impossible: 'an earlier value looks like a secret or is too long, so that a receipt does not show it' };
}

/** The call as the tool's schema asks for it. */
function asListed(tool: WriteTool, revert: Revert): Revert {
  if ('impossible' in revert) return revert;
  return { ...revert, arguments: inListedForm(tool.input, revert.arguments) as object };
}

/** Each field that the request sets, against what this record shows of it. */
export function compareRequest(
  tool: WriteTool,
  request: ApiRequest,
  record: object,
  measure: Measure = 'applied',
): Pick<Receipt, 'applied' | 'not_applied' | 'not_shown'> {
  const manner = { kinds: fieldKindsOf(tool), measure };
  const paths: Pick<Receipt, 'applied' | 'not_applied' | 'not_shown'> = { applied: [], not_applied: [], not_shown: [] };
  for (const [field, value] of Object.entries(requestedFields(tool, request))) {
    const compared = compareField(field, value, shownValue(tool, field, record, value), manner);
    paths.applied.push(...compared.applied);
    paths.not_applied.push(...compared.notApplied);
    paths.not_shown.push(...compared.notShown);
  }
  return paths;
}

/** `add_on setup`: the record that the path leads to, by its id; of what belongs to none, what is created, by its code. */
export function targetText({ endpoint, result, effect, change }: AnyTool, { path, body }: ApiRequest): string {
  if (isSet({ effect, change })) return `${asRecords(body && fieldOf(body, result)).length} changes`;
  const [, owner, id = '', below] = /^.*\/(\w+)s\/\{(\w+)\}(.*)$/.exec(endpoint) ?? [];
  if (owner === undefined) return `${result} ${membersOf<'code'>(body && fieldOf(body, result)).code}`;
  return `${below === '' ? result : owner} ${path?.[id]}`;
}

/** The fields that the request sets, without their wrapper and without the selectors beside it. */
export function requestedFields(tool: AnyTool, request: ApiRequest): object {
  const body = request.body;
  if (body === undefined) return {};
  const wrapped = fieldOf(body, tool.result) ?? Object.values(body).find(isObject);
  return withoutAbsent(isObject(wrapped) ? wrapped : body);
}

function withoutAbsent(record: object): object {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined));
}

/** The record that an answer holds, with or without its wrapper. */
export function unwrap(body: unknown, key: string): object {
  if (!isObject(body)) return {};
  const inner = fieldOf(body, key);
  return isObject(inner) ? inner : body;
}

/** Undefined: not shown; null: shown as empty. */
function shownValue(tool: WriteTool, field: string, record: object, requested: unknown): unknown {
  const shown = shownByTool(tool, field, record, requested);
  return shown === undefined ? fieldOf(record, field) : shown;
}

/** The write has happened: an answer that `shown` cannot read must not turn it into an error. */
function shownByTool(tool: WriteTool, field: string, record: object, requested: unknown): unknown {
  try {
    return tool.change.shown?.(field, record, requested);
  } catch {
    return undefined;
  }
}

/** What the record shows now of the fields that the request sets, by field; fields that it does not show are left out. */
export function earlierFields(tool: WriteTool, request: ApiRequest, known: object): object {
  const requested = requestedFields(tool, request);
  const fields = Object.keys(tool.effect === 'delete' ? known : requested);
  return withoutAbsent(
    Object.fromEntries(fields.map(field => [field, shownValue(tool, field, known, fieldOf(requested, field))])),
  );
}

/**
 * The way back: the call that restores what a write changed, or why there is none. It is data for the receipt and runs
 * like any write, with its own question. `record` is the service's answer to the write. Null where the record was not seen before the write: a call that
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
