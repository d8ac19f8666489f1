/** What a line says next to its amount: the pricing unit that it is priced in, and the parts of its units for display. */
import type { Fee } from '../contract/shown.ts';
import { code, count, listed, major, opt, phrase, quoted, roughly, say } from './summary.ts';

/**
 * `1,200 units priced in “credits” (CR, $0.50 each)`; null for a fee that is priced in money. Amounts of the pricing unit
 * are in its own subunits, and prices of its tiers in the unit: none of them is told, because they would be read as money.
 */
export function pricedIn(fee: Fee, currency: unknown): string | null {
  const unit = fee.pricing_unit_details;
  const short = code(unit?.short_name);
  const name = quoted(unit?.pricing_unit_code) ?? short;
  if (name === null) return null;
  const rate = say`${major(unit?.conversion_rate, currency)} each`;
  const terms = [short === name ? null : short, rate].filter(term => term !== null);
  const units = roughly(fee.units);
  const priced = phrase`priced in ${name}${terms.length === 0 ? null : ` (${terms.join(', ')})`}`;
  return units === null ? priced : `${units} ${units === '1' ? 'unit' : 'units'} ${priced}`;
}

const mostParts = 3;

/** `; of these units 12 in eu and 3 in us`, the largest parts first; empty where the units have no parts. */
export function presentedBy(fee: Fee): string {
  const parts = [...(fee.presentation_breakdowns ?? [])]
    .sort((a, b) => Number(b.units) - Number(a.units))
    .map(({ presentation_by, units }) => {
      const values = Object.entries(presentation_by ?? {}).map(
        ([key, value]) => code(value) ?? `no ${code(key) ?? 'value'}`,
      );
      return values.length === 0 ? null : say`${roughly(units)} in ${values.join(' / ')}`;
    })
    .filter(part => part !== null);
  const rest = parts.length - mostParts;
  const shown = rest > 0 ? [...parts.slice(0, mostParts), count(rest, 'smaller part')] : parts;
  return opt`; of these units ${listed(shown)}`;
}
