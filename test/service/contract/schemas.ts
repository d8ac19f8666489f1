/**
 * A strict reading of the specification: every field is present with its type, enums have no other values, and the only
 * other fields are those of service-behaviour §4. Written from the specification, not from the answers.
 *
 * Null is accepted only through `orNull`, which names the reason:
 * - a section of service-behaviour, or `specification` where the specification itself says so;
 * - `not given`: an optional text or setting that nobody has filled in;
 * - `not yet`: the moment of something that has not happened, or the link to something that does not exist.
 */
import { expect } from 'vitest';
import { z } from 'zod';
import { countries, currencies, timezones } from '../../../src/contract/codes.ts';

export const uuid = z.uuid();
/** No fraction (§1.6). */
export const instant = z.string().regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/);
/** Exactly three decimals (§1.6). */
export const preciseInstant = z.string().regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/);
export const date = z.string().regex(/^\d{4}-\d{2}-\d{2}$/);
export const cents = z.int();
/** At least one decimal, no exponent, no trailing zeros (§1.6). */
export const decimal = z.string().regex(/^-?\d+\.(0|\d*[1-9])$/);
export const rate = z.number();
export const currency = z.enum(currencies as [string, ...string[]]);
export const country = z.enum(countries as [string, ...string[]]);
export const timezone = z.enum(timezones as [string, ...string[]]);
export const text = z.string();
export const flag = z.boolean();
/** A value of each unit. */
export const ofUnits = { text, cents, currency, integer: z.int(), flag, instant };
export const metadataObject = z.record(z.string(), z.string().nullable());
export const openObject = z.record(z.string(), z.json());

type Reason = 'specification' | 'not given' | 'not yet' | `§${string}` | `lookups §${string}`;

/** Null for a stated reason. */
export function orNull<Schema extends z.ZodType>(schema: Schema, _reason: Reason) {
  return schema.nullable();
}

/** A key that is present only in the stated case. */
export function onlyWhen<Schema extends z.ZodType>(schema: Schema, _reason: Reason) {
  return schema.optional();
}

export const address = z.strictObject({
  address_line1: orNull(text, 'not given'),
  address_line2: orNull(text, 'specification'),
  city: orNull(text, 'not given'),
  state: orNull(text, 'not given'),
  country: orNull(country, 'not given'),
  zipcode: orNull(text, 'not given'),
});

export const tax = z.strictObject({
  svc_id: uuid,
  name: text,
  code: text,
  description: orNull(text, 'not given'),
  rate,
  applied_to_organization: flag,
  created_at: instant,
});

export const section = z.strictObject({
  svc_id: uuid,
  name: text,
  code: text,
  description: orNull(text, 'not given'),
  details: orNull(text, 'not given'),
  display_name: orNull(text, 'not given'),
  applied_to_organization: flag,
  organization_id: uuid,
  created_at: instant,
});

export const appliedSection = z.strictObject({
  svc_id: uuid,
  created_at: instant,
  invoice_custom_section: section,
  invoice_custom_section_id: uuid,
});

export const invoiceSection = z.strictObject({
  svc_id: uuid,
  svc_invoice_id: orNull(uuid, '§12.7'),
  code: text,
  details: orNull(text, 'not given'),
  display_name: orNull(text, 'not given'),
  created_at: instant,
});

export const paymentMethod = z.strictObject({
  payment_method_type: z.enum(['provider', 'manual']),
  payment_method_id: orNull(uuid, 'not yet'),
});

export const appliedTax = {
  svc_id: orNull(uuid, '§12.7'),
  svc_tax_id: uuid,
  tax_name: text,
  tax_code: text,
  tax_description: orNull(text, 'not given'),
  tax_rate: rate,
  amount_cents: cents,
  amount_currency: currency,
  created_at: orNull(instant, '§12.7'),
};

export const errorDetail = z.strictObject({
  svc_id: uuid,
  error_code: z.enum(['not_provided', 'tax_error', 'tax_voiding_error', 'invoice_generation_error']),
  details: openObject,
});

/** A threshold that takes effect, whosever it is (§4). */
export const applicableThreshold = z.strictObject({
  threshold_display_name: orNull(text, 'not given'),
  amount_cents: cents,
  recurring: flag,
});

