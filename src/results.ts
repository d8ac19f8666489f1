/** Tool results: the structured content and, as compact JSON, the same in text, because hosts differ in what they show. */
import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Effect, JsonRecord } from '../tools/define.ts';
import type { ToolError } from './call.ts';

/** A result whose text is its structured content; stringified once. */
export function resultOf(content: JsonRecord): CallToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(content) }], structuredContent: content };
}

/** A failure in the one shape that all failures have, with the same in a sentence (design: "What an error looks like"). */
export function errorResult(effect: Effect | undefined, error: ToolError): CallToolResult {
  const { status, code, details, hint, changed } = error;
  const summary = errorText(effect, error);
  const content = { summary, error: { status, code, ...(details !== undefined && { details }), hint, changed } };
  return { content: [{ type: 'text', text: JSON.stringify(content) }], structuredContent: content, isError: true };
}

/** `Nothing was changed. update_add_on: amount_cents must be greater than 0 (…). Send a positive integer …` */
export function errorText(effect: Effect | undefined, error: ToolError): string {
  const writes = effect === 'write' || effect === 'delete';
  const opening = !writes
    ? ''
    : error.changed === false
      ? 'Nothing was changed. '
      : 'It is not known whether anything was changed. ';
  return `${opening}${sentence(error.message)} ${error.hint}`.trim();
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
