/** Turns entries of wallets, wallet transactions and alerts into records. */
import { isOneOf, type WalletAlertType, walletAlertTypes } from '../../model/enums.ts';
import { decimal, decimalText, toCents } from '../../pricing/money.ts';
import type { AlertRecord, CustomerRecord, WalletRecord, WalletTransactionRecord } from '../records/index.ts';
import { idOf } from '../store/ids.ts';
import { type AccountBuilder, AccountFileError, type Path, requireThat } from './account-builder.ts';
import type { AccountEntries } from './schema.ts';

type WalletEntry = AccountEntries['wallets'][number];
type RuleEntry = WalletEntry['recurring_transaction_rules'][number];
type TransactionEntry = WalletEntry['transactions'][number];
type AlertEntry = AccountEntries['alerts'][number];

const MAX_ACTIVE_WALLETS = 6;

export function buildWallets(builder: AccountBuilder, entries: AccountEntries['wallets']): void {
  builder.each('wallets', entries, (entry, path, position) => {
    const customer = builder.need('customers', entry.external_customer_id, [...path, 'external_customer_id']);
    const record = wallet(builder, entry, customer, path);
    // The code of a terminated wallet may be used again. `find` then gives the first wallet with the code.
    const taken = builder.find('wallets', `${customer.external_id} ${record.code}`) !== undefined;
    const key = `${customer.external_id} ${record.code}${taken ? ` ${position}` : ''}`;
    builder.add('wallets', key, record, path);
    builder.parts(entry.transactions, (each, n) => {
      const at = [...path, 'transactions', n];
      const transaction = walletTransaction(builder, record, each, `${key} ${n}`, at);
      builder.add('wallet_transactions', `${key} ${n}`, transaction, at);
    });
  });
}

function wallet(builder: AccountBuilder, entry: WalletEntry, customer: CustomerRecord, path: Path): WalletRecord {
  const {
    external_customer_id: _customer,
    billing_entity_code: entityCode,
    applies_to: limits,
    transactions: _transactions,
    ...fields
  } = entry;
  const currency = entry.currency ?? customer.currency;
  requireThat(!!currency, [...path, 'currency'], 'is missing, and the customer has none');
  const same = customer.currency === null || customer.currency === currency;
  requireThat(same, [...path, 'currency'], `is ${currency}, but the customer is billed in ${customer.currency}`);
  const base = walletBase(builder, entry, customer);
  const others = builder.records.wallets.filter(each => each.customer_id === customer.id && each.status === 'active');
  const code = walletCode(entry, others, base.created_at, path);
  const active = entry.status === 'active';
  requireThat(!active || others.length < MAX_ACTIVE_WALLETS, path, 'the customer has 6 active wallets already');
  requireThat(active || !!entry.terminated_at, [...path, 'terminated_at'], 'is needed by a terminated wallet');
  builder.needAll('billable_metrics', limits.billable_metric_codes, [...path, 'applies_to', 'billable_metric_codes']);
  checkLimits(entry, path);
  return {
    ...fields,
    ...base,
    code,
    currency,
    customer_id: customer.id,
    billing_entity_id: entityCode === undefined ? null : builder.entity(entityCode, path).id,
    balance_cents: toCents(decimal(entry.credits_balance).times(decimal(entry.rate_amount)), currency),
    fee_types: limits.fee_types,
    billable_metric_codes: limits.billable_metric_codes,
    recurring_transaction_rules: entry.recurring_transaction_rules.map((rule, i) => {
      checkRule(rule, entry, currency, [...path, 'recurring_transaction_rules', i]);
      const id = rule.id ?? idOf('wallet_rule', `${base.id} ${i}`);
      return { ...rule, id, created_at: rule.created_at ?? base.created_at };
    }),
  };
}

/** When an earlier wallet of the customer has the same code or name, a position is added so that the ids differ. */
function walletBase(builder: AccountBuilder, entry: WalletEntry, customer: CustomerRecord) {
  const key = `${customer.external_id} ${entry.code ?? entry.name ?? 'default'}`;
  const base = builder.base('wallet', key, entry);
  const taken = entry.id === undefined && builder.records.wallets.some(each => each.id === base.id);
  return taken ? builder.base('wallet', `${key} ${builder.records.wallets.length}`, entry) : base;
}

