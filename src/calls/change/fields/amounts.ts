/** The amounts that a write names: judged by `BILLING_MAX_AMOUNT`, and added up for `BILLING_MAX_AMOUNT_PER_DAY`. */

import Big from 'big.js';
import { minorUnits } from '../../../contract/currencies.ts';
import type { AnyOverrides } from '../../../contract/plan-overrides.ts';
import type { AddOn, Fields, Plan, Subscription, Wallet } from '../../../contract/shown.ts';
import {
  type ClassifiedValue,
  classifiedIn,
  type MoneyOwner,
  type OwnedValue,
} from '../../../definition/argument-fields.ts';
import type { AmountLimits } from '../../../definition/caller.ts';
import { type OwnError, refuse } from '../../../definition/failure.ts';
import type { WriteCall } from '../../../definition/write-call.ts';
import { fieldOf, isGiven, isText } from '../../../lib/json.ts';
import { formatMajor } from '../../../words/money.ts';
import { listed } from '../../../words/summary.ts';
import { type AmountFinding, overrideMoney } from './override-money.ts';

type JudgedWrite = Pick<WriteCall, 'tool' | 'args' | 'known' | 'reading'>;

/** Longer numbers are not amounts; computing with millions of digits would block every caller. */
const mostDigits = 100;

/**
 * Checks every amount of the changes against the limit of the currency that really applies: money, credits at their
 * wallet's rate, and prices in free-form properties, by the class of each field (tools/field-classes). Refuses a
 * currency without a limit and what cannot be judged: an unknown currency or rate, a price field that is not known.
 * Of several changes, also the sum of the largest amount of each.
 */
export function checkAmounts(
  write: JudgedWrite,
  limits: AmountLimits,
  changes: readonly JudgedWrite[] = [write],
): true | OwnError {
  for (const change of changes) {
    for (const finding of amountsNamed(change)) {
      const judged = judge(finding, limits);
      const problem = 'problem' in judged ? judged.problem : beyondLimit(finding, judged.amount, limits);
      if (problem === null) continue;
      return amountError(change.tool, finding, `${problem} (${limits.statedBy})`, limits);
    }
  }
  for (const [currency, sum] of addedUp(changes)) {
    const limit = new Big(limits.largest.get(currency) ?? 0);
    if (sum.lte(limit)) continue;
    const problem = `their total is ${inWords(sum, currency)}, over the limit of ${inWords(limit, currency)} (${limits.statedBy})`;
    return amountError(write.tool, { path: 'amounts of the changes', problem }, problem, limits);
  }
  return true;
}

/** All amounts of the write, added up by currency in major units, whatever their sign; or why one cannot be judged. */
export function sumOfAmounts(call: JudgedWrite, limits: AmountLimits): ReadonlyMap<string, Big> | OwnError {
  const sums = new Map<string, Big>();
  for (const finding of amountsNamed(call)) {
    const judged = judge(finding, limits);
    if ('problem' in judged) return amountError(call.tool, finding, `${judged.problem} (${limits.statedBy})`, limits);
    const { currency, amount } = judged;
    sums.set(currency, amount.abs().plus(sums.get(currency) ?? 0));
  }
  return sums;
}

/**
 * The sum of all money that the write names, whatever its sign; null where any of it has no amount: a price per unit, a
 * quantity, a tax, an unknown currency or rate. `money`: the paths of its fields that are money.
 */
export function pricedIn(call: JudgedWrite, money: readonly string[]): { currency: string; amount: Big } | null {
  const findings = amountsNamed(call);
  const amounts = findings.map(finding =>
    'problem' in finding || finding.unit === 'major' ? null : { ...finding, amount: moneyOf(finding) },
  );
  const [first] = amounts;
  if (!first || !money.every(path => isPriced(path, call, amounts))) return null;
  let amount = new Big(0);
  for (const each of amounts) {
    if (each === null || each.amount === null || each.currency !== first.currency) return null;
    amount = amount.plus(each.amount.abs());
  }
  return { currency: first.currency, amount };
}

