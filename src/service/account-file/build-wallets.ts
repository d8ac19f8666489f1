/** Turns entries of wallets and wallet transactions into records. */
import { decimal, decimalText, fromCents, least, toCents, ZERO } from '../../contract/pricing/money.ts';
import {
  type CustomerRecord,
  type WalletRecord,
  type WalletTransactionRecord,
  wallets,
} from '../../engine/records/index.ts';
import { nullsOf } from '../../engine/records/table.ts';
import { idOf } from '../store/ids.ts';
import { type AccountBuilder, type Path, requireThat } from './account-builder.ts';
import type { AccountEntries } from './schema.ts';

type WalletEntry = AccountEntries['wallets'][number];
type RuleEntry = WalletEntry['recurring_transaction_rules'][number];
type TransactionEntry = WalletEntry['transactions'][number];
type DocumentField = 'invoice_number' | 'voided_invoice_number' | 'credit_note_number';

const MAX_ACTIVE_WALLETS = 6;

export function buildWallets(builder: AccountBuilder, entries: AccountEntries['wallets']): void {
  builder.each('wallets', entries, (entry, path, position) => {
    const ownerOf = () => builder.need('customers', entry.external_customer_id, [...path, 'external_customer_id']);
    const [record] = builder.all(() => wallet(builder, entry, ownerOf(), path), ...entryRules(builder, entry, path));
    const customer = ownerOf();
    // The code of a terminated wallet may be used again. `find` then gives the first wallet with the code.
    const taken = builder.find('wallets', `${customer.external_id} ${record.code}`) !== undefined;
    const key = `${customer.external_id} ${record.code}${taken ? ` ${position}` : ''}`;
    builder.add('wallets', key, record, path);
    const transactions = builder.parts(entry.transactions, (each, n) =>
      walletTransaction(builder, record, each, `${key} ${n}`, [...path, 'transactions', n]),
    );
    for (const [n, transaction] of withRemainders(transactions, record).entries()) {
      builder.add('wallet_transactions', `${key} ${n}`, transaction, [...path, 'transactions', n]);
    }
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
  const base = walletBase(builder, entry, customer);
  const others = builder.records.wallets.filter(each => each.customer_id === customer.id && each.status === 'active');
  const hasRoom = entry.status !== 'active' || others.length < MAX_ACTIVE_WALLETS;
  const [currency, code] = builder.all(
    () => walletCurrency(builder, entry, customer, path),
    () => walletCode(entry, others, base.created_at, path),
    () => requireThat(hasRoom, path, 'the customer has 6 active wallets already'),
  );
  return {
    ...nullsOf(wallets.columns),
    ...fields,
    ...base,
    code,
    currency,
    customer_id: customer.id,
    billing_entity_id: entityCode === undefined ? null : builder.billingEntity(entityCode, path).id,
    ...settledBalance(builder, entry, currency, path),
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
function settledBalance(builder: AccountBuilder, entry: WalletEntry, currency: string, path: Path) {
  const isVoided = entry.transactions.some(each => each.transaction_status === 'voided');
  const at = [...path, 'credits_balance'];
  const credits = isVoided ? entry.credits_balance : wholeCredits(builder, entry.credits_balance, entry, currency, at);
  return { credits_balance: credits, balance_cents: toCents(decimal(credits).times(entry.rate_amount), currency) };
}

/**
 * Credits that enter a wallet, as whole minor units of money, 5 decimals (§6): 25.5 at 2.25 EUR are 57.38 EUR, that is
 * 25.50222. Warns where this changes them.
 */
function wholeCredits(
  builder: AccountBuilder,
  credits: string,
  { rate_amount: rate }: { rate_amount: string },
  currency: string,
  path: Path,
): string {
  const money = decimal(credits).times(rate);
  const cents = toCents(money, currency);
  if (fromCents(cents, currency).eq(money)) return credits;
  const whole = decimalText(fromCents(cents, currency).div(rate), 5);
  if (!decimal(whole).eq(credits)) {
    builder.warn(path, `${credits} credits are no whole minor units of ${currency}, so that ${whole} count`);
  }
  return whole;
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

/**
 * The transactions with what is left of those that are inbound (lookups §5). Where the file does not state it, all is left
 * but what the wallet no longer has, which the lowest priority paid for first, then the oldest.
 */
function withRemainders(transactions: readonly WalletTransactionRecord[], wallet: WalletRecord) {
  const inbound = transactions.filter(each => each.transaction_type === 'inbound');
  const settled = inbound.filter(each => each.status === 'settled');
  const left = new Map(inbound.map(each => [each.id, decimal(each.remaining_credit_amount ?? each.credit_amount)]));
  let spent = settled.reduce((sum, { id }) => sum.plus(left.get(id) ?? ZERO), ZERO).minus(wallet.credits_balance);
  const open = settled.filter(each => each.remaining_credit_amount === null).sort((a, b) => a.priority - b.priority);
  for (const { id } of spent.gt(0) ? open : []) {
    const credits = left.get(id) ?? ZERO;
    const used = least(credits, spent);
    left.set(id, credits.minus(used));
    spent = spent.minus(used);
  }
  return transactions.map(each => {
    const credits = left.get(each.id);
    if (credits === undefined) return each;
    const cents = toCents(credits.times(wallet.rate_amount), wallet.currency);
    return { ...each, remaining_credit_amount: creditsOf(cents, each, wallet), remaining_amount_cents: cents };
  });
}

/** The stated remainder, else the money that is left ÷ rate, which is not rounded to the scale of credits (lookups §5). */
function creditsOf(cents: number, { remaining_credit_amount: stated }: WalletTransactionRecord, wallet: WalletRecord) {
  if (stated !== null || cents === 0) return stated ?? '0.0';
  return decimalText(fromCents(cents, wallet.currency).div(wallet.rate_amount), 30);
}

/** The rules that can be checked without the customer. */
function entryRules(builder: AccountBuilder, entry: WalletEntry, path: Path): (() => unknown)[] {
  const { paid_top_up_min_amount_cents: min, paid_top_up_max_amount_cents: max, transactions } = entry;
  const rules = entry.recurring_transaction_rules;
  const rule = (met: boolean, field: keyof WalletEntry, message: string) => () =>
    requireThat(met, [...path, field], message);
  const metrics = entry.applies_to.billable_metric_codes;
  return [
    () => entry.billing_entity_code !== undefined && builder.billingEntity(entry.billing_entity_code, path),
    rule(entry.status === 'active' || !!entry.terminated_at, 'terminated_at', 'is needed by a terminated wallet'),
    () => builder.needAll('billable_metrics', metrics, [...path, 'applies_to', 'billable_metric_codes']),
    rule(
      min === null || max === null || max >= min,
      'paid_top_up_max_amount_cents',
      'must not be below paid_top_up_min_amount_cents',
    ),
    rule(
      rules.filter(({ status }) => status === 'active').length <= 1,
      'recurring_transaction_rules',
      'a wallet has at most one active rule',
    ),
    () => builder.parts(rules, (each, i) => checkRule(builder, each, [...path, 'recurring_transaction_rules', i])),
    () => builder.parts(transactions, (each, n) => references(builder, each, [...path, 'transactions', n])),
  ];
}

/** The stated currency, else the customer's. Checks it, and what the recurring rules top up in it. */
function walletCurrency(builder: AccountBuilder, entry: WalletEntry, customer: CustomerRecord, path: Path): string {
  const currency = entry.currency ?? customer.currency;
  requireThat(!!currency, [...path, 'currency'], 'is missing, and the customer has none');
  const isCustomersCurrency = customer.currency === null || customer.currency === currency;
  builder.all(
    () =>
      requireThat(
        isCustomersCurrency,
        [...path, 'currency'],
        `is ${currency}, but the customer is billed in ${customer.currency}`,
      ),
    () =>
      builder.parts(entry.recurring_transaction_rules, (rule, i) =>
        checkTopUp(rule, entry, currency, [...path, 'recurring_transaction_rules', i]),
      ),
  );
  return currency;
}

/** The wallet's id and times. A number makes the id differ from that of an earlier wallet with the same code or name. */
function walletBase(builder: AccountBuilder, entry: WalletEntry, customer: CustomerRecord) {
  const key = `${customer.external_id} ${entry.code ?? entry.name ?? 'default'}`;
  const base = builder.idAndTimes('wallet', key, entry);
  const taken = entry.id === undefined && builder.records.wallets.some(each => each.id === base.id);
  return taken ? builder.idAndTimes('wallet', `${key} ${builder.records.wallets.length}`, entry) : base;
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

/** The rule checks of §3.1. */
function checkRule(builder: AccountBuilder, rule: RuleEntry, path: Path): void {
  const needs = (condition: boolean, field: keyof RuleEntry, why: string) => () =>
    requireThat(!condition || rule[field] !== null, [...path, field], `is needed by ${why}`);
  const target = rule.method === 'target';
  const { target_ongoing_balance: balance, threshold_credits: threshold } = rule;
  const reached = !target || threshold === null || balance === null || decimal(balance).gte(decimal(threshold));
  builder.all(
    needs(rule.trigger === 'interval', 'interval', 'the trigger "interval"'),
    needs(rule.trigger === 'threshold', 'threshold_credits', 'the trigger "threshold"'),
    needs(target, 'target_ongoing_balance', 'the method "target"'),
    () =>
      requireThat(
        target || !rule.grants_target_top_up,
        [...path, 'grants_target_top_up'],
        'is for the method "target"',
      ),
    () => requireThat(reached, [...path, 'target_ongoing_balance'], 'must not be below the threshold'),
  );
}

/** A rule tops up within the wallet's limits (§3.1). */
function checkTopUp(rule: RuleEntry, wallet: WalletEntry, currency: string, path: Path): void {
  if (rule.method === 'target' || rule.ignore_paid_top_up_limits || decimal(rule.paid_credits).eq(0)) return;
  const paid = toCents(decimal(rule.paid_credits).times(decimal(wallet.rate_amount)), currency);
  const above = wallet.paid_top_up_min_amount_cents === null || paid >= wallet.paid_top_up_min_amount_cents;
  const below = wallet.paid_top_up_max_amount_cents === null || paid <= wallet.paid_top_up_max_amount_cents;
  requireThat(above && below, [...path, 'paid_credits'], 'is outside the wallet’s top-up limits');
}

/** The documents that a transaction names: their ids, or null. */
function references(builder: AccountBuilder, entry: TransactionEntry, path: Path) {
  const linked = (table: 'invoices' | 'credit_notes', field: DocumentField) => () => {
    const number = entry[field];
    return number === undefined ? null : builder.need(table, number, [...path, field]).id;
  };
  const [invoice, voided, note] = builder.all(
    linked('invoices', 'invoice_number'),
    linked('invoices', 'voided_invoice_number'),
    linked('credit_notes', 'credit_note_number'),
  );
  return { invoice_id: invoice, voided_invoice_id: voided, credit_note_id: note };
}

function walletTransaction(
  builder: AccountBuilder,
  wallet: WalletRecord,
  entry: TransactionEntry,
  key: string,
  path: Path,
): WalletTransactionRecord {
  const {
    invoice_number: _invoice,
    credit_note_number: _creditNote,
    voided_invoice_number: _voided,
    transaction_type: type,
    ...fields
  } = entry;
  const base = builder.idAndTimes('wallet_transaction', key, entry);
  const enters = entry.transaction_status === 'purchased' || entry.transaction_status === 'granted';
  const stated = entry.credit_amount;
  const at = [...path, 'credit_amount'];
  const credits = enters ? wholeCredits(builder, stated, wallet, wallet.currency, at) : stated;
  const money = decimal(credits).times(wallet.rate_amount);
  const settled = entry.settled_at ?? (entry.status === 'settled' ? base.created_at : null);
  return {
    ...fields,
    ...base,
    wallet_id: wallet.id,
    ...references(builder, entry, path),
    transaction_type: type ?? (enters ? 'inbound' : 'outbound'),
    credit_amount: credits,
    amount: decimalText(enters ? fromCents(toCents(money, wallet.currency), wallet.currency) : money),
    remaining_amount_cents: null,
    settled_at: settled,
    failed_at: entry.failed_at ?? (entry.status === 'failed' ? base.created_at : null),
  };
}
