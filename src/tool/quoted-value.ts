/** A value for use in a message: short, quoted. */
export function quotedValue(value: unknown): string {
  const plain = typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value));
  return JSON.stringify(plain.length > 60 ? `${plain.slice(0, 59)}…` : plain);
}
