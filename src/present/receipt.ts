/** What a summary says about the write that was made. */
import type { Receipt } from '../call/types.ts';
import { escapeForSummary } from './clean.ts';

/** Sentences about a write besides the record: what was not applied, and the warnings. */
export function receiptSentences(receipt: Receipt): string[] {
  const sentences: string[] = [];
  if (receipt.not_applied.length > 0) sentences.push(`Not applied: ${receipt.not_applied.join(', ')}.`);
  if (receipt.not_shown.length > 0) sentences.push(`Not shown in the answer: ${receipt.not_shown.join(', ')}.`);
  if (receipt.left_out)
    sentences.push(
      `Every argument was sent, so null means left out: ${receipt.left_out.join(', ')} not cleared. To clear, name it in clear.`,
    );
  return [...sentences, ...receipt.warnings].map(escapeForSummary);
}
