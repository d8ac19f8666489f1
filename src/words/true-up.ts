/** Which fee raises a charge to its minimum. Chat pages tell it, too: this imports types alone. */
import type { Fee } from '../contract/shown.ts';

/**
 * Stored true-up fees name their parent. Previewed fees have no ids: there a true-up has one unit and no events, and
 * follows another fee of the same charge, filter and group, whose details it repeats if it has any (service-behaviour
 * §10.2).
 */
export function isTrueUp(fee: Fee, fees: readonly Fee[]): boolean {
  if (fee.svc_true_up_parent_fee_id) return true;
  if (Number(fee.units) !== 1 || fee.events_count !== 0) return false;
  if (!fee.svc_charge_id) return false;
  const earlier = fees.slice(0, fees.indexOf(fee)).filter(other => bucket(other) === bucket(fee));
  const detailsOf = ({ amount_details }: Fee) => JSON.stringify(amount_details ?? {});
  const details = detailsOf(fee);
  return earlier.some(other => details === '{}' || details === detailsOf(other));
}

function bucket(fee: Fee): string {
  const { grouped_by } = fee.item ?? {};
  return JSON.stringify([
    fee.svc_subscription_id ?? null,
    fee.svc_charge_id ?? null,
    fee.svc_charge_filter_id ?? null,
    Object.entries(grouped_by ?? {}),
  ]);
}
