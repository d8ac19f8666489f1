/** The quantities of a subscription's fixed charges over time (service-behaviour §3.2, §10.5). */
import type { DecimalText, FixedChargeRecord, InstantText, SubscriptionRecord, UnitsChange } from './records/index.ts';

type WithUnits = Pick<SubscriptionRecord, 'fixed_charge_units'>;

/** All quantities of a fixed charge, oldest first; the first one holds since ever. */
export function unitChanges({ fixed_charge_units }: WithUnits, charge: FixedChargeRecord): UnitsChange[] {
  const units = fixed_charge_units[charge.id] ?? charge.units;
  return typeof units === 'string' ? [{ units, changed_at: null, at_once: true }] : [...units];
}

/** The newest quantity. */
export function newestUnits(subscription: WithUnits, charge: FixedChargeRecord): DecimalText {
  return unitChanges(subscription, charge).at(-1)?.units ?? charge.units;
}

/** The quantities after a change at this time. */
export function withChange(
  subscription: WithUnits,
  charge: FixedChargeRecord,
  change: { units: DecimalText; at_once: boolean },
  now: InstantText,
): UnitsChange[] {
  return [...unitChanges(subscription, charge), { ...change, changed_at: now }];
}
