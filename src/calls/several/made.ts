/** A change of a set with what became of it. */
import type { ChangeMade } from '../../tool/change-set.ts';
import type { ToolError } from '../../tool/failure.ts';
import type { Receipt } from '../../tool/write-call.ts';
import type { Line } from './lines.ts';

export interface Made {
  line: Line;
  made: ChangeMade;
  receipt?: Receipt;
  /** Was its request sent? */
  tried?: boolean;
  /** Does it end a set that stops at a failure? */
  failed?: true;
  /** Why it was not done. */
  error?: ToolError;
}