export const usageThreshold = applicableThreshold.extend({ svc_id: uuid, created_at: instant, updated_at: instant });

export const pageMeta = z.strictObject({
  current_page: z.int(),
  next_page: orNull(z.int(), 'specification'),
  prev_page: orNull(z.int(), 'specification'),
  total_pages: z.int(),
  total_count: z.int(),
});

const metadataEntry = { svc_id: uuid, key: text, value: text, created_at: instant };

const billingConfiguration = z.strictObject({
  invoice_grace_period: orNull(z.int(), '§3.8'),
  subscription_invoice_issuing_date_anchor: orNull(z.enum(['current_period_end', 'next_period_start']), '§3.8'),
  subscription_invoice_issuing_date_adjustment: orNull(z.enum(['align_with_finalization_date', 'keep_anchor']), '§3.8'),
  document_locale: orNull(text, '§3.8'),
  payment_provider: orNull(text, '§3.8'),
  payment_provider_code: orNull(text, '§3.8'),
  provider_customer_id: onlyWhen(orNull(text, 'not yet'), '§3.8'),
  sync: onlyWhen(flag, '§3.8'),
  sync_with_provider: onlyWhen(flag, '§3.8'),
  provider_payment_methods: onlyWhen(
    z.array(
      z.enum(['card', 'sepa_debit', 'us_bank_account', 'bacs_debit', 'link', 'boleto', 'crypto', 'customer_balance']),
    ),
    '§3.8',
  ),
});

const integrationCustomer = z.strictObject({
  svc_id: uuid,
  type: text,
  integration_code: text,
  external_customer_id: orNull(text, 'not yet'),
  subsidiary_id: orNull(text, 'not given'),
  targeted_object: orNull(text, 'not given'),
  email: orNull(text, 'not given'),
  sync_with_provider: flag,
});

export const customer = z.strictObject({
  svc_id: orNull(uuid, '§12.4'),
  sequential_id: orNull(z.int(), '§12.4'),
  slug: orNull(text, '§12.4'),
  external_id: orNull(text, '§12.4'),
  applicable_timezone: text,
  billing_entity_code: text,
  ...address.shape,
  currency: orNull(currency, 'not given'),
  email: orNull(text, 'not given'),
  legal_name: orNull(text, 'not given'),
  legal_number: orNull(text, 'not given'),
  logo_url: orNull(text, 'not given'),
  name: orNull(text, 'not given'),
  firstname: orNull(text, 'not given'),
  lastname: orNull(text, 'not given'),
  account_type: z.enum(['customer', 'partner']),
  phone: orNull(text, 'not given'),
  tax_identification_number: orNull(text, 'not given'),
  timezone: orNull(text, '§3.8'),
  url: orNull(text, 'not given'),
  net_payment_term: orNull(z.int(), 'not given'),
  created_at: instant,
  updated_at: instant,
  finalize_zero_amount_invoice: z.enum(['inherit', 'skip', 'finalize']),
  skip_invoice_custom_sections: flag,
  billing_configuration: billingConfiguration,
  shipping_address: address,
  metadata: z.array(z.strictObject({ ...metadataEntry, display_in_invoice: flag })),
  integration_customers: z.array(integrationCustomer),
  taxes: z.array(tax),
  applicable_invoice_custom_sections: z.array(section),
  error_details: z.array(errorDetail),
  // §4
  customer_type: orNull(z.enum(['company', 'individual']), '§2'),
  external_salesforce_id: orNull(text, 'not given'),
});

/** A customer of a list (lookups §2). */
export const listedCustomer = customer.omit({ applicable_invoice_custom_sections: true, error_details: true });

const feeItem = z.strictObject({
  type: z.enum(['charge', 'add_on', 'subscription', 'credit', 'commitment', 'fixed_charge', 'product']),
  code: text,
  name: text,
  description: orNull(text, 'not given'),
  invoice_display_name: text,
  filter_invoice_display_name: orNull(text, 'not given'),
  item_type: z.enum(['BillableMetric', 'AddOn', 'WalletTransaction', 'Subscription']),
  svc_item_id: orNull(uuid, '§12.7'),
  filters: orNull(z.record(z.string(), z.array(z.string())), '§4'),
  grouped_by: z.record(z.string(), z.string().nullable()),
});

