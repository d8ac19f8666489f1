/** Makes the content of a result: unwraps the service's body, removes hidden characters, sums it up, shortens it. */

import { oddIn } from '../contract/parse.ts';
import { customerKeys } from '../contract/shown.ts';
import type { NamedAccount } from '../definition/asking.ts';
import type { AnyTool, Arguments } from '../definition/define.ts';
import type { Receipt } from '../definition/write-call.ts';
import { fieldOf, isObject } from '../lib/json.ts';
import type { Config } from '../server/settings/settings.ts';
import { receiptSentences, shortReceipt } from './changes.ts';
import { estimateTokens, resultFieldsOf } from './result-fields.ts';
import { cleanDeep, escapeForSummary } from './safe-text.ts';
import { listed } from './summary.ts';
import { viewDetail } from './views/views.ts';

interface PresentedRecord {
  summary: string;
  /** The record by the name of its resource; of a write also the receipt. */
  fields: object;
  /** The same fields whole, for the tool's chat page; only where `page` asks for them. */
  page?: object;
}

interface AnswerOptions {
  args: Arguments;
  notice?: string | undefined;
  /** Fields of the answers from which the body was made that were not of their type, by path. */
  odd?: readonly string[] | undefined;
  before?: object | undefined;
  /** What only the summary needs. */
  beside?: object | undefined;
  detail?: 'full' | readonly string[] | undefined;
  /** The fields, where they are not those of the record. */
  fields?: object;
  /** Also give the whole fields, for the tool's chat page. */
  page?: boolean | undefined;
  config: Pick<Config, 'demo' | 'maxResultTokens'> & Partial<Pick<Config, 'now'>>;
  receipt?: Receipt | undefined;
  /** The body needs no cleaning. */
  plain?: boolean | undefined;
}

export function presentRecord(tool: AnyTool, body: unknown, options: AnswerOptions): PresentedRecord {
  const { args, notice, odd, before, beside, detail, page, config, receipt, plain } = options;
  const besideRecord = { ...(notice && { notice }), ...(before && { before }), ...(beside && { beside }) };
  // The default fields have no counters.
  const unwrapped =
    detail === undefined && !page ? unwrap(tool.result, body) : withoutIdleCounters(unwrap(tool.result, body));
  const record = plain ? unwrapped : cleanDeep(unwrapped);
  const summaryParts = [
    tool.say(record, { args, now: accountTime(config), ...besideRecord }),
    ...unreadable(tool, odd ?? oddIn(body as object)),
    ...(receipt ? receiptSentences(receipt) : []),
  ];
  // The limit is for the summary and the fields together; 100 tokens are kept for the note about what is left out.
  const summaryTokens = estimateTokens(summaryParts.join(' ')) + 100;
  const maxTokens = Math.max(1, config.maxResultTokens - summaryTokens);
  const wholeTokens = Math.max(maxTokens, mostWholeTokens - summaryTokens);
  const { fields, note } =
    options.fields === undefined
      ? resultFieldsOf(tool, record, { detail, maxTokens, wholeTokens, args })
      : { fields: options.fields, note: null };
  if (note !== null) summaryParts.push(note);
  // Tools clean names and escape codes themselves; this catches what a tool forgets.
  const summary = escapeForSummary(summaryParts.join(' '));
  return {
    summary: config.demo ? `Demo data: ${summary}` : summary,
    fields: withReceipt(fields, receipt && (detail === 'full' ? receipt : shortReceipt(receipt))),
    ...(page && { page: withReceipt(pageFields(tool, record), receipt) }),
  };
}

/** Names up to three fields whose values are not of their type, which the sentences took for absent. */
function unreadable({ result }: AnyTool, odd: readonly string[]): string[] {
  const fields = odd.map(path => (path.startsWith(`${result}.`) ? path.slice(result.length + 1) : path));
  return fields.length === 0 ? [] : [`Not readable in the service's answer: ${listed(fields, 3)}.`];
}

/** Hosts cut or refuse answers above 25,000 tokens, and a body full of ids costs half as many again as the estimate. */
const mostWholeTokens = 16_000;

/** What the chat page draws, with every row, and with what only it draws: `for_page` of the record. */
function pageFields(tool: AnyTool, record: object): object {
  const { fields } = resultFieldsOf(tool, record, {
    detail: viewDetail(tool.name),
    maxTokens: Number.POSITIVE_INFINITY,
  });
  return { ...fields, ...(record as { for_page?: object }).for_page };
}

function withReceipt(fields: object, receipt: object | undefined): object {
  return receipt ? { ...fields, receipt } : fields;
}

/** Counters that the API no longer fills, in plans and in taxes: their 0 would be read as "no one has it" (§3.14). */
// biome-ignore format: names
const idleCounters: ReadonlySet<string> = new Set([
  'customers_count', 'active_subscriptions_count', 'draft_invoices_count', 'add_ons_count', 'plans_count',
  'charges_count', 'commitments_count',
]);

function withoutIdleCounters<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withoutIdleCounters) as Value;
  const kept = Object.entries(value).filter(([key, inner]) => inner !== 0 || !idleCounters.has(key));
  return Object.fromEntries(
    kept.map(([key, inner]) => [key, customerKeys.has(key) ? inner : withoutIdleCounters(inner)]),
  ) as Value;
}

/** The record of an answer, which comes with or without the resource's wrapper key. */
export function unwrap(key: string, body: unknown): object {
  if (Array.isArray(body)) return { [key]: body };
  const inner = fieldOf(body as object, key);
  return isObject(inner) && !Array.isArray(inner) ? inner : (body as object);
}

/** The time that answers are based on: the pinned one of the billing service (`now`), else this machine's. */
export function accountTime({ now }: Partial<Pick<Config, 'now'>>): Date {
  return now === undefined ? new Date() : new Date(now);
}

/** `Acme (live)`, `Acme` or `live account`; undefined where the settings name nothing. */
export function accountInWords({ accountLabel: label, accountMode: mode }: NamedAccount): string | undefined {
  if (label === undefined) return mode && `${mode} account`;
  return mode === undefined ? label : `${label} (${mode})`;
}
