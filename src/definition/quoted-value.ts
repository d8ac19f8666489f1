/** A value for use in a message: short, quoted. */
import { cutText } from '../lib/cut-text.ts';
export function quotedValue(value: unknown): string {
  const plain = typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value));
  return JSON.stringify(plain.length > 60 ? `${cutText(plain, 59)}…` : plain);
}
