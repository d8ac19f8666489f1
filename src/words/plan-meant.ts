/** Suggestions for plan codes that were not found: what a user calls a plan is often almost its code. */
import type { Fields } from '../contract/shown.ts';
import { closest } from '../lib/nearest-word.ts';

/** A suggestion is read as our own words, so only text that looks like a code may become one. */
export const plainCode = /^[\p{L}\p{N}_.:-]{1,60}$/u;

/** `Did you mean "studio"?`, of the account's plans; null where none is near. */
export function planMeant(wanted: unknown, plans: readonly Fields<'code'>[]): string | null {
  if (typeof wanted !== 'string') return null;
  const codes = plans.map(plan => String(plan.code ?? '')).filter(code => plainCode.test(code));
  const guess = closest(wanted, codes);
  return guess === null || guess === wanted ? null : `Did you mean "${guess}"? list_plans shows all plan codes.`;
}
