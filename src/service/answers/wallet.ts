/** Wallets, their rules, and the transactions that filled and used them. */
import { walletRule } from '../../contract/wallet.ts';
import type { OngoingBalance } from '../../engine/ongoing.ts';
import {
  type CustomerRecord,
  type WalletRecord,
  type WalletRuleRecord,
  type WalletTransactionRecord,
  wallets,
  walletTransactions,
} from '../../engine/records/index.ts';
import { pick } from '../../engine/records/table.ts';
import type { AccountLists } from '../store/account-lists.ts';
import { amount, fields, instants, preciseInstant, shownValues, svcIds } from './formats.ts';
import { appliedSectionAnswers, paymentMethodAnswer } from './shared.ts';

/** A wallet with every field of the specification and the extras of §4; `metadata` as soon as some was ever set (§3.1). */
export function walletAnswer(
  wallet: WalletRecord,
  ongoing: OngoingBalance,
  customer: CustomerRecord,
  lists: AccountLists,
) {
  return {
    svc_id: wallet.id,
    svc_customer_id: customer.id,
    external_customer_id: customer.external_id,
    billing_entity_code: walletEntityCode(wallet, customer, lists),
    ...pick(wallet, wallets.shown.heading),
    rate_amount: amount(wallet.rate_amount),
    credits_balance: amount(wallet.credits_balance, 5),
    balance_cents: wallet.balance_cents,
    consumed_credits: amount(wallet.consumed_credits, 5),
    ...fields(ongoing, 'ongoing_balance_cents', 'ongoing_usage_balance_cents'),
    ...fields(ongoing, 'credits_ongoing_balance', 'credits_ongoing_usage_balance'),
    ...instants(wallet, 'created_at', 'expiration_at', 'last_balance_sync_at', 'last_consumed_credit_at'),
    terminated_at: preciseInstant(wallet.terminated_at),
    ...pick(wallet, wallets.shown.terms),
    applies_to: fields(wallet, 'fee_types', 'billable_metric_codes'),
    recurring_transaction_rules: wallet.recurring_transaction_rules
      .filter(rule => rule.status === 'active')
      .map(rule => ruleAnswer(rule, lists)),
    applied_invoice_custom_sections: appliedSectionAnswers(wallet, lists),
    payment_method: paymentMethodAnswer(wallet.payment_method),
    ...(wallet.metadata === null ? {} : { metadata: wallet.metadata }),
  };
}

/** The code of the wallet's own billing entity, else of its customer's. */
export function walletEntityCode(wallet: WalletRecord, customer: CustomerRecord, lists: AccountLists): string | null {
  return lists.billingEntities.get(wallet.billing_entity_id ?? customer.billing_entity_id)?.code ?? null;
}

function ruleAnswer(rule: WalletRuleRecord, lists: AccountLists) {
  return {
    svc_id: rule.id,
    ...fields(rule, 'trigger', 'method', 'interval', 'status'),
    threshold_credits: amount(rule.threshold_credits ?? '0', 5),
    paid_credits: amount(rule.paid_credits, 5),
    granted_credits: amount(rule.granted_credits, 5),
    target_ongoing_balance: amount(rule.target_ongoing_balance, 5),
    ...shownValues(rule, walletRule),
    ...instants(rule, 'created_at'),
    transaction_metadata: rule.transaction_metadata.map(({ key, value }) => ({ key, value })),
    applied_invoice_custom_sections: appliedSectionAnswers(rule, lists),
    payment_method: paymentMethodAnswer(rule.payment_method),
  };
}

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
    ...svcIds(transaction, 'wallet_id', 'invoice_id', 'credit_note_id', 'voided_invoice_id'),
    billing_entity_code: billingEntityCode,
    ...pick(transaction, walletTransactions.shown.heading),
    amount: amount(transaction.amount, 5),
    credit_amount: amount(transaction.credit_amount, 5),
    remaining_amount_cents: transaction.remaining_amount_cents,
    remaining_credit_amount: amount(transaction.remaining_credit_amount, 30),
    invoice_requires_successful_payment: transaction.invoice_requires_successful_payment,
    metadata: transaction.metadata.map(({ key, value }) => ({ key, value })),
    ...pick(transaction, walletTransactions.shown.details),
    ...instants(transaction, 'settled_at', 'failed_at', 'created_at'),
    payment_method: paymentMethodAnswer(transaction.payment_method),
  };
}
