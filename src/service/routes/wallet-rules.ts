/** Recurring top-up rules of a wallet update (service-behaviour §3.1, "Rule checks"). */
import { randomUUID } from 'node:crypto';
import { intervals, isOneOf, type TopUpTrigger, topUpMethods, topUpTriggers } from '../../contract/enums.ts';
import { decimal, toCents } from '../../contract/pricing/money.ts';
import { walletRule } from '../../contract/wallet.ts';
import { isGiven } from '../../lib/json.ts';
import { type ServiceError, validation } from '../errors.ts';
import type { Json, JsonObject, WalletRecord, WalletRuleRecord } from '../records/index.ts';
import { isJsonObject } from '../records/values.ts';
import type { AccountStore } from '../store/store.ts';
import { fieldsOf, isBlank, isDecimalText } from './fields.ts';
import { readPaymentMethod, readSectionChoice } from './references.ts';
import { initialValues, readWritable } from './writable-fields.ts';

const MOST_METADATA = 5;
const LONGEST_METADATA_KEY = 20;
const LONGEST_METADATA_VALUE = 100;

/**
 * The wallet's rules after the update. An entry with the id of an active rule changes that rule, any other entry creates
 * a rule, and rules that are not listed are terminated. Throws 422.
 */
export async function readWalletRules(
  account: AccountStore,
  wallet: WalletRecord,
  entries: Json,
  now: Date,
): Promise<WalletRuleRecord[]> {
  if (!Array.isArray(entries)) throw invalidRule();
  if (entries.length > 1) {
    throw validation({ recurring_transaction_rules: ['invalid_number_of_recurring_rules'] });
  }
  const active = wallet.recurring_transaction_rules.filter(rule => rule.status === 'active');
  const listed: WalletRuleRecord[] = [];
  for (const entry of entries) {
    if (!isJsonObject(entry)) throw invalidRule();
    const known = active.find(rule => rule.id === entry.svc_id);
    const rule: Draft = await readRule(account, known ?? newRule(wallet, now), entry);
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

/** A rule that has no trigger yet. */
type Draft = Omit<WalletRuleRecord, 'trigger'> & { trigger: TopUpTrigger | null };

function newRule(wallet: WalletRecord, now: Date): Draft {
  return {
    id: randomUUID(),
    trigger: null,
    method: 'fixed',
    interval: null,
    status: 'active',
    threshold_credits: null,
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
async function readRule(account: AccountStore, base: Draft, entry: JsonObject): Promise<Draft> {
  const plain: Partial<WalletRuleRecord> = readWritable(fieldsOf(entry, refuse), walletRule, []);
  const rule: Draft = { ...base, ...plain };
  const { trigger, method, interval } = entry;
  if (isGiven(trigger)) rule.trigger = isOneOf(topUpTriggers, trigger) ? trigger : refuse();
  if (isGiven(method)) rule.method = isOneOf(topUpMethods, method) ? method : refuse();
  if (isGiven(interval)) rule.interval = isOneOf(intervals, interval) ? interval : refuse();
  for (const key of ['threshold_credits', 'target_ongoing_balance', 'paid_credits', 'granted_credits'] as const) {
    if (isDecimalText(entry[key])) rule[key] = entry[key];
    else if (isGiven(entry[key])) throw invalidRule();
  }
  if (isGiven(entry.transaction_metadata)) rule.transaction_metadata = readMetadata(entry.transaction_metadata);
  if (entry.payment_method !== undefined) rule.payment_method = readPaymentMethod(entry.payment_method);
  const sections = entry.invoice_custom_section;
  return { ...rule, ...(sections === undefined ? {} : await readSectionChoice(account, sections)) };
}

function refuse(): never {
  throw invalidRule();
}

function readMetadata(value: Json): { key: string; value: string }[] {
  if (!Array.isArray(value) || value.length > MOST_METADATA) return refuse();
  return value.map(entry => {
    if (!isJsonObject(entry) || typeof entry.key !== 'string' || typeof entry.value !== 'string') return refuse();
    const tooLong = entry.key.length > LONGEST_METADATA_KEY || entry.value.length > LONGEST_METADATA_VALUE;
    return tooLong || entry.key === '' ? refuse() : { key: entry.key, value: entry.value };
  });
}

/** Checks the whole rule: trigger, method, expiration and limits. Throws 422. */
function requireValid(
  rule: Draft,
  wallet: WalletRecord,
  entry: JsonObject,
  now: Date,
): asserts rule is WalletRuleRecord {
  const isTriggerComplete =
    (rule.trigger === 'interval' && rule.interval !== null) ||
    (rule.trigger === 'threshold' && rule.threshold_credits !== null);
  const isMethodComplete =
    rule.method === 'fixed' || (rule.method === 'target' && rule.target_ongoing_balance !== null);
  if (!isTriggerComplete || !isMethodComplete) throw invalidRule();
  const { target_ongoing_balance: target, threshold_credits: threshold } = rule;
  const isComparable =
    rule.method === 'target' && rule.trigger === 'threshold' && target !== null && threshold !== null;
  const aimsBelow = isComparable && decimal(target).lt(threshold);
  if (aimsBelow || (rule.grants_target_top_up && rule.method !== 'target')) throw invalidRule();
  const expiration = isBlank(entry.expiration_at) ? null : rule.expiration_at;
  if (expiration !== null && expiration <= now.toISOString()) throw invalidRule();
  if (rule.method === 'fixed' && !rule.ignore_paid_top_up_limits) requireWithinLimits(rule, wallet);
}

/** The price of the rule's paid credits must be within the wallet's top-up limits. A rule without paid credits passes. */
function requireWithinLimits(rule: Draft, wallet: WalletRecord): void {
  const paid = decimal(rule.paid_credits);
  if (paid.eq(0)) return;
  const cents = toCents(paid.times(wallet.rate_amount), wallet.currency);
  const { paid_top_up_min_amount_cents: min, paid_top_up_max_amount_cents: max } = wallet;
  if ((min !== null && cents < min) || (max !== null && cents > max)) throw invalidRule();
}
