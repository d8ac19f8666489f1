/**
 * What a change of prices takes away without naming it, what it leaves as it is, from when its prices count, and what the
 * answer shows of it (service-behaviour §3.2, §10).
 */
import { lossesBetween } from '../../src/contract/effective-plan.ts';
import { type AnyOverrides, type SentCharge, setsOnlyUnits } from '../../src/contract/plan-overrides.ts';
import type { AnyCharge, Fields, Plan, Subscription } from '../../src/contract/shown.ts';
import { isGiven } from '../../src/lib/json.ts';
import { changedPrices } from '../../src/words/changed-fields.ts';
import { isFilled } from '../../src/words/default-fields.ts';
import { chargeName } from '../../src/words/price.ts';
import { hasOwnPlan, type PlanAsRead } from '../../src/words/subscription.ts';
import { code, joined, listed, money, named, quantity, quoted, say } from '../../src/words/summary.ts';
import type { SubscriptionWithQuantities } from '../quotes/quantities.ts';
import { commitmentInWords, priceOf } from './changes.ts';
import { chargeOf, namesValues, overridable, overridesToSend, planWith, taxCodesOf } from './plan.ts';

type Losses = ReturnType<typeof lossesOf>;

/** What the overrides take away and do not name. Nothing where the plan was not read. */
function lossesOf(overrides: AnyOverrides, plan: PlanAsRead) {
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

function inWords({ taxes, charges, hadCommitment, metadata }: Losses, plan: PlanAsRead): string[] {
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
  return say`Attention: the service left ${text} out of the new plan. Usage of ${names.length === 1 ? 'it' : 'them'} is not billed: add ${names.length === 1 ? 'it' : 'them'} again in plan_overrides.charges, together with all other charges`;
}

/** What the plan had before a change of prices and does not have after it, by name and amount. */
export function lostBetween(before: Plan, after: Plan): string[] {
  const { charges, ...others } = lossesBetween(overridable(before), overridable(after));
  // What is left out of a copy has a sentence of its own.
  const lost = charges.filter(each => !each.isGone || (isGoneUsage(each) && hasOwnPlan(before) !== false));
  return inWords({ ...others, charges: lost, metadata: [] }, before);
}

function isGoneUsage({ isGone, list }: Losses['charges'][number]): boolean {
  return isGone && list === 'charges';
}

/** The losses as one sentence, and which parts of the change have no effect. */
export function overrideNotes(overrides: AnyOverrides, plan: PlanAsRead): string[] {
  const isOwnPlan = hasOwnPlan(plan);
  if (setsOnlyUnits(overrides)) return [];
  if (isOwnPlan === null) {
    return [
      ...(overrides.metadata ? ['Plan metadata that this change does not name is removed.'] : []),
      'If this is its first price change, taxes and the minimum commitment are lost unless the change includes them.',
      ...(overrides.charges === undefined
        ? []
        : ['If it is a later one, charges that are not part of it are deleted.']),
    ];
  }
  const losses = listed(overrideLosses(overrides, plan), Number.POSITIVE_INFINITY);
  return [
    isOwnPlan
      ? say`This deletes the charges of the subscription that the change does not name: ${losses}.`
      : `The subscription gets its own copy of ${say`plan ${named(plan.name, plan.code)}` ?? 'its plan'}, and cannot return to the plan itself.`,
    isOwnPlan ? null : say`This removes: ${losses}.`,
    say`All metadata is replaced: ${removedMetadata(overrides, plan)} removed.`,
  ].filter(note => note !== null);
}

/** A first override makes a copy of the plan, which no longer follows it, even where every value stays the same (§3.2). */
export function sharedPlan(overrides: AnyOverrides, plan: PlanAsRead): string[] {
  return hasOwnPlan(plan) !== true && !setsOnlyUnits(overrides) ? ['the plan that it shares with others'] : [];
}

/** `team is`: what the plan's metadata has and the new one has not. */
function removedMetadata(overrides: AnyOverrides, plan: PlanAsRead): string | null {
  if (!overrides.metadata) return null;
  const removed = lossesBetween(overridable(plan), planWith(overrides, plan)).metadata;
  const codes = removed.flatMap(key => code(key) ?? []);
  return say`${listed(codes, codes.length)} ${codes.length === 1 ? 'is' : 'are'}`;
}

/** Each as `“VAT” (20%)`. */
function taxNames({ taxes }: Pick<Plan, 'taxes'>, codes: readonly string[]): string[] {
  return (taxes ?? [])
    .filter(tax => codes.includes(tax.code ?? ''))
    .map(tax => `${quoted(tax.name) ?? code(tax.code) ?? ''}${say` (${quantity(tax.rate)}%)` ?? ''}`);
}

/** How many charges that stay are named. */
const mostNamed = 8;

/** Empty where the plan was not read. */
export function stayNotes(overrides: AnyOverrides, subscription: Subscription | null): string[] {
  const plan: PlanAsRead = subscription?.plan ?? {};
  if (subscription === null || hasOwnPlan(plan) === null) return [];
  const names = listed(staying(overrides, plan), mostNamed);
  const taxes = changesTaxes(overrides, plan) ? '' : '; taxes';
  return [say`Unchanged: ${names}${taxes}.`, countsFrom(overrides, subscription, plan)].filter(note => note !== null);
}

function staying(overrides: AnyOverrides, plan: PlanAsRead): string[] {
  const effective = planWith(overrides, plan);
  const kept = (list: 'charges' | 'fixed_charges'): readonly AnyCharge[] =>
    (effective[list] ?? []).filter(charge => {
      const sent: readonly SentCharge[] = overrides[list] ?? [];
      return charge.id !== undefined && !namesValues(sent.find(each => chargeOf(each, [charge])) ?? {});
    });
  const units = (charge: AnyCharge) =>
    plan.own_quantities === false
      ? null
      : say`${chargeName(charge)} (${quantity(charge.units)} ${Number(charge.units) === 1 ? 'unit' : 'units'})`;
  return [
    overrides.amount_cents === undefined && overrides.amount_currency === undefined
      ? say`the plan price ${money(plan.amount_cents, plan.amount_currency)}`
      : null,
    ...kept('fixed_charges').map(charge => units(charge) ?? chargeName(charge)),
    ...kept('charges').map(chargeName),
  ].filter(name => name !== null);
}

/** Does the change name or lose taxes of the plan or of a charge? */
function changesTaxes(overrides: AnyOverrides, plan: PlanAsRead): boolean {
  const entries = [...(overrides.charges ?? []), ...(overrides.fixed_charges ?? [])];
  if (overrides.tax_codes !== undefined || entries.some(({ tax_codes }) => tax_codes !== undefined)) return true;
  const { taxes, charges } = lossesOf(overrides, plan);
  return taxes.length > 0 || charges.some(charge => charge.taxes.length > 0);
}

/** `The new prices count for the whole running period and have no end date.`; what is billed in advance is billed until then. */
function countsFrom(overrides: AnyOverrides, { status }: Subscription, plan: PlanAsRead): string | null {
  const noEnd = 'and have no end date';
  const priced = [
    ...(overrides.amount_cents === undefined
      ? []
      : [{ name: 'the plan price', from: plan.pay_in_advance === true ? nextPeriod : runningPeriod }]),
    ...pricedCharges(overrides.charges ?? [], plan.charges ?? [], nextEvent),
    ...pricedCharges(overrides.fixed_charges ?? [], plan.fixed_charges ?? [], nextPeriod),
  ];
  if (priced.length === 0) return null;
  if (status === 'pending') return `The new prices apply from its start ${noEnd}.`;
  if (status !== 'active') return null;
  const starts = [runningPeriod, nextPeriod, nextEvent].flatMap(from => {
    const names = listed([...new Set(priced.filter(one => one.from === from).map(({ name }) => name))], mostNamed);
    return names === null ? [] : [{ from, names }];
  });
  const when =
    starts.length === 1 ? starts.map(({ from }) => from) : starts.map(({ from, names }) => `${from} (${names})`);
  return `The new prices apply ${listed(when) ?? ''} ${noEnd}.`;
}

const runningPeriod = 'to the whole current period';
const nextPeriod = 'from the next period';
const nextEvent = 'from the next event';

/** The charges that get another price; `inAdvance`: from when it counts where the charge is billed in advance. */
function pricedCharges(sent: readonly SentCharge[], charges: readonly AnyCharge[], inAdvance: string) {
  return sent.flatMap(entry => {
    const isPriced = [entry.properties, entry.filters, entry.min_amount_cents].some(value => value !== undefined);
    const charge = chargeOf(entry, charges);
    if (!isPriced || charge === undefined) return [];
    return [{ name: chargeName(charge), from: charge.pay_in_advance === true ? inAdvance : runningPeriod }];
  });
}

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
  return joined([listed(names, names.length), ...prices], '; ');
}

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
export function shownOverrides(
  record: SubscriptionWithQuantities,
  requested?: unknown,
): Fields<keyof AnyOverrides> | undefined {
  const whole: PlanAsRead = record.plan ?? {};
  const isOwn = requested === undefined || (whole.own_quantities ?? !setsOnlyUnits(requested ?? {}));
  const plan: Plan =
    isOwn === true || whole.fixed_charges === undefined
      ? whole
      : { ...whole, fixed_charges: (whole.fixed_charges ?? []).map(({ units: _, ...charge }) => charge) };
  if (Object.keys(plan).length === 0) {
    const { plan_amount_cents: amount_cents, plan_amount_currency: amount_currency } = record;
    return amount_cents === undefined ? undefined : { amount_cents, amount_currency };
  }
  // A plan without a minimum commitment has no such field (§3.14), and without any metadata, no metadata at all.
  const { taxes, minimum_commitment = null, metadata } = plan;
  return { ...plan, tax_codes: taxes && taxCodesOf({ taxes }), minimum_commitment, metadata: metadata ?? {} };
}
