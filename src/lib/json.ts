/** A JSON object whose fields have yet to be looked at. */
export type JsonRecord = Record<string, unknown>;

/** Is it an object as JSON has them: neither null nor an array? */
export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Neither null nor left out. */
export function isGiven(value: unknown): boolean {
  return value !== null && value !== undefined;
}

/** Text that is not empty. */
export function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
