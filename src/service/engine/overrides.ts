/** Applies a subscription's plan override to its plan (service-behaviour §3.2). Pure: ids and time are arguments. */
import type { ChargeModel } from '../../contract/enums.ts';
import type {
  ChargeFilterRecord,
  ChargeRecord,
  DecimalText,
  FixedChargeRecord,
  InstantText,
  JsonObject,
  PlanRecord,
} from '../records/index.ts';

/** Fields that are absent are not overridden. */
export interface PlanOverrides {
  amount_cents?: number;
  amount_currency?: string;
  description?: string | null;
  name?: string;
  invoice_display_name?: string | null;
  trial_period?: DecimalText;
  tax_codes?: string[];
  minimum_commitment?: { amount_cents?: number; invoice_display_name?: string | null; tax_codes?: string[] };
  charges?: ChargeOverride[];
  fixed_charges?: FixedChargeOverride[];
  usage_thresholds?: { amount_cents: number; threshold_display_name: string | null; recurring: boolean }[];
}

export interface ChargeOverride {
  /** Id of a charge: the original's on the first override, the copy's later. */
  id?: string;
  /** With `charge_model`: adds a charge, on later overrides only. */
  billable_metric_id?: string;
  code?: string;
  charge_model?: ChargeModel;
  min_amount_cents?: number;
  invoice_display_name?: string | null;
  properties?: JsonObject;
  filters?: Omit<ChargeFilterRecord, 'id'>[];
  tax_codes?: string[];
}

export interface FixedChargeOverride {
  id: string;
  units?: DecimalText;
  invoice_display_name?: string | null;
  properties?: JsonObject;
  tax_codes?: string[];
}

/** What new records get their ids and times from. */
export interface IdsAndTime {
  now: InstantText;
  newId: () => string;
}

/** Whether the override needs a copy of the plan: anything except quantities of fixed charges does. */
export function needsOwnPlan(overrides: PlanOverrides): boolean {
  const { fixed_charges: fixedCharges = [], ...others } = overrides;
  const onlyUnits = (entry: FixedChargeOverride) =>
    Object.entries(entry).every(([key, value]) => key === 'id' || key === 'units' || value === undefined);
  return Object.values(others).some(value => value !== undefined) || !fixedCharges.every(onlyUnits);
}

/**
 * The plan with the overrides. A catalogue plan is copied: same code, new ids, `parent_id` set to its id, without the
 * taxes of the plan and its charges and without the minimum commitment, unless they are sent. A copy is changed directly,
 * and its charges that the override does not list are deleted. Charge ids that the plan does not have are ignored on the
 * first override.
 */
export function overriddenPlan(plan: PlanRecord, overrides: PlanOverrides, idsAndTime: IdsAndTime): PlanRecord {
  const isFirst = plan.parent_id === null;
  const base = isFirst ? copyOf(plan, overrides, idsAndTime) : plan;
  const charges = base.charges.flatMap(charge => {
    const entry = overrides.charges?.find(({ id }) => id === (isFirst ? charge.parent_id : charge.id));
    return entry === undefined && !isFirst ? [] : [overriddenCharge(charge, entry, idsAndTime)];
  });
  const added = isFirst ? [] : addedCharges(base, overrides.charges ?? [], idsAndTime);
  return {
    ...base,
    ...planFields(overrides, isFirst),
    minimum_commitment: overriddenCommitment(base, overrides.minimum_commitment, idsAndTime),
    charges: [...charges, ...added],
    fixed_charges: base.fixed_charges.map(charge =>
      overriddenFixedCharge(charge, entryFor(overrides.fixed_charges, charge)),
    ),
    usage_thresholds: overrides.usage_thresholds
      ? overrides.usage_thresholds.map(threshold => ({ ...threshold, ...newRowFields(idsAndTime) }))
      : base.usage_thresholds,
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
      tax_codes: [],
      filters: charge.filters.map(filter => ({ ...filter, id: newId() })),
    })),
    fixed_charges: plan.fixed_charges.map(copyOfCharge),
    minimum_commitment: commitment && { ...commitment, ...newRowFields(idsAndTime) },
    usage_thresholds: plan.usage_thresholds.map(threshold => ({ ...threshold, ...newRowFields(idsAndTime) })),
  };
}

