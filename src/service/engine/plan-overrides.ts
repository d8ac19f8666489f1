/** Applies a subscription's plan override to its plan (service-behaviour §3.2). Pure: ids and time are arguments. */

import type { ChargeModel } from '../../contract/enums.ts';
import { type OverridesOf, setByFirstOverride } from '../../contract/plan-overrides.ts';
import type { PriceProperties } from '../../contract/pricing/types.ts';
import type {
  ChargeFilterRecord,
  ChargeRecord,
  DecimalText,
  FixedChargeRecord,
  InstantText,
  PlanRecord,
  UsageThreshold,
} from '../records/index.ts';

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
  instruction: never;
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
 * taxes of the plan and its charges and without the minimum commitment, unless they are sent. A copy is changed directly,
 * and its charges that the override does not list are deleted. Charge ids that the plan does not have are ignored on the
 * first override. An empty list of usage thresholds leaves the inherited ones, those of the catalogue plan.
 */
export function overriddenPlan(
  plan: PlanRecord,
  overrides: PlanOverrides,
  idsAndTime: IdsAndTime,
  inherited = plan.usage_thresholds,
): PlanRecord {
  const isFirst = plan.parent_id === null;
  const base = isFirst ? copyOf(plan, overrides, idsAndTime) : plan;
  const charges = base.charges.flatMap(charge => {
    const entry = overrides.charges?.find(({ id }) => id === (isFirst ? charge.parent_id : charge.id));
    return entry === undefined && !isFirst ? [] : [overriddenCharge(charge, entry, idsAndTime)];
  });
  const added = isFirst ? [] : addedCharges(base, overrides.charges ?? [], idsAndTime);
  return {
    ...base,
    ...plainFields(overrides, isFirst),
    minimum_commitment: overriddenCommitment(base, overrides.minimum_commitment, idsAndTime),
    charges: [...charges, ...added],
    fixed_charges: base.fixed_charges.map(charge => ({
      ...charge,
      ...entryFor(overrides.fixed_charges, charge),
      id: charge.id,
    })),
    usage_thresholds: overriddenThresholds(base, overrides.usage_thresholds, { ...idsAndTime, inherited }),
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

function overriddenThresholds(
  base: PlanRecord,
  sent: PlanOverrides['usage_thresholds'],
  { inherited, ...idsAndTime }: IdsAndTime & { inherited: UsageThreshold[] },
): UsageThreshold[] {
  if (sent === undefined) return base.usage_thresholds;
  return sent.length > 0 ? newThresholds(sent, idsAndTime) : inherited;
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

function copyOf(plan: PlanRecord, overrides: PlanOverrides, idsAndTime: IdsAndTime): PlanRecord {
  const { now, newId } = idsAndTime;
  const copyOfCharge = <Charge extends ChargeRecord | FixedChargeRecord>(charge: Charge): Charge => ({
    ...charge,
    id: newId(),
    parent_id: charge.id,
    created_at: now,
    tax_codes: [],
  });
  const commitment = overrides.minimum_commitment === undefined ? null : plan.minimum_commitment;
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
    minimum_commitment: commitment && { ...commitment, ...newRowFields(idsAndTime) },
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

function overriddenCharge(
  charge: ChargeRecord,
  entry: ChargeOverride | undefined,
  idsAndTime: IdsAndTime,
): ChargeRecord {
  if (entry === undefined) return charge;
  const { id: _id, billable_metric_id: _metric, code: _code, charge_model: _model, filters, ...values } = entry;
  return { ...charge, ...values, ...(filters && { filters: newFilters(filters, idsAndTime) }) };
}

function newFilters(filters: Filters, { newId }: IdsAndTime): ChargeFilterRecord[] {
  return filters.map(filter => ({
    invoice_display_name: null,
    properties: {},
    values: {},
    ...filter,
    id: newId(),
  }));
}

/** New charges: entries that match no charge of the copy and name a metric and a charge model. */
function addedCharges(plan: PlanRecord, entries: ChargeOverride[], idsAndTime: IdsAndTime): ChargeRecord[] {
  return entries.flatMap(entry => {
    const { billable_metric_id, charge_model, filters = [], ...values } = entry;
    if (plan.charges.some(charge => charge.id === entry.id)) return [];
    if (billable_metric_id === undefined || charge_model === undefined) return [];
    const id = idsAndTime.newId();
    return [
      {
        code: id,
        parent_id: null,
        invoiceable: true,
        invoice_display_name: null,
        pay_in_advance: false,
        regroup_paid_fees: null,
        prorated: false,
        min_amount_cents: 0,
        properties: {},
        tax_codes: [],
        ...values,
        id,
        billable_metric_id,
        charge_model,
        filters: newFilters(filters, idsAndTime),
        created_at: idsAndTime.now,
      },
    ];
  });
}

function overriddenCommitment(plan: PlanRecord, entry: PlanOverrides['minimum_commitment'], idsAndTime: IdsAndTime) {
  if (entry === undefined) return plan.minimum_commitment;
  const base = plan.minimum_commitment ?? {
    ...newRowFields(idsAndTime),
    amount_cents: 0,
    invoice_display_name: null,
    tax_codes: [],
  };
  const commitment = { ...base, ...entry, updated_at: idsAndTime.now };
  return commitment.amount_cents === 0 ? null : commitment;
}
