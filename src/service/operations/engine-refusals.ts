/** Runs the engine for an answer: what it does not or cannot compute is refused with a clear error. */
import { OutOfScope } from '../../contract/pricing/out-of-scope.ts';
import type { FeeRecord } from '../../engine/records/index.ts';
import { ServiceError, unprocessable, validation } from '../errors.ts';

/**
 * The result of `work`. Throws 422 `out_of_scope` naming the rule for what §16 leaves out, and 422 `invalid_plan_data`
 * when a plan's properties are not the decimals that its charges need. Never an approximate amount.
 */
export async function withEngineRefusals<T>(work: () => Promise<T> | T): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    if (error instanceof OutOfScope) throw unprocessable('out_of_scope', { [error.code]: [error.message] });
    if (isIncomputable(error)) {
      throw unprocessable('invalid_plan_data', { charges: ['properties_are_not_decimals'] });
    }
    throw error;
  }
}

/** Whether the engine does not compute something: §16 leaves it out, or a plan's properties are not decimals. */
export function isIncomputable(error: unknown): boolean {
  return error instanceof OutOfScope || (error instanceof Error && error.message.startsWith('[big.js]'));
}

/** Throws 422 `value_is_out_of_range` for amounts that a JSON number cannot hold exactly. */
export function refuseHugeAmounts(fees: readonly FeeRecord[], totals: readonly number[] = []): void {
  const cents = [...totals, ...fees.flatMap(fee => [fee.amount_cents, fee.total_amount_cents])];
  if (cents.every(Number.isSafeInteger)) return;
  throw validation({ amount_cents: ['value_is_out_of_range'] });
}
