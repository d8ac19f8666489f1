/** Past usage on invoices that state no billing periods, which the service's list of past usage leaves out (docs/lookups.md §6.2). */

import Big from 'big.js';
import type { ChargeUsage, Usage, UsagePart } from '../../src/contract/answers.ts';
import type { Fee, Invoice } from '../../src/contract/shown.ts';
import type { Api } from '../../src/definition/api.ts';
import { reasonOf } from '../../src/definition/failure.ts';
import { grouped } from '../../src/lib/collections.ts';
import { big } from '../../src/words/money.ts';
import { count } from '../../src/words/summary.ts';
import { readOne } from '../records/one-record.ts';
import { exact } from './totals.ts';

/** At most so many invoices are read. */
const mostInvoices = 8;
/** What these invoices bill is no usage, or is on the invoice of the whole period again. */
const withoutUsage: ReadonlySet<string> = new Set(['one_off', 'add_on', 'credit', 'progressive_billing']);

/** A period by the days of an invoice's fees. */
export type UnstatedPeriod = Pick<
  Usage,
  'from_datetime' | 'to_datetime' | 'currency' | 'svc_invoice_id' | 'charges_usage'
> &
  Pick<Invoice, 'number'>;

interface Wanted {
  customer: string;
  subscription: string;
  metric: string | undefined;
  /** The periods that the service lists. */
  listed: readonly Usage[];
  /** Whether it has older ones than these. */
  more: boolean;
}

/**
 * Of finalized invoices alone. Where the service has older periods, those before the listed ones are left out. `unread`: why
 * there may be more; null where all were read.
 */
export async function readUnstated(
  api: Api,
  wanted: Wanted,
): Promise<{ periods: UnstatedPeriod[]; unread: string | null }> {
  const unavailable = ['list_invoices', 'get_invoice'].find(tool => !api.mayUse(tool));
  if (unavailable !== undefined) return { periods: [], unread: `${unavailable} is not available to this caller` };
  const since = wanted.more ? oldestOf(wanted.listed) : null;
  const query = {
    external_customer_id: wanted.customer,
    status: ['finalized'],
    issuing_date_from: since?.slice(0, 10),
  };
  const list = await api.list('/invoices', { key: 'invoices', query }, { per_page: 100 });
  if (!list.ok) return { periods: [], unread: reasonOf(list.error) };
  const known = new Set(wanted.listed.map(({ svc_invoice_id }) => svc_invoice_id));
  const candidates = list.rows.filter(({ svc_id, status, invoice_type }) => {
    const isOther = svc_id && !known.has(svc_id);
    return isOther && status === 'finalized' && !withoutUsage.has(invoice_type ?? '');
  });
  const read = candidates.slice(0, Math.min(mostInvoices, api.left()));
  const answers = await Promise.all(read.map(({ svc_id }) => readOne(api, 'invoice', svc_id ?? '')));
  const periods = answers
    .flatMap(answer => (answer.ok ? periodsOf(answer.body, wanted) : []))
    .filter(({ from_datetime }) => since === null || (from_datetime ?? '') >= since);
  const [failure] = answers.flatMap(answer => (answer.ok ? [] : [reasonOf(answer.error)]));
  const unreadCount = candidates.length - read.length;
  const unread =
    failure ??
    (unreadCount > 0 ? `${count(unreadCount, 'invoice')} not read` : null) ??
    (list.nextPage === null ? null : 'only the newest 100 invoices were searched');
  return { periods, unread };
}

/** The earliest start among them. */
function oldestOf(periods: readonly Usage[]): string | null {
  const starts = periods.flatMap(({ from_datetime }) => from_datetime ?? []);
  return starts.sort()[0] ?? null;
}

/** The invoice's usage of the subscription, by the days of its fees; none where it states a period of the subscription. */
function periodsOf(invoice: Invoice, { subscription, metric, listed }: Wanted): UnstatedPeriod[] {
  const ids = new Set(
    (invoice.subscriptions ?? [])
      .filter(({ external_id }) => external_id === subscription)
      .map(({ svc_id }) => svc_id ?? null),
  );
  const isOfSubscription = ({ external_subscription_id, svc_subscription_id }: OfSubscription) =>
    external_subscription_id ? external_subscription_id === subscription : ids.has(svc_subscription_id ?? null);
  if (invoice.status !== 'finalized' || invoice.billing_periods?.some(isOfSubscription)) return [];
  const fees = (invoice.fees ?? []).filter(
    fee =>
      fee.item?.type === 'charge' &&
      !fee.svc_true_up_parent_fee_id &&
      isOfSubscription(fee) &&
      (metric === undefined || fee.item?.code === metric),
  );
  const byDays = grouped(fees, ({ from_date, to_date }) => JSON.stringify([from_date, to_date]));
  return byDays.flatMap(([fee, ...others]) => {
    const { from_date: from_datetime, to_date: to_datetime } = fee ?? {};
    // A service that names no invoice in its list may have listed this very period.
    const isListed = listed.some(period => !period.svc_invoice_id && period.from_datetime === from_datetime);
    if (fee === undefined || isListed) return [];
    const { svc_id, number, currency } = invoice;
    const charges = grouped([fee, ...others], each => each.svc_charge_id || each.item?.code || '');
    return [
      { from_datetime, to_datetime, currency, svc_invoice_id: svc_id, number, charges_usage: charges.map(chargeUsage) },
    ];
  });
}

type OfSubscription = Pick<Fee, 'external_subscription_id' | 'svc_subscription_id'>;

/** One charge's fees as the service shows the usage of a charge: its groups and filters, each a fee of its own. */
function chargeUsage(fees: readonly Fee[]): ChargeUsage {
  const { code, name, invoice_display_name } = fees[0]?.item ?? {};
  const isGrouped = fees.some(fee => Object.keys(fee.item?.grouped_by ?? {}).length > 0);
  const groups = isGrouped ? grouped(fees, fee => `${JSON.stringify(fee.item?.grouped_by)}`) : [];
  return {
    charge: { svc_id: fees[0]?.svc_charge_id, invoice_display_name },
    billable_metric: { code, name },
    ...figuresOf(fees),
    filters: isGrouped ? [] : filtersOf(fees),
    grouped_usage: groups.map(group => ({
      grouped_by: group[0]?.item?.grouped_by,
      ...figuresOf(group),
      filters: filtersOf(group),
    })),
  };
}

function filtersOf(fees: readonly Fee[]): UsagePart[] {
  if (!fees.some(({ svc_charge_filter_id }) => svc_charge_filter_id)) return [];
  return grouped(fees, ({ svc_charge_filter_id }) => svc_charge_filter_id || '').map(parts => {
    const { filters, filter_invoice_display_name } = parts[0]?.item ?? {};
    return { values: filters, invoice_display_name: filter_invoice_display_name, ...figuresOf(parts) };
  });
}

/** Sums; null where one of the figures is no number. */
function figuresOf(fees: readonly Fee[]) {
  const amount = sum(fees.map(({ amount_cents }) => amount_cents));
  const events = sum(fees.map(({ events_count }) => events_count));
  return {
    units: sum(fees.map(({ units }) => units))?.toFixed() ?? null,
    events_count: events === null ? null : Number(events.toFixed()),
    amount_cents: amount === null ? null : exact(BigInt(amount.toFixed())),
  };
}

function sum(values: readonly Fee['units'][]): Big | null {
  const numbers = values.map(big);
  return numbers.reduce<Big | null>(
    (total, each) => (total === null || each === null ? null : total.plus(each)),
    new Big(0),
  );
}
