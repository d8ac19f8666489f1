/** Usage of a period, and of a subscription since its start (lookups §6). */
import * as z from 'zod';
import { anything, cents, currency, day, decimal, instant, integer, list, record, text, uuid } from './fields.ts';
import { svcId, unitParts } from './shared.ts';

const breakdowns = unitParts('Its units divided for display');

const figures = {
  units: decimal('Quantity'),
  total_aggregated_units: decimal('Level of a weighted sum; else the quantity'),
  events_count: integer('Events in it'),
  amount_cents: cents('Amount before taxes'),
  invoice_display_name: text('Name on the invoice'),
};

const filters = list(
  z.looseObject({
    ...figures,
    values: anything('Event property to its values; null for events that match no filter'),
    presentation_breakdowns: breakdowns,
  }),
  'Usage by filter',
);

const groups = list(
  z.looseObject({ ...figures, grouped_by: anything('Event properties of the group'), filters }),
  'Usage by group',
);

export const chargeUsage = z.looseObject({
  ...figures,
  charge: record(
    {
      svc_id: svcId,
      code: text('Code'),
      charge_model: text('Price model'),
      invoice_display_name: text('Name on the invoice'),
    },
    'The charge',
  ),
  billable_metric: record(
    { svc_id: svcId, name: text('Name'), code: text('Code'), aggregation_type: text('How events add up') },
    'The metric',
  ),
  grouped_by: anything('Event properties of the group'),
  filters,
  grouped_usage: groups,
  presentation_breakdowns: breakdowns,
});

/** The usage of one period (lookups §6.1, lookups §6.2). */
export const usagePeriod = z.looseObject({
  from_datetime: instant('Start of the period'),
  to_datetime: instant('End of the period'),
  issuing_date: day('Date of the invoice'),
  currency: currency(),
  amount_cents: cents('Usage before taxes'),
  taxes_amount_cents: cents('Taxes'),
  total_amount_cents: cents('Usage with taxes'),
  svc_invoice_id: uuid('The invoice of a past period'),
  charges_usage: list(chargeUsage, 'Usage by charge'),
});

/** The usage of a subscription since its start (lookups §6.3). */
export const lifetimeUsage = z.looseObject({
  external_historical_usage_amount_cents: cents('Usage before the subscription was billed here'),
  invoiced_usage_amount_cents: cents('Usage on invoices'),
  current_usage_amount_cents: cents('Usage of the running period'),
});
