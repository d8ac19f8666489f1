/** Reads the changes of a wallet update. The checks follow the service's order (service-behaviour §3.1). */

import { feeTypes, isOneOf } from '../../contract/enums.ts';
import { wallet as walletResource } from '../../contract/wallet.ts';
import type { InstantText, Json, JsonObject, WalletRecord } from '../../engine/records/index.ts';
import { isJsonObject } from '../../engine/records/values.ts';
import { isGiven } from '../../lib/json.ts';
import { validation } from '../errors.ts';
import type { AccountStore } from '../store/store.ts';
import { fieldsOf, isBlank, parseInstant, readMetadata } from './fields.ts';
import { billingEntityId, readPaymentMethod, readSectionChoice } from './references.ts';
import { readWalletRules, requireRulesWithinLimits } from './wallet-rules.ts';
import { readWritable } from './writable-fields.ts';

/** Reads the changed fields. Throws 422; 404 `billing_entity_not_found`. */
export async function readWalletChanges(account: AccountStore, wallet: WalletRecord, input: JsonObject, now: Date) {
  const changes: Partial<WalletRecord> = {};
  if (input.expiration_at !== undefined) changes.expiration_at = readExpiration(input.expiration_at, now);
  const limits = readTopUpLimits(wallet, input);
  const flag = fieldsOf(input).boolean('invoice_requires_successful_payment');
  const updated = { ...wallet, ...limits.values, ...(isGiven(flag) && { invoice_requires_successful_payment: flag }) };
  const rules = input.recurring_transaction_rules;
  if (isGiven(rules)) changes.recurring_transaction_rules = await readWalletRules(account, updated, rules, now);
  Object.assign(changes, await readAppliesTo(account, input.applies_to));
  if (input.payment_method !== undefined) changes.payment_method = readPaymentMethod(input.payment_method);
  if (input.billing_entity_code !== undefined) {
    changes.billing_entity_id = await billingEntityId(account, input.billing_entity_code);
  }
  if (isGiven(input.code)) changes.code = await readCode(account, wallet, input.code);
  if (isGiven(input.priority)) changes.priority = readPriority(input.priority);
  limits.check();
  if (!isGiven(rules) && limits.areSent) requireRulesWithinLimits(updated);
  const fields = fieldsOf(input);
  const plain: Partial<WalletRecord> = readWritable(fields, walletResource, readApart);
  Object.assign(changes, limits.values, plain);
  fields.refuseProblems();
  if (isGiven(input.metadata)) changes.metadata = readMetadata(input.metadata);
  if (isGiven(input.invoice_custom_section)) {
    Object.assign(changes, await readSectionChoice(account, input.invoice_custom_section));
  }
  return changes;
}

const limitFields = ['paid_top_up_min_amount_cents', 'paid_top_up_max_amount_cents'] as const;

/** The fields with checks of their own, each at its place in the order. */
const readApart = ['expiration_at', 'code', 'priority', ...limitFields] as const;

/** Null or blank clears the expiration. Throws 422 when the value is invalid or not in the future. */
function readExpiration(value: Json, now: Date): InstantText | null {
  if (isBlank(value)) return null;
  const instant = parseInstant(value);
  if (instant === null || instant <= now.toISOString()) throw validation({ expiration_at: ['invalid_date'] });
  return instant;
}

type TopUpLimits = Pick<WalletRecord, (typeof limitFields)[number]>;

/** The limits after the update, for the rule checks. `check` throws 422 for bad limits, at their place in the order. */
function readTopUpLimits(wallet: WalletRecord, input: JsonObject) {
  const fields = fieldsOf(input);
  const limitOf = (key: keyof TopUpLimits) => {
    const value = fields.integer(key, { min: walletResource.shape[key].change.least });
    return value === undefined ? wallet[key] : value;
  };
  const [min, max] = limitFields.map(key => (input[key] === undefined ? wallet[key] : input[key]));
  return {
    areSent: limitFields.some(key => input[key] !== undefined),
    values: {
      paid_top_up_min_amount_cents: limitOf('paid_top_up_min_amount_cents'),
      paid_top_up_max_amount_cents: limitOf('paid_top_up_max_amount_cents'),
    } satisfies TopUpLimits,
    check() {
      if (isGiven(min) && isGiven(max) && Number(max) > 0 && Number(max) < Number(min)) {
        throw validation({ paid_top_up_max_amount_cents: ['must_be_greater_than_or_equal_min'] });
      }
      fields.refuseProblems();
    },
  };
}

/**
 * Metric limits are dropped unless they are sent; limits to fee types stay unless they are sent (§3.1). Throws 422 that
 * names both lists.
 */
async function readAppliesTo(account: AccountStore, value: Json | undefined): Promise<Partial<WalletRecord>> {
  const changes: Partial<WalletRecord> = { billable_metric_codes: [] };
  if (!isGiven(value)) return changes;
  if (!isJsonObject(value)) throw validation({ applies_to: ['value_is_invalid'] });
  const { noteProblem, refuseProblems } = fieldsOf(value);
  const { fee_types: types, billable_metric_codes: codes } = value;
  if (isGiven(types)) {
    if (Array.isArray(types) && types.every(type => isOneOf(feeTypes, type))) changes.fee_types = types;
    else noteProblem('allowed_fee_types', 'invalid_fee_types');
  }
  if (isGiven(codes)) {
    const distinctCodes = Array.isArray(codes) ? [...new Set(codes.filter(code => typeof code === 'string'))] : [];
    const known = Array.isArray(codes) && codes.every(code => typeof code === 'string');
    if (known && (await account.count('billable_metrics', { code: distinctCodes })) === distinctCodes.length)
      changes.billable_metric_codes = distinctCodes;
    else noteProblem('billable_metrics', 'invalid_identifier');
  }
  refuseProblems();
  return changes;
}

async function readCode(account: AccountStore, wallet: WalletRecord, value: Json): Promise<string> {
  if (typeof value !== 'string') throw validation({ code: ['value_is_invalid'] });
  if (isBlank(value)) throw validation({ code: ['value_is_mandatory'] });
  const others = await account.find('wallets', { customer_id: wallet.customer_id, code: value, status: 'active' });
  if (others.some(other => other.id !== wallet.id)) throw validation({ code: ['value_already_exist'] });
  return value;
}

function readPriority(value: Json): number {
  const { least, most } = walletResource.shape.priority.change;
  const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
  if (typeof number === 'number' && Number.isInteger(number) && number >= least && number <= most) return number;
  throw validation({ priority: ['value_is_invalid'] });
}
