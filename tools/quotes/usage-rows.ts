/** Usage as rows of a file: one for each fee that it would make, so that the amounts add up to those of the charges. */
import type { ChargeUsage, Usage } from '../../src/contract/answers.ts';
import { feesOf, withTrueEvents } from './usage-parts.ts';

/** The columns, as a selection. */
export const usageFields = `
  external_customer_id external_subscription_id svc_charge_id charge_code billable_metric_code name from_datetime to_datetime
  currency grouped_by filter units total_aggregated_units events_count amount_cents
`;

/** The rows of one period, with the fields of `ids` in each. */
export function usageRows(usage: Usage, ids: object): object[] {
  const { from_datetime, to_datetime, currency } = usage;
  return (usage.charges_usage ?? []).flatMap(entry =>
    feesOf(withTrueEvents(entry)).map(({ figures, grouped_by, filter }) => ({
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
  const { svc_id, code, invoice_display_name } = charge ?? {};
  return {
    svc_charge_id: svc_id,
    charge_code: code,
    billable_metric_code: billable_metric?.code,
    name: invoice_display_name || billable_metric?.name,
  };
}
