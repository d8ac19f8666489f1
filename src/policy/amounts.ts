/** `BILLING_MAX_AMOUNT`: the largest amount that a write may name. */
import Big from 'big.js';
import type { JsonRecord, Known } from '../../tools/define.ts';
import type { ToolError } from '../call.ts';
import { ConfigError } from '../config.ts';
import { minorUnits } from '../model/currencies.ts';
import { formatMoney } from '../present/money.ts';
import { amountEntries, amountProblems } from './amount-setting.ts';

/** Limits in minor units by currency. */
export type AmountLimits = ReadonlyMap<string, Big>;

interface FoundAmount {
  /** `plan_overrides.charges[0].min_amount_cents` */
  path: string;
  value: unknown;
  /** Currency that the arguments give for it; null when they give none. */
  currency: string | null;
}

/** Reads `USD:1000,EUR:1000` (major units). Throws ConfigError for an unknown currency or one that is named twice. */
export function readAmountLimits(text: string): AmountLimits {
  const problems = amountProblems(text);
  if (problems.length > 0) throw new ConfigError(problems);
  return new Map(
    amountEntries(text).map(([currency, amount]) => [currency, new Big(amount).times(minorUnits(currency))]),
  );
}

/**
 * Is every `*_cents` argument, at any depth, within its limit? Judged by every currency that may be meant: the one
 * beside the amount or above it in the arguments, and the record's own where it was read before. Where neither is
 * known the amount must fit the smallest limit in minor units (no currency's minor unit is worth much more than a
 * cent). A currency without a limit is refused.
 */
export function checkAmounts(tool: string, args: JsonRecord, known: Known, limits: AmountLimits): true | ToolError {
  const ownCurrency = currencyOf(known);
  for (const found of amountsIn(args, '', null)) {
    const meant = new Set([found.currency, ownCurrency].filter(currency => currency !== null));
    const problem = meant.size === 0 ? beyondSmallest(found, limits) : beyondAny(found, meant, limits);
    if (problem !== null) return amountError(tool, found, problem, limits);
  }
  return true;
}

function* amountsIn(value: unknown, path: string, inherited: string | null): Generator<FoundAmount> {
  if (Array.isArray(value)) {
    for (const [index, entry] of value.entries()) yield* amountsIn(entry, `${path}[${index}]`, inherited);
    return;
  }
  if (value === null || typeof value !== 'object') return;
  const record = value as JsonRecord;
  const own = currencyOf(record) ?? inherited;
  for (const [key, entry] of Object.entries(record)) {
    const at = path === '' ? key : `${path}.${key}`;
    if (key.endsWith('_cents') && entry !== null && entry !== undefined) {
      yield { path: at, value: entry, currency: text(record[key.replace(/_cents$/, '_currency')]) ?? own };
    } else yield* amountsIn(entry, at, own);
  }
}

function currencyOf(record: Known): string | null {
  if (record === null) return null;
  const plan = record.plan as JsonRecord | null | undefined;
  return text(record.amount_currency) ?? text(record.currency) ?? text(plan?.amount_currency);
}

function beyondAny(found: FoundAmount, meant: ReadonlySet<string>, limits: AmountLimits): string | null {
  for (const currency of meant) {
    const limit = limits.get(currency);
    if (limit === undefined) return `its currency, ${currency}, has no limit in BILLING_MAX_AMOUNT`;
    if (exceeds(found.value, limit)) {
      return `${shown(found.value, currency)} is more than the ${formatMoney(limit.round(0, 0).toFixed(), currency)} allowed`;
    }
  }
  return null;
}

function beyondSmallest(found: FoundAmount, limits: AmountLimits): string | null {
  const [currency, limit] = [...limits].reduce((least, entry) => (entry[1].lt(least[1]) ? entry : least));
  if (!exceeds(found.value, limit)) return null;
  return `its currency is not known here, and ${String(found.value)} minor units are more than the smallest limit (${formatMoney(limit.round(0, 0).toFixed(), currency)})`;
}

/** What is no number counts as too much. */
function exceeds(value: unknown, limit: Big): boolean {
  try {
    return new Big(value as string | number).abs().gt(limit);
  } catch {
    return true;
  }
}

function shown(value: unknown, currency: string): string {
  return formatMoney(value as number | string, currency) || `${String(value)} minor units of ${currency}`;
}

function text(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value.toUpperCase() : null;
}

function amountError(tool: string, found: FoundAmount, problem: string, limits: AmountLimits): ToolError {
  return {
    status: null,
    code: 'amount_limit',
    message: `${tool} was refused before anything was sent: ${found.path}: ${problem} (BILLING_MAX_AMOUNT).`,
    details: { argument: found.path, currencies_allowed: [...limits.keys()] },
    hint: 'Do not split the amount to get around the limit. Ask the person, or have the operator raise it.',
    changed: false,
  };
}
