/** From the service's body to what a result carries: unwrapped, cleaned of hidden characters, summarised, shortened. */
import type { Control } from '../tools/check.ts';
import type { JsonRecord, ToolDefinition } from '../tools/define.ts';
import type { Receipt } from './call.ts';
import type { Config } from './config.ts';
import { cleanDeep } from './present/clean.ts';

interface Presented {
  /** The record as the service sent it, unwrapped (for lists `{ <result>, meta }`). */
  record: JsonRecord;
  content: JsonRecord;
}

export function presentRecord(
  // biome-ignore lint/suspicious/noExplicitAny: a definition of any input
  tool: ToolDefinition<any>,
  body: unknown,
  args: JsonRecord,
  _control: Control,
  config: Config,
  receipt?: Receipt,
): Presented {
  const record = cleanDeep(unwrap(tool, body));
  const said = tool.summary(record, { args, now: new Date() });
  const summary = config.demo ? `Demo data: ${said}` : said;
  const shown = tool.list ? record : { [tool.result]: record };
  return { record, content: { summary, ...shown, ...(receipt && { receipt }) } };
}

/** Answers come with or without the resource's wrapper key. */
// biome-ignore lint/suspicious/noExplicitAny: a definition of any input
function unwrap(tool: ToolDefinition<any>, body: unknown): JsonRecord {
  const whole = body as JsonRecord;
  if (tool.list) return Array.isArray(body) ? { [tool.result]: body } : whole;
  const inner = whole[tool.result];
  return inner !== null && typeof inner === 'object' && !Array.isArray(inner) ? (inner as JsonRecord) : whole;
}
