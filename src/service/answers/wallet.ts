import { walletRule } from '../../contract/wallet.ts';
import type { OngoingBalance } from '../../engine/ongoing.ts';
import { type CustomerRecord, type WalletRecord, type WalletRuleRecord, wallets } from '../../engine/records/index.ts';
import { pick } from '../../engine/records/table.ts';
import type { AccountLists } from '../store/account-lists.ts';
import { amount, instant, preciseInstant, shownValues } from './formats.ts';
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
    ...balances(wallet, ongoing),
    ...instants(wallet),
    ...pick(wallet, wallets.shown.terms),
    applies_to: { fee_types: wallet.fee_types, billable_metric_codes: wallet.billable_metric_codes },
    recurring_transaction_rules: wallet.recurring_transaction_rules
      .filter(rule => rule.status === 'active')
      .map(rule => ruleAnswer(rule, lists)),
    applied_invoice_custom_sections: appliedSections(wallet, lists),
    payment_method: paymentMethodAnswer(wallet.payment_method),
    ...(wallet.metadata === null ? {} : { metadata: wallet.metadata }),
  };
}

/** The code of the wallet's own billing entity, else of its customer's. */
export function walletEntityCode(wallet: WalletRecord, customer: CustomerRecord, lists: AccountLists): string | null {
  return lists.billingEntities.get(wallet.billing_entity_id ?? customer.billing_entity_id)?.code ?? null;
}

function balances(wallet: WalletRecord, ongoing: OngoingBalance) {
  return {
    credits_balance: amount(wallet.credits_balance, 5),
    balance_cents: wallet.balance_cents,
    consumed_credits: amount(wallet.consumed_credits, 5),
    ongoing_balance_cents: ongoing.ongoing_balance_cents,
    ongoing_usage_balance_cents: ongoing.ongoing_usage_balance_cents,
    credits_ongoing_balance: ongoing.credits_ongoing_balance,
    credits_ongoing_usage_balance: ongoing.credits_ongoing_usage_balance,
  };
}

function instants(wallet: WalletRecord) {
  return {
    created_at: instant(wallet.created_at),
    expiration_at: instant(wallet.expiration_at),
    last_balance_sync_at: instant(wallet.last_balance_sync_at),
    last_consumed_credit_at: instant(wallet.last_consumed_credit_at),
    terminated_at: preciseInstant(wallet.terminated_at),
  };
}

function ruleAnswer(rule: WalletRuleRecord, lists: AccountLists) {
  return {
    svc_id: rule.id,
    trigger: rule.trigger,
    method: rule.method,
    interval: rule.interval,
    status: rule.status,
    threshold_credits: amount(rule.threshold_credits ?? '0', 5),
    paid_credits: amount(rule.paid_credits, 5),
    granted_credits: amount(rule.granted_credits, 5),
    target_ongoing_balance: amount(rule.target_ongoing_balance, 5),
    ...shownValues(rule, walletRule),
    created_at: instant(rule.created_at),
    transaction_metadata: rule.transaction_metadata.map(({ key, value }) => ({ key, value })),
    applied_invoice_custom_sections: appliedSections(rule, lists),
    payment_method: paymentMethodAnswer(rule.payment_method),
  };
}

function appliedSections(owner: WalletRecord | WalletRuleRecord, lists: AccountLists) {
  return owner.skip_invoice_custom_sections ? [] : appliedSectionAnswers(owner, lists);
}
