/**
 * The interface's resources as an answer shows them, typed by their schemas. A field may be absent, null or odd: an object may be
 * a text, a number may be an object. So a plain value is `unknown`, to be read by the functions that put values into words; but a
 * field that the contract does not have is a mistake that the compiler finds.
 */
import type * as z from 'zod';
import type { JsonRecord } from '../lib/json.ts';
import type { alert } from './alert.ts';
import type { customer } from './customer.ts';
import type { fee } from './fee.ts';
import type { invoice } from './invoice.ts';
import type { plan } from './plan.ts';
import type { subscription } from './subscription.ts';
import type { wallet } from './wallet.ts';

/** What may stand in place of an object or a list. */
type Odd = string | number | boolean | null | undefined;

/** An object whose keys the contract does not name: metadata. */
type Free = Readonly<Record<string, unknown>>;

/** An object as an answer shows it. */
type Shown<Schema> =
  Schema extends z.ZodObject<infer Shape>
    ? keyof Shape extends never
      ? Free
      : { readonly [Field in keyof Shape]?: ShownField<Shape[Field]> }
    : unknown;

type ShownField<Schema> = Schema extends z.ZodOptional<infer Inner> | z.ZodNullable<infer Inner>
  ? ShownField<Inner>
  : Schema extends z.ZodObject
    ? Shown<Schema> | Odd
    : Schema extends z.ZodArray<infer Entry>
      ? readonly ShownField<Entry>[] | Odd
      : Schema extends z.ZodRecord
        ? Free | Odd
        : unknown;

export type Customer = Shown<typeof customer>;
export type Subscription = Shown<typeof subscription>;
export type Alert = Shown<typeof alert>;
export type Wallet = Shown<typeof wallet>;
export type Invoice = Shown<typeof invoice>;
export type Fee = Shown<typeof fee>;
export type Plan = Shown<typeof plan>;

/** The object in a field, where it holds one; what the contract does not describe is any record. */
export type RecordIn<Value> = [keyof Exclude<Value, Odd | readonly unknown[]>] extends [never]
  ? JsonRecord
  : Exclude<Value, Odd | readonly unknown[]>;

/** The same for the entries of a list. */
export type EntryIn<Value> = [Extract<Value, readonly unknown[]>] extends [never]
  ? JsonRecord
  : RecordIn<Extract<Value, readonly unknown[]>[number]>;

export type Charge = EntryIn<Plan['charges']>;
export type TopUpRule = EntryIn<Wallet['recurring_transaction_rules']>;
/** A usage charge or a fixed charge, where both are priced alike. */
export type AnyCharge = Charge & EntryIn<Plan['fixed_charges']>;
