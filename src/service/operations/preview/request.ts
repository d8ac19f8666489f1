/** Reads the body of a preview (§12.1). Throws 400 for wrong shapes, 422 for wrong values; ignores unknown keys. */
import { countries, currencies, timezones } from '../../../contract/codes.ts';
import { type BillingTime, couponFrequencies, couponTypes, isOneOf } from '../../../contract/enums.ts';
import type { RequestCoupon } from '../../../engine/preview-credits.ts';
import type { Address, DecimalText, InstantText, Json, JsonObject } from '../../../engine/records/index.ts';
import { isJsonObject } from '../../../engine/records/values.ts';
import { isGiven } from '../../../lib/json.ts';
import { badRequest, validation } from '../../errors.ts';

const INSTANT = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?\s?(Z|[+-]\d{2}:?\d{2})?)?$/i;

/** The customer fields that a preview's request may replace; `fields` holds only those that were sent. */
export interface CustomerOverlay {
  external_id: string | null;
  fields: { [Field in (typeof overlaidFields)[number]]?: string | null };
  shipping_address: Address | null;
  integrations: { type: string; code: string | null }[];
}

export interface PreviewRequest {
  plan_code: string | null;
  billing_entity_code: string | null;
  billing_time: BillingTime;
  /** Null: now. `invalid`: it was sent but is not a date-time. */
  subscription_at: InstantText | 'invalid' | null;
  customer: CustomerOverlay | null;
  coupons: RequestCoupon[];
  external_ids: string[];
  /** Code of the plan to change to. */
  target_code: string | null;
  terminated_at: InstantText | 'invalid' | null;
}

/** Throws the 400s of §12.3 before everything else; then 422 for values of a wrong type. */
export function readPreviewRequest(body: JsonObject): PreviewRequest {
  if (isGiven(body.coupons) && !Array.isArray(body.coupons)) throw badRequest('coupons_must_be_an_array');
  const block = body.subscriptions ?? {};
  if (!isJsonObject(block)) throw badRequest('subscriptions_must_be_an_object');
  return {
    plan_code: readText(body, 'plan_code'),
    billing_entity_code: readText(body, 'billing_entity_code'),
    billing_time: body.billing_time === 'anniversary' ? 'anniversary' : 'calendar',
    subscription_at: readInstant(body.subscription_at),
    customer: readCustomer(body.customer ?? null),
    coupons: Array.isArray(body.coupons) ? body.coupons.map(readCoupon) : [],
    external_ids: readExternalIds(block.external_ids ?? null),
    target_code: readText(block, 'plan_code'),
    terminated_at: readInstant(block.terminated_at),
  };
}

function readExternalIds(value: Json): string[] {
  if (value === null) return [];
  if (!Array.isArray(value) || !value.every(id => typeof id === 'string')) {
    throw validation({ external_ids: ['value_is_invalid'] });
  }
  return [...new Set(value)];
}

const addressFields = ['address_line1', 'address_line2', 'city', 'state', 'country', 'zipcode'] as const;
const overlaidFields = [...addressFields, 'name', 'currency', 'tax_identification_number', 'timezone'] as const;

function readCustomer(value: Json): CustomerOverlay | null {
  if (value === null) return null;
  if (!isJsonObject(value)) throw validation({ customer: ['value_is_invalid'] });
  const fields: CustomerOverlay['fields'] = {};
  for (const field of overlaidFields) {
    if (value[field] !== undefined) fields[field] = readText(value, field);
  }
  if (fields.country) fields.country = readCountry(fields.country);
  if (fields.currency && !currencies.includes(fields.currency)) throw validation({ currency: ['value_is_invalid'] });
  if (fields.timezone && !timezones.includes(fields.timezone)) throw validation({ timezone: ['invalid_timezone'] });
  return {
    external_id: readText(value, 'external_id'),
    fields,
    shipping_address: readAddress(value.shipping_address ?? null),
    integrations: readIntegrations(value.integration_customers ?? null),
  };
}

