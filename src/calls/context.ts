/** What the steps of a tool call receive and what they return. */

import type { CancelSignal } from '../lib/cancel.ts';
import type { CallRecord, Observer } from '../server/logs/types.ts';
import type { Durations } from '../server/settings/durations.ts';
import type { Config } from '../server/settings/settings.ts';
import type { Ask, Caller, ClientAbilities, Decided } from '../tool/call.ts';
import type { Roles } from './policy/roles/role.ts';
import type { ToolAnswer } from './result.ts';
import type { AccountSource } from './upstream/account-source.ts';
import type { Upstreams } from './upstream/upstreams.ts';

/** What one call has besides its arguments. */
export interface CallContext {
  caller: Caller;
  client: ClientAbilities;
  /** Set where a button on the write's page was pressed. */
  decided?: Decided;
  requestId?: string | undefined;
  signal?: CancelSignal | undefined;
  /** The request's `_meta` and id, for traces. */
  meta?: unknown;
  rpcId?: string | number | undefined;
  /** Tells the client what a long call is waiting for. */
  progress?: ((message: string) => void) | undefined;
}

/** How a call ended: with a result, or with a question that the person has to answer first. */
export type Outcome =
  | {
      kind: 'result';
      answer: ToolAnswer;
      record: Pick<CallRecord, 'outcome' | 'code' | 'attempts' | 'confirmedBy'>;
    }
  | Ask;

export interface PipelineParts {
  config: Config;
  durations: Durations;
  account: AccountSource;
  upstreams: Upstreams;
  observer: Observer;
  stateKey: Uint8Array;
  roles?: Roles | undefined;
}
