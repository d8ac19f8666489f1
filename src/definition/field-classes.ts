/**
 * The class of each number in every write: `BILLING_MAX_AMOUNT` uses it to judge money and credits, and questions use
 * it to count what a person has to read. The arguments' schemas say it (argument-fields.ts).
 */

import { kindOfPrice } from '../contract/charge-prices.ts';
import { ownValue } from '../lib/json.ts';
import { type ArgumentField, argumentFields } from './argument-fields.ts';
import type { AnyTool } from './define.ts';

/** The record that holds the currency and rate of a write's amounts. */
export type MoneyOwner = 'add_on' | 'wallet' | 'plan';

export type FieldClass =
  /** An integer in the minor unit of the owner's currency. */
  | { kind: 'money'; owner: MoneyOwner }
  /** A decimal number of the wallet's credits; multiplied by its rate it is money. */
  | { kind: 'credits'; owner: 'wallet' }
  /** A charge's `properties`: money, rates and counts, depending on its price model. */
  | { kind: 'prices'; owner: 'plan' }
  /** What a pricing unit of a charge costs: it changes the money of all its prices. */
  | { kind: 'rate'; owner: 'plan' }
  /** Not a number, but it changes the currency of the present amounts. */
  | { kind: 'currency'; owner: MoneyOwner }
  /** A limit that only sends a notice when it is reached; it spends nothing. */
  | { kind: 'threshold' }
  | { kind: 'count' }
  /** A priority or a number of days. */
  | { kind: 'other' };

/** Whose money and credits a write's arguments name, by the record that it answers. */
const owners: Readonly<Record<string, MoneyOwner>> = {
  add_on: 'add_on',
  wallet: 'wallet',
  subscription: 'plan',
};

type ClassifiedTool = Pick<AnyTool, 'name' | 'input' | 'result'>;

/** By path; `[]` stands for every entry of a list. */
export type FieldClasses = Readonly<Record<string, FieldClass>>;

/** The classes of a write's arguments. Throws for a number or a free-form value without one, and for money of nobody. */
export function fieldClassesOf(tool: ClassifiedTool): FieldClasses {
  let classes = classesOf.get(tool.input);
  if (classes === undefined) {
    const classified = argumentFields(tool.input).flatMap(field => {
      const fieldClass = classOf(tool, field);
      return fieldClass === null ? [] : [[field.path, fieldClass] as const];
    });
    classes = Object.fromEntries(classified);
    classesOf.set(tool.input, classes);
  }
  return classes;
}

const classesOf = new WeakMap<object, FieldClasses>();
const numeric: readonly ArgumentField['type'][] = ['integer', 'number', 'decimal', 'anything'];

function classOf(tool: ClassifiedTool, { path, type, amount: kind }: ArgumentField): FieldClass | null {
  const name = `${path} of ${tool.name}`;
  if (kind === undefined) {
    if (numeric.includes(type)) throw new Error(`${name} is a number of no class`);
    return null;
  }
  if (kind === 'threshold' || kind === 'count' || kind === 'other') return { kind };
  const owner = owners[tool.result];
  if (owner === undefined) throw new Error(`${name} is money of no record`);
  return { kind, owner } as FieldClass;
}

/** A value whose money is in the currency of a record. */
export type OwnedValue = ClassifiedValue & { fieldClass: Extract<FieldClass, { owner: MoneyOwner }> };

/** One argument with its class and path, such as `plan_overrides.charges[0].min_amount_cents`. */
export interface ClassifiedValue {
  path: string;
  value: unknown;
  fieldClass: FieldClass;
}

/** The arguments of a write that have a class; absent ones and nulls are left out. */
export function classifiedIn(tool: ClassifiedTool, args: object): ClassifiedValue[] {
  return [...walk(args, '', '', fieldClassesOf(tool))];
}

/** How many amounts, prices, rates and credits a write has, all of which the person who is asked must read. */
export function countAmounts(tool: ClassifiedTool, args: object): number {
  return classifiedIn(tool, args).reduce((sum, { value, fieldClass }) => {
    if (fieldClass.kind === 'prices') return sum + countPrices(value);
    return sum + (['money', 'credits', 'threshold'].includes(fieldClass.kind) ? 1 : 0);
  }, 0);
}

function* walk(value: unknown, path: string, pattern: string, classes: FieldClasses): Generator<ClassifiedValue> {
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