/** The stated code, else the name in lower case with `_`, or `default`; plus `_<unix time>` when taken (§3.1). */
function walletCode(entry: WalletEntry, others: readonly WalletRecord[], created: string, path: Path): string {
  const taken = (code: string) => others.some(other => other.code === code);
  if (entry.code !== undefined) {
    const clash = entry.status === 'active' && taken(entry.code);
    requireThat(!clash, [...path, 'code'], `the customer has an active wallet "${entry.code}" already`);
    return entry.code;
  }
  const code = entry.name ? entry.name.trim().toLowerCase().replace(/\s+/g, '_') : 'default';
  return taken(code) ? `${code}_${Math.floor(Date.parse(created) / 1000)}` : code;
}

function checkLimits(entry: WalletEntry, path: Path): void {
  const { paid_top_up_min_amount_cents: min, paid_top_up_max_amount_cents: max } = entry;
  const ordered = min === null || max === null || max >= min;
  requireThat(ordered, [...path, 'paid_top_up_max_amount_cents'], 'must not be below paid_top_up_min_amount_cents');
  const active = entry.recurring_transaction_rules.filter(rule => rule.status === 'active').length;
  requireThat(active <= 1, [...path, 'recurring_transaction_rules'], 'a wallet has at most one active rule');
}

/** The rule checks of §3.1. */
function checkRule(rule: RuleEntry, wallet: WalletEntry, currency: string, path: Path): void {
  const needs = (condition: boolean, field: keyof RuleEntry, why: string) =>
    requireThat(!condition || rule[field] !== null, [...path, field], `is needed by ${why}`);
  needs(rule.trigger === 'interval', 'interval', 'the trigger "interval"');
  needs(rule.trigger === 'threshold', 'threshold_credits', 'the trigger "threshold"');
  needs(rule.method === 'target', 'target_ongoing_balance', 'the method "target"');
  const target = rule.method === 'target';
  requireThat(target || !rule.grants_target_top_up, [...path, 'grants_target_top_up'], 'is for the method "target"');
  if (target && rule.threshold_credits !== null) {
    const reachable = decimal(rule.target_ongoing_balance as string).gte(decimal(rule.threshold_credits));
    requireThat(reachable, [...path, 'target_ongoing_balance'], 'must not be below the threshold');
  }
  if (target || rule.ignore_paid_top_up_limits || decimal(rule.paid_credits).eq(0)) return;
  const paid = toCents(decimal(rule.paid_credits).times(decimal(wallet.rate_amount)), currency);
  const above = wallet.paid_top_up_min_amount_cents === null || paid >= wallet.paid_top_up_min_amount_cents;
  const below = wallet.paid_top_up_max_amount_cents === null || paid <= wallet.paid_top_up_max_amount_cents;
  requireThat(above && below, [...path, 'paid_credits'], 'is outside the wallet’s top-up limits');
}

function walletTransaction(
  builder: AccountBuilder,
  wallet: WalletRecord,
  entry: TransactionEntry,
  key: string,
  path: Path,
): WalletTransactionRecord {
  const {
    invoice_number: invoice,
    credit_note_number: creditNote,
    voided_invoice_number: voided,
    transaction_type: type,
    ...fields
  } = entry;
  const base = builder.base('wallet_transaction', key, entry);
  const money = (credits: string) => decimal(credits).times(decimal(wallet.rate_amount));
  const inbound = entry.transaction_status === 'purchased' || entry.transaction_status === 'granted';
  const rest = entry.remaining_credit_amount;
  const settled = entry.settled_at ?? (entry.status === 'settled' ? base.created_at : null);
  const linked = (number: string | undefined, field: string) =>
    number === undefined ? null : builder.need('invoices', number, [...path, field]).id;
  return {
    ...fields,
    ...base,
    wallet_id: wallet.id,
    invoice_id: linked(invoice, 'invoice_number'),
    voided_invoice_id: linked(voided, 'voided_invoice_number'),
    credit_note_id:
      creditNote === undefined ? null : builder.need('credit_notes', creditNote, [...path, 'credit_note_number']).id,
    transaction_type: type ?? (inbound ? 'inbound' : 'outbound'),
    amount: decimalText(money(entry.credit_amount)),
    remaining_amount_cents: rest === null ? null : toCents(money(rest), wallet.currency),
    settled_at: settled,
    failed_at: entry.failed_at ?? (entry.status === 'failed' ? base.created_at : null),
  };
}

