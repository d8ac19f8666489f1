/** What a subscription loses by overrides of its plan that do not name it, and what in them has no effect (service-behaviour §3.2). */
import { type AnyOverrides, setsOnlyUnits } from '../../src/contract/plan-overrides.ts';
import type { AnyCharge, Plan, Tax } from '../../src/contract/shown.ts';
import { pairsOf } from '../../src/words/metadata-words.ts';
import { chargeName } from '../../src/words/price.ts';
import { hasOwnPlan, type PlanAsRead } from '../../src/words/subscription.ts';
import { code, listed, named, quantity, quoted, say } from '../../src/words/summary.ts';
import { commitmentInWords, priceOf } from './changes.ts';
import { taxCodesOf } from './sendable.ts';

/**
 * What the subscription loses although the change does not name it, by name and amount. A first change of prices loses
 * taxes and the minimum commitment, a later one the charges that it does not list. Empty where the plan was not read.
 */
export function overrideLosses(overrides: AnyOverrides, plan: PlanAsRead): string[] {
  const isOwnPlan = hasOwnPlan(plan);
  if (isOwnPlan === null || setsOnlyUnits(overrides)) return [];
  const sentCharges = overrides.charges ?? [];
  if (isOwnPlan) {
    if (overrides.charges === undefined) return [];
    const keptIds = new Set(sentCharges.map(({ id }) => id));
    return (plan.charges ?? [])
      .filter(charge => !keptIds.has(charge.svc_id))
      .map(charge => `${priceOf(charge, plan.amount_currency)}`);
  }
  const untaxed = chargesOf(plan).filter(charge => {
    const sent = [...sentCharges, ...(overrides.fixed_charges ?? [])].find(({ id }) => id === charge.svc_id);
    return sent?.tax_codes === undefined;
  });
  const metadata = overrides.metadata === undefined ? pairsOf(plan.metadata).flatMap(([key]) => code(key) ?? []) : [];
  return [
    ...(overrides.tax_codes === undefined ? (plan.taxes ?? []).map(tax => `plan tax ${taxName(tax)}`) : []),
    ...untaxed.flatMap(charge => (charge.taxes ?? []).map(tax => `tax ${taxName(tax)} of ${chargeName(charge)}`)),
    ...(overrides.minimum_commitment === undefined && plan.minimum_commitment ? [commitmentLoss(plan)] : []),
    ...metadata.map(key => `plan metadata ${key}`),
  ];
}

function chargesOf(plan: Plan): AnyCharge[] {
  return [...(plan.charges ?? []), ...(plan.fixed_charges ?? [])];
}

/** A sentence about the charges that the service left out of the copy although nothing asked for it; null for none. */
export function notCopied(before: Plan, after: Plan): string | null {
  if (hasOwnPlan(before) !== false || hasOwnPlan(after) !== true || !Array.isArray(after.charges)) return null;
  const names = (before.charges ?? [])
    .filter(charge => !isKept(charge, after.charges ?? []))
    .map(charge => priceOf(charge, before.amount_currency));
  const text = listed(names, names.length);
  return say`Attention: the service left ${text} out of the new plan. Usage of ${names.length === 1 ? 'it' : 'them'} is not billed: add ${names.length === 1 ? 'it' : 'them'} again in plan_overrides.charges, beside all other charges`;
}

function isKept({ svc_id: id }: AnyCharge, after: readonly AnyCharge[]): boolean {
  return after.some(each => [each.svc_id, each.svc_parent_id].includes(id));
}

/** What the plan had before a change of prices and does not have after it, by name and amount. */
export function lostBetween(before: Plan, after: Plan): string[] {
  const charges = chargesOf(before).map(charge => ({
    charge,
    now: chargesOf(after).find(each => [each.svc_id, each.svc_parent_id].includes(charge.svc_id)),
  }));
  // What is left out of a copy has a sentence of its own; where no fixed charges are shown, none is lost.
  const isLost = ({ svc_id: id }: AnyCharge) =>
    (before.charges ?? []).some(({ svc_id }) => svc_id === id) && hasOwnPlan(before) !== false;
  const lostTaxes = ({ taxes }: Pick<Plan, 'taxes'>, now: Pick<Plan, 'taxes'>) =>
    (taxes ?? []).filter(tax => !taxCodesOf(now).includes(tax.code ?? ''));
  return [
    ...lostTaxes(before, after).map(tax => `plan tax ${taxName(tax)}`),
    ...charges.flatMap(({ charge, now }) =>
      now === undefined
        ? isLost(charge)
          ? [priceOf(charge, before.amount_currency)]
          : []
        : lostTaxes(charge, now).map(tax => `tax ${taxName(tax)} of ${chargeName(charge)}`),
    ),
    ...(before.minimum_commitment && !after.minimum_commitment ? [commitmentLoss(before)] : []),
  ];
}

function commitmentLoss(plan: PlanAsRead): string {
  return `minimum commitment of ${commitmentInWords(plan.minimum_commitment ?? {}, plan.amount_currency) ?? 'unknown size'}`;
}

/** The losses as one sentence, and which parts of the change have no effect. */
export function overrideNotes(overrides: AnyOverrides, plan: PlanAsRead): string[] {
  const isOwnPlan = hasOwnPlan(plan);
  if (setsOnlyUnits(overrides)) return [];
  if (isOwnPlan === null) {
    return [
      ...(overrides.metadata ? ['Metadata that the plan has now and that is not named here is removed.'] : []),
      'If this is the first change of its prices, taxes of the plan and of its charges and the minimum commitment are lost unless they are part of it.',
      ...(overrides.charges === undefined
        ? []
        : ['If it is a later one, charges that are not part of it are deleted.']),
    ];
  }
  const losses = listed(overrideLosses(overrides, plan), Number.POSITIVE_INFINITY);
  return [
    isOwnPlan
      ? say`Charges that are not part of this change are deleted: ${losses}.`
      : `The subscription gets its own copy of ${say`plan ${named(plan.name, plan.code)}` ?? 'its plan'}, and cannot go back to the plan itself.`,
    isOwnPlan ? null : say`Lost with it: ${losses}.`,
    say`Metadata is replaced whole: ${removedMetadata(overrides, plan)} removed.`,
  ].filter(note => note !== null);
}

/** A first override makes a copy of the plan, which no longer follows it, even where every value stays the same (§3.2). */
export function sharedPlan(overrides: AnyOverrides, plan: PlanAsRead): string[] {
  return hasOwnPlan(plan) !== true && !setsOnlyUnits(overrides) ? ['the plan that it shares with others'] : [];
}

/** `“VAT” (20%)` */
/** `team is`: what the plan's metadata has and the new one has not. */
function removedMetadata({ metadata }: AnyOverrides, plan: PlanAsRead): string | null {
  if (!metadata) return null;
  const kept = new Set(pairsOf(metadata).map(([key]) => key));
  const removed = pairsOf(plan.metadata).flatMap(([key]) => (kept.has(key) ? [] : (code(key) ?? [])));
  return say`${listed(removed, Number.POSITIVE_INFINITY)} ${removed.length === 1 ? 'is' : 'are'}`;
}

function taxName({ name, code: taxCode, rate }: Tax): string {
  return `${quoted(name) ?? code(taxCode) ?? 'without a name'}${say` (${quantity(rate)}%)` ?? ''}`;
}
