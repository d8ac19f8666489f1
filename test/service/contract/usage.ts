/** Usage and analytics, read strictly (lookups §6, §13): see schemas.ts for the rules. */
import { z } from 'zod';
import {
  cents,
  currency,
  date,
  decimal,
  instant,
  onlyWhen,
  openObject,
  orNull,
  preciseInstant,
  text,
  uuid,
} from './schemas.ts';

// Custom charges and metrics are never computed (§16), so they never show.
const figures = {
  units: decimal,
  total_aggregated_units: decimal,
  events_count: z.int(),
  amount_cents: cents,
  pricing_unit_details: z.null(),
  presentation_breakdowns: z.tuple([]),
};

const filterUsage = z.strictObject({
  ...figures,
  invoice_display_name: orNull(text, 'not given'),
  values: orNull(z.record(text, z.array(text)), '§8'),
});

const chargeUsage = z.strictObject({
  ...figures,
  amount_currency: currency,
  charge: z.strictObject({
    svc_id: uuid,
    code: text,
    charge_model: z.enum([
      'standard',
      'graduated',
      'graduated_percentage',
      'package',
      'percentage',
      'volume',
      'dynamic',
    ]),
    invoice_display_name: orNull(text, 'not given'),
  }),
  billable_metric: z.strictObject({
    svc_id: uuid,
    name: text,
    code: text,
    aggregation_type: z.enum(['count_agg', 'sum_agg', 'max_agg', 'unique_count_agg', 'weighted_sum_agg', 'latest_agg']),
  }),
  filters: z.array(filterUsage),
  grouped_usage: z.array(
    z.strictObject({ ...figures, grouped_by: z.record(text, orNull(text, '§8')), filters: z.array(filterUsage) }),
  ),
});

const periodUsage = {
  from_datetime: instant,
  to_datetime: instant,
  issuing_date: date,
  currency,
  amount_cents: cents,
  taxes_amount_cents: cents,
  total_amount_cents: cents,
  charges_usage: z.array(chargeUsage),
};

export const currentUsage = z.strictObject({ ...periodUsage, svc_invoice_id: z.null() });
export const pastUsage = z.strictObject({ ...periodUsage, svc_invoice_id: uuid });

export const lifetimeUsage = z.strictObject({
  svc_id: uuid,
  svc_subscription_id: uuid,
  external_subscription_id: text,
  external_historical_usage_amount_cents: cents,
  invoiced_usage_amount_cents: cents,
  current_usage_amount_cents: cents,
  from_datetime: instant,
  to_datetime: instant,
  usage_thresholds: onlyWhen(
    z.array(
      z.strictObject({ amount_cents: cents, completion_ratio: z.number(), reached_at: orNull(instant, 'not yet') }),
    ),
    '§4',
  ),
});

export const entitlement = z.strictObject({
  code: text,
  name: text,
  description: orNull(text, 'not given'),
  privileges: z.array(
    z.strictObject({
      ...{ code: text, name: text, value_type: z.enum(['integer', 'string', 'boolean', 'select']) },
      ...{ config: openObject, value: z.json() },
    }),
  ),
});

const month = preciseInstant.endsWith('-01T00:00:00.000Z');

/** The key of each report, and one row of it. */
export const reports = {
  gross_revenue: {
    key: 'gross_revenues',
    row: z.strictObject({
      month,
      amount_cents: z.number(),
      currency,
      invoices_count: z.int(),
      billing_entity_id: uuid,
    }),
  },
  mrr: {
    key: 'mrrs',
    row: z.strictObject({ month, amount_cents: orNull(decimal, 'not given'), currency: orNull(currency, 'not given') }),
  },
  overdue_balance: {
    key: 'overdue_balances',
    row: z.strictObject({
      ...{ month, amount_cents: decimal, currency },
      ...{ svc_invoice_ids: z.array(uuid).min(1), billing_entity_id: uuid },
    }),
  },
  invoiced_usage: {
    key: 'invoiced_usages',
    row: z.strictObject({ month, code: text, currency, amount_cents: z.number() }),
  },
  invoice_collection: {
    key: 'invoice_collections',
    row: z.strictObject({
      ...{ month, payment_status: orNull(z.enum(['pending', 'succeeded', 'failed']), 'not given') },
      ...{ invoices_count: z.int(), amount_cents: z.number(), currency: orNull(currency, 'not given') },
    }),
  },
};
