/** What a summary says about the write that was made. */
import type { Receipt } from '../call/types.ts';
import type { JsonRecord } from '../lib/json.ts';
import { isRecord } from '../lib/json.ts';
import { escapeForSummary } from './clean.ts';
import { isFilled } from './form.ts';

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

/**
 * The receipt without what the answer says elsewhere: what the caller sent, the record's id, and the warnings, which
 * are in the summary. Empty values in replaced lists are left out too. The audit line has them all.
 */
export function shortReceipt(receipt: Receipt): Partial<Receipt> {
  const { applied, not_applied, not_shown, left_out, before, confirmed_by, request_id, requested } = receipt;
  // The answer to a delete is the deleted record.
  const deletes = Object.keys(requested).length === 0;
  return {
    applied,
    not_applied,
    ...(not_shown.length > 0 && { not_shown }),
    ...(left_out && { left_out }),
    ...(before && !deletes && { before: shortBefore(before) }),
    confirmed_by,
    request_id,
  };
}

/** Lists that a write replaces are given whole: what is null or empty in their entries is left out. */
function shortBefore(before: JsonRecord): JsonRecord {
  const short = (value: unknown) => (Array.isArray(value) ? value.map(withoutEmpty) : value);
  return Object.fromEntries(Object.entries(before).map(([field, value]) => [field, short(value)]));
}

function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmpty);
  if (!isRecord(value)) return value;
  const inner = Object.entries(value).map(([field, one]) => [field, withoutEmpty(one)] as const);
  return Object.fromEntries(inner.filter(([, one]) => isFilled(one)));
}
