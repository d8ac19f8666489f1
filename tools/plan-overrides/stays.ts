/** What a change of prices leaves as it is, and from when its prices count (service-behaviour §3.2, §10). */
import type { AnyOverrides, SentCharge } from '../../src/contract/plan-overrides.ts';
import type { AnyCharge, Subscription } from '../../src/contract/shown.ts';
import { chargeName } from '../../src/words/price.ts';
import { hasOwnPlan, type PlanAsRead } from '../../src/words/subscription.ts';
import { listed, money, quantity, say } from '../../src/words/summary.ts';
import { lossesOf } from './losses.ts';
import { chargeOf, planWith } from './plan.ts';

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
      const entry = sent.find(each => chargeOf(each, [charge])) ?? {};
      const names = Object.entries(entry).some(([key, value]) => key !== 'id' && value !== undefined);
      return charge.id !== undefined && !names;
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
  if (status === 'pending') return `The new prices count from its start ${noEnd}.`;
  if (status !== 'active') return null;
  const starts = [runningPeriod, nextPeriod, nextEvent].flatMap(from => {
    const names = listed([...new Set(priced.filter(one => one.from === from).map(({ name }) => name))], mostNamed);
    return names === null ? [] : [{ from, names }];
  });
  const when =
    starts.length === 1 ? starts.map(({ from }) => from) : starts.map(({ from, names }) => `${from} (${names})`);
  return `The new prices count ${listed(when) ?? ''} ${noEnd}.`;
}

const runningPeriod = 'for the whole running period';
const nextPeriod = 'from the next period on';
const nextEvent = 'from the next event on';

/** The charges that get another price; `inAdvance`: from when it counts where the charge is billed in advance. */
function pricedCharges(sent: readonly SentCharge[], charges: readonly AnyCharge[], inAdvance: string) {
  return sent.flatMap(entry => {
    const isPriced = [entry.properties, entry.filters, entry.min_amount_cents].some(value => value !== undefined);
    const charge = chargeOf(entry, charges);
    if (!isPriced || charge === undefined) return [];
    return [{ name: chargeName(charge), from: charge.pay_in_advance === true ? inAdvance : runningPeriod }];
  });
}
