/** A subscription's own plan as a record (service-behaviour §3.2). Pure: ids and time are arguments. */

import { effectivePlan, lossesBetween } from '../contract/effective-plan.ts';
import type { ChargeModel } from '../contract/enums.ts';
import type { OverridesOf } from '../contract/plan-overrides.ts';
import type { PriceProperties } from '../contract/pricing/types.ts';
import type {
  ChargeFilterRecord,
  ChargeRecord,
  DecimalText,
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
  code: string;
  codes: string[];
  charge_model: ChargeModel;
  filter_values: ChargeFilterRecord['values'];
  flag: boolean;
  metadata: NonNullable<PlanRecord['metadata']>;
  rate: never;
}

/** A charge's `id` is the original's on the first override, the copy's later. */
export type PlanOverrides = OverridesOf<OfKind>;

/** What new records get their ids and times from. */
export interface IdsAndTime {
  now: InstantText;
  newId: () => string;
}

/** The plan with the overrides. The copy of a catalogue plan has new ids, and those of the originals as `parent_id`. */
export function overriddenPlan(plan: PlanRecord, overrides: PlanOverrides, idsAndTime: IdsAndTime): PlanRecord {
  const { now, newId } = idsAndTime;
  const isFirst = plan.parent_id === null;
  const copied = <Row extends { id: string }>(row: Row): Row =>
    isFirst ? { ...row, id: newId(), parent_id: row.id, created_at: now } : row;
  const isStored = ({ filters }: ChargeRecord) => !isFirst && plan.charges.some(charge => charge.filters === filters);
  const { id, parent_id, created_at } = copied(plan);
  const { pending_deletion, ...effective } = effectivePlan(plan, overrides, isFirst ? 'first' : 'later');
  const { minimum_commitment: commitment } = effective;
  return {
    ...effective,
    id,
    parent_id,
    created_at,
    updated_at: now,
    pending_deletion: pending_deletion && !isFirst,
    charges: effective.charges.map(charge => {
      const row = charge.id === undefined ? { ...newCharge, ...charge, id: newId(), created_at: now } : copied(charge);
      return isStored(row)
        ? row
        : { ...row, filters: row.filters.map(filter => ({ ...newFilter, ...filter, id: newId() })) };
    }),
    fixed_charges: effective.fixed_charges.map(copied),
    minimum_commitment:
      commitment === plan.minimum_commitment || commitment === null
        ? commitment
        : { ...(commitment.id === undefined && newCommitment(idsAndTime)), ...commitment, updated_at: now },
    usage_thresholds:
      overrides.usage_thresholds === undefined
        ? effective.usage_thresholds
        : newThresholds(overrides.usage_thresholds, idsAndTime),
  };
}

const newFilter = { invoice_display_name: null, properties: {}, values: {} };

/** A charge that a later override adds. */
const newCharge = {
  parent_id: null,
  invoiceable: true,
  invoice_display_name: null,
  pay_in_advance: false,
  regroup_paid_fees: null,
  prorated: false,
  min_amount_cents: 0,
  tax_codes: [],
  filters: [],
};

function newCommitment(idsAndTime: IdsAndTime) {
  return { ...newRowFields(idsAndTime), amount_cents: 0, invoice_display_name: null, tax_codes: [] };
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

/** As sentences: what the plan had before and lacks after the override, although the override did not name it. */
export function droppedByOverride(before: PlanRecord, after: PlanRecord, overrides: PlanOverrides): string[] {
  const { taxes, charges, hadCommitment } = lossesBetween(before, after, overrides);
  const deleted = charges.filter(({ isGone }) => isGone).map(({ charge }) => charge.code);
  if (deleted.length > 0) return [`charges that the override did not list were deleted: ${deleted.join(', ')}`];
  const lost = [
    ...(taxes.length > 0 ? [`plan taxes ${taxes.join(', ')}`] : []),
    ...charges.map(({ charge, taxes }) => `taxes ${taxes.join(', ')} of charge ${charge.code}`),
    ...(hadCommitment ? ['the minimum commitment'] : []),
  ];
  return lost.length > 0 ? [`the first override dropped what it did not send: ${lost.join('; ')}`] : [];
}
