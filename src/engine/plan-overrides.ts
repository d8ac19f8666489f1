/** Applies a subscription's plan override to its plan (service-behaviour §3.2). Pure: ids and time are arguments. */

import type { ChargeModel } from '../contract/enums.ts';
import { type OverridesOf, setByFirstOverride } from '../contract/plan-overrides.ts';
import type { PriceProperties } from '../contract/pricing/types.ts';
import type {
  ChargeFilterRecord,
  ChargeRecord,
  DecimalText,
  FixedChargeRecord,
  InstantText,
  PlanRecord,
  UsageThreshold,
} from './records/index.ts';

/** The type of a value by its kind. */
interface OfKind {
  cents: number;
  mandatory_cents: number;
  currency: string;
  prices: PriceProperties;
  quantity: DecimalText;
  days: DecimalText;
  name: string;
  text: string | null;
  id: string;
  code: string;
  codes: string[];
  charge_model: ChargeModel;
  filter_values: ChargeFilterRecord['values'];
  flag: boolean;
  metadata: NonNullable<PlanRecord['metadata']>;
  rate: never;
  instruction: boolean;
}

/** A charge's `id` is the original's on the first override, the copy's later. */
export type PlanOverrides = OverridesOf<OfKind>;
type ChargeOverride = NonNullable<PlanOverrides['charges']>[number];
type Filters = NonNullable<ChargeOverride['filters']>;

/** What new records get their ids and times from. */
export interface IdsAndTime {
  now: InstantText;
  newId: () => string;
}

/**
 * The plan with the overrides. A catalogue plan is copied: same code, new ids, `parent_id` set to its id, without the
 * taxes of the plan and its charges and without the minimum commitment, unless they are sent. A copy is changed directly;
 * if charges are sent, those that the override does not list are deleted. Charge ids that the plan does not have are
 * ignored on the first override. The thresholds and the metadata of the catalogue plan are not copied.
 */
export function overriddenPlan(plan: PlanRecord, overrides: PlanOverrides, idsAndTime: IdsAndTime): PlanRecord {
  const { usage_thresholds: sent } = overrides;
  const isFirst = plan.parent_id === null;
  const base = isFirst ? copyOf(plan, idsAndTime) : plan;
  const charges = isFirst
    ? base.charges.map(charge => firstOverridden(charge, overrides.charges ?? [], idsAndTime))
    : laterCharges(base, overrides.charges, idsAndTime);
  return {
    ...base,
    ...plainFields(overrides, isFirst),
    minimum_commitment: overriddenCommitment(base, overrides.minimum_commitment, idsAndTime),
    charges,
    fixed_charges: base.fixed_charges.map(charge => {
      const { apply_units_immediately: _, ...values } = entryFor(overrides.fixed_charges, charge) ?? {};
      return { ...charge, ...values, id: charge.id };
    }),
    usage_thresholds: sent === undefined ? base.usage_thresholds : newThresholds(sent, idsAndTime),
    updated_at: idsAndTime.now,
  };
}

/** As sentences: what the plan had before and lacks after the override, although the override did not name it. */
export function droppedByOverride(before: PlanRecord, after: PlanRecord, overrides: PlanOverrides): string[] {
  const entries = overrides.charges ?? [];
  if (before.parent_id !== null) {
    const keptIds = new Set(after.charges.map(charge => charge.id));
    const deleted = before.charges.filter(charge => !keptIds.has(charge.id)).map(charge => charge.code);
    return deleted.length > 0 ? [`charges that the override did not list were deleted: ${deleted.join(', ')}`] : [];
  }
  const untaxed = before.charges.filter(
    charge => charge.tax_codes.length > 0 && entries.find(entry => entry.id === charge.id)?.tax_codes === undefined,
  );
  const lost = [
    ...(overrides.tax_codes === undefined && before.tax_codes.length > 0
      ? [`plan taxes ${before.tax_codes.join(', ')}`]
      : []),
    ...untaxed.map(charge => `taxes ${charge.tax_codes.join(', ')} of charge ${charge.code}`),
    ...(overrides.minimum_commitment === undefined && before.minimum_commitment !== null
      ? ['the minimum commitment']
      : []),
  ];
  return lost.length > 0 ? [`the first override dropped what it did not send: ${lost.join('; ')}`] : [];
}

export function newThresholds(
  thresholds: NonNullable<PlanOverrides['usage_thresholds']>,
  idsAndTime: IdsAndTime,
): UsageThreshold[] {
  return thresholds.map(threshold => ({
    threshold_display_name: null,
    recurring: false,
    ...threshold,
    ...newRowFields(idsAndTime),
  }));
}

function newRowFields({ now, newId }: IdsAndTime) {
  return { id: newId(), created_at: now, updated_at: now };
}

function copyOf(plan: PlanRecord, idsAndTime: IdsAndTime): PlanRecord {
  const { now, newId } = idsAndTime;
  const copyOfCharge = <Charge extends ChargeRecord | FixedChargeRecord>(charge: Charge): Charge => ({
    ...charge,
    id: newId(),
    parent_id: charge.id,
    created_at: now,
    tax_codes: [],
  });
  return {
    ...plan,
    ...newRowFields(idsAndTime),
    parent_id: plan.id,
    pending_deletion: false,
    tax_codes: [],
    charges: plan.charges.map(charge => ({
      ...copyOfCharge(charge),
      filters: charge.filters.map(filter => ({ ...filter, id: newId() })),
    })),
    fixed_charges: plan.fixed_charges.map(copyOfCharge),
    minimum_commitment: null,
    usage_thresholds: [],
    metadata: null,
  };
}

