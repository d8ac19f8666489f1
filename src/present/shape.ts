/**
 * The default form of a record, in one pass: leaves out what is null, empty, or repeats what a record around it says.
 * Always keeps amounts, codes, statuses, names, and nulls that mean something. `detail: "full"` skips this module.
 * Writes JSON directly, because first making a copy of the record would double the cost.
 */

import { isRecord, type JsonRecord } from '../lib/json.ts';
import { minorUnits } from '../model/currencies.ts';

/** Nulls with a meaning: never expires, never ends, last page, no upper bound, all kinds; required nullable fields. */
const meaningfulNulls: ReadonlySet<string> = new Set([
  'expiration_at',
  'ending_at',
  'next_page',
  'to_value',
  'event_types',
]);
const requiredNulls: Readonly<Record<string, ReadonlySet<string>>> = {
  wallet_transaction: new Set([
    'svc_invoice_id',
    'svc_credit_note_id',
    'svc_voided_invoice_id',
    'remaining_amount_cents',
    'remaining_credit_amount',
    'settled_at',
    'failed_at',
    'name',
  ]),
  payment: new Set(['external_payment_id', 'provider_payment_id', 'payment_method_id']),
};
/** Objects whose content belongs to the customer or to the price model: never changed. */
const verbatim: ReadonlySet<string> = new Set([
  'properties',
  'filters',
  'grouped_by',
  'values',
  'next_action',
  'details',
]);
/** Nested records that later calls refer to by their own id. */
const addressed: ReadonlySet<string> = new Set([
  'plans',
  'alerts',
  'charges',
  'fixed_charges',
  'recurring_transaction_rules',
  'subscriptions',
]);
/** Fields of nested records that only the service or the account needs. */
const nestedNoise: ReadonlySet<string> = new Set([
  'created_at',
  'updated_at',
  'organization_id',
  'svc_organization_id',
  'svc_tax_id',
  'svc_item_id',
  'applied_to_organization',
  'sync',
  'sync_with_provider',
]);
const rootNoise: ReadonlySet<string> = new Set([
  'svc_organization_id',
  'sequential_id',
  'slug',
  'version_number',
  'xml_url',
]);
/** Values that a record has unless someone chose otherwise; left out. */
const plainDefaults: Readonly<JsonRecord> = {
  account_type: 'customer',
  finalize_zero_amount_invoice: 'inherit',
  skip_invoice_custom_sections: false,
  self_billed: false,
  pending_deletion: false,
};
/** Fields of the named record or list for the service's own use or for print; only the full answer has them. */
const ownNoise: Readonly<Record<string, ReadonlySet<string>>> = {
  customer: new Set(['logo_url', 'url', 'created_at', 'updated_at']),
  applicable_invoice_custom_sections: new Set(['description', 'details', 'display_name']),
  integration_customers: new Set(['subsidiary_id', 'targeted_object']),
  taxes: new Set(['description']),
  applied_taxes: new Set(['tax_description']),
  metadata: new Set(['display_in_invoice']),
};
/** The fields that identify a customer inside an invoice or credit note; `get_customer` has the rest. */
const customerFields: readonly string[] = [
  'external_id',
  'name',
  'firstname',
  'lastname',
  'legal_name',
  'email',
  'country',
  'currency',
  'applicable_timezone',
  'error_details',
];
/** The addressee's fields, which the invoice's page shows. */
const addresseeFields: readonly string[] = [
  ...customerFields,
  'address_line1',
  'address_line2',
  'zipcode',
  'city',
  'state',
  'tax_identification_number',
];
/** Exact amounts that only repeat the cents beside them, as [exact, cents, exact is in cents too]. */
const twins: readonly (readonly [string, string, boolean])[] = [
  ['precise_amount', 'amount_cents', false],
  ['taxes_precise_amount', 'taxes_amount_cents', false],
  ['precise_total_amount', 'total_amount_cents', false],
  ['sub_total_excluding_taxes_precise_amount_cents', 'sub_total_excluding_taxes_amount_cents', true],
  ['precise_amount_cents', 'amount_cents', true],
  ['precise_total_amount_cents', 'total_amount_cents', true],
  ['precise_taxes_amount_cents', 'taxes_amount_cents', true],
];

/**
 * The short form of a value of a tool's answer, as compact JSON. `resource` is the tool's result key (`invoice`,
 * `plans`), which decides which nulls stay.
 */
export function shortJson(value: unknown, resource: string): string {
  const nulls = Object.hasOwn(requiredNulls, resource) ? requiredNulls[resource] : undefined;
  return isRecord(value) ? recordJson(place(value, null, resource, nulls)) : JSON.stringify(value);
}

/** A record and its position. */
interface Place {
  record: JsonRecord;
  above: Place | null;
  /** The field that holds the record, or the list that it is in. */
  owner: string;
  /** Fields of this record for the service's own use. */
  noise: ReadonlySet<string> | undefined;
  /** Nulls that stay in this record, besides `meaningfulNulls`. */
  nulls: ReadonlySet<string> | undefined;
}

function place(record: JsonRecord, above: Place | null, owner: string, nulls?: ReadonlySet<string>): Place {
  return { record, above, owner, noise: Object.hasOwn(ownNoise, owner) ? ownNoise[owner] : undefined, nulls };
}

