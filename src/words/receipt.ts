/** What a result says about the write that was made. */
import type { Receipt } from '../definition/write-call.ts';
import { escapeForSummary } from './hidden-characters.ts';

/** Sentences about a write besides the record: what was not applied or not shown, and the warnings. */
export function receiptSentences(receipt: Receipt): string[] {
  const sentences: string[] = [];
  if (receipt.found) sentences.push(`This was ${receipt.found}.`);
  if (receipt.not_applied.length > 0) sentences.push(`Not applied: ${receipt.not_applied.join(', ')}.`);
  if (receipt.not_shown.length > 0) sentences.push(`Not shown in the answer: ${receipt.not_shown.join(', ')}.`);
  if (receipt.left_out)
    sentences.push(
      `Every argument was sent, so null means left out: ${receipt.left_out.join(', ')} not cleared. To clear, name it in clear.`,
    );
  return [...sentences, ...receipt.warnings].map(escapeForSummary);
}

/**
 * The receipt without what stands elsewhere: what the caller sent, the record's id, and the warnings, which the summary
 * has. The audit line has the whole receipt.
 */
export function shortReceipt(receipt: Receipt): Partial<Receipt> {
  const { applied, not_applied, not_shown, left_out, revert, confirmed_by, request_id } = receipt;
  return {
    applied,
    not_applied,
    ...(not_shown.length > 0 && { not_shown }),
    ...(left_out && { left_out }),
    ...(revert && { revert }),
    ...(receipt.found && { found: receipt.found }),
    confirmed_by,
    request_id,
  };
}
