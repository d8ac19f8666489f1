/** The running period's invoice before and after a change of prices, by two previews (specification, endpoint 7). */

import type { Invoice, Subscription } from '../src/contract/shown.ts';
import type { Api, ReadAnswer } from '../src/definition/api.ts';
import { reasonOf } from '../src/definition/failure.ts';
import { money, phrase, say } from '../src/words/summary.ts';

/** What was read around an update of a subscription. */
export interface AroundUpdate {
  readonly aroundBefore?: ReadAnswer;
  readonly aroundAfter?: ReadAnswer | null;
}

/** The invoice itself as the body; null where no period is running, or this caller may not preview. */
export async function readRunningInvoice(api: Api, subscription: Subscription): Promise<ReadAnswer<Invoice> | null> {
  const { status, external_customer_id: external_id, external_id: of } = subscription;
  if (status !== 'active' || !external_id || !of || !api.mayUse('preview_invoice')) return null;
  const answer = await api.preview({ customer: { external_id }, subscriptions: { external_ids: [of] } });
  if (!answer.ok) return answer;
  const invoice = answer.body.invoice ?? {};
  // Of whom it is, where it says so.
  const whose = invoice.customer?.external_id ?? external_id;
  return { ok: true, body: whose === external_id ? invoice : {} };
}

/** `The running period’s invoice so far: $939.00 → $919.00, by previews before and after`; null where none was read. */
export function invoiceChange({ aroundBefore: before, aroundAfter: after }: AroundUpdate = {}): string | null {
  if (before === undefined) return null;
  const subject = 'The current period’s invoice';
  if (!before.ok || !after?.ok) {
    const reason = !before.ok ? reasonOf(before.error) : after?.ok === false ? reasonOf(after.error) : null;
    return phrase`${subject} before and after is unavailable: a preview failed${say` (${reason})`}`;
  }
  const [first, second]: [Invoice, Invoice] = [before.body, after.body];
  const [from, to] = [totalOf(first), totalOf(second)];
  if (from === null || to === null || first.currency !== second.currency)
    return `${subject} before and after is unavailable: the two previews cannot be compared`;
  return from === to
    ? `${subject} so far stays ${to} according to previews before and after`
    : `${subject} so far: ${from} → ${to}, from previews before and after`;
}

function totalOf(invoice: Invoice): string | null {
  return money(invoice.total_amount_cents, invoice.currency);
}
