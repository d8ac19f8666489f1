/** What a result carries besides its summary: the record or list, short by default, whole with `detail: "full"`. */
import { estimateTokens, fitList } from './fit.ts';
import { shapeDefault } from './shape.ts';

type JsonRecord = Record<string, unknown>;

export interface AnswerOptions {
  /** `detail: "full"`: the whole body. */
  full: boolean;
  /** The ceiling of `BILLING_MAX_RESULT_TOKENS`. */
  maxTokens: number;
}

export interface Answer {
  /** `{ add_on: {…} }`, or `{ plans: […], meta }` for lists. */
  content: JsonRecord;
  /** What was left out and how to get it, for the end of the summary; null when nothing was. */
  note: string | null;
}

interface Answering {
  result: string;
  list?: boolean;
  input: { shape: object };
}

/** A record with fewer entries than this in every list is never too long. */
const FEW = 12;

/** `record` is the unwrapped, cleaned body (for lists `{ <result>, meta }`). */
export function answerOf(tool: Answering, record: JsonRecord, { full, maxTokens }: AnswerOptions): Answer {
  if (tool.list) return listAnswer(tool, record, full, maxTokens);
  if (full) return { content: { [tool.result]: record }, note: null };
  const shaped = present(record, tool.result);
  const { kept, note } = shorten(shaped, maxTokens);
  return { content: { [tool.result]: kept }, note };
}

/** A payment's provider id stands under its present name also where the service still sends the deprecated one alone. */
function present(record: JsonRecord, resource: string): JsonRecord {
  const shaped = shapeDefault(record, resource) as JsonRecord;
  const deprecated = record.external_payment_id;
  if (resource !== 'payment' || typeof deprecated !== 'string') return shaped;
  return { ...shaped, provider_payment_id: record.provider_payment_id ?? deprecated };
}

function listAnswer(tool: Answering, record: JsonRecord, full: boolean, maxTokens: number): Answer {
  const { [tool.result]: found, meta, ...others } = record;
  const items = Array.isArray(found) ? found : [];
  const shaped = full ? items : (shapeDefault(items, tool.result) as unknown[]);
  const paged = 'per_page' in tool.input.shape;
  const rest = meta === undefined ? {} : { meta: full ? meta : shapeDefault(meta, 'meta') };
  if (!paged && full) return { content: { [tool.result]: shaped, ...rest, ...others }, note: null };
  const fitted = fitList(shaped, maxTokens, tool.result);
  const note = fitted.note === null || paged ? fitted.note : wholeNote(fitted.leftOut, shaped.length, tool.result);
  return { content: { [tool.result]: fitted.items, ...rest, ...(full ? others : {}) }, note };
}

/** Cuts a record's longest lists until it fits. */
function shorten(record: JsonRecord, maxTokens: number): { kept: JsonRecord; note: string | null } {
  const lists: [string, unknown[]][] = [];
  for (const key in record) {
    const value = record[key];
    if (Array.isArray(value) && value.length > FEW) lists.push([key, value]);
  }
  if (lists.length === 0) return { kept: record, note: null };
  let spent = estimateTokens(record);
  if (spent <= maxTokens) return { kept: record, note: null };
  const kept = { ...record };
  const notes: string[] = [];
  const sized = lists
    .map(([key, list]) => ({ key, list, tokens: estimateTokens(list) }))
    .sort((a, b) => b.tokens - a.tokens);
  for (const { key, list, tokens } of sized) {
    if (spent <= maxTokens) break;
    const fitted = fitList(list, Math.max(0, maxTokens - (spent - tokens)), key);
    kept[key] = fitted.items;
    spent -= tokens - estimateTokens(fitted.items);
    if (fitted.leftOut > 0) notes.push(wholeNote(fitted.leftOut, list.length, key));
  }
  return { kept, note: notes.length === 0 ? null : notes.join(' ') };
}

function wholeNote(leftOut: number, all: number, what: string): string {
  return `${leftOut} of ${all} ${what} are left out to keep this short; call again with detail: "full" for all of them.`;
}
