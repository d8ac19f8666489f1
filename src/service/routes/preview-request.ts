/** Reads the body of a preview (§12.1). Throws 400 for wrong shapes, 422 for wrong values; ignores unknown keys. */
import { currencies } from '../../contract/codes.ts';
import { couponFrequencies, couponTypes } from '../../contract/enums.ts';
import { type Address, address, type InstantText, type Json, type JsonObject } from '../../engine/records/index.ts';
import { isJsonObject } from '../../engine/records/values.ts';
import { isGiven } from '../../lib/json.ts';
import { badRequest, validation } from '../errors.ts';
import type { CustomerOverlay, PreviewRequest } from '../operations/preview/request.ts';
import { type Fields, fieldsOf, isBlank, parseInstant } from './fields.ts';
import { readForm } from './writable-fields.ts';

const overlaidFields = [...Object.keys(address), 'name', 'currency', 'tax_identification_number', 'timezone'];

/** Throws the 400s of §12.3 before everything else; then 422 for the first value of a wrong type. */
export function readPreviewRequest(body: JsonObject): PreviewRequest {
  if (isGiven(body.coupons) && !Array.isArray(body.coupons)) throw badRequest('coupons_must_be_an_array');
  const block = body.subscriptions ?? {};
  if (!isJsonObject(block)) throw badRequest('subscriptions_must_be_an_object');
  const [fields, change] = [fieldsOf(body, refuse), fieldsOf(block, refuse)];
  return {
    plan_code: readText(fields, 'plan_code'),
    billing_entity_code: readText(fields, 'billing_entity_code'),
    billing_time: body.billing_time === 'anniversary' ? 'anniversary' : 'calendar',
    subscription_at: readInstant(body.subscription_at),
    customer: readCustomer(fields.object('customer')),
    coupons: Array.isArray(body.coupons) ? body.coupons.map(readCoupon) : [],
    external_ids: change.texts('external_ids') ?? [],
    target_code: readText(change, 'plan_code'),
    terminated_at: readInstant(block.terminated_at),
  };
}

function refuse(field: string, code: string): never {
  throw validation({ [field]: [code] });
}

function readCustomer(sent: JsonObject | null | undefined): CustomerOverlay | null {
  if (!isGiven(sent)) return null;
  const fields = fieldsOf(sent, refuse);
  const shipping = fields.object('shipping_address');
  return {
    external_id: readText(fields, 'external_id'),
    fields: readTexts(
      fields,
      overlaidFields.filter(field => sent[field] !== undefined),
    ),
    shipping_address: shipping ? (readTexts(fieldsOf(shipping, refuse), Object.keys(address)) as Address) : null,
    integrations: readIntegrations(sent.integration_customers ?? []),
  };
}

function readTexts(fields: Fields, names: readonly string[]) {
  return Object.fromEntries(names.map(name => [name, readText(fields, name)]));
}

/** Null when absent, null or blank. */
function readText(fields: Fields, name: string): string | null {
  if (name === 'currency') return readWord(fields, name, currencies);
  const text = fields.text(name) || null;
  return text !== null && (name === 'country' || name === 'timezone') ? readForm(fields, name, text, name) : text;
}

function readWord<Word extends string>(fields: Fields, name: string, words: readonly Word[]): Word | null {
  return (fields.text(name) && fields.word(name, words)) || null;
}

function readIntegrations(entries: Json): CustomerOverlay['integrations'] {
  if (!Array.isArray(entries)) return refuse('integration_customers', 'value_is_invalid');
  return entries.map(entry => {
    const fields = fieldsOf(objectIn('integration_customers', entry), refuse);
    return { type: readText(fields, 'integration_type') ?? '', code: readText(fields, 'integration_code') };
  });
}

function objectIn(list: string, entry: Json): JsonObject {
  return isJsonObject(entry) ? entry : refuse(list, 'value_is_invalid');
}

function readCoupon(entry: Json): PreviewRequest['coupons'][number] {
  const coupon = objectIn('coupons', entry);
  const fields = fieldsOf(coupon, refuse);
  readWord(fields, 'frequency', couponFrequencies);
  const code = readText(fields, 'code') ?? '';
  return {
    code,
    name: readText(fields, 'name') ?? code,
    coupon_type: readWord(fields, 'coupon_type', couponTypes) ?? 'fixed_amount',
    amount_cents: fields.integer('amount_cents', { min: 0 }) ?? 0,
    amount_currency: readWord(fields, 'amount_currency', currencies),
    percentage_rate: isBlank(coupon.percentage_rate) ? null : (fields.decimal('percentage_rate') ?? null),
  };
}

/** An instant of the years 1900–9000; `invalid` for anything else, null when absent or null. */
function readInstant(value: Json | undefined): InstantText | 'invalid' | null {
  if (!isGiven(value)) return null;
  const instant = parseInstant(value);
  return instant === null || instant < '1900' || instant >= '9001' ? 'invalid' : instant;
}
