/** Recurring top-up rules of a wallet update (service-behaviour §3.1, "Rule checks"). */
import { randomUUID } from 'node:crypto';
import { intervals, topUpMethods, topUpTriggers } from '../../contract/enums.ts';
import { decimal, toCents } from '../../contract/pricing/money.ts';
import { walletRule } from '../../contract/wallet.ts';
import type { Json, JsonObject, WalletRecord, WalletRuleRecord } from '../../engine/records/index.ts';
import { isJsonObject } from '../../engine/records/values.ts';
import { isGiven } from '../../lib/json.ts';
import { type ServiceError, validation } from '../errors.ts';
import type { AccountStore } from '../store/store.ts';
import { fieldsOf, isDecimalText } from './fields.ts';
import { readPaymentMethod, readSectionChoice } from './references.ts';
import { initialValues, readWritable } from './writable-fields.ts';

const MOST_METADATA = 5;
const amounts = ['threshold_credits', 'target_ongoing_balance', 'paid_credits', 'granted_credits'] as const;
const LONGEST_METADATA_KEY = 20;
const LONGEST_METADATA_VALUE = 100;

/**
 * The wallet's rules after the update. An entry with the id of an active rule changes that rule, any other entry creates
 * a rule, and rules that are not listed are terminated. Throws 422.
 */
export async function readWalletRules(account: AccountStore, wallet: WalletRecord, entries: Json, now: Date) {
  if (!Array.isArray(entries)) throw invalidRule();
  if (entries.length > 1) {
    throw validation({ recurring_transaction_rules: ['invalid_number_of_recurring_rules'] });
  }
  const active = wallet.recurring_transaction_rules.filter(rule => rule.status === 'active');
  const listed: WalletRuleRecord[] = [];
  for (const entry of entries) {
    if (!isJsonObject(entry)) throw invalidRule();
    const known = active.find(rule => rule.id === entry.svc_id);
    requireComplete(entry);
    const rule = await readRule(account, known ?? newRule(wallet, now), entry);
    requireValid(rule, wallet, entry, now);
    listed.push(rule);
  }
  const listedIds = new Set(listed.map(rule => rule.id));
  const others = wallet.recurring_transaction_rules.filter(rule => !listedIds.has(rule.id));
  return [...listed, ...others.map((rule): WalletRuleRecord => ({ ...rule, status: 'terminated' }))];
}

function invalidRule(): ServiceError {
  return validation({ recurring_transaction_rules: ['invalid_recurring_rule'] });
}

function newRule(wallet: WalletRecord, now: Date): WalletRuleRecord {
  return {
    id: randomUUID(),
    trigger: 'interval',
    method: 'fixed',
    interval: null,
    status: 'active',
    threshold_credits: '0.0',
    paid_credits: '0.0',
    granted_credits: '0.0',
    target_ongoing_balance: null,
    ...initialValues(walletRule),
    invoice_requires_successful_payment: wallet.invoice_requires_successful_payment,
    transaction_metadata: [],
    payment_method: null,
    skip_invoice_custom_sections: false,
    invoice_custom_section_codes: [],
    created_at: now.toISOString(),
  };
}

/** The rule with the entry's fields applied; checks the type of each field. */
async function readRule(account: AccountStore, base: WalletRuleRecord, entry: JsonObject): Promise<WalletRuleRecord> {
  const fields = fieldsOf(entry, refuseField);
  const plain: Partial<WalletRuleRecord> = readWritable(fields, walletRule, []);
  const rule: WalletRuleRecord = { ...base, ...plain };
  rule.trigger = fields.word('trigger', topUpTriggers) ?? rule.trigger;
  rule.method = fields.word('method', topUpMethods) ?? rule.method;
  rule.interval = fields.word('interval', intervals) ?? rule.interval;
  for (const key of amounts) {
    if (isDecimalText(entry[key])) rule[key] = entry[key];
    else if (isGiven(entry[key])) throw invalidRule();
  }
  if (isGiven(entry.transaction_metadata)) rule.transaction_metadata = readMetadata(entry.transaction_metadata);
  if (entry.payment_method !== undefined) rule.payment_method = readPaymentMethod(entry.payment_method);
  const sections = entry.invoice_custom_section;
  return { ...rule, ...(sections === undefined ? {} : await readSectionChoice(account, sections)) };
}

/** Texts that are too long are named; everything else is a bad rule. */
function refuseField(field: string, code: string): never {
  throw code === 'value_is_too_long' ? validation({ [field]: [code] }) : invalidRule();
}

function readMetadata(value: Json): { key: string; value: string }[] {
  if (!Array.isArray(value) || value.length > MOST_METADATA) throw invalidRule();
  return value.map(entry => {
    const { key, value: text } = isJsonObject(entry) ? entry : {};
    if (typeof key !== 'string' || typeof text !== 'string' || key === '' || text === '') throw invalidRule();
    if (key.length > LONGEST_METADATA_KEY || text.length > LONGEST_METADATA_VALUE) throw invalidRule();
    return { key, value: text };
  });
}

/** Every entry says the whole rule, also one that changes a known rule. Throws 422. */
function requireComplete(entry: JsonObject): void {
  const { trigger, interval, threshold_credits: threshold, target_ongoing_balance: target } = entry;
  const isTriggerComplete = trigger === 'interval' ? isGiven(interval) : trigger === 'threshold' && isGiven(threshold);
  const aims = entry.method === 'target';
  const isMethodComplete = aims ? isGiven(target) : !isGiven(entry.grants_target_top_up);
  if (!isTriggerComplete || !isMethodComplete) throw invalidRule();
}

/** Checks the values of a rule against each other and against the wallet. Throws 422. */
function requireValid(rule: WalletRuleRecord, wallet: WalletRecord, entry: JsonObject, now: Date): void {
  const { target_ongoing_balance: target, threshold_credits: threshold } = rule;
  const isComparable =
    rule.method === 'target' && rule.trigger === 'threshold' && target !== null && threshold !== null;
  if (isComparable && decimal(target).lt(threshold)) throw invalidRule();
  const expiration = isGiven(entry.expiration_at) ? rule.expiration_at : null;
  if (expiration !== null && expiration <= now.toISOString()) throw invalidRule();
  requireWithinLimits(rule, wallet);
}

/** The active rules as they are stored, against limits that change. Throws 422. */
export function requireRulesWithinLimits(wallet: WalletRecord): void {
  for (const rule of wallet.recurring_transaction_rules) {
    if (rule.status === 'active') requireWithinLimits(rule, wallet);
  }
}

/** The price of the rule's paid credits must be within the wallet's top-up limits. A rule without paid credits passes. */
function requireWithinLimits(rule: WalletRuleRecord, wallet: WalletRecord): void {
  const paid = decimal(rule.paid_credits);
  if (rule.method !== 'fixed' || rule.ignore_paid_top_up_limits || paid.eq(0)) return;
  const cents = toCents(paid.times(wallet.rate_amount), wallet.currency);
  const { paid_top_up_min_amount_cents: min, paid_top_up_max_amount_cents: max } = wallet;
  if ((min !== null && cents < min) || (max !== null && cents > max)) throw invalidRule();
}
