/** What a call answers, and how it says a failure. */

import type { Effect } from '../../definition/define.ts';
import { changesAccount } from '../../definition/define.ts';
import type { ToolError } from '../../definition/failure.ts';

/** What a call answers, before it takes the protocol's form: the summary, which comes first, and the other fields. */
export interface ToolAnswer {
  summary: string;
  fields: object;
  /** The whole fields for the tool's page. They go into `_meta`, which no model reads. */
  page?: object;
  /** Where the rows are, that left as a file. */
  link?: FileLink;
  isError?: true;
}

interface FileLink {
  uri: string;
  name: string;
  mimeType: string;
}

/**
 * A failure in the one shape that all failures have. The summary says what was tried and answered, and whether anything
 * was changed; the next step is in `hint` alone.
 */
export function errorAnswer(effect: Effect | undefined, error: ToolError): ToolAnswer {
  const { status, code, details, hint, changed } = error;
  const said = { status, code, ...(details !== undefined && { details }), hint, changed };
  return { summary: errorText(effect, error), fields: { error: said }, isError: true };
}

const unchanged = 'Nothing was changed';

/** `Nothing was changed. update_add_on: amount_cents must be greater than 0 (…).` */
function errorText(effect: Effect | undefined, error: ToolError): string {
  const writes = changesAccount(effect);
  const opening =
    !writes || error.message.startsWith(unchanged)
      ? ''
      : error.changed === false
        ? `${unchanged}. `
        : 'It is unknown whether anything was changed. ';
  return `${opening}${sentence(error.message)}`;
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