function recordJson(here: Place): string {
  const { record } = here;
  let json = '';
  for (const key in record) {
    const value = record[key];
    const name = nameOf(key);
    // Few string pieces: they are most of the garbage that a call leaves.
    if (typeof value === 'string' && unescaped.test(value)) {
      if (value === '' || isNoise(here, key, name, value)) continue;
      json += json === '' ? name.firstText : name.nextText;
      json += value;
      json += '"';
    } else {
      const kept = keptJson(here, key, name, value);
      if (kept === undefined) continue;
      json += json === '' ? name.first : name.next;
      json += kept;
    }
  }
  return json === '' ? '{}' : `${json}}`;
}

/** The value as JSON; undefined when it is left out. */
function keptJson(here: Place, key: string, name: Name, value: unknown): string | undefined {
  if (value === null) return meaningfulNulls.has(key) || here.nulls?.has(key) ? 'null' : undefined;
  if (typeof value === 'object') return nestedJson(here, key, value);
  return isNoise(here, key, name, value) ? undefined : JSON.stringify(value);
}

/** An object or list inside a record; undefined when nothing of it remains. */
function nestedJson(here: Place, key: string, value: object): string | undefined {
  if (Array.isArray(value)) {
    if (value.length === 0) return undefined;
    return verbatim.has(key) ? JSON.stringify(value) : listJson(here, key, value);
  }
  if (verbatim.has(key) || key === 'metadata') return isEmpty(value) ? undefined : JSON.stringify(value);
  const inner = key === 'customer' ? pick(value as JsonRecord, here.owner) : (value as JsonRecord);
  const json = recordJson(place(inner, here, key));
  return json === '{}' ? undefined : json;
}

function listJson(here: Place, key: string, entries: readonly unknown[]): string {
  let json = '[';
  for (const entry of entries) {
    if (json !== '[') json += ',';
    json += isRecord(entry) ? recordJson(place(entry, here, key)) : JSON.stringify(entry);
  }
  return `${json}]`;
}

/** Matches a text that JSON writes without escapes. */
const unescaped = /^[ !#-[\]-\ud7ff\ue000-\uffff]*$/;

function isNoise({ record, above, owner, noise }: Place, key: string, name: Name, value: unknown): boolean {
  if (noise?.has(key)) return true;
  if (name.ordinary) return above !== null && value === 'align_with_finalization_date';
  if (Object.hasOwn(plainDefaults, key) && plainDefaults[key] === value) return true;
  if (isTwin(record, key, value)) return true;
  if (key === 'updated_at' && value === record.created_at) return true;
  if (key === 'total_amount_currency' && value === record.amount_currency) return true;
  if (key === 'timezone' && typeof record.applicable_timezone === 'string') return true;
  if (above === null) return rootNoise.has(key);
  if (nestedNoise.has(key) || value === 'align_with_finalization_date') return true;
  if (key === 'svc_id') return !(addressed.has(owner) || (owner === 'metadata' && !('external_id' in above.record)));
  return repeats(key, value, above);
}

interface Name {
  /** `{"code":` for the first field of a record, `,"code":` for a later one. */
  first: string;
  next: string;
  /** The same with the opening quote of a text: `{"code":"`. */
  firstText: string;
  nextText: string;
  /** The name alone is no reason to leave the field out; true for most names. */
  ordinary: boolean;
}

const names = new Map<string, Name>();
/** The interface has far fewer fields; a body of made-up ones must not fill the memory. */
const maxNames = 2000;

/** What is known about a field's name, computed once for each name. */
function nameOf(key: string): Name {
  const known = names.get(key);
  if (known !== undefined) return known;
  const special =
    Object.hasOwn(plainDefaults, key) ||
    ['svc_id', 'updated_at', 'total_amount_currency', 'timezone', 'email'].includes(key) ||
    /precise|currency$|_id$/.test(key) ||
    [rootNoise, nestedNoise, addressFields].some(fields => fields.has(key));
  const first = `{${JSON.stringify(key)}:`;
  const next = `,${first.slice(1)}`;
  const name = { first, next, firstText: `${first}"`, nextText: `${next}"`, ordinary: !special };
  if (names.size < maxNames) names.set(key, name);
  return name;
}

/** Does an outer record already have this value? Only ids, currencies and addresses: codes, names, statuses stay. */
function repeats(key: string, value: unknown, above: Place): boolean {
  const currency = key.endsWith('currency');
  const id = key.endsWith('_id') || key === 'email';
  if (!currency && !id && !addressFields.has(key)) return false;
  for (let at: Place | null = above; at !== null; at = at.above) {
    const { record } = at;
    if (record[key] === value) return true;
    if (currency && (record.currency === value || record.amount_currency === value)) return true;
    if (id && (record.svc_id === value || record.external_id === value)) return true;
  }
  return false;
}

const addressFields: ReadonlySet<string> = new Set([
  'address_line1',
  'address_line2',
  'city',
  'state',
  'country',
  'zipcode',
]);

function isTwin(record: JsonRecord, key: string, value: unknown): boolean {
  if (!key.includes('precise')) return false;
  for (const [exact, cents, inCents] of twins) {
    if (exact !== key) continue;
    const currency = record.amount_currency ?? record.currency;
    if (typeof currency !== 'string') return false;
    const scaled = inCents ? Number(value) : Number(value) * minorUnits(currency);
    return Math.abs(scaled - Number(record[cents])) < 1e-9;
  }
  return false;
}

function pick(customer: JsonRecord, owner: string): JsonRecord {
  const result: JsonRecord = {};
  for (const field of owner === 'invoice' ? addresseeFields : customerFields)
    if (customer[field] !== undefined) result[field] = customer[field];
  return result;
}

function isEmpty(value: object): boolean {
  for (const _ in value) return false;
  return true;
}
