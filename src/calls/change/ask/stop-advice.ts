/** After two writes in a row that the user did not approve, the answer tells the assistant to stop. */
import type { OwnError } from '../../../definition/failure.ts';
import type { WriteCall } from '../../../definition/write-call.ts';
import { Kept } from '../../../lib/collections.ts';

export type UnapprovedWrites = ReturnType<typeof countUnapproved>;

/** Callers that are remembered; the oldest are forgotten. */
const mostCallers = 10_000;
/** After that, the next one is the first again. */
const forgottenMs = 60 * 60_000;

export function countUnapproved() {
  const counts = new Kept<number>(mostCallers);
  return {
    /** By caller; empty as long as no write was left unapproved. */
    counts,
    /** One more for this caller: the error, from the second in a row on with the advice to stop. */
    add(caller: string, error: OwnError): OwnError {
      const count = (counts.get(caller) ?? 0) + 1;
      counts.set(caller, count, forgottenMs);
      return count < 2 ? error : { ...error, hint: `${error.hint} ${adviceAfter(count)}` };
    },
    /** The caller's last write was approved. */
    clear: (caller: string) => counts.delete(caller),
  };
}

/** The same decision; its error with the advice where it is due. */
export function adviseStop<Decision extends { kind: string; error?: OwnError }>(
  unapproved: UnapprovedWrites,
  { caller }: Pick<WriteCall, 'caller'>,
  decision: Decision,
): Decision {
  const by = caller.credential ?? caller.id;
  if (decision.kind === 'confirmed') unapproved.clear(by);
  return decision.error === undefined ? decision : { ...decision, error: unapproved.add(by, decision.error) };
}

const adviceAfter = (count: number): string =>
  `Stop here: ${count} writes in a row were not approved. Call no write tool again until the user asks for it. Tell the user what you wanted to change. The user can decide when the next prompt appears, make the change in the billing service, or ask the operator about BILLING_ASK.`;
