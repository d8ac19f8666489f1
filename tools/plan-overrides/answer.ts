/** What the answer shows of the overrides that were requested (service-behaviour §3.2). */
import { type AnyOverrides, setsOnlyUnits } from '../../src/contract/plan-overrides.ts';
import type { Fields, Plan } from '../../src/contract/shown.ts';
import { isGiven } from '../../src/lib/json.ts';
import { changedPrices } from '../../src/words/changed-fields.ts';
import { isFilled } from '../../src/words/default-fields.ts';
import type { PlanAsRead } from '../../src/words/subscription.ts';
import { listed } from '../../src/words/summary.ts';
import type { SubscriptionWithQuantities } from '../quotes/quantities.ts';
import { taxCodesOf } from './plan.ts';

/** What an override names next to the plan's price, as far as the answer shows another value. */
export function planParts(
  overrides: AnyOverrides,
  record: SubscriptionWithQuantities,
  before: SubscriptionWithQuantities | undefined,
): string | null {
  const earlier = before && shownOverrides(before);
  const now = shownOverrides(record);
  const isShown = (part: keyof AnyOverrides, shown: unknown) =>
    isGiven(shown) && (isFilled(shown) || !isFilled(overrides[part]));
  const parts = (Object.keys(overrides) as (keyof AnyOverrides)[]).filter(part => {
    if (overrides[part] === undefined) return false;
    const shown = now?.[part];
    return before === undefined ? isShown(part, shown) : JSON.stringify(earlier?.[part]) !== JSON.stringify(shown);
  });
  const prices = changedPrices(before?.plan ?? {}, record.plan ?? {});
  const isTold = (part: keyof AnyOverrides) => prices.length > 0 && (part === 'charges' || part === 'fixed_charges');
  const names = parts.flatMap(part => (isTold(part) ? [] : (partNames[part] ?? [])));
  return [listed(names, names.length), ...prices].filter(text => text !== null).join('; ') || null;
}

type ShownOverrides = Fields<keyof AnyOverrides>;

/** Null: its new value is said apart. */
const partNames: Readonly<Record<keyof AnyOverrides, string | null>> = {
  amount_cents: null,
  amount_currency: 'the currency of its copy of the plan',
  name: 'the name of its copy of the plan',
  invoice_display_name: 'the name on invoices of its copy of the plan',
  description: 'the description of its copy of the plan',
  trial_period: 'trial',
  tax_codes: 'the taxes of its copy of the plan',
  metadata: 'the metadata of its copy of the plan',
  minimum_commitment: 'minimum commitment',
  charges: 'the prices of its copy of the plan',
  fixed_charges: 'the fixed charges of its copy of the plan',
  usage_thresholds: 'usage thresholds',
};

/**
 * An override of quantities alone gives the subscription no plan of its own: the plan in the answer keeps the plan's
 * quantities, and only a record that was read with the subscription's own shows those (§3.2).
 */
export function shownOverrides(record: SubscriptionWithQuantities, requested?: unknown): ShownOverrides | undefined {
  const whole: PlanAsRead = record.plan ?? {};
  const isOwn = requested === undefined || (whole.own_quantities ?? !setsOnlyUnits(requested ?? {}));
  const plan = isOwn === true ? whole : withoutUnits(whole);
  if (Object.keys(plan).length === 0) {
    const { plan_amount_cents: amount_cents, plan_amount_currency: amount_currency } = record;
    return amount_cents === undefined ? undefined : { amount_cents, amount_currency };
  }
  // A plan without a minimum commitment has no such field (§3.14), and without any metadata, no metadata at all.
  const { taxes, minimum_commitment = null, metadata } = plan;
  return { ...plan, tax_codes: taxes && taxCodesOf({ taxes }), minimum_commitment, metadata: metadata ?? {} };
}

function withoutUnits(plan: Plan): Plan {
  if (plan.fixed_charges === undefined) return plan;
  return { ...plan, fixed_charges: (plan.fixed_charges ?? []).map(({ units: _, ...charge }) => charge) };
}
