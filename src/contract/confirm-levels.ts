/** How strictly writes are confirmed, by the kinds of what they change. */

/** What a field of a write changes, the least serious first. */
export const fieldKinds = ['metadata', 'state', 'money', 'irreversible'] as const;
export type RiskKind = (typeof fieldKinds)[number];

/** How a write is confirmed, the loosest first; `typed`: the user also types a text that the prompt names. */
export const confirmLevels = ['never', 'auto', 'always', 'typed'] as const;
export type ConfirmLevel = (typeof confirmLevels)[number];

/** Money below this amount, in major units as decimal text. */
export interface Bound {
  currency: string;
  below: string;
  level: ConfirmLevel;
}

export interface ConfirmRules {
  /** The one level for every write, where there are no rules. */
  plain?: ConfirmLevel;
  levels: Readonly<Record<RiskKind, ConfirmLevel>>;
  /** Of each currency the smallest first. */
  bounds: readonly Bound[];
}

export function strictest(levels: readonly ConfirmLevel[]): ConfirmLevel {
  return confirmLevels[Math.max(0, ...levels.map(level => confirmLevels.indexOf(level)))] ?? 'always';
}
