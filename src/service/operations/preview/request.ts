/** Reads the body of a preview (§12.1). Throws 400 for wrong shapes, 422 for wrong values; ignores unknown keys. */
import { countries, currencies, timezones } from '../../../contract/codes.ts';
import { type BillingTime, couponFrequencies, couponTypes, isOneOf } from '../../../contract/enums.ts';
import type { RequestCoupon } from '../../../engine/preview-credits.ts';
import type { Address, InstantText, Json, JsonObject } from '../../../engine/records/index.ts';
import { isJsonObject } from '../../../engine/records/values.ts';
import { badRequest, validation } from '../../errors.ts';
import { readDecimal, readInstant, readText } from '../request-values.ts';

/** The customer fields that a preview's request may replace; `fields` holds only those that were sent. */
export interface CustomerOverlay {
  external_id: string | null;
  fields: Partial<
    Address & {
      name: string | null;
      currency: string | null;
      tax_identification_number: string | null;
      timezone: string | null;
    }
  >;
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

/** Throws the 400s of §12.3, which are checked before everything else. */
function checkShapes(body: JsonObject): void {
  if (isSent(body.coupons) && !Array.isArray(body.coupons)) throw badRequest('coupons_must_be_an_array');
  if (isSent(body.subscriptions) && !isJsonObject(body.subscriptions))
    throw badRequest('subscriptions_must_be_an_object');
}

/** Throws 422 for values of a wrong type. */
export function readPreviewRequest(body: JsonObject): PreviewRequest {
  checkShapes(body);
  const block = isJsonObject(body.subscriptions) ? body.subscriptions : {};
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
  if (!Array.isArray(value)) throw validation({ external_ids: ['value_is_invalid'] });
  return [...new Set(value.map(id => textOrRefuse(id, 'external_ids')))];
}

function textOrRefuse(value: Json, field: string): string {
  if (typeof value !== 'string') throw validation({ [field]: ['value_is_invalid'] });
  return value;
}

const addressFields = ['address_line1', 'address_line2', 'city', 'state', 'country', 'zipcode'] as const;

function readCustomer(value: Json): CustomerOverlay | null {
  if (value === null) return null;
  if (!isJsonObject(value)) throw validation({ customer: ['value_is_invalid'] });
  const fields: CustomerOverlay['fields'] = {};
  for (const field of [...addressFields, 'name', 'currency', 'tax_identification_number', 'timezone'] as const) {
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
  const address: Address = {
    address_line1: readText(value, 'address_line1'),
    address_line2: readText(value, 'address_line2'),
    city: readText(value, 'city'),
    state: readText(value, 'state'),
    country: readText(value, 'country'),
    zipcode: readText(value, 'zipcode'),
  };
  return { ...address, country: address.country ? readCountry(address.country) : null };
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

function isSent(value: Json | undefined): boolean {
  return value !== undefined && value !== null;
}
