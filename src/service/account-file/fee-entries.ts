/** The fees of an invoice, to which its coupons and taxes are then applied. */
import type Big from 'big.js';
import * as z from 'zod';
import { feePaymentStatuses, feeTypes } from '../../contract/enums.ts';
import { perUnit } from '../../contract/pricing/models/model.ts';
import { decimal, fromCents, toCents } from '../../contract/pricing/money.ts';
import {
  addOnItem,
  type BillableFee,
  commitmentItem,
  type FeeValues,
  filterDisplayName,
  metricItem,
  newFee,
  planItem,
} from '../../engine/fees.ts';
import type { CustomerRecord, FeeItem, PlanRecord, SubscriptionRecord } from '../../engine/records/index.ts';
import { applicableTaxes } from '../../engine/taxes.ts';
import type { AccountBuilder } from './account-builder.ts';
import * as is from './values.ts';

export const feeEntry = z.strictObject({
  ...is.common,
  type: z.enum(feeTypes).exclude(['product']),
  external_subscription_id: is.optional(is.label, 'none').describe('all types but add_on and credit'),
  charge_code: is.optional(is.label, 'none').describe('type charge'),
  filter: is.optional(z.record(z.string(), z.array(is.label)), 'none').describe('the values of the charge’s filter'),
  grouped_by: z.record(z.string(), z.string().nullable()).default({}),
  fixed_charge_code: is.optional(is.label, 'none').describe('type fixed_charge'),
  add_on_code: is.optional(is.label, 'none').describe('type add_on'),
  description: is.text,
  amount: is.optional(is.amountValue, 'units × unit_amount').describe('major units, before rounding'),
  unit_amount: is.optional(is.amountValue, 'amount ÷ units, of an event’s fee in advance the rounded amount ÷ units'),
  units: is.amountValue.default('1'),
  total_aggregated_units: is.optionalAmount.meta({ description: 'types charge and fixed_charge', absent: 'the units' }),
  events_count: is.count.default(0).describe('type charge'),
  event_transaction_id: is.optional(is.label, 'none'),
  pay_in_advance: is.flag(false),
  invoiceable: is.flag(true),
  ...is.fields(is.optionalInstant, 'from_date', 'to_date'),
  amount_details: is.jsonObject.default({}),
  tax_codes: is.taxCodes,
  payment_status: is.optional(z.enum(feePaymentStatuses), 'the invoice’s'),
  pricing_unit_details: z
    .strictObject({
      svc_pricing_unit_id: z.uuid(),
      ...is.fields(is.label, 'pricing_unit_code', 'short_name'),
      ...is.fields(is.cents, 'amount_cents', 'unit_amount_cents'),
      ...is.fields(is.amountValue, 'precise_amount_cents', 'precise_unit_amount', 'conversion_rate'),
    })
    .nullable()
    .default(null),
  presentation_breakdowns: is
    .optional(
      z.array(z.strictObject({ presentation_by: z.record(z.string(), z.string().nullable()), units: is.amountValue })),
      'none',
    )
    .describe('units for display'),
  true_up_of: is.optional(is.count, 'none').describe('position of the fee that this one tops up'),
});

type FeeEntry = z.output<typeof feeEntry>;
type At = readonly (string | number)[];
type Sold = { plan: PlanRecord; subscription: SubscriptionRecord };

/** What a fee is for: its item, the sources of its taxes, and the records that it refers to. */
export interface Subject {
  item: FeeItem;
  ownTaxes: string[];
  plan: PlanRecord | null;
  subscription: SubscriptionRecord | null;
  ids?: { charge_id: string; charge_filter_id: string | null } | { fixed_charge_id: string };
  metricCode?: string;
}

/** What the fee at a position of the entry is for, as far as that follows without the customer. */
export function subjectOf(builder: AccountBuilder, entry: FeeEntry, position: number): Subject {
  const at = ['fees', position];
  if (entry.type === 'add_on') return addOnSubject(builder, entry, at);
  // `linkCreditFees` adds the wallet transaction after the wallets are built.
  if (entry.type === 'credit') return { item: creditItem, ownTaxes: [], plan: null, subscription: null };
  const subscription = builder.subscription(entry.external_subscription_id, at);
  const plan = builder.byId('plans', subscription.plan_id);
  if (entry.type === 'charge') return chargeSubject(builder, entry, { plan, subscription }, at);
  if (entry.type === 'fixed_charge') return fixedChargeSubject(builder, entry, { plan, subscription }, at);
  if (entry.type === 'subscription') return { item: planItem(plan, subscription), ownTaxes: [], plan, subscription };
  const ownTaxes = plan.minimum_commitment?.tax_codes ?? [];
  return { item: commitmentItem(plan, subscription), ownTaxes, plan, subscription };
}