export function buildAlerts(builder: AccountBuilder, entries: AccountEntries['alerts']): void {
  builder.each('alerts', entries, (entry, path) => {
    const record =
      entry.wallet_code === undefined ? subscriptionAlert(builder, entry, path) : walletAlert(builder, entry, path);
    builder.add('alerts', `${record.external_subscription_id ?? record.wallet_id} ${entry.code}`, record, path);
  });
}

function subscriptionAlert(builder: AccountBuilder, entry: AlertEntry, path: Path): AlertRecord {
  const subscription = builder.subscription(entry.external_subscription_id, path);
  const ofWallets = isOneOf(walletAlertTypes, entry.alert_type);
  requireThat(!ofWallets, [...path, 'alert_type'], 'is for wallets, with external_customer_id and wallet_code');
  return {
    ...alert(builder, entry, `${subscription.external_id} ${entry.code}`, path),
    subscription_id: subscription.id,
    external_subscription_id: subscription.external_id,
    wallet_id: null,
    direction: 'increasing',
    previous_value: entry.previous_value ?? '0',
  };
}

function walletAlert(builder: AccountBuilder, entry: AlertEntry, path: Path): AlertRecord {
  const customer = builder.need('customers', entry.external_customer_id ?? '', [...path, 'external_customer_id']);
  const theirs = builder.records.wallets.filter(
    each => each.customer_id === customer.id && each.code === entry.wallet_code,
  );
  const owner = theirs.find(each => each.status === 'active') ?? theirs[0];
  if (owner === undefined) {
    const problem = `the customer has no wallet "${entry.wallet_code}"`;
    throw builder.missing('wallets', entry.wallet_code ?? '', [...path, 'wallet_code'], problem);
  }
  const { alert_type: type } = entry;
  if (!isOneOf(walletAlertTypes, type)) throw new AccountFileError([...path, 'alert_type'], 'is for subscriptions');
  const values: Record<WalletAlertType, string> = {
    wallet_balance_amount: String(owner.balance_cents),
    wallet_credits_balance: owner.credits_balance,
    // Before any usage; the first check then compares with the usage so far.
    wallet_ongoing_balance_amount: String(owner.balance_cents),
    wallet_credits_ongoing_balance: owner.credits_balance,
  };
  return {
    ...alert(builder, entry, `${owner.id} ${entry.code}`, path),
    subscription_id: null,
    external_subscription_id: null,
    wallet_id: owner.id,
    direction: 'decreasing',
    previous_value: entry.previous_value ?? values[type],
  };
}

function alert(builder: AccountBuilder, entry: AlertEntry, key: string, path: Path) {
  const ofMetric = entry.alert_type.startsWith('billable_metric_');
  const metric = entry.billable_metric_code;
  const at = [...path, 'billable_metric_code'];
  requireThat(ofMetric === (metric !== undefined), at, ofMetric ? 'is missing' : `is not for ${entry.alert_type}`);
  const seen = new Set<string>();
  entry.thresholds.forEach((threshold, i) => {
    const same = `${decimal(threshold.value).toFixed()} ${threshold.recurring}`;
    requireThat(!seen.has(same), [...path, 'thresholds', i, 'value'], 'is there twice');
    const positive = !threshold.recurring || decimal(threshold.value).gt(0);
    requireThat(positive, [...path, 'thresholds', i, 'value'], 'must be greater than 0 when recurring');
    seen.add(same);
  });
  return {
    ...builder.base('alert', key, entry),
    code: entry.code,
    name: entry.name,
    alert_type: entry.alert_type,
    billable_metric_id: metric === undefined ? null : builder.need('billable_metrics', metric, at).id,
    last_processed_at: entry.last_processed_at,
    thresholds: entry.thresholds,
    deleted_at: null,
  };
}