/** A currency next to its amount is part of that. */
function isPriced(path: string, { args }: JudgedWrite, amounts: readonly ({ path: string } | null)[]): boolean {
  if (path === 'amount_currency') return isGiven(fieldOf(args, 'amount_cents'));
  return amounts.some(amount => amount?.path === path);
}

/** The amounts of a set in words, each currency for itself; null where it names none that can be judged. */
export function sumsInWords(changes: readonly JudgedWrite[]): string | null {
  return listed([...addedUp(changes)].map(([currency, sum]) => inWords(sum, currency)));
}

/** The largest amount that each write names, added up by currency; what cannot be judged is left out. */
function addedUp(changes: readonly JudgedWrite[]): Map<string, Big> {
  const sums = new Map<string, Big>();
  for (const change of changes) {
    for (const [currency, amount] of largestIn(change))
      sums.set(currency, (sums.get(currency) ?? new Big(0)).plus(amount));
  }
  return sums;
}

function largestIn(call: JudgedWrite): Map<string, Big> {
  const largest = new Map<string, Big>();
  for (const finding of amountsNamed(call)) {
    const amount = 'problem' in finding ? null : moneyOf(finding);
    if (amount === null || 'problem' in finding) continue;
    const { currency } = finding;
    if (amount.abs().gt(largest.get(currency) ?? -1)) largest.set(currency, amount.abs());
  }
  return largest;
}

/** Every amount that the write names, and what cannot be judged. */
export function amountsNamed(call: JudgedWrite): AmountFinding[] {
  const [first, ...others] = classifiedIn(call.tool, call.args).filter(isOwned);
  const named = first === undefined ? [] : findingsOf([first, ...others], call);
  return [...named, ...targetsGranted(call)];
}

/** In major units; null for a value that is no number. */
function moneyOf(finding: Exclude<AmountFinding, { problem: string }>): Big | null {
  const number = numberOf(finding.value);
  const rate = finding.unit === 'credits' ? finding.rate : 1;
  return number === null ? null : number.times(rate).div(finding.unit === 'minor' ? minorUnits(finding.currency) : 1);
}

function isOwned(value: ClassifiedValue): value is OwnedValue {
  return 'owner' in value.fieldClass;
}

function findingsOf(fields: readonly [OwnedValue, ...OwnedValue[]], call: JudgedWrite): AmountFinding[] {
  const { path, fieldClass } = fields[0];
  const { owner } = fieldClass;
  const { amount_cents: value, amount_currency: currency } = call.args;
  if (owner === 'add_on' && isText(currency) && isGiven(value)) {
    return [{ path: 'amount_cents', value, unit: 'minor', currency }];
  }
  // The add-on, wallet or subscription (with its plan) that the write is about.
  const record: object | null = call.known;
  if (record === null) {
    return [{ path, problem: `its currency${alsoUnknown[owner]} is unknown (the record could not be read)` }];
  }
  if (owner === 'add_on') return [addOnPrice(path, call.args, record)];
  if (owner === 'wallet') return fields.map(field => walletAmount(field, record));
  const subscription: Subscription = record;
  const plan = (subscription.plan as Plan | null | undefined) ?? {
    amount_currency: subscription.plan_amount_currency,
  };
  return overrideMoney(fields, call.args.plan_overrides as AnyOverrides, plan);
}

const alsoUnknown: Record<MoneyOwner, string> = {
  add_on: ' or current amount',
  wallet: " or the wallet's rate",
  plan: ' or price model',
};

