/** What the page of an answer draws beside it, in `_meta`, which no model reads. */

import { pageOfSubject, readForPage } from '../../tools/reads/chat-page-reads.ts';
import type { JsonRecord } from '../lib/json.ts';
import { field } from '../words/json-field.ts';
import { viewMeta } from '../words/views/index.ts';
import { type LookupParts, readsOf } from './lookup.ts';
import { requestedFields } from './policy/receipt.ts';
import { atMost, type CallUnderWay } from './request.ts';
import type { ToolAnswer } from './result.ts';
import { withinTime } from './suggestions.ts';

export type ReadForPage = (body: unknown) => Promise<JsonRecord>;

/** What else the page of an answer draws. The reads are not attempts of the call, and end with it. */
export function readsForPage(around: LookupParts, running: CallUnderWay): ReadForPage {
  return body =>
    withinTime(atMost(around.parts.durations.pageReadsMs, running), running.context.signal, signal => {
      const looking = { ...running, context: { ...running.context, signal } };
      return readForPage(running.tool.name, body, running.args, readsOf(around, looking));
    });
}

/** Adds fields to the page alone. */
export function withOnPage(answer: ToolAnswer, more: JsonRecord): ToolAnswer {
  const fields = fieldsOf(more);
  return fields === '' ? answer : { ...answer, page: [answer.page, fields].filter(Boolean).join(',') };
}

/** JSON of these fields, without the outer braces. */
export function fieldsOf(fields: JsonRecord): string {
  return Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => field(name, JSON.stringify(value)))
    .join(',');
}

/** For the page: the record as it is, and the fields that the write would set. */
export function proposal({ tool, request }: CallUnderWay, known: JsonRecord | null): JsonRecord {
  return known === null ? {} : { before: known, proposal: requestedFields(tool, request) };
}

export function showsPage({ tool, control, context }: CallUnderWay): boolean {
  return context.client.shows('buttons') && control.detail !== 'full' && viewMeta(tool.name) !== undefined;
}

/** After a write: what its page draws from the record that was read before it. */
export function pageOfWrite({ tool }: CallUnderWay, body: unknown, known: JsonRecord | null, now: Date): JsonRecord {
  return known === null ? {} : pageOfSubject(tool.name, body, known, now);
}
