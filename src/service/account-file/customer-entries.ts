/** Customers, with the coupons that are applied to them. */
import * as z from 'zod';
import * as enums from '../../contract/enums.ts';
import type { AppliedCouponRecord, CustomerRecord } from '../../engine/records/index.ts';
import { idOf } from '../store/ids.ts';
import { type AccountBuilder, listOf, withIds } from './account-builder.ts';
import { endOf } from './catalogue-entries.ts';
import * as is from './values.ts';

const appliedCoupon = z.strictObject({
  ...is.common,
  code: is.referenceTo('coupons'),
  status: z.enum(enums.lifeStatuses).default('active'),
  amount_cents: is.optional(is.positiveCents, 'the coupon’s'),
  amount_cents_remaining: is.optional(is.count.nullable(), 'the whole amount, of a coupon that is used once'),
  percentage_rate: is.optional(is.amountValue, 'the coupon’s'),
  frequency: is.optional(z.enum(enums.couponFrequencies), 'the coupon’s'),
  frequency_duration: is.optional(is.positiveCents.nullable(), 'the coupon’s'),
  frequency_duration_remaining: is.optional(is.count.nullable(), 'the whole duration'),
  terminated_at: is.endInstant,
});
type AppliedEntry = z.output<typeof appliedCoupon>;

const customerEntry = z.strictObject({
  ...is.common,
  ...is.addressFields,
  external_id: is.label,
  billing_entity_code: is.optional(is.referenceTo('billing_entities'), 'the first billing entity'),
  ...is.fields(is.text, 'name', 'firstname', 'lastname', 'email', 'phone', 'url', 'logo_url'),
  ...is.fields(is.text, 'legal_name', 'legal_number', 'tax_identification_number', 'external_salesforce_id'),
  account_type: z.enum(enums.accountTypes).default('customer'),
  customer_type: z.enum(enums.customerTypes).nullable().default(null),
  currency: is.currency.nullable().default(null),
  timezone: is.timezone.nullable().default(null),
  ...is.fields(is.count.nullable().default(null), 'net_payment_term', 'invoice_grace_period'),
  finalize_zero_amount_invoice: z.enum(enums.zeroAmountChoices).default('inherit'),
  ...is.sections,
  shipping_address: z.strictObject(is.addressFields).nullable().default(null),
  document_locale: is.locale.nullable().default(null),
  subscription_invoice_issuing_date_anchor: is.anchor.nullable().default(null),
  subscription_invoice_issuing_date_adjustment: is.adjustment.nullable().default(null),
  ...is.fields(is.text, 'payment_provider', 'payment_provider_code', 'provider_customer_id'),
  provider_sync: z.boolean().nullable().default(null),
  provider_payment_methods: z.array(z.enum(enums.providerPaymentMethods)).default([]),
  metadata: is
    .withUniqueKeys(z.array(z.strictObject({ ...is.pair(255), display_in_invoice: is.flag(false) })).max(5))
    .default([]),
  tax_codes: is.taxCodes,
  integration_customers: z.array(is.jsonObject).default([]),
  error_details: is.errorDetails,
  applied_coupons: z.array(appliedCoupon).default([]),
});

export const customerList = listOf(customerEntry, builder => (entry, position) => {
  const customer = builder.add('customers', entry.external_id, customerOf(builder, entry, position + 1));
  builder.parts(entry.applied_coupons, (applied, n) => {
    const record = appliedCouponOf(builder, customer, applied, n);
    builder.add('applied_coupons', `${entry.external_id} ${n}`, record, ['applied_coupons', n]);
  });
});

function customerOf(
  builder: AccountBuilder,
  entry: z.output<typeof customerEntry>,
  sequentialId: number,
): CustomerRecord {
  const { billing_entity_code: entityCode, applied_coupons: applied, ...fields } = entry;
  const base = builder.idAndTimes('customer', entry.external_id, entry);
  for (const [n, each] of applied.entries()) endOf(builder, each, base.created_at, ['applied_coupons', n]);
  const entity =
    entityCode === undefined ? builder.records.billing_entities[0] : builder.get('billing_entities', entityCode);
  return {
    ...fields,
    ...base,
    billing_entity_id: builder.present('billing_entities', entity, [], 'the file has no billing entity').id,
    sequential_id: sequentialId,
    slug: `${builder.organization.slug_prefix}-${String(sequentialId).padStart(3, '0')}`,
    metadata: entry.metadata.map(pair => ({
      id: idOf('customer_metadata', `${entry.external_id} ${pair.key}`),
      ...pair,
      created_at: base.created_at,
    })),
    error_details: withIds(entry.error_details, 'customer_error', entry.external_id),
    deleted_at: null,
  };
}

function appliedCouponOf(
  builder: AccountBuilder,
  customer: CustomerRecord,
  entry: AppliedEntry,
  position: number,
): AppliedCouponRecord {
  const coupon = builder.get('coupons', entry.code);
  const frequency = entry.frequency ?? coupon.frequency;
  const amount = entry.amount_cents ?? coupon.amount_cents;
  const duration = entry.frequency_duration ?? coupon.frequency_duration;
  const base = builder.idAndTimes('applied_coupon', `${customer.external_id} ${entry.code} ${position}`, entry);
  return {
    ...base,
    coupon_id: coupon.id,
    customer_id: customer.id,
    status: entry.status,
    amount_cents: amount,
    amount_cents_remaining: frequency === 'once' ? (entry.amount_cents_remaining ?? amount) : null,
    amount_currency: coupon.amount_currency,
    percentage_rate: entry.percentage_rate ?? coupon.percentage_rate,
    frequency,
    frequency_duration: duration,
    frequency_duration_remaining: frequency === 'recurring' ? (entry.frequency_duration_remaining ?? duration) : null,
    terminated_at: endOf(builder, entry, base.created_at, ['applied_coupons', position]),
  };
}
