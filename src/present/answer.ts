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
  detail?: boolean;
  input: { shape: object };
}

/** A record with fewer entries than this in every list is never too long. */
const FEW = 12;
/** One item that is too long by itself: alone on its page it comes whole. */
const wholeItem = 'per_page: 1, its page and detail: "full" for the whole';
const wholeAnswer = 'detail: "full" for all of them';

/** `record` is the unwrapped, cleaned body (for lists `{ <result>, meta }`). */
export function answerOf(tool: Answering, record: JsonRecord, { full, maxTokens }: AnswerOptions): Answer {
  if (tool.list) return listAnswer(tool, record, full, maxTokens);
  if (full) return { content: { [tool.result]: record }, note: null };
  const shaped = present(record, tool.result);
  const { kept, note } = tool.detail ? shorten(shaped, maxTokens, wholeAnswer) : { kept: shaped, note: null };
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
  const all = Array.isArray(found) ? found : [];
  const shaped = full ? all : (shapeDefault(all, tool.result) as unknown[]);
  const paged = 'per_page' in tool.input.shape;
  const rest = meta === undefined ? {} : { meta: full ? meta : shapeDefault(meta, 'meta') };
  if (!paged && full) return { content: { [tool.result]: shaped, ...rest, ...others }, note: null };
  const fitted = fitList(shaped, maxTokens, tool.result);
  const lone = fitted.items.length === 1 && !full && isRecord(fitted.items[0]) ? fitted.items[0] : null;
  const { kept, note: cut } = lone === null ? { kept: null, note: null } : shorten(lone, maxTokens, wholeItem);
  const missing =
    fitted.note === null || paged ? fitted.note : leftOutNote(fitted.leftOut, shaped.length, tool.result, wholeAnswer);
  const note = cut !== null && missing !== null ? `${cut} ${missing}` : (cut ?? missing);
  const items = kept === null ? fitted.items : [kept];
  return { content: { [tool.result]: items, ...rest, ...(full ? others : {}) }, note };
}

interface LongList {
  /** `['charges']`, or `['plan', 'charges']` in a record inside. */
  path: readonly string[];
  list: unknown[];
}

/** Cuts a record's longest lists until it fits. `remedy` says how to get what was left out. */
function shorten(record: JsonRecord, maxTokens: number, remedy: string): { kept: JsonRecord; note: string | null } {
  const lists = longLists(record);
  if (lists.length === 0) return { kept: record, note: null };
  let spent = estimateTokens(record);
  if (spent <= maxTokens) return { kept: record, note: null };
  let kept = record;
  const notes: string[] = [];
  const sized = lists.map(long => ({ ...long, tokens: estimateTokens(long.list) })).sort((a, b) => b.tokens - a.tokens);
  for (const { path, list, tokens } of sized) {
    if (spent <= maxTokens) break;
    const fitted = fitList(list, Math.max(0, maxTokens - (spent - tokens)));
    kept = withList(kept, path, fitted.items);
    spent -= tokens - estimateTokens(fitted.items);
    if (fitted.leftOut > 0) notes.push(leftOutNote(fitted.leftOut, list.length, path.at(-1)!, remedy));
  }
  return { kept, note: notes.length === 0 ? null : notes.join(' ') };
}

function longLists(record: JsonRecord, above: readonly string[] = []): LongList[] {
  const found: LongList[] = [];
  for (const key in record) {
    const value = record[key];
    if (Array.isArray(value)) {
      if (value.length > FEW) found.push({ path: [...above, key], list: value });
    } else if (above.length === 0 && isRecord(value)) found.push(...longLists(value, [key]));
  }
  return found;
}

function withList(record: JsonRecord, [key = '', ...rest]: readonly string[], items: readonly unknown[]): JsonRecord {
  return { ...record, [key]: rest.length === 0 ? items : withList(record[key] as JsonRecord, rest, items) };
}

function leftOutNote(leftOut: number, all: number, what: string, remedy: string): string {
  return `${leftOut} of ${all} ${what.replaceAll('_', ' ')} are left out to keep this short; call again with ${remedy}.`;
}

function isRecord(value: unknown): value is JsonRecord {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
