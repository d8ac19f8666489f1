/** Tool results: the structured content and, as compact JSON, the same in text, because hosts differ in what they show. */
import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Effect, JsonRecord } from '../tools/define.ts';
import type { ToolError } from './call.ts';

/** What a call answers, before it takes the protocol's form. */
export interface Answer {
  /** The structured content; its `summary` comes first. */
  content: JsonRecord;
  isError?: true;
}

/** A failure in the one shape that all failures have, with the same in a sentence (design: "What an error looks like"). */
export function errorAnswer(effect: Effect | undefined, error: ToolError): Answer {
  const { status, code, details, hint, changed } = error;
  const summary = errorText(effect, error);
  const said = { status, code, ...(details !== undefined && { details }), hint, changed };
  return { content: { summary, error: said }, isError: true };
}

/** The answer as a result: its text is its structured content. */
export function resultOf({ content, isError }: Answer): CallToolResult {
  const result: CallToolResult = {
    content: [{ type: 'text', text: JSON.stringify(content) }],
    structuredContent: content,
  };
  return isError ? { ...result, isError } : result;
}

/**
 * The same as `JSON.stringify(resultOf(answer))`, except that the summary, in which there are typographic quotes, is
 * written in ASCII: one character beyond Latin-1 doubles the size of the whole string and the time that it takes.
 */
export function resultJson({ content, isError }: Answer): string {
  const { summary, ...others } = content;
  const inner = JSON.stringify(summary);
  const rest = JSON.stringify(others);
  // `{"a":1}` follows the summary as `,"a":1}`.
  const end = rest === '{}' ? '}' : `,${rest.slice(1)}`;
  const text = `{\\"summary\\":${ascii(JSON.stringify(inner).slice(1, -1))}${JSON.stringify(end).slice(1)}`;
  const opening = `{"content":[{"type":"text","text":"${text}}],"structuredContent":{"summary":${ascii(inner)}${end}`;
  return isError ? `${opening},"isError":true}` : `${opening}}`;
}

/** JSON with every character beyond ASCII as its escape. */
function ascii(json: string): string {
  if (!beyondAscii.test(json)) return json;
  const escaped = json.replace(everyBeyondAscii, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  // What is made out of a string of wide characters stays one, unless it is read anew.
  return Buffer.from(escaped, 'latin1').toString('latin1');
}

const beyondAscii = /[^\0-\x7f]/;
const everyBeyondAscii = /[^\0-\x7f]/g;

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
