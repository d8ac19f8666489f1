/** Reads instants and days in ISO 8601, the format of the interface. */

const SHAPE = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::\d{2}(?:[.,]\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/;

/** Is the text an existing instant or day in ISO 8601? Time and offset are optional. */
export function isIsoDateTime(text: string): boolean {
  return partsOf(text) !== null;
}

/** The groups of SHAPE, null where it does not fit or names no instant or day that exists. */
function partsOf(text: string): RegExpExecArray | null {
  const match = text.length <= 40 ? SHAPE.exec(text) : null;
  if (match === null) return null;
  const [, year = 0, month = 0, day = 0, hour = 0, minute = 0] = match.map(Number);
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return null;
  const second = /:\d{2}:(\d{2})/.exec(text)?.[1];
  const offset = /[+-](\d{2}):?(\d{2})$/.exec(text.slice(10));
  if (offset !== null && (Number(offset[1]) > 14 || Number(offset[2]) > 59)) return null;
  if (match[4] !== undefined && (hour > 23 || minute > 59 || Number(second ?? 0) > 59)) return null;
  return match;
}

/** The parts of an instant or day as written, without conversion to another zone. */
export interface IsoDate {
  year: number;
  month: number;
  day: number;
  /** `23:59`; null for a date without time. */
  time: string | null;
  zone: string;
}

/** The parts of the value; null when it is not an existing instant or day as text. */
export function readIsoDate(value: unknown): IsoDate | null {
  const match = typeof value === 'string' ? partsOf(value) : null;
  if (match === null) return null;
  const zone = match[6] === undefined || match[6] === 'Z' ? 'UTC' : `UTC${match[6]}`;
  const time = match[4] === undefined ? null : `${match[4]}:${match[5]}`;
  return { year: Number(match[1]), month: Number(match[2]), day: Number(match[3]), time, zone };
}

function daysIn(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}