/** The fee with the taxes that apply to it (§11.2), before coupons. */
export function billableFee(
  builder: AccountBuilder,
  entry: FeeEntry,
  subject: Subject,
  customer: CustomerRecord,
  currency: string,
): BillableFee {
  const units = decimal(entry.units);
  const amount = entry.amount !== undefined ? decimal(entry.amount) : units.times(decimal(entry.unit_amount as string));
  const record = newFee({
    owner: { customer, subscription: subject.subscription },
    item: { ...subject.item, grouped_by: entry.grouped_by },
    currency,
    amount,
    units,
    ...unitAmountOf(entry, amount, units, currency),
    aggregated_units: entry.total_aggregated_units === null ? null : decimal(entry.total_aggregated_units),
    events_count: entry.events_count,
    pay_in_advance: entry.pay_in_advance,
    invoiceable: entry.invoiceable,
    from_date: entry.from_date,
    to_date: entry.to_date,
    amount_details: entry.amount_details,
    ...subject.ids,
    ...(entry.event_transaction_id ? { event_transaction_id: entry.event_transaction_id } : {}),
  });
  return {
    record: {
      ...record,
      description: entry.description ?? (entry.type === 'add_on' ? subject.item.description : null),
      pricing_unit_details: entry.pricing_unit_details,
      ...(entry.presentation_breakdowns && { presentation_breakdowns: entry.presentation_breakdowns }),
    },
    plan_code: subject.plan?.code ?? null,
    metric_code: subject.metricCode ?? null,
    taxes: taxesOf(builder, entry, customer, subject),
  };
}

/** The unit amount of one event's fee in advance is the rounded amount ÷ units (§10.3). By default it is amount ÷ units. */
function unitAmountOf(entry: FeeEntry, amount: Big, units: Big, currency: string): Pick<FeeValues, 'unit_amount'> {
  if (entry.unit_amount !== undefined) return { unit_amount: decimal(entry.unit_amount) };
  if (entry.type !== 'charge' || !entry.pay_in_advance || entry.event_transaction_id === undefined) return {};
  return { unit_amount: perUnit(fromCents(toCents(amount, currency), currency), units) };
}

function taxesOf(builder: AccountBuilder, entry: FeeEntry, customer: CustomerRecord, subject: Subject) {
  if (entry.type === 'credit') return [];
  const entity = builder.records.billing_entities.find(each => each.id === customer.billing_entity_id);
  const ownCodes = entry.tax_codes.length ? entry.tax_codes : subject.ownTaxes;
  const levels = [ownCodes, subject.plan?.tax_codes ?? [], customer.tax_codes, entity?.tax_codes ?? []];
  return applicableTaxes(levels, new Map(builder.records.taxes.map(tax => [tax.code, tax])));
}

const creditItem: FeeItem = {
  type: 'credit',
  code: 'credit',
  name: 'credit',
  description: null,
  invoice_display_name: 'Prepaid credits',
  filter_invoice_display_name: null,
  item_id: '',
  item_type: 'WalletTransaction',
  filters: null,
  grouped_by: {},
};

function addOnSubject(builder: AccountBuilder, entry: FeeEntry, at: At): Subject {
  const addOn = builder.lookUp('add_ons', entry.add_on_code ?? '', [...at, 'add_on_code']);
  const item: FeeItem = { ...addOnItem(addOn, null), type: 'add_on' };
  return { item, ownTaxes: addOn.tax_codes, plan: null, subscription: null };
}

function chargeSubject(builder: AccountBuilder, entry: FeeEntry, { plan, subscription }: Sold, at: At): Subject {
  const charge = plan.charges.find(each => each.code === entry.charge_code);
  builder.require(charge !== undefined, [...at, 'charge_code'], `is no charge of the plan ${plan.code}`);
  const metric = builder.byId('billable_metrics', charge.billable_metric_id);
  const filterValues = entry.filter && JSON.stringify(sorted(entry.filter));
  const filter = charge.filters.find(each => JSON.stringify(sorted(each.values)) === filterValues) ?? null;
  builder.check(!filterValues || filter !== null, [...at, 'filter'], `is no filter of the charge ${charge.code}`);
  const item = {
    ...metricItem(metric, charge.invoice_display_name),
    filters: filter?.values ?? null,
    filter_invoice_display_name: filterDisplayName(filter),
  };
  const ids = { charge_id: charge.id, charge_filter_id: filter?.id ?? null };
  return { item, ownTaxes: charge.tax_codes, plan, subscription, ids, metricCode: metric.code };
}

function fixedChargeSubject(builder: AccountBuilder, entry: FeeEntry, { plan, subscription }: Sold, at: At): Subject {
  const charge = plan.fixed_charges.find(each => each.code === entry.fixed_charge_code);
  builder.require(charge !== undefined, [...at, 'fixed_charge_code'], `is no fixed charge of the plan ${plan.code}`);
  const addOn = builder.byId('add_ons', charge.add_on_id);
  const item = addOnItem(addOn, charge.invoice_display_name);
  const ownTaxes = charge.tax_codes.length ? charge.tax_codes : addOn.tax_codes;
  return { item, ownTaxes, plan, subscription, ids: { fixed_charge_id: charge.id } };
}

function sorted(values: { [key: string]: string[] }) {
  return Object.entries(values)
    .map(([key, list]) => [key, [...list].sort()] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
}
