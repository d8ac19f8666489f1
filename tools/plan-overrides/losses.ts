/** What a subscription loses by overrides of its plan that do not name it, and what in them has no effect (service-behaviour §3.2). */
import { lossesBetween } from '../../src/contract/effective-plan.ts';
import { type AnyOverrides, setsOnlyUnits } from '../../src/contract/plan-overrides.ts';
import type { Plan } from '../../src/contract/shown.ts';
import { chargeName } from '../../src/words/price.ts';
import { hasOwnPlan, type PlanAsRead } from '../../src/words/subscription.ts';
import { code, listed, named, quantity, quoted, say } from '../../src/words/summary.ts';
import { commitmentInWords, priceOf } from './changes.ts';
import { overridable, overridesToSend, planWith } from './plan.ts';

type PlanLosses = ReturnType<typeof lossesOf>;

/** What the overrides take away and do not name. Nothing where the plan was not read. */
export function lossesOf(overrides: AnyOverrides, plan: PlanAsRead) {
  const isKnown = hasOwnPlan(plan) !== null && !setsOnlyUnits(overrides);
  const [before, after] = [overridable(plan), isKnown ? planWith(overrides, plan) : overridable(plan)];
  return lossesBetween(before, after, overridesToSend(overrides, plan));
}

/**
 * What the subscription loses although the change does not name it, by name and amount. A first change of prices loses
 * taxes and the minimum commitment, a later one the charges that it does not list.
 */
export function overrideLosses(overrides: AnyOverrides, plan: PlanAsRead): string[] {
  return inWords(lossesOf(overrides, plan), plan);
}

function inWords({ taxes, charges, hadCommitment, metadata }: PlanLosses, plan: PlanAsRead): string[] {
  const { amount_currency: currency, minimum_commitment: commitment } = plan;
  return [
    ...taxNames(plan, taxes).map(name => `plan tax ${name}`),
    ...charges.flatMap(({ charge, isGone, taxes: lost }) =>
      isGone ? [priceOf(charge, currency)] : taxNames(charge, lost).map(name => `tax ${name} of ${chargeName(charge)}`),
    ),
    ...(hadCommitment
      ? [`minimum commitment of ${commitmentInWords(commitment ?? {}, currency) ?? 'unknown size'}`]
      : []),
    ...metadata.flatMap(key => say`plan metadata ${code(key)}` ?? []),
  ];
}

/** A sentence about the charges that the service left out of the copy although nothing asked for it; null for none. */
export function notCopied(before: Plan, after: Plan): string | null {
  if (hasOwnPlan(before) !== false || hasOwnPlan(after) !== true) return null;
  const { charges } = lossesBetween(overridable(before), overridable(after));
  const names = charges.filter(isGoneUsage).map(({ charge }) => priceOf(charge, before.amount_currency));
  const text = listed(names, names.length);
  return say`Attention: the service left ${text} out of the new plan. Usage of ${names.length === 1 ? 'it' : 'them'} is not billed: add ${names.length === 1 ? 'it' : 'them'} again in plan_overrides.charges, beside all other charges`;
}

/** What the plan had before a change of prices and does not have after it, by name and amount. */
export function lostBetween(before: Plan, after: Plan): string[] {
  const { charges, ...others } = lossesBetween(overridable(before), overridable(after));
  // What is left out of a copy has a sentence of its own.
  const lost = charges.filter(each => !each.isGone || (isGoneUsage(each) && hasOwnPlan(before) !== false));
  return inWords({ ...others, charges: lost, metadata: [] }, before);
}

function isGoneUsage({ isGone, list }: PlanLosses['charges'][number]): boolean {
  return isGone && list === 'charges';
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

/** `team is`: what the plan's metadata has and the new one has not. */
function removedMetadata({ metadata, ...others }: AnyOverrides, plan: PlanAsRead): string | null {
  if (!metadata) return null;
  const removed = lossesBetween(overridable(plan), planWith({ metadata, ...others }, plan)).metadata;
  const codes = removed.flatMap(key => code(key) ?? []);
  return say`${listed(codes, codes.length)} ${codes.length === 1 ? 'is' : 'are'}`;
}

/** Each as `“VAT” (20%)`. */
function taxNames({ taxes }: Pick<Plan, 'taxes'>, codes: readonly string[]): string[] {
  return (taxes ?? [])
    .filter(tax => codes.includes(tax.code ?? ''))
    .map(tax => `${quoted(tax.name) ?? code(tax.code) ?? ''}${say` (${quantity(tax.rate)}%)` ?? ''}`);
}
