/**
 * The class of each number in every write: `BILLING_MAX_AMOUNT` uses it to judge money and credits, and questions use
 * it to count what a person has to read. A test compares it with the schemas: it fails for a number, decimal text or
 * free-form value without a class, and for a class without a field.
 */

import { kindOfPrice } from '../contract/charge-prices.ts';
import { byNumberPath } from '../contract/plan-overrides.ts';
import { type JsonRecord, ownValue } from '../lib/json.ts';

/** The record that holds the currency and rate of a write's amounts. */
export type MoneyOwner = 'add_on' | 'wallet' | 'plan';

export type FieldClass =
  /** An integer in the minor unit of the owner's currency. */
  | { kind: 'money'; owner: MoneyOwner }
  /** A decimal number of the wallet's credits; multiplied by its rate it is money. */
  | { kind: 'credits'; owner: 'wallet' }
  /** A charge's `properties`: money, rates and counts, depending on its price model. */
  | { kind: 'prices'; owner: 'plan' }
  /** Not a number, but it changes the currency of the present amounts. */
  | { kind: 'currency'; owner: MoneyOwner }
  /** A limit that only sends a notice when it is reached; it spends nothing. */
  | { kind: 'threshold' }
  | { kind: 'count' }
  /** A priority or a number of days. */
  | { kind: 'other' };

const ofAddOn = { kind: 'money', owner: 'add_on' } as const;
const ofWallet = { kind: 'money', owner: 'wallet' } as const;
const ofPlan = { kind: 'money', owner: 'plan' } as const;
const credits = { kind: 'credits', owner: 'wallet' } as const;
const prices = { kind: 'prices', owner: 'plan' } as const;
const count = { kind: 'count' } as const;
const other = { kind: 'other' } as const;

const ofOverrides = byNumberPath<FieldClass>({
  cents: ofPlan,
  mandatory_cents: ofPlan,
  currency: { kind: 'currency', owner: 'plan' },
  prices,
  quantity: count,
  days: other,
});

/** By tool and path; `[]` stands for every entry of a list. */
export const fieldClasses: Readonly<Record<string, Readonly<Record<string, FieldClass>>>> = {
  update_add_on: {
    amount_cents: ofAddOn,
    amount_currency: { kind: 'currency', owner: 'add_on' },
  },
  update_wallet: {
    priority: other,
    paid_top_up_min_amount_cents: ofWallet,
    paid_top_up_max_amount_cents: ofWallet,
    'recurring_transaction_rules[].threshold_credits': credits,
    'recurring_transaction_rules[].target_ongoing_balance': credits,
    'recurring_transaction_rules[].paid_credits': credits,
    'recurring_transaction_rules[].granted_credits': credits,
  },
  update_subscription: ofOverrides,
  create_subscription_alert: { 'thresholds[].value': { kind: 'threshold' } },
  create_billing_entity: { net_payment_term: other, 'billing_configuration.invoice_grace_period': other },
};

/** A value whose money is in the currency of a record. */
export type OwnedValue = ClassifiedValue & { fieldClass: Extract<FieldClass, { owner: MoneyOwner }> };

/** One argument with its class and path, such as `plan_overrides.charges[0].min_amount_cents`. */
export interface ClassifiedValue {
  path: string;
  value: unknown;
  fieldClass: FieldClass;
}

/** The arguments of a write that have a class; absent ones and nulls are left out. */
export function classifiedIn(tool: string, args: JsonRecord): ClassifiedValue[] {
  return [...walk(args, '', '', ownValue(fieldClasses, tool) ?? {})];
}

/** How many amounts, prices, rates and credits a write has, all of which the person who is asked must read. */
export function countAmounts(tool: string, args: JsonRecord): number {
  return classifiedIn(tool, args).reduce((sum, { value, fieldClass }) => {
    if (fieldClass.kind === 'prices') return sum + countPrices(value);
    return sum + (['money', 'credits', 'threshold'].includes(fieldClass.kind) ? 1 : 0);
  }, 0);
}

function* walk(
  value: unknown,
  path: string,
  pattern: string,
  classes: Readonly<Record<string, FieldClass>>,
): Generator<ClassifiedValue> {
  if (value === null || value === undefined) return;
  const fieldClass = ownValue(classes, pattern);
  if (fieldClass !== undefined) yield { path, value, fieldClass };
  else if (Array.isArray(value)) {
    for (const [index, entry] of value.entries()) yield* walk(entry, `${path}[${index}]`, `${pattern}[]`, classes);
  } else if (typeof value === 'object') {
    const dot = path === '' ? '' : '.';
    for (const [key, entry] of Object.entries(value)) {
      yield* walk(entry, `${path}${dot}${key}`, `${pattern}${dot}${key}`, classes);
    }
  }
}

/** Counts money and rates, and whatever has a name that no price model knows. */
function countPrices(value: unknown, key?: string): number {
  if (value === null || value === undefined) return 0;
  if (Array.isArray(value)) return value.reduce((sum: number, entry) => sum + countPrices(entry, key), 0);
  const kind = key === undefined ? undefined : kindOfPrice(key);
  if (kind === undefined && typeof value === 'object') {
    return Object.entries(value).reduce((sum, [name, entry]) => sum + countPrices(entry, name), 0);
  }
  return kind === 'count' || kind === 'label' ? 0 : 1;
}
