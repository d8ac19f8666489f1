/**
 * The interface's resources as an answer shows them, typed by their schemas. A field has three states: a value; null (the service
 * says that there is none); absent (not shown here). `parse.ts` removes what has another type.
 */
import type * as z from 'zod';
import type { recordSchemas, rowSchemas } from './resources.ts';

/** An object whose keys the contract does not name: metadata. */
export type Free = Readonly<Record<string, unknown>>;
/** The fields whose keys may be a customer's own. */
export const customerKeys = new Set(['metadata', 'properties', 'grouped_by', 'values', 'presentation_by']);

/** An object with these fields, whose values are not checked. */
export type Fields<Name extends string> = { readonly [Field in Name]?: unknown };

/** A decimal number: text, or a JSON number on some installations. `big` computes with it. */
export type Decimal = string | number;
/** An amount in the minor unit of its currency: a number, or the text of its digits beyond 2^53. */
export type Cents = number | string;

interface Held {
  decimal: Decimal;
  cents: Cents;
  /** ISO 8601 with its offset. */
  instant: string;
  /** YYYY-MM-DD. */
  day: string;
  /** A value of the account's own. */
  anything: unknown;
}

/** What may stand instead of an object. */
export type Odd = null | undefined;

/** The records of a list. */
export type Listed<Entry> = readonly Entry[] | null | undefined;

/** An object as an answer shows it. */
export type Shown<Schema> =
  Schema extends z.ZodObject<infer Shape>
    ? keyof Shape extends never
      ? Free
      : { readonly [Field in keyof Shape]?: ShownField<Shape[Field]> | null | undefined }
    : unknown;

type ShownField<Schema> = Schema extends { readonly holds: infer Holds extends keyof Held }
  ? Held[Holds]
  : Schema extends z.ZodOptional<infer Inner> | z.ZodNullable<infer Inner>
    ? ShownField<Inner>
    : Schema extends z.ZodObject
      ? Shown<Schema>
      : Schema extends z.ZodArray<infer Entry>
        ? readonly ShownField<Entry>[]
        : Schema extends z.ZodRecord
          ? Free
          : Schema extends z.ZodString
            ? string
            : Schema extends z.ZodNumber
              ? number
              : Schema extends z.ZodBoolean
                ? boolean
                : unknown;

type Records = typeof recordSchemas;
type Rows = typeof rowSchemas;
export type ActivityLog = Shown<Rows['activity_logs']>;
export type AddOn = Shown<Records['add_on']>;
export type Alert = Shown<Records['alert']>;
export type BillableMetric = Shown<Records['billable_metric']>;
export type BillingEntity = Shown<Records['billing_entity']>;
export type CreditNote = Shown<Records['credit_note']>;
export type Customer = Shown<Records['customer']>;
export type Event = Shown<Records['event']>;
export type Fee = Shown<Records['fee']>;
export type Invoice = Shown<Records['invoice']>;
export type Payment = Shown<Records['payment']>;
export type Plan = Shown<Records['plan']>;
export type Subscription = Shown<Records['subscription']>;
export type Tax = Shown<Rows['taxes']>;
export type Wallet = Shown<Records['wallet']>;
export type WalletTransaction = Shown<Records['wallet_transaction']>;
export type WebhookEndpoint = Shown<Records['webhook_endpoint']>;

type Plain = string | number | boolean | null | undefined;

/** The object in a field, where it holds one. It has no field to read where the contract does not describe the value. */
export type RecordIn<Value> = [keyof Exclude<Value, Plain | readonly unknown[]>] extends [never]
  ? object
  : Exclude<Value, Plain | readonly unknown[]>;

/** The same for the entries of a list. */
export type EntryIn<Value> = [Extract<Value, readonly unknown[]>] extends [never]
  ? object
  : RecordIn<Extract<Value, readonly unknown[]>[number]>;

export type Charge = EntryIn<Plan['charges']>;
export type FixedCharge = EntryIn<Plan['fixed_charges']>;
export type AmountDetails = RecordIn<Fee['amount_details']>;
/** What takes an amount off an invoice. */
export type CreditItem = RecordIn<EntryIn<Invoice['credits']>['item']>;
export type ErrorDetail = EntryIn<Invoice['error_details']>;
export type Threshold = EntryIn<Alert['thresholds']>;
export type ChargeProperties = RecordIn<Charge['properties']>;
export type TopUpRule = EntryIn<Wallet['recurring_transaction_rules']>;
/** What a wallet may pay. */
export type WalletLimits = RecordIn<Wallet['applies_to']>;
export type PaymentMethod = RecordIn<Wallet['payment_method']>;
/** Sections of an invoice, as a request chooses them. */
export interface SectionChoice {
  readonly skip_invoice_custom_sections?: boolean | null | undefined;
  readonly invoice_custom_section_codes?: readonly string[] | null | undefined;
}
/** A usage charge or a fixed charge, where both are priced alike. */
export type AnyCharge = Charge & FixedCharge;