/** Without the parts. Currency and trial are for the first override alone: later ones do not change them. */
function plainFields(overrides: PlanOverrides, isFirst: boolean): Partial<PlanRecord> {
  const { minimum_commitment: _c, charges: _u, fixed_charges: _f, usage_thresholds: _t, ...plain } = overrides;
  if (!isFirst) for (const field of setByFirstOverride) delete plain[field];
  return plain;
}

/** The entry for a charge, by its own id or by the id of the charge it was copied from. */
function entryFor<Entry extends { id?: string }>(
  entries: Entry[] = [],
  charge: { id: string; parent_id: string | null },
): Entry | undefined {
  return entries.find(({ id }) => id === charge.id) ?? entries.find(({ id }) => id === charge.parent_id);
}

/** What the entry of a charge names replaces the charge's value. */
function firstOverridden(charge: ChargeRecord, entries: ChargeOverride[], idsAndTime: IdsAndTime): ChargeRecord {
  const entry = entries.find(({ id }) => id === charge.parent_id);
  if (entry === undefined) return charge;
  const { id: _id, billable_metric_id: _metric, code: _code, charge_model: _model, filters, ...values } = entry;
  return { ...charge, ...values, ...(filters && { filters: newFilters(filters, idsAndTime) }) };
}

/** A list of charges replaces the copy's: entries with a known id change that charge, the others create one. */
function laterCharges(plan: PlanRecord, entries: ChargeOverride[] | undefined, idsAndTime: IdsAndTime): ChargeRecord[] {
  if (entries === undefined) return plan.charges;
  const known = new Map(plan.charges.map(charge => [charge.id, charge]));
  return entries.flatMap(entry => {
    const charge = known.get(entry.id ?? '');
    return charge === undefined ? newCharge(entry, idsAndTime) : [laterOverridden(charge, entry, idsAndTime)];
  });
}

/** Price and display name are those of the entry; the minimum never changes; filters and taxes stay if they are absent. */
function laterOverridden(charge: ChargeRecord, entry: ChargeOverride, idsAndTime: IdsAndTime): ChargeRecord {
  const { filters, tax_codes = charge.tax_codes, invoice_display_name = null } = entry;
  return {
    ...charge,
    properties: sentPrice(entry),
    invoice_display_name,
    tax_codes,
    filters: filters === undefined ? charge.filters : newFilters(filters, idsAndTime),
  };
}

/** The sent price, else the default of the sent model. Without either it lacks everything that its model needs. */
function sentPrice({ properties, charge_model }: ChargeOverride): PriceProperties {
  return properties ?? (charge_model === undefined ? {} : (defaultPrices[charge_model] ?? {}));
}

const onlyRange = { from_value: 0, to_value: null, flat_amount: '0' };
const onlyTier = { ...onlyRange, per_unit_amount: '0' };

/** What the service takes where a charge comes without a price (§3.2). */
const defaultPrices: { readonly [Model in ChargeModel]?: PriceProperties } = {
  standard: { amount: '0' },
  package: { amount: '0', package_size: 1, free_units: 0 },
  graduated: { graduated_ranges: [onlyTier] },
  graduated_percentage: { graduated_percentage_ranges: [{ ...onlyRange, rate: '0' }] },
  volume: { volume_ranges: [onlyTier] },
  percentage: { rate: '0' },
};

function newFilters(filters: Filters, { newId }: IdsAndTime): ChargeFilterRecord[] {
  return filters.map(filter => ({
    invoice_display_name: null,
    properties: {},
    values: {},
    ...filter,
    id: newId(),
  }));
}

/** Entries that match no charge of the copy; those without a metric or a model are refused before. */
function newCharge(entry: ChargeOverride, { now, newId }: IdsAndTime): ChargeRecord[] {
  const { billable_metric_id, charge_model, code, filters = [], ...values } = entry;
  if (billable_metric_id === undefined || charge_model === undefined || code === undefined) return [];
  const charge = {
    parent_id: null,
    invoiceable: true,
    invoice_display_name: null,
    pay_in_advance: false,
    regroup_paid_fees: null,
    prorated: false,
    min_amount_cents: 0,
    tax_codes: [],
    ...values,
    code,
    billable_metric_id,
    charge_model,
    properties: sentPrice(entry),
  };
  return [{ ...charge, id: newId(), filters: newFilters(filters, { now, newId }), created_at: now }];
}

function overriddenCommitment(plan: PlanRecord, entry: PlanOverrides['minimum_commitment'], idsAndTime: IdsAndTime) {
  if (entry === undefined) return plan.minimum_commitment;
  // An empty entry is none, and removes the one that a copy has (§3.2).
  if (Object.keys(entry).length === 0) return null;
  const base = plan.minimum_commitment ?? {
    ...newRowFields(idsAndTime),
    amount_cents: 0,
    invoice_display_name: null,
    tax_codes: [],
  };
  return { ...base, ...entry, updated_at: idsAndTime.now };
}