/** Only the first override can set currency and trial; later ones do not change them. */
function planFields(overrides: PlanOverrides, isFirst: boolean): Partial<PlanRecord> {
  const { amount_cents, name, invoice_display_name, description, tax_codes, amount_currency, trial_period } = overrides;
  const always = { amount_cents, name, invoice_display_name, description, tax_codes };
  return withoutUndefined(isFirst ? { ...always, amount_currency, trial_period } : always);
}

/** The fields that are not undefined. */
function withoutUndefined<Fields extends object>(
  fields: Fields,
): { [Field in keyof Fields]?: Exclude<Fields[Field], undefined> } {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [Field in keyof Fields]?: Exclude<Fields[Field], undefined> };
}

/** The entry for a charge, by its own id or by the id of the charge it was copied from. */
function entryFor<Entry extends { id?: string }>(
  entries: Entry[] | undefined,
  charge: { id: string; parent_id: string | null },
): Entry | undefined {
  return (
    entries?.find(entry => entry.id === charge.id) ??
    entries?.find(entry => entry.id !== undefined && entry.id === charge.parent_id)
  );
}

function overriddenCharge(
  charge: ChargeRecord,
  entry: ChargeOverride | undefined,
  idsAndTime: IdsAndTime,
): ChargeRecord {
  if (entry === undefined) return charge;
  const { properties, min_amount_cents, invoice_display_name, tax_codes, filters } = entry;
  return {
    ...charge,
    ...withoutUndefined({ properties, min_amount_cents, invoice_display_name, tax_codes }),
    ...(filters === undefined ? {} : { filters: newFilters(filters, idsAndTime) }),
  };
}

function newFilters(filters: Omit<ChargeFilterRecord, 'id'>[], { newId }: IdsAndTime): ChargeFilterRecord[] {
  return filters.map(filter => ({ ...filter, id: newId() }));
}

/** New charges: entries that match no charge of the copy and name a metric and a charge model. */
function addedCharges(plan: PlanRecord, entries: ChargeOverride[], idsAndTime: IdsAndTime): ChargeRecord[] {
  return entries.flatMap(entry => {
    if (plan.charges.some(charge => charge.id === entry.id)) return [];
    if (entry.billable_metric_id === undefined || entry.charge_model === undefined) return [];
    const id = idsAndTime.newId();
    return [
      {
        id,
        code: entry.code ?? id,
        parent_id: null,
        billable_metric_id: entry.billable_metric_id,
        charge_model: entry.charge_model,
        invoiceable: true,
        invoice_display_name: entry.invoice_display_name ?? null,
        pay_in_advance: false,
        regroup_paid_fees: null,
        prorated: false,
        min_amount_cents: entry.min_amount_cents ?? 0,
        properties: entry.properties ?? {},
        filters: newFilters(entry.filters ?? [], idsAndTime),
        tax_codes: entry.tax_codes ?? [],
        created_at: idsAndTime.now,
      },
    ];
  });
}

function overriddenFixedCharge(charge: FixedChargeRecord, entry: FixedChargeOverride | undefined): FixedChargeRecord {
  if (entry === undefined) return charge;
  const { units, invoice_display_name, properties, tax_codes } = entry;
  return { ...charge, ...withoutUndefined({ units, invoice_display_name, properties, tax_codes }) };
}

function overriddenCommitment(plan: PlanRecord, entry: PlanOverrides['minimum_commitment'], idsAndTime: IdsAndTime) {
  if (entry === undefined) return plan.minimum_commitment;
  const base = plan.minimum_commitment ?? {
    ...newRowFields(idsAndTime),
    amount_cents: 0,
    invoice_display_name: null,
    tax_codes: [],
  };
  const { amount_cents, invoice_display_name, tax_codes } = entry;
  const commitment = {
    ...base,
    ...withoutUndefined({ amount_cents, invoice_display_name, tax_codes }),
    updated_at: idsAndTime.now,
  };
  return commitment.amount_cents === 0 ? null : commitment;
}
