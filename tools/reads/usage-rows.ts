/** Usage as rows of a file: one for each fee that it would make, so that the amounts add up to those of the charges. */
import type { ChargeUsage, Usage, UsagePart } from '../../src/contract/answers.ts';
import type { Free, Odd } from '../../src/contract/shown.ts';
import { asRecord, asRecords, asText } from '../../src/words/summary.ts';

/** The columns, as a selection. */
export const usageFields = `
  external_customer_id external_subscription_id svc_charge_id charge_code billable_metric_code name from_datetime to_datetime
  currency grouped_by filter units total_aggregated_units events_count amount_cents
`;

/** `filter` is null for a charge without filters, and for the events of one that match none of its filters. */
interface Part {
  readonly figures: UsagePart;
  readonly grouped_by: UsagePart['grouped_by'];
  readonly filter: Free | Odd;
}

/** The rows of one period, with the fields of `ids` in each. */
export function usageRows(usage: Usage, ids: object): object[] {
  const { from_datetime, to_datetime, currency } = usage;
  return asRecords(usage.charges_usage).flatMap(entry =>
    partsOf(entry).map(({ figures, grouped_by, filter }) => ({
      ...ids,
      ...chargeIds(entry),
      from_datetime,
      to_datetime,
      currency,
      grouped_by,
      filter,
      units: figures.units,
      total_aggregated_units: figures.total_aggregated_units,
      events_count: figures.events_count,
      amount_cents: figures.amount_cents,
    })),
  );
}

function chargeIds({ charge, billable_metric }: ChargeUsage): object {
  const { svc_id, code, invoice_display_name } = asRecord(charge);
  const metric = asRecord(billable_metric);
  return {
    svc_charge_id: svc_id,
    charge_code: code,
    billable_metric_code: metric.code,
    name: asText(invoice_display_name) ?? metric.name,
  };
}

function partsOf(part: UsagePart, grouped_by?: UsagePart['grouped_by']): Part[] {
  const groups = asRecords(part.grouped_usage);
  if (groups.length > 0) return groups.flatMap(group => partsOf(group, group.grouped_by));
  const filters = asRecords(part.filters);
  if (filters.length === 0) return [{ figures: part, grouped_by, filter: null }];
  return filters.map(filter => ({ figures: filter, grouped_by, filter: filter.values ?? null }));
}
