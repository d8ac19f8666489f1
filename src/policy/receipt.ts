/** What was asked for, compared field by field with what the service's answer shows of it. */

import type { ConfirmedBy, Receipt } from '../call/types.ts';
import type { JsonRecord } from '../lib/json.ts';
import { isRecord } from '../lib/json.ts';
import { cleanDeep } from '../present/clean.ts';
import { redactDeep } from '../present/redact.ts';
import type { ApiRequest, Known, ToolDefinition } from '../tool/define.ts';
import { compareField } from './compare.ts';

export interface ReceiptInput {
  // biome-ignore lint/suspicious/noExplicitAny: a definition of any input
  tool: ToolDefinition<any>;
  args: JsonRecord;
  request: ApiRequest;
  /** The whole answer, with or without the resource's wrapper. */
  body: unknown;
  known: Known;
  leftOut?: readonly string[];
  confirmedBy: ConfirmedBy;
  warnings: string[];
  requestId: string;
  at: Date;
}

export function writeReceipt(input: ReceiptInput): Receipt {
  const { tool, known } = input;
  const requested = requestedFields(tool, input.request);
  const record = unwrap(input.body, tool.result);
  const receipt: Receipt = {
    tool: tool.name,
    target: targetText(tool, input.args),
    requested: redactDeep(requested) as JsonRecord,
    applied: [],
    not_applied: [],
    not_shown: [],
    confirmed_by: input.confirmedBy,
    warnings: input.warnings,
    request_id: input.requestId,
    at: input.at.toISOString(),
  };
  for (const [field, value] of Object.entries(requested)) {
    const compared = compareField(field, value, shownValue(tool, field, record));
    receipt.applied.push(...compared.applied);
    receipt.not_applied.push(...compared.notApplied);
    receipt.not_shown.push(...compared.notShown);
  }
  if (input.leftOut) receipt.left_out = input.leftOut;
  // A created record has no earlier values: the known record is then the one that it belongs to.
  const creates = tool.endpoint.startsWith('POST ');
  const before = known === null || creates ? undefined : earlierValues(tool, requested, known);
  if (before !== undefined) receipt.before = before;
  return receipt;
}

/** `add_on setup` */
// biome-ignore lint/suspicious/noExplicitAny: a definition of any input
export function targetText(tool: ToolDefinition<any>, args: JsonRecord): string {
  const target = tool.target?.(args);
  return target === undefined ? tool.result : `${target.resource} ${target.id}`;
}

/** The fields that the request sets, without their wrapper and without the selectors beside it. */
// biome-ignore lint/suspicious/noExplicitAny: a definition of any input
function requestedFields(tool: ToolDefinition<any>, request: ApiRequest): JsonRecord {
  const body = request.body;
  if (body === undefined) return {};
  const wrapped = body[tool.result] ?? Object.values(body).find(isRecord);
  return withoutAbsent(isRecord(wrapped) ? wrapped : body);
}

function withoutAbsent(record: JsonRecord): JsonRecord {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined));
}

function unwrap(body: unknown, key: string): JsonRecord {
  if (!isRecord(body)) return {};
  return isRecord(body[key]) ? body[key] : body;
}

/** Undefined: not shown; null: shown as empty. */
// biome-ignore lint/suspicious/noExplicitAny: a definition of any input
function shownValue(tool: ToolDefinition<any>, field: string, record: JsonRecord): unknown {
  const own = ownView(tool, field, record);
  return own === undefined ? record[field] : own;
}

/** The write has happened: an answer that `shown` cannot read must not turn it into an error. */
// biome-ignore lint/suspicious/noExplicitAny: a definition of any input
function ownView(tool: ToolDefinition<any>, field: string, record: JsonRecord): unknown {
  try {
    return tool.shown?.(field, record);
  } catch {
    return undefined;
  }
}

// biome-ignore lint/suspicious/noExplicitAny: a definition of any input
function earlierValues(tool: ToolDefinition<any>, requested: JsonRecord, known: JsonRecord): JsonRecord | undefined {
  const fields =
    tool.effect === 'delete' ? Object.keys(known).filter(key => !isRecord(known[key])) : Object.keys(requested);
  const before: JsonRecord = {};
  for (const field of fields) {
    const value = shownValue(tool, field, known);
    if (value !== undefined) before[field] = field === 'metadata' ? value : within(requested[field], value);
  }
  return Object.keys(before).length === 0 ? undefined : (redactDeep(cleanDeep(before)) as JsonRecord);
}

/** Of an object, only the parts that were to change: the rest of a plan is not an earlier value of the change. */
function within(requested: unknown, earlier: unknown): unknown {
  if (!isRecord(requested) || !isRecord(earlier)) return earlier;
  const fields = Object.keys(requested).filter(field => earlier[field] !== undefined);
  return Object.fromEntries(fields.map(field => [field, within(requested[field], earlier[field])]));
}
