/**
 * What the numbers of every write are: `BILLING_MAX_AMOUNT` judges money and credits by it, and questions count by it
 * what a person has to read. Beside the schemas, of which a test walks each: a number, decimal text or free-form value
 * without a class fails it, and so does a class without a field.
 */

import type { JsonRecord } from '../lib/json.ts';
import { kindOfPrice } from '../model/charge-prices.ts';

/** The record that says in which currency, and at which rate, the amounts of a write are. */
export type MoneyOwner = 'add_on' | 'wallet' | 'plan';

export type FieldClass =
  /** An integer in the minor unit of the owner's currency. */
  | { kind: 'money'; owner: MoneyOwner }
  /** A decimal number of the wallet's credits; times its rate it is money. */
  | { kind: 'credits'; owner: 'wallet' }
  /** A charge's `properties`: money, rates and counts by its price model. */
  | { kind: 'prices'; owner: 'plan' }
  /** No number, but it makes other money of the amounts that are there. */
  | { kind: 'currency'; owner: MoneyOwner }
  /** A value that is only watched: reaching it sends a notice and spends nothing. */
  | { kind: 'threshold' }
  | { kind: 'count' }
  /** An order or a number of days. */
  | { kind: 'other' };

const ofAddOn = { kind: 'money', owner: 'add_on' } as const;
const ofWallet = { kind: 'money', owner: 'wallet' } as const;
const ofPlan = { kind: 'money', owner: 'plan' } as const;
const credits = { kind: 'credits', owner: 'wallet' } as const;
const prices = { kind: 'prices', owner: 'plan' } as const;
const count = { kind: 'count' } as const;
const other = { kind: 'other' } as const;

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
  update_subscription: {
    'plan_overrides.amount_cents': ofPlan,
    'plan_overrides.amount_currency': { kind: 'currency', owner: 'plan' },
    'plan_overrides.trial_period': other,
    'plan_overrides.minimum_commitment.amount_cents': ofPlan,
    'plan_overrides.charges[].min_amount_cents': ofPlan,
    'plan_overrides.charges[].properties': prices,
    'plan_overrides.charges[].filters[].properties': prices,
    'plan_overrides.fixed_charges[].units': count,
    'plan_overrides.fixed_charges[].properties': prices,
    'plan_overrides.usage_thresholds[].amount_cents': ofPlan,
  },
  create_subscription_alert: { 'thresholds[].value': { kind: 'threshold' } },
  create_billing_entity: { net_payment_term: other, 'billing_configuration.invoice_grace_period': other },
};

/** One argument that has a class, with its place as in `plan_overrides.charges[0].min_amount_cents`. */
export interface ClassifiedValue {
  path: string;
  value: unknown;
  fieldClass: FieldClass;
}

/** The arguments of a write that have a class; absent ones and nulls are left out. */
export function classifiedIn(tool: string, args: JsonRecord): ClassifiedValue[] {
  const classes = Object.hasOwn(fieldClasses, tool) ? fieldClasses[tool]! : {};
  return [...walk(args, '', '', classes)];
}

/** How many amounts, prices, rates and credits a write names: what a person who is asked has to read one by one. */
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
  const fieldClass = Object.hasOwn(classes, pattern) ? classes[pattern] : undefined;
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

/** Money and rates; and whatever stands under a name that no price model has. */
function countPrices(value: unknown, key?: string): number {
  if (value === null || value === undefined) return 0;
  if (Array.isArray(value)) return value.reduce((sum: number, entry) => sum + countPrices(entry, key), 0);
  const kind = key === undefined ? undefined : kindOfPrice(key);
  if (kind === undefined && typeof value === 'object') {
    return Object.entries(value).reduce((sum, [name, entry]) => sum + countPrices(entry, name), 0);
  }
  return kind === 'count' || kind === 'label' ? 0 : 1;
}
