/**
 * Filters of lists that compare one field of the records with what is sent (docs/lookups.md), as tools list them. Callers who
 * are bound to customers may send them too: they only narrow a list of records that these callers may see.
 */
import type { ListKey } from './answers.ts';
import { accountTypes, creditNoteReasons, customerTypes, invoiceTypes, transactionTypes } from './enums.ts';

interface Filter<Field> {
  /**
   * What is sent. A word that the service does not know lets nothing through. How tools, service and docs read a unit stands
   * in src/definition/field-arguments.ts, src/service/routes/list-query.ts and scripts/docs/filters.ts. `entity` is the code of
   * a billing entity, in the field `billing_entity_code`; `pairs` are entries of the field `metadata`.
   */
  readonly unit: 'word' | 'text' | 'country' | 'currency' | 'flag' | 'day' | 'cents' | 'entity' | 'pairs';
  readonly words?: readonly string[];
  /** Tools name the words in their refusal alone, which keeps them out of the schema. */
  readonly unlisted?: true;
  /** Several values, sent as `name[]`: the field may equal any of them. */
  readonly list?: true;
  /** The description of the argument; of a range, its noun. Without it: the words. */
  readonly hint?: string;
  /** The field that equals the value. */
  readonly is?: Field;
  /** In place of `is`: the field that is within `<name>_from` and `<name>_to`. */
  readonly range?: Field;
  /** In place of `is`, of a flag: the field that has a value where it is true, and none where it is false. */
  readonly set?: Field;
  /** What the service does with a wrong value, where it is not the usual of the unit. */
  readonly wrong?: 'refused' | 'ignored';
  /** The service reads false as true, so that tools send true alone, and leave out the records themselves. */
  readonly onlyTrue?: true;
}

/** Filters by name; `Field` is a field of the records. */
export type ListFilters<Field extends string = string> = Readonly<Record<string, Filter<Field>>>;

const billingEntities = {
  billing_entity_codes: { unit: 'entity', list: true, hint: 'Codes of billing entities' },
} as const;

/** Of customers (§2). */
export const customerFilters = {
  account_type: { unit: 'word', list: true, words: accountTypes, unlisted: true, is: 'account_type', wrong: 'refused' },
  customer_type: { unit: 'word', words: customerTypes, unlisted: true, is: 'customer_type', wrong: 'refused' },
  has_customer_type: { unit: 'flag', set: 'customer_type', hint: 'Whether customer_type is set' },
  ...billingEntities,
  countries: { unit: 'country', list: true, is: 'country', wrong: 'refused', hint: 'Two-letter codes' },
  states: { unit: 'text', list: true, is: 'state', hint: 'Exact values' },
  zipcodes: { unit: 'text', list: true, is: 'zipcode', hint: 'Exact values' },
  currencies: { unit: 'currency', list: true, is: 'currency', wrong: 'refused', hint: 'ISO 4217 codes' },
  has_tax_identification_number: { unit: 'flag', set: 'tax_identification_number', hint: 'Whether it is set' },
  metadata: { unit: 'pairs', hint: 'JSON {key: exact value}; an empty value matches records without the key' },
} as const satisfies ListFilters;

/** Of subscriptions (§3). */
export const subscriptionFilters = {
  currency: { unit: 'currency', is: 'plan_amount_currency', hint: 'Currency of the plan, ISO 4217' },
  ...billingEntities,
} as const satisfies ListFilters;

/** Of invoices (§4). */
export const invoiceFilters = {
  invoice_type: { unit: 'word', words: invoiceTypes, is: 'invoice_type', hint: 'credit is a wallet top-up' },
  issuing_date: { unit: 'day', range: 'issuing_date', hint: 'issuing date' },
  amount: { unit: 'cents', range: 'total_amount_cents', hint: 'total in minor units' },
  currency: { unit: 'currency', is: 'currency', hint: 'ISO 4217 code' },
  self_billed: { unit: 'flag', is: 'self_billed', hint: 'Whether it is self-billed' },
  payment_dispute_lost: {
    unit: 'flag',
    set: 'payment_dispute_lost_at',
    onlyTrue: true,
    hint: 'Lost a payment dispute',
  },
  ...billingEntities,
  metadata: { unit: 'pairs', hint: 'JSON {key: exact value}' },
} as const satisfies ListFilters;

/** Of wallets (§5). */
export const walletFilters = {
  currency: { unit: 'currency', is: 'currency', hint: 'ISO 4217 code' },
  ...billingEntities,
} as const satisfies ListFilters;

/** Of a wallet's transactions (§5). */
export const transactionFilters = {
  transaction_type: {
    unit: 'word',
    words: transactionTypes,
    is: 'transaction_type',
    wrong: 'ignored',
    hint: 'inbound adds credits',
  },
} as const satisfies ListFilters;

/** Of credit notes (§7); whether one is self-billed, its invoice tells. */
export const creditNoteFilters = {
  issuing_date: { unit: 'day', range: 'issuing_date', hint: 'issuing date' },
  currency: { unit: 'currency', is: 'currency', hint: 'ISO 4217 code' },
  reason: { unit: 'word', words: creditNoteReasons, unlisted: true, is: 'reason', wrong: 'ignored' },
  amount: { unit: 'cents', range: 'total_amount_cents', hint: 'total in minor units' },
  self_billed: { unit: 'flag', is: 'self_billed', wrong: 'ignored', hint: 'Whether the invoice is self-billed' },
  ...billingEntities,
} as const satisfies ListFilters;

/** By the key of the list's rows. */
export const listFilters: { readonly [Key in ListKey]?: ListFilters } = {
  customers: customerFilters,
  subscriptions: subscriptionFilters,
  invoices: invoiceFilters,
  wallets: walletFilters,
  wallet_transactions: transactionFilters,
  credit_notes: creditNoteFilters,
};

/** The names in the query: a range has two, and those of lists and pairs have brackets. */
export function queryNames(filters: ListFilters): string[] {
  return Object.entries(filters).flatMap(([name, { unit, list, range }]) => {
    if (range !== undefined) return [`${name}_from`, `${name}_to`];
    return unit === 'pairs' ? [`${name}[<key>]`] : [list ? `${name}[]` : name];
  });
}
