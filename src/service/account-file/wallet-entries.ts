/** Wallets, with their recurring rules and transactions. */
import * as z from 'zod';
import * as enums from '../../contract/enums.ts';
import { decimal, toCents } from '../../contract/pricing/money.ts';
import { wallet, walletRule } from '../../contract/wallet.ts';
import { type CustomerRecord, type WalletRecord, wallets } from '../../engine/records/index.ts';
import { blankOf } from '../../engine/records/table.ts';
import { idOf } from '../store/ids.ts';
import { type AccountBuilder, listOf } from './account-builder.ts';
import * as is from './values.ts';
import { transactionOf, walletTransaction, wholeCredits, withRemainders } from './wallet-transaction-entries.ts';

const MAX_ACTIVE_WALLETS = 6;

const topUpRule = z.strictObject({
  ...is.common,
  trigger: z.enum(enums.topUpTriggers),
  method: z.enum(enums.topUpMethods).default('fixed'),
  interval: z.enum(enums.intervals).nullable().default(null),
  status: z.enum(enums.lifeStatuses).default('active'),
  ...is.fields(is.optionalAmount, 'threshold_credits', 'target_ongoing_balance'),
  ...is.fields(is.amountValue.default('0'), 'paid_credits', 'granted_credits'),
  ...is.writable(walletRule, []),
  transaction_metadata: is.keyValues(100).default([]),
  payment_method: is.paymentMethod,
  ...is.sections,
  invoice_custom_section_codes: is.codes,
});

const walletEntry = z.strictObject({
  ...is.common,
  external_customer_id: is.referenceTo('customers'),
  billing_entity_code: is.optional(is.referenceTo('billing_entities'), 'the customer’s'),
  code: is.optional(is.label, 'made from the name'),
  name: is.text,
  status: z.enum(enums.lifeStatuses).default('active'),
  currency: is.optional(is.currency, 'the customer’s'),
  rate_amount: is.amountValue.default('1').describe('what one credit is worth, in major units'),
  priority: is.priority,
  ...is.fields(is.amountValue.default('0'), 'credits_balance', 'consumed_credits'),
  ...is.writable(wallet, ['name', 'code', 'priority', 'expiration_at']),
  applies_to: z
    .strictObject({
      fee_types: z.array(z.enum(enums.feeTypes)).default([]),
      billable_metric_codes: is.codesOf('billable_metrics'),
    })
    .default({ fee_types: [], billable_metric_codes: [] }),
  recurring_transaction_rules: z.array(topUpRule).default([]),
  transactions: z.array(walletTransaction).default([]),
  payment_method: is.paymentMethod,
  ...is.sections,
  invoice_custom_section_codes: is.codes,
  metadata: is.metadataObject,
  ...is.fields(is.optionalInstant, 'expiration_at', 'last_balance_sync_at', 'last_consumed_credit_at', 'terminated_at'),
});
type WalletEntry = z.output<typeof walletEntry>;
type RuleEntry = z.output<typeof topUpRule>;

export const walletList = listOf(walletEntry, builder => (entry, position) => {
  checkEntry(builder, entry);
  const customer = builder.get('customers', entry.external_customer_id);
  const wallet = walletOf(builder, entry, customer);
  // The code of a terminated wallet may be used again. `find` then gives the first wallet with the code.
  const isTaken = builder.find('wallets', `${customer.external_id} ${wallet.code}`) !== undefined;
  const key = `${customer.external_id} ${wallet.code}${isTaken ? ` ${position}` : ''}`;
  builder.add('wallets', key, wallet);
  const transactions = builder.parts(entry.transactions, (each, n) =>
    transactionOf(builder, wallet, each, `${key} ${n}`, ['transactions', n]),
  );
  for (const [n, transaction] of withRemainders(transactions, wallet).entries())
    builder.add('wallet_transactions', `${key} ${n}`, transaction, ['transactions', n]);
});

function walletOf(builder: AccountBuilder, entry: WalletEntry, customer: CustomerRecord): WalletRecord {
  const {
    external_customer_id: _customer,
    billing_entity_code: entityCode,
    applies_to: limits,
    transactions: _transactions,
    ...fields
  } = entry;
  const base = walletBase(builder, entry, customer);
  const others = builder.records.wallets.filter(each => each.customer_id === customer.id && each.status === 'active');
  const hasRoom = entry.status !== 'active' || others.length < MAX_ACTIVE_WALLETS;
  builder.check(hasRoom, [], 'the customer has 6 active wallets already');
  const code = walletCode(builder, entry, others, base.created_at);
  const currency = walletCurrency(builder, entry, customer);
  return {
    ...blankOf(wallets.columns),
    ...fields,
    ...base,
    code,
    currency,
    customer_id: customer.id,
    billing_entity_id: entityCode === undefined ? null : builder.get('billing_entities', entityCode).id,
    ...settledBalance(builder, entry, currency),
    last_balance_sync_at: entry.last_balance_sync_at ?? lastBalanceChange(entry, base.created_at),
    fee_types: limits.fee_types,
    billable_metric_codes: limits.billable_metric_codes,
    recurring_transaction_rules: entry.recurring_transaction_rules.map((rule, i) => {
      const id = rule.id ?? idOf('wallet_rule', `${base.id} ${i}`);
      return { ...rule, id, created_at: rule.created_at ?? base.created_at };
    }),
  };
}