const range = {
  units: decimal,
  from_value: z.int(),
  to_value: orNull(z.int(), 'specification'),
  flat_unit_amount: decimal,
  per_unit_total_amount: decimal,
  total_with_flat_amount: decimal,
};

const amountDetails = z.strictObject({
  plan_amount_cents: cents.optional(),
  graduated_ranges: z.array(z.strictObject({ ...range, per_unit_amount: decimal })).optional(),
  graduated_percentage_ranges: z.array(z.strictObject({ ...range, rate: decimal })).optional(),
  free_units: decimal.optional(),
  paid_units: decimal.optional(),
  per_package_unit_amount: decimal.optional(),
  per_unit_total_amount: decimal.optional(),
  units: decimal.optional(),
  rate: decimal.optional(),
  fixed_fee_unit_amount: decimal.optional(),
  fixed_fee_total_amount: decimal.optional(),
  min_max_adjustment_total_amount: decimal.optional(),
  per_unit_amount: decimal.optional(),
  flat_unit_amount: decimal.optional(),
  per_package_size: z.int().optional(),
  free_events: z.int().optional(),
  paid_events: z.int().optional(),
});

const pricingUnitDetails = z.strictObject({
  svc_pricing_unit_id: uuid,
  pricing_unit_code: text,
  short_name: text,
  amount_cents: cents,
  unit_amount_cents: cents,
  precise_amount_cents: decimal,
  precise_unit_amount: decimal,
  conversion_rate: decimal,
});

export const fee = z.strictObject({
  amount_cents: cents,
  taxes_amount_cents: cents,
  total_amount_cents: cents,
  sub_total_excluding_taxes_amount_cents: cents,
  amount_currency: currency,
  total_amount_currency: currency,
  taxes_rate: rate,
  units: decimal,
  precise_unit_amount: decimal,
  total_aggregated_units: orNull(decimal, '§4'),
  precise_amount: decimal,
  precise_total_amount: decimal,
  taxes_precise_amount: decimal,
  precise_coupons_amount_cents: decimal,
  sub_total_excluding_taxes_precise_amount_cents: decimal,
  pay_in_advance: flag,
  invoiceable: flag,
  self_billed: flag,
  payment_status: z.enum(['pending', 'succeeded', 'failed', 'refunded']),
  item: feeItem,
  svc_id: orNull(uuid, '§12.7'),
  svc_charge_id: orNull(uuid, 'not yet'),
  svc_charge_filter_id: orNull(uuid, '§8'),
  svc_fixed_charge_id: orNull(uuid, 'not yet'),
  svc_invoice_id: orNull(uuid, '§13'),
  svc_true_up_fee_id: orNull(uuid, '§4'),
  svc_true_up_parent_fee_id: orNull(uuid, '§4'),
  svc_subscription_id: orNull(uuid, '§12.7'),
  svc_customer_id: orNull(uuid, '§12.4'),
  external_customer_id: orNull(text, '§12.4'),
  external_subscription_id: orNull(text, '§12.7'),
  event_transaction_id: orNull(text, '§4'),
  description: orNull(text, 'not given'),
  events_count: orNull(z.int(), '§4'),
  from_date: orNull(instant, '§4'),
  to_date: orNull(instant, '§4'),
  created_at: orNull(instant, '§13'),
  succeeded_at: orNull(instant, 'not yet'),
  failed_at: orNull(instant, 'not yet'),
  refunded_at: orNull(instant, 'not yet'),
  amount_details: amountDetails,
  applied_taxes: z.array(z.strictObject({ ...appliedTax, svc_fee_id: orNull(uuid, '§12.7') })),
  pricing_unit_details: orNull(pricingUnitDetails, '§16'),
  // §4
  svc_original_fee_id: orNull(uuid, 'not yet'),
  presentation_breakdowns: z.array(z.json()),
});

/** Expects that an answer has the form; `id` says which answer it is. */
export function expectForm(schema: z.ZodType, answer: unknown, id: unknown = ''): void {
  const issues = schema.safeParse(answer).error?.issues ?? [];
  const departures = issues.map(issue => `${issue.path.join('.')}: ${issue.message}`);
  expect({ id, departures }).toEqual({ id, departures: [] });
}
