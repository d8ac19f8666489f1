/** What one caller may do and see. Computed once for it (calls/access/access.ts); checks ask it and nothing else. */

import type { ConfirmRules } from '../contract/confirm-levels.ts';
import type { MaskedField } from '../contract/masked-fields.ts';
import type { ConfirmedBy } from './asking.ts';
import type { Scope } from './caller.ts';
import type { Refused } from './failure.ts';
import type { Unbound } from './refusals/access.ts';

export interface Access {
  /** May the caller call this tool of the catalogue? The refusal answers a call of a tool that is not listed. */
  allows(tool: string): true | Refused;
  /** The scope that the tool needs and the caller lacks; undefined also for a name that is no tool of the catalogue. */
  missingScope(tool: string): Scope | undefined;
  /**
   * May a write of the caller read the record that this tool shows? Also where the tool itself is not offered, unless the
   * operator excludes it by name.
   */
  mayRead(tool: string): boolean;
  /** Why the request proves no customer although it has to: nothing is read for it. */
  readonly unbound: Unbound | undefined;
  /** The external ids of the only customers whose paths may be asked for; undefined: everybody's, empty: no one's. */
  readonly customers: readonly string[] | undefined;
  /** Personal data that is neither shown nor searched; undefined: none is hidden. */
  readonly hidden: ReadonlySet<MaskedField> | undefined;
  /** The limits of the amounts that its writes may name; each holds for itself, so that the smallest decides. */
  readonly amounts: readonly AmountLimits[];
  /** The limits of what its writes may name in a day, all together; each holds. */
  readonly dayAmounts: readonly AmountLimits[];
  /** How the caller's role wants its writes to be confirmed, besides the setting: the strictest counts. */
  readonly confirm: readonly ConfirmRules[];
  /** The weakest proof with which its writes are confirmed. */
  readonly proof: ConfirmedBy;
  /** Part of the key of what is kept: the same for callers who see the same of an account. */
  readonly view: string;
}

/** What may be named at most, by currency, as decimal text in major units. A currency that is not in it is refused. */
export interface AmountLimits {
  readonly largest: ReadonlyMap<string, string>;
  /** What states the limits, for the words of a refusal: the setting, or a role. */
  readonly statedBy: string;
}

/** What decides how a caller's requests are judged and its answers shortened. */
export type Viewer = Pick<Access, 'customers' | 'hidden' | 'view'>;