/** A voiding alone may leave a part of a minor unit (§6). */
function settledBalance(builder: AccountBuilder, entry: WalletEntry, currency: string) {
  const isVoided = entry.transactions.some(each => each.transaction_status === 'voided');
  const stated = entry.credits_balance;
  const rate = { rate_amount: entry.rate_amount, currency };
  const credits = isVoided ? stated : wholeCredits(builder, stated, rate, 'credits_balance');
  return { credits_balance: credits, balance_cents: toCents(decimal(credits).times(entry.rate_amount), currency) };
}

/** When the settled balance last changed: at the latest top-up or use; null for a wallet that never had credits (§11.7). */
function lastBalanceChange({ transactions, ...entry }: WalletEntry, created: string): string | null {
  const settled = transactions.filter(each => each.status === 'settled');
  const latest = settled
    .map(each => each.settled_at ?? each.created_at ?? created)
    .sort()
    .at(-1);
  const hadCredits = decimal(entry.credits_balance).gt(0) || decimal(entry.consumed_credits).gt(0);
  return latest ?? (hadCredits ? created : null);
}

/** The rules that can be checked without the customer. */
function checkEntry(builder: AccountBuilder, entry: WalletEntry): void {
  const { paid_top_up_min_amount_cents: min, paid_top_up_max_amount_cents: max, status } = entry;
  const rules = entry.recurring_transaction_rules;
  const active = rules.filter(rule => rule.status === 'active');
  builder.check(status === 'active' || !!entry.terminated_at, 'terminated_at', 'is needed by a terminated wallet');
  const isSpan = min === null || max === null || max >= min;
  builder.check(isSpan, 'paid_top_up_max_amount_cents', 'must not be below paid_top_up_min_amount_cents');
  builder.check(active.length <= 1, 'recurring_transaction_rules', 'a wallet has at most one active rule');
  for (const [i, rule] of rules.entries()) checkRule(builder, rule, i);
}

/** The rule checks of §3.1. */
function checkRule(builder: AccountBuilder, rule: RuleEntry, position: number): void {
  const check = (met: boolean, field: keyof RuleEntry, message: string) =>
    builder.check(met, ['recurring_transaction_rules', position, field], message);
  const isTarget = rule.method === 'target';
  const { target_ongoing_balance: balance, threshold_credits: threshold, trigger } = rule;
  const isReached = !isTarget || threshold === null || balance === null || decimal(balance).gte(decimal(threshold));
  check(trigger !== 'interval' || rule.interval !== null, 'interval', 'is needed by the trigger "interval"');
  check(trigger !== 'threshold' || threshold !== null, 'threshold_credits', 'is needed by the trigger "threshold"');
  check(!isTarget || balance !== null, 'target_ongoing_balance', 'is needed by the method "target"');
  check(isTarget || !rule.grants_target_top_up, 'grants_target_top_up', 'is for the method "target"');
  check(isReached, 'target_ongoing_balance', 'must not be below the threshold');
}

/** The stated currency, else the customer's. Checks it, and what the recurring rules top up in it. */
function walletCurrency(builder: AccountBuilder, entry: WalletEntry, customer: CustomerRecord): string {
  const currency = entry.currency ?? customer.currency;
  builder.require(!!currency, 'currency', 'is missing, and the customer has none');
  const isCustomers = customer.currency === null || customer.currency === currency;
  builder.check(isCustomers, 'currency', `is ${currency}, but the customer is billed in ${customer.currency}`);
  for (const [i, rule] of entry.recurring_transaction_rules.entries()) {
    const at = ['recurring_transaction_rules', i, 'paid_credits'];
    builder.check(isWithinLimits(rule, entry, currency), at, 'is outside the wallet’s top-up limits');
  }
  return currency;
}

/** A rule tops up within the wallet's limits (§3.1). */
function isWithinLimits(rule: RuleEntry, wallet: WalletEntry, currency: string): boolean {
  if (rule.method === 'target' || rule.ignore_paid_top_up_limits || decimal(rule.paid_credits).eq(0)) return true;
  const { paid_top_up_min_amount_cents: min, paid_top_up_max_amount_cents: max } = wallet;
  const paid = toCents(decimal(rule.paid_credits).times(decimal(wallet.rate_amount)), currency);
  return (min === null || paid >= min) && (max === null || paid <= max);
}

/** The wallet's id and times. A number makes the id differ from that of an earlier wallet with the same code or name. */
function walletBase(builder: AccountBuilder, entry: WalletEntry, customer: CustomerRecord) {
  const key = `${customer.external_id} ${entry.code ?? entry.name ?? 'default'}`;
  const base = builder.idAndTimes('wallet', key, entry);
  const isTaken = entry.id === undefined && builder.records.wallets.some(each => each.id === base.id);
  return isTaken ? builder.idAndTimes('wallet', `${key} ${builder.records.wallets.length}`, entry) : base;
}

/** The stated code, else the name in lower case with `_`, or `default`; plus `_<unix time>` when taken (§3.1). */
function walletCode(
  builder: AccountBuilder,
  { code: stated, name, status }: WalletEntry,
  others: readonly WalletRecord[],
  created: string,
): string {
  const isTaken = (code: string) => others.some(other => other.code === code);
  if (stated !== undefined) {
    const isFree = status !== 'active' || !isTaken(stated);
    builder.check(isFree, 'code', `the customer has an active wallet "${stated}" already`);
    return stated;
  }
  const code = name ? name.trim().toLowerCase().replace(/\s+/g, '_') : 'default';
  return isTaken(code) ? `${code}_${Math.floor(Date.parse(created) / 1000)}` : code;
}
