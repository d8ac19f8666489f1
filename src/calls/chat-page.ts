/** What the page of an answer draws beside it, in `_meta`, which no model reads. */

import { chatPageFields } from '../../tools/reads/chat-page-reads.ts';
import { viewMeta } from '../words/views/index.ts';
import { requestedFields } from './change/fields/receipt.ts';
import type { Call } from './context.ts';
import type { ToolAnswer } from './result.ts';

/** Adds fields to the page alone. */
export function withOnPage(answer: ToolAnswer, more: object): ToolAnswer {
  return Object.keys(more).length === 0 ? answer : { ...answer, page: { ...answer.page, ...more } };
}

/** For the page: the record as it is, and the fields that the write would set. */
export function proposal({ tool, request }: Call, known: object | null): object {
  return known === null ? {} : { before: known, proposal: requestedFields(tool, request) };
}

export function showsPage({ tool, control, context }: Call): boolean {
  return context.client.shows('buttons') && control.detail !== 'full' && viewMeta(tool.name) !== undefined;
}

/** After a write: what its page draws from the record that was read before it. */
export function pageOfWrite({ tool }: Call, body: unknown, known: object | null, now: Date): object {
  return known === null ? {} : chatPageFields(tool.name, body, known, now);
}
