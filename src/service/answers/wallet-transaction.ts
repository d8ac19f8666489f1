import { type WalletTransactionRecord, walletTransactions } from '../../engine/records/index.ts';
import { pick } from '../../engine/records/table.ts';
import type { AccountLists } from '../store/account-lists.ts';
import { amount, instant } from './formats.ts';
import { appliedSectionAnswers, paymentMethodAnswer } from './shared.ts';

/** A wallet transaction without wrapper key, as endpoint 15 answers it, with the extras of §3.15. */
export function walletTransactionAnswer(
  transaction: WalletTransactionRecord,
  billingEntityCode: string | null,
  lists: AccountLists,
) {
  return {
    ...listedTransactionAnswer(transaction, billingEntityCode),
    applied_invoice_custom_sections: appliedSectionAnswers(transaction, lists),
  };
}

/** A wallet transaction of a list, which has no invoice sections (lookups §5). */
export function listedTransactionAnswer(transaction: WalletTransactionRecord, billingEntityCode: string | null) {
  return {
    svc_id: transaction.id,
    svc_wallet_id: transaction.wallet_id,
    svc_invoice_id: transaction.invoice_id,
    svc_credit_note_id: transaction.credit_note_id,
    svc_voided_invoice_id: transaction.voided_invoice_id,
    billing_entity_code: billingEntityCode,
    ...pick(transaction, walletTransactions.shown.heading),
    amount: amount(transaction.amount, 5),
    credit_amount: amount(transaction.credit_amount, 5),
    remaining_amount_cents: transaction.remaining_amount_cents,
    remaining_credit_amount: amount(transaction.remaining_credit_amount, 30),
    invoice_requires_successful_payment: transaction.invoice_requires_successful_payment,
    metadata: transaction.metadata.map(({ key, value }) => ({ key, value })),
    ...pick(transaction, walletTransactions.shown.details),
    settled_at: instant(transaction.settled_at),
    failed_at: instant(transaction.failed_at),
    created_at: instant(transaction.created_at),
    payment_method: paymentMethodAnswer(transaction.payment_method),
  };
}
