/** What the billing API answered. */

import type { ToolError } from './failure.ts';

/** The service's answer to one request, after all retries. */
export type UpstreamAnswer =
  | {
      ok: true;
      status: number;
      body: unknown;
      requestId: string;
      attempts: number;
      /** True when no text of the body holds a hidden character. */
      plain?: boolean;
      /** What the service says of its answer beside the body, in one line without the key. */
      notice?: string;
      /** Of a lookup: what only the summary needs. */
      beside?: object;
    }
  | { ok: false; error: ToolError; requestId: string; attempts: number };
