/** Overrides that the service refuses, ignores, or answers by leaving a charge out (service-behaviour §3.2). */
import { pricesByModel, pricesIn } from '../../src/contract/charge-prices.ts';
import { type AnyOverrides, type SentCharge, setByFirstOverride } from '../../src/contract/plan-overrides.ts';
import type { AnyCharge } from '../../src/contract/shown.ts';
import type { Refusal } from '../../src/definition/define.ts';
import { fieldOf, isGiven } from '../../src/lib/json.ts';
import { chargeName } from '../../src/words/price.ts';
import { hasOwnPlan, type PlanAsRead } from '../../src/words/subscription.ts';
import { code, listed } from '../../src/words/summary.ts';
import { chargeOf, namesValues, wholeCommitment } from './plan.ts';

/** Null where none of them is known to fail. */
export function refusedOverrides(overrides: AnyOverrides, plan: PlanAsRead): Refusal | null {
  const isOwnPlan = hasOwnPlan(plan);
  const fixed = setByFirstOverride.find(
    field => isOwnPlan && overrides[field] !== undefined && String(overrides[field]) !== String(plan[field] ?? 0),
  );
  const { charges = [], fixed_charges = [] } = overrides;
  const problems: [field: string, problem: string | null | undefined][] = [
    [`.${fixed}`, fixed && 'can no longer change: the subscription has its own copy of the plan'],
    ['.minimum_commitment', commitmentProblem(overrides, plan)],
    ['.charges', charges.map(entry => chargeProblem(entry, plan)).find(isGiven)],
    ['.fixed_charges', fixed_charges.map(entry => fixedChargeProblem(entry, plan)).find(isGiven)],
    ['', copiesOnly(overrides, isOwnPlan)],
  ];
  const refused = problems.find(([, problem]) => isGiven(problem));
  return refused ? { argument: `plan_overrides${refused[0]}`, message: refused[1] ?? '' } : null;
}

/** Parts that change nothing where they are empty: of a first override all but the taxes, later the fixed charges. */
function copiesOnly(overrides: AnyOverrides, isOwnPlan: boolean | null): string | null {
  const idle = isOwnPlan === false ? ['charges', 'fixed_charges', 'usage_thresholds', 'metadata'] : ['fixed_charges'];
  const isEmpty = (part: object) => (Array.isArray(part) ? !part.some(namesValues) : Object.keys(part).length === 0);
  const changesNothing = Object.entries(overrides).every(
    ([field, value]) => value === undefined || (idle.includes(field) && isEmpty(value as object)),
  );
  return changesNothing
    ? 'contains no change: it would only copy the plan, without its taxes and minimum commitment'
    : null;
}

function commitmentProblem(overrides: AnyOverrides, plan: PlanAsRead): string | null {
  if (overrides.minimum_commitment === undefined) return null;
  const { amount_cents: amount } = overrides.minimum_commitment;
  if (amount !== undefined && Number(amount) <= 0) return 'must have an amount above 0; {} removes it';
  const whole = wholeCommitment(overrides.minimum_commitment, plan) ?? {};
  const lacksAmount = Object.keys(whole).length > 0 && whole.amount_cents === undefined;
  return lacksAmount && hasOwnPlan(plan) !== null ? 'needs amount_cents: the plan has no minimum commitment' : null;
}

function chargeProblem(entry: SentCharge, plan: PlanAsRead): string | null {
  const isOwnPlan = hasOwnPlan(plan);
  if (isOwnPlan === null || !Array.isArray(plan.charges)) return null;
  const charges: readonly AnyCharge[] = plan.charges;
  const charge = chargeOf(entry, charges);
  if (charge !== undefined) return fixedValue(entry, charge, isOwnPlan) ?? priceProblem(entry, charge);
  if (entry.id !== undefined)
    return `has ${code(entry.id) ?? 'no id'}, which is not a charge of its plan. ${choicesOf(charges)}`;
  if (!isOwnPlan) return `has an entry without id: the first price change cannot add a charge. ${choicesOf(charges)}`;
  const lacks = (['billable_metric_id', 'charge_model'] as const).find(field => entry[field] === undefined);
  return lacks === undefined ? null : `has a new charge without ${lacks}`;
}

/** What no override changes; the minimum changes with the first one alone. */
function fixedValue(entry: SentCharge, charge: AnyCharge, isOwnPlan: boolean): string | null {
  const stored = { ...charge, billable_metric_id: charge.svc_billable_metric_id };
  const fields = ['charge_model', 'billable_metric_id', 'code', ...(isOwnPlan ? ['min_amount_cents'] : [])];
  const changed = fields.find(field => {
    const [sent, shown] = [fieldOf(entry, field), fieldOf(stored, field)];
    return sent !== undefined && shown !== undefined && String(sent) !== String(shown ?? 0);
  });
  return changed === undefined
    ? null
    : `cannot change ${changed} of ${chargeName(charge)} ${changed === 'min_amount_cents' ? 'any more' : 'at all'}: omit it`;
}

/** The service leaves out a charge whose price it cannot store: its usage would never be billed. */
function priceProblem(entry: SentCharge, charge: AnyCharge): string | null {
  const model = pricesByModel.get(charge.charge_model ?? '');
  if (Number(entry.min_amount_cents ?? 0) < 0) return `has a minimum below 0 for ${chargeName(charge)}`;
  const all = [entry.properties, ...(entry.filters ?? []).map(filter => filter.properties)];
  if (model === undefined) return null;
  for (const properties of all.filter(each => each !== undefined)) {
    const prices = [...pricesIn(properties ?? {}, model)].filter(({ kind }) => kind !== 'unknown' && kind !== 'label');
    const wrong = prices.find(({ value }) => !/^\d+(\.\d+)?$/.test(String(value)));
    if (wrong !== undefined)
      return `has a price of ${chargeName(charge)} that is not a number of 0 or more: ${code(wrong.path)}`;
    if (prices.length === 0 && charge.charge_model !== 'dynamic')
      return `has no price in the properties of ${chargeName(charge)}`;
  }
  return null;
}

function fixedChargeProblem(entry: SentCharge, plan: PlanAsRead): string | null {
  if (!Array.isArray(plan.fixed_charges)) return null;
  const charges: readonly AnyCharge[] = plan.fixed_charges;
  if (chargeOf(entry, charges) !== undefined) return null;
  return `has ${code(entry.id) ?? 'no id'}, which is not a fixed charge of its plan. ${choicesOf(charges)}`;
}

function choicesOf(charges: readonly AnyCharge[]): string {
  const choices = listed(
    charges.map(charge => `${chargeName(charge)} (${code(charge.svc_id)})`),
    3,
  );
  return choices === null ? 'It has none' : `Its charges: ${choices}`;
}