/** The price after the update: a new currency applies to the present number, a new number to the present currency. */
function addOnPrice(path: string, args: Fields<'amount_cents' | 'amount_currency'>, addOn: AddOn): AmountFinding {
  const currency = args.amount_currency ?? addOn.amount_currency;
  const value = args.amount_cents ?? addOn.amount_cents;
  if (!isText(currency)) return { path, problem: 'its currency is unknown' };
  return isGiven(value) ? { path, value, unit: 'minor', currency } : { path, problem: 'the current amount is unknown' };
}

function walletAmount({ path, value, fieldClass }: ClassifiedValue, wallet: Wallet): AmountFinding {
  const { currency } = wallet;
  if (!isText(currency)) return { path, problem: 'its currency is unknown' };
  if (fieldClass.kind !== 'credits') return { path, value, unit: 'minor', currency };
  const rate = numberOf(wallet.rate_amount);
  if (rate === null) return { path, problem: "the wallet's price per credit is unknown" };
  return { path, value, unit: 'credits', currency, rate };
}

/** A top-up rule that begins to grant gives away up to the target that it has, which the write does not name. */
function targetsGranted({ args, known }: JudgedWrite): AmountFinding[] {
  const { recurring_transaction_rules: sent }: Pick<Wallet, 'recurring_transaction_rules'> = args;
  const wallet: Wallet | null = known;
  return (sent ?? []).flatMap((rule, index): AmountFinding[] => {
    if (rule.grants_target_top_up !== true || isGiven(rule.target_ongoing_balance)) return [];
    const path = `recurring_transaction_rules[${index}].grants_target_top_up`;
    if (wallet === null) return [{ path, problem: 'the current target is unknown (the record could not be read)' }];
    const present = wallet.recurring_transaction_rules?.find(({ svc_id }) => svc_id === rule.svc_id);
    const { target_ongoing_balance: value, grants_target_top_up: isGranted } = present ?? {};
    if (!isGiven(value) || isGranted === true) return [];
    return [walletAmount({ path, value, fieldClass: { kind: 'credits', owner: 'wallet' } }, wallet)];
  });
}

/** The amount in major units of a currency that has a limit. */
function judge(
  finding: AmountFinding,
  { largest, statedBy }: AmountLimits,
): { currency: string; amount: Big } | { problem: string } {
  if ('problem' in finding) return finding;
  const { currency } = finding;
  if (!largest.has(currency)) return { problem: `its currency, ${currency}, has no limit in ${statedBy}` };
  const amount = moneyOf(finding);
  return amount === null ? { problem: 'it is not a number that can be checked' } : { currency, amount };
}

function beyondLimit(finding: AmountFinding, amount: Big, { largest }: AmountLimits): string | null {
  if ('problem' in finding) return finding.problem;
  const { currency, unit, value } = finding;
  const limit = new Big(largest.get(currency) ?? 0);
  if (amount.abs().lte(limit)) return null;
  const most = `over the limit of ${inWords(limit, currency)}`;
  if (unit !== 'credits') return `${inWords(amount, currency)} is ${most}`;
  const credits = numberOf(value)?.toFixed();
  return `${credits} credits at ${inWords(finding.rate, currency)} each are ${inWords(amount, currency)}, ${most}`;
}

/** Null for a value that is not a number, or has more digits than any amount. */
function numberOf(value: unknown): Big | null {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string' || text.length > mostDigits || !/^-?\d+(\.\d+)?(e[+-]?\d{1,3})?$/i.test(text))
    return null;
  return new Big(text);
}

export function inWords(amount: Big, currency: string): string {
  return formatMajor(amount.toFixed(), currency) || `${amount.toString()} ${currency}`;
}

function amountError(tool: WriteCall['tool'], finding: AmountFinding, problem: string, limits: AmountLimits): OwnError {
  const { path: argument } = finding;
  const currencies = [...limits.largest.keys()];
  const together = 'amount_cents' in tool.input.shape && 'amount_currency' in tool.input.shape;
  const judged = !('problem' in finding);
  return refuse('amount_limit', { tool: tool.name, argument, problem, currencies, judged, together });
}
