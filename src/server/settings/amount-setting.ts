/** `BILLING_MAX_AMOUNT` as text: `USD:1000,EUR:1000`, in major units. A small module, because every start reads it. */

import { currencies } from '../../contract/codes.ts';
import { meantCurrency } from '../../contract/codes-meant.ts';
import { ConfigError } from './settings.ts';

/** The largest amount by currency. Throws ConfigError for an unknown currency or one that is named twice. */
export function largestAmounts(text: string): ReadonlyMap<string, string> {
  const problems = amountProblems(text);
  if (problems.length > 0) throw new ConfigError(problems);
  return new Map(amountEntries(text));
}

/** Problems with the limits, each after the name of what states them; empty when they are valid. */
export function amountProblems(text: string, statedBy = 'BILLING_MAX_AMOUNT'): string[] {
  const seen = new Set<string>();
  const problems: string[] = [];
  for (const [currency, amount] of amountEntries(text)) {
    const problem = entryProblem(currency, amount, seen);
    if (problem !== null) problems.push(`${statedBy}: ${problem}`);
    seen.add(currency);
  }
  return problems;
}

/** The entries as [currency, amount]. */
function amountEntries(text: string): [currency: string, amount: string][] {
  return text.split(',').map(entry => {
    const [currency = '', amount = ''] = entry.trim().split(':');
    return [currency, amount];
  });
}

function entryProblem(currency: string, amount: string, seen: ReadonlySet<string>): string | null {
  if (!currencies.includes(currency)) {
    const guess = meantCurrency(currency);
    return `"${currency}" is not a currency code${guess === null ? '' : ` (did you mean ${guess}?)`}.`;
  }
  if (!/^\d+(\.\d+)?$/.test(amount)) return `"${amount}" is not an amount. Write it as in USD:1000,EUR:1000.`;
  return seen.has(currency) ? `${currency} appears twice. Keep one of them.` : null;
}
