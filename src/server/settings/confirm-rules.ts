/** `BILLING_CONFIRM` as text: one level for every write, or rules by kind of field, such as `metadata=never, money<50 USD=auto`. */

import { currencies } from '../../contract/codes.ts';
import {
  type Bound,
  type ConfirmLevel,
  type ConfirmRules,
  confirmLevels,
  fieldKinds,
  type RiskKind,
} from '../../contract/confirm-levels.ts';
import { nearest } from '../../lib/nearest-word.ts';
import { ConfigError } from './settings.ts';

/**
 * `others`: the level of kinds without a rule; where that is `always`, irreversible changes are `typed`. Throws ConfigError for what is no rule, for two rules about the same, and for
 * larger amounts with a looser level than smaller ones.
 */
export function confirmRules(text: string, others: ConfirmLevel = 'always'): ConfirmRules {
  const read = readRules(text, others);
  if ('problems' in read) throw new ConfigError(read.problems);
  return read;
}

/** What is wrong with the rules, each after the name of what states them; empty when they are valid. */
export function confirmProblems(text: string, statedBy: string): string[] {
  const read = readRules(text, 'always');
  return 'problems' in read ? read.problems.map(problem => `${statedBy}: ${problem}`) : [];
}

/** Does the text let the level depend on an amount? Then the sum of a day must be limited, too. */
export function namesAmounts(text: string): boolean {
  return text.includes('<');
}

/** Is a write with some of these rules confirmed by any method that `BILLING_ASK` allows? */
export function usesLevel({ levels, bounds }: ConfirmRules, level: ConfirmLevel): boolean {
  return [...Object.values(levels), ...bounds.map(bound => bound.level)].includes(level);
}

const plainLevels = ['never', 'auto', 'always'] as const;

function readRules(text: string, others: ConfirmLevel): ConfirmRules | { problems: string[] } {
  const plain = plainLevels.find(level => level === text.trim());
  if (plain !== undefined)
    return { plain, levels: { metadata: plain, state: plain, money: plain, irreversible: plain }, bounds: [] };
  const levels: Partial<Record<RiskKind, ConfirmLevel>> = {};
  const bounds: Bound[] = [];
  const problems: string[] = [];
  for (const entry of text.split(',').map(part => part.trim())) {
    const rule = readRule(entry);
    if ('problem' in rule) problems.push(rule.problem);
    else if (levels[rule.kind] !== undefined && rule.bound === undefined) problems.push(twice(rule.kind));
    else if (rule.bound === undefined) levels[rule.kind] = rule.level;
    else if (bounds.some(bound => isSameBound(bound, rule.bound as Bound))) problems.push(twice(entry));
    else bounds.push(rule.bound);
  }
  if (problems.length > 0) return { problems };
  const final: ConfirmLevel = others === 'always' ? 'typed' : others;
  const usual = { metadata: others, state: others, money: others, irreversible: final };
  const rules = { levels: { ...usual, ...levels }, bounds: bounds.toSorted(bySize) };
  const looser = looserAmount(rules);
  return looser === undefined ? rules : { problems: [looser] };
}

const twice = (what: string) => `"${what}" has two rules. Keep one of them.`;

type Rule = { kind: RiskKind; level: ConfirmLevel; bound?: Bound } | { problem: string };

function readRule(entry: string): Rule {
  const [, name = '', below, currency = '', level = ''] =
    /^(\w+)\s*(?:<\s*(\S+)\s+(\w+)\s*)?=\s*(\w+)$/.exec(entry) ?? [];
  const kind = fieldKinds.find(each => each === name);
  const known = confirmLevels.find(each => each === level);
  if (level === '')
    return {
      problem: `"${entry}" is not a rule${guess(entry, plainLevels)}. Set always, auto or never, or rules such as metadata=never, money<50 USD=auto.`,
    };
  if (kind === undefined)
    return { problem: `there is no kind "${name}"${guess(name, fieldKinds)}. Valid: ${fieldKinds.join(', ')}.` };
  if (known === undefined)
    return {
      problem: `there is no level "${level}"${guess(level, confirmLevels)}. Valid: ${confirmLevels.join(', ')}.`,
    };
  if (below === undefined) return { kind, level: known };
  if (kind !== 'money') return { problem: `"${entry}": only money has amounts. Write ${kind}=${known}.` };
  if (!/^\d{1,15}(\.\d{1,4})?$/.test(below))
    return { problem: `"${below}" is not an amount. Write it as in money<50 USD=auto.` };
  if (!currencies.includes(currency)) return { problem: `"${currency}" is not a currency code.` };
  return { kind, level: known, bound: { currency, below, level: known } };
}

function guess(word: string, known: readonly string[]): string {
  const near = nearest(word, known);
  return near === null ? '' : ` (did you mean ${near}?)`;
}

/** Ten-thousandths, exactly. */
const units = ({ below }: Bound): bigint => {
  const [whole = '', fraction = ''] = below.split('.');
  return BigInt(whole + fraction.padEnd(4, '0'));
};
const bySize = (one: Bound, other: Bound) => (units(one) < units(other) ? -1 : 1);
const isSameBound = (one: Bound, other: Bound) => one.currency === other.currency && units(one) === units(other);

/** What cannot be priced counts as above every bound, which must then be the strictest. */
function looserAmount({ levels, bounds }: Pick<ConfirmRules, 'levels' | 'bounds'>): string | undefined {
  for (const [index, bound] of bounds.entries()) {
    const above = [...bounds.slice(index + 1).filter(({ currency }) => currency === bound.currency), levels.money];
    const level = above.map(each => (typeof each === 'string' ? each : each.level)).find(each => isLooser(each, bound));
    if (level !== undefined)
      return `money<${bound.below} ${bound.currency}=${bound.level} is stricter than ${level} above it. Larger amounts need at least the same level.`;
  }
  return undefined;
}

const isLooser = (level: ConfirmLevel, than: Bound) => confirmLevels.indexOf(level) < confirmLevels.indexOf(than.level);