function readCountry(text: string): string {
  const code = text.toUpperCase();
  if (!countries.includes(code)) throw validation({ country: ['not_a_valid_country_code'] });
  return code;
}

function readAddress(value: Json): Address | null {
  if (value === null) return null;
  if (!isJsonObject(value)) throw validation({ shipping_address: ['value_is_invalid'] });
  const texts = addressFields.map(field => [field, readText(value, field)]);
  const address = Object.fromEntries(texts) as unknown as Address;
  return { ...address, country: address.country && readCountry(address.country) };
}

function readIntegrations(value: Json): CustomerOverlay['integrations'] {
  if (value === null) return [];
  if (!Array.isArray(value)) throw validation({ integration_customers: ['value_is_invalid'] });
  return value.map(entry => {
    if (!isJsonObject(entry)) throw validation({ integration_customers: ['value_is_invalid'] });
    return { type: readText(entry, 'integration_type') ?? '', code: readText(entry, 'integration_code') };
  });
}

function readCoupon(value: Json): RequestCoupon {
  if (!isJsonObject(value)) throw validation({ coupons: ['value_is_invalid'] });
  const type = readText(value, 'coupon_type') ?? 'fixed_amount';
  if (!isOneOf(couponTypes, type)) throw validation({ coupon_type: ['value_is_invalid'] });
  const frequency = readText(value, 'frequency') ?? 'once';
  if (!isOneOf(couponFrequencies, frequency)) throw validation({ frequency: ['value_is_invalid'] });
  const currency = readText(value, 'amount_currency');
  if (currency !== null && !currencies.includes(currency)) throw validation({ amount_currency: ['value_is_invalid'] });
  const code = readText(value, 'code') ?? '';
  return {
    code,
    name: readText(value, 'name') ?? code,
    coupon_type: type,
    amount_cents: readCents(value.amount_cents ?? null),
    amount_currency: currency,
    percentage_rate: readDecimal(value, 'percentage_rate'),
  };
}

function readCents(value: Json): number {
  if (value === null) return 0;
  const cents = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  if (typeof cents !== 'number' || !Number.isSafeInteger(cents))
    throw validation({ amount_cents: ['value_is_invalid'] });
  if (cents < 0) throw validation({ amount_cents: ['value_is_out_of_range'] });
  return cents;
}

/** Text; null when absent, null or blank. Throws 422 `value_is_invalid` for anything else. */
function readText(body: JsonObject, field: string): string | null {
  const value = body[field];
  if (!isGiven(value) || value === '') return null;
  if (typeof value !== 'string') throw validation({ [field]: ['value_is_invalid'] });
  return value;
}

/** ISO 8601 text as an instant (UTC if it has no offset); `invalid` for anything else, null when absent or null. */
function readInstant(value: Json | undefined): InstantText | 'invalid' | null {
  if (!isGiven(value)) return null;
  const parts = typeof value === 'string' ? INSTANT.exec(value.trim()) : null;
  if (parts === null) return 'invalid';
  const [year, month, day] = [Number(parts[1]), Number(parts[2]), Number(parts[3])];
  // Days that the month does not have, and years outside 1900–9000.
  const date = new Date(Date.UTC(year, month - 1, day));
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day || year < 1900 || year > 9000) return 'invalid';
  const time = `${parts[4] ?? '00'}:${parts[5] ?? '00'}:${parts[6] ?? '00'}`;
  const zone = (parts[7] ?? 'Z').toUpperCase().replace(/^([+-]\d{2})(\d{2})$/, '$1:$2');
  const ms = Date.parse(`${parts[1]}-${parts[2]}-${parts[3]}T${time}${zone}`);
  return Number.isNaN(ms) ? 'invalid' : new Date(ms).toISOString();
}

/** A non-negative decimal, sent as text or as a number. Null when absent. Throws 422. */
function readDecimal(body: JsonObject, field: string): DecimalText | null {
  const value = body[field];
  if (!isGiven(value) || value === '') return null;
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string' || !/^\d{1,20}(\.\d{1,20})?$/.test(text)) {
    throw validation({ [field]: ['value_is_invalid'] });
  }
  return text;
}
