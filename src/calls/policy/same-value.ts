/** Does the service show the same value that was sent? That depends on the kind of the field. */
import Big from 'big.js';
import type { FieldKind } from './field-kinds.ts';

/**
 * `applied`: the value is shown as the service is documented to write it. `idle`: sending it would change nothing, not
 * even a part of the value that the service does not show.
 */
export type Measure = 'applied' | 'idle';

export function isSame(kind: FieldKind, requested: unknown, shown: unknown, measure: Measure): boolean {
  if (requested === shown) return true;
  switch (kind) {
    case 'exact':
    case 'prices':
      return false;
    case 'capitals':
      return typeof requested === 'string' && requested.toUpperCase() === shown;
    case 'decimal':
      return sameDecimal(requested, shown);
    case 'moment':
      return sameMoment(requested, shown, measure);
    case 'image':
      return measure === 'applied' && typeof shown === 'string' && shown !== '';
  }
}

function sameDecimal(left: unknown, right: unknown): boolean {
  const [a, b] = [decimalOf(left), decimalOf(right)];
  return a !== null && b !== null && a.eq(b);
}

/** The decimal of a JSON number or of digits: the interface has no exponents, and no other text that is a number. */
function decimalOf(value: unknown): Big | null {
  if (typeof value === 'number') return Number.isFinite(value) ? new Big(value) : null;
  return typeof value === 'string' && /^-?\d{1,400}(\.\d{1,400})?$/.test(value) ? new Big(value) : null;
}

const momentShape = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(:\d\d)?(?:[.,](\d+))?(Z|[+-]\d\d:?\d\d)$/;

/** False for a day alone, and for a time without an offset: these are no moments. */
function sameMoment(left: unknown, right: unknown, measure: Measure): boolean {
  const [requested, shown] = [momentOf(left), momentOf(right)];
  if (requested === null || shown === null || requested.second !== shown.second) return false;
  const sent = measure === 'idle' ? requested.fraction : requested.fraction.slice(0, shown.fraction.length);
  return withoutZeros(sent) === withoutZeros(shown.fraction);
}

function momentOf(value: unknown): { second: number; fraction: string } | null {
  const parts = typeof value === 'string' ? momentShape.exec(value) : null;
  if (parts === null) return null;
  const [, day, minute, second = ':00', fraction = '', offset = 'Z'] = parts;
  const at = Date.parse(`${day}T${minute}${second}${offset.replace(/^([+-]\d\d)(\d\d)$/, '$1:$2')}`);
  return Number.isNaN(at) ? null : { second: at, fraction };
}

function withoutZeros(digits: string): string {
  return digits.replace(/0+$/, '');
}
