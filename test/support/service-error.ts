import type { ToolError } from '../../src/definition/failure.ts';
import type { Changed } from '../../src/definition/refusals/refusal.ts';
import { safeError } from '../../src/words/safe-text.ts';

/** A refusal with a code of the billing API. */
export function serviceError(code: string, status = 422, changed: Changed = false): ToolError {
  return safeError({ status, code, message: code, hint: '', changed });
}
