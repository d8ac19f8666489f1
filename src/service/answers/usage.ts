/** The usage of a subscription's charges in one period (lookups §6.1, lookups §6.2). */
import { decimal, decimalText, UNIT_DIGITS, ZERO } from '../../contract/pricing/money.ts';
import { isEmptyUsageFee } from '../../engine/fees.ts';
import { mergedParts, wholeParts } from '../../engine/presentation.ts';
import type {
  BillableMetricRecord,
  ChargeFilterRecord,
  ChargeRecord,
  DateText,
  FeeRecord,
  InstantText,
} from '../../engine/records/index.ts';
import { fields, instant } from './formats.ts';

/** A charge with its usage fees: one for each filter and group. */
export interface ChargeUsage {
  charge: ChargeRecord;
  metric: BillableMetricRecord;
  fees: readonly FeeRecord[];
}

/** The usage of one period; amounts in cents. */
export interface PeriodUsage {
  from: InstantText;
  to: InstantText;
  issuing_date: DateText;
  currency: string;
  invoice_id: string | null;
  amount_cents: number;
  taxes_amount_cents: number;
  charges: readonly ChargeUsage[];
}

/** One period's usage as `customer_usage` and each entry of `usage_periods` show it. */
export function periodUsageAnswer(usage: PeriodUsage) {
  return {
    from_datetime: instant(usage.from),
    to_datetime: instant(usage.to),
    ...fields(usage, 'issuing_date', 'currency', 'amount_cents', 'taxes_amount_cents'),
    total_amount_cents: usage.amount_cents + usage.taxes_amount_cents,
    svc_invoice_id: usage.invoice_id,
    charges_usage: usage.charges.map(each => chargeUsageAnswer(each, usage.currency)),
  };
}

function chargeUsageAnswer({ charge, metric, fees }: ChargeUsage, currency: string) {
  return {
    ...usageSums(fees),
    amount_currency: currency,
    charge: { svc_id: charge.id, ...fields(charge, 'code', 'charge_model', 'invoice_display_name') },
    billable_metric: { svc_id: metric.id, ...fields(metric, 'name', 'code', 'aggregation_type') },
    filters: bucketsOf(charge).map(filter => filterUsage(charge, filter, fees)),
    grouped_usage: groupsOf(fees).map(group => ({
      ...usageSums(group.fees),
      grouped_by: group.values,
      filters: bucketsOf(charge)
        .filter(filter => group.fees.some(fee => belongsTo(fee, charge, filter)))
        .map(filter => filterUsage(charge, filter, group.fees)),
    })),
  };
}

/** The charge's filters, and null for the usage that matches none; nothing for a charge without filters. */
function bucketsOf({ filters }: ChargeRecord): (ChargeFilterRecord | null)[] {
  return filters.length > 0 ? [...filters, null] : [];
}

function filterUsage(charge: ChargeRecord, filter: ChargeFilterRecord | null, fees: readonly FeeRecord[]) {
  return {
    ...usageSums(fees.filter(fee => belongsTo(fee, charge, filter))),
    invoice_display_name: filter?.invoice_display_name ?? null,
    values: filter?.values ?? null,
  };
}

function belongsTo(fee: FeeRecord, charge: ChargeRecord, filter: ChargeFilterRecord | null): boolean {
  const feeFilter = charge.filters.find(each => each.id === fee.charge_filter_id);
  return (feeFilter ?? null) === filter;
}

/** The groups with usage, in the order of their keys' values as JSON; none when the charge is not grouped. */
function groupsOf(fees: readonly FeeRecord[]) {
  if (fees.every(fee => Object.keys(fee.item.grouped_by).length === 0)) return [];
  const groups = new Map<string, { values: FeeRecord['item']['grouped_by']; fees: FeeRecord[] }>();
  for (const fee of fees.filter(each => !isEmptyUsageFee(each))) {
    const values = fee.item.grouped_by;
    const name = JSON.stringify(Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1)));
    const group = groups.get(name);
    if (group) group.fees.push(fee);
    else groups.set(name, { values, fees: [fee] });
  }
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => group);
}

/** Sums over fees. Pricing units do not exist here (service-behaviour §16). */
function usageSums(fees: readonly FeeRecord[]) {
  const sum = (value: (fee: FeeRecord) => string) => {
    const total = fees.reduce((before, fee) => before.plus(decimal(value(fee))), ZERO);
    return decimalText(total, UNIT_DIGITS);
  };
  const units = sum(fee => fee.units);
  const parts = mergedParts(fees.flatMap(fee => fee.presentation_breakdowns ?? []));
  return {
    units,
    total_aggregated_units: sum(fee => fee.total_aggregated_units ?? fee.units),
    events_count: fees.reduce((total, fee) => total + (fee.events_count ?? 0), 0),
    amount_cents: fees.reduce((total, fee) => total + fee.amount_cents, 0),
    pricing_unit_details: null,
    presentation_breakdowns: wholeParts(parts, units),
  };
}
