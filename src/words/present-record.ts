/** Turns the service's body into a result's content: unwrapped, cleaned of hidden characters, summarised, shortened. */

import { isRecord, type JsonRecord } from '../lib/json.ts';
import { accountTime } from '../server/settings/clock.ts';
import type { Config } from '../server/settings/settings.ts';
import type { Receipt } from '../tool/call.ts';
import type { AnyTool } from '../tool/define.ts';
import { cleanDeep, escapeForSummary } from './hidden-characters.ts';
import { field } from './json-field.ts';
import { receiptSentences, shortReceipt } from './receipt.ts';
import { resultFieldsOf } from './result-fields.ts';
import { estimateTokens } from './token-limit.ts';

interface Presented {
  summary: string;
  /** `"<resource>":{…}` and, for a write, `"receipt":{…}`, without the outer braces. */
  fields: string;
  /** The same fields whole, for the tool's page; only where they were asked for. */
  page?: string;
}

interface Presenting {
  args: JsonRecord;
  notice?: string;
  before?: JsonRecord;
  beside?: JsonRecord;
  detail?: 'full' | readonly string[] | undefined;
  /** Also gives the whole fields, for the tool's page. */
  page?: boolean | undefined;
  config: Pick<Config, 'demo' | 'maxResultTokens'> & Partial<Pick<Config, 'now'>>;
  receipt?: Receipt;
  /** The body needs no cleaning. */
  plain?: boolean | undefined;
}

export function presentRecord(tool: AnyTool, body: unknown, presenting: Presenting): Presented {
  const { args, notice, before, beside, detail, page, config, receipt, plain } = presenting;
  const around = {
    ...{ ...(notice && { notice }), ...(before && { before }), ...(beside && { beside }) },
  };
  const whole = withoutIdleCounters(unwrap(tool, body), tool.result);
  const record = plain ? whole : cleanDeep(whole);
  const said = [
    tool.summary(record, { args, now: accountTime(config), ...around }),
    ...(receipt ? receiptSentences(receipt) : []),
  ];
  // The limit is for the whole answer; 100 tokens are for the note about what was left out.
  const spent = estimateTokens(said.join(' ')) + 100;
  const maxTokens = Math.max(1, config.maxResultTokens - spent);
  const wholeTokens = Math.max(maxTokens, mostOfWhole - spent);
  const { fields, note } = resultFieldsOf(tool, record, { detail, maxTokens, wholeTokens, args });
  if (note !== null) said.push(note);
  // Tools clean names and escape codes themselves; this catches what a tool forgets.
  const summary = escapeForSummary(said.join(' '));
  return {
    summary: config.demo ? `Demo data: ${summary}` : summary,
    fields: withReceipt(fields, receipt && (detail === 'full' ? receipt : shortReceipt(receipt))),
    ...(page && { page: withReceipt(wholeFields(tool, record, maxTokens), receipt) }),
  };
}

/** Hosts cut or refuse answers above 25,000 tokens; bodies full of ids cost half as many again as is estimated. */
const mostOfWhole = 16_000;

/** Everything, with what only the page draws: `for_page` of the record. */
function wholeFields(tool: AnyTool, record: JsonRecord, maxTokens: number): string {
  const { fields } = resultFieldsOf(tool, record, { detail: 'full', maxTokens });
  const own = isRecord(record.for_page) ? Object.entries(record.for_page) : [];
  return [fields, ...own.map(([name, value]) => field(name, JSON.stringify(value)))].join(',');
}

function withReceipt(fields: string, receipt: object | undefined): string {
  return receipt ? `${fields},${field('receipt', JSON.stringify(receipt))}` : fields;
}

/**
 * Does the body hold what the tool answers with: for lists the list, else a record that is not empty? A body without it
 * must not become "there are no plans".
 */
export function holdsAnswer(tool: Pick<AnyTool, 'result' | 'list' | 'fanOut'>, body: unknown): boolean {
  // An answer built from several requests has its own key.
  if (tool.fanOut) return !Array.isArray(body) && !isEmpty(body as object);
  if (Array.isArray(body)) return tool.list === true;
  const found = (body as JsonRecord)[tool.result];
  if (tool.list) return Array.isArray(found);
  if (found !== undefined) return found !== null && typeof found === 'object' && !isEmpty(found);
  return !isEmpty(body as object);
}

/** Why an answer must not be passed on; null when it may. */
export function unfitAnswer(tool: AnyTool, body: unknown): string | null {
  return tool.unfit?.(unwrap(tool, body)) ?? null;
}

function isEmpty(value: object): boolean {
  for (const _ in value) return false;
  return true;
}

/** Counters of a plan that the API no longer fills: their 0 would read as "nobody is on this plan" (§3.14). */
const idleCounters = ['customers_count', 'active_subscriptions_count', 'draft_invoices_count'];

function withoutIdleCounters(record: JsonRecord, resource: string): JsonRecord {
  const { plans, plan } = record;
  if (resource === 'plans' && Array.isArray(plans)) return { ...record, plans: plans.map(withoutCounters) };
  return resource === 'subscription' && plan ? { ...record, plan: withoutCounters(plan) } : record;
}

function withoutCounters(plan: unknown): unknown {
  if (!isRecord(plan)) return plan;
  return Object.fromEntries(Object.entries(plan).filter(([key, value]) => value !== 0 || !idleCounters.includes(key)));
}

/** The record of an answer, which comes with or without the resource's wrapper key. */
export function unwrap(tool: AnyTool, body: unknown): JsonRecord {
  const whole = body as JsonRecord;
  if (tool.list) return Array.isArray(body) ? { [tool.result]: body } : whole;
  const inner = whole[tool.result];
  return isRecord(inner) ? inner : whole;
}
