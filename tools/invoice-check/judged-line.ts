/** What a check says of a line and of the whole invoice. */

import type { InvoicePart } from '../../src/engine/preview-parts.ts';
import type { Blocked, CheckedLine, Level } from './check-records.ts';

type Verdict = 'agrees' | 'differs' | 'cannot_judge';

export interface Reason extends Blocked {
  /** Billed less expected: what the invoice has too much. */
  readonly difference_cents: number;
}

export interface JudgedLine {
  readonly fee: string;
  readonly svc_id: string | null;
  readonly verdict: Verdict;
  readonly billed_amount_cents: number;
  readonly expected_amount_cents: number | null;
  readonly reasons: readonly Reason[];
  readonly line: CheckedLine | null;
}

export interface Judgement {
  readonly lines: readonly JudgedLine[];
  /** Sums, coupons, taxes and credits of the whole invoice, where they are not as they should be. */
  readonly sums: readonly JudgedLine[];
  readonly total: { readonly billed: number; readonly expected: number | null; readonly verdict: Verdict };
  /** The total that is right as far as it can be said. */
  readonly right: number;
  readonly parts: readonly InvoicePart[];
}

export function reason(level: Level, code: string, text: string, difference_cents: number): Reason {
  return { level, code, text, difference_cents };
}

/** A line for a sum of the invoice that is not as it should be. `difference`: what the invoice has too much because of it. */
export function sum(
  fee: string,
  billed: number,
  right: number | null,
  level: Level,
  code: string,
  text: string,
  difference = billed - (right ?? 0),
): JudgedLine {
  const amounts = { billed_amount_cents: billed, expected_amount_cents: right };
  return {
    fee,
    svc_id: null,
    verdict: 'differs',
    ...amounts,
    reasons: [reason(level, code, text, difference)],
    line: null,
  };
}

/** A line for a sum that cannot be judged. */
export function openSum(
  fee: string,
  billed: number,
  code: string,
  text: string,
  right: number | null = null,
): JudgedLine {
  return { ...sum(fee, billed, right, 'contract', code, text, 0), verdict: 'cannot_judge' };
}
