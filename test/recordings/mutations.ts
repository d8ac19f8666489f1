/** One small error in an answer, to see whether the comparison notices it. */
import type { Value } from './compare.ts';

export interface Mutation {
  what: 'a fee' | 'a credit' | 'a tax' | 'a unit' | 'a day';
  path: string;
  answer(): Value;
}

/** The fields that each kind of error changes. */
const fields: Record<Mutation['what'], RegExp> = {
  'a fee': /(fees|charges_usage)\[\d+\]\.amount_cents$/,
  'a credit': /credits\[\d+\]\.amount_cents$/,
  'a tax': /(invoice|customer_usage)\.taxes_amount_cents$/,
  'a unit': /(fees|charges_usage)\[\d+\]\.units$/,
  'a day': /\.(issuing_date|from_datetime|to_datetime|(from|to)_date)$/,
};

/** Each way in which an answer can be wrong by one of these: a cent, a unit or a day. */
export function mutationsOf(answer: Value, what: Mutation['what']): Mutation[] {
  return leavesOf(answer)
    .filter(([path, value]) => fields[what].test(path) && value !== null)
    .map(([path, value]) => ({ what, path, answer: () => replaced(answer, path, moved(value)) }));
}

function leavesOf(value: Value, path = '', found: [string, Value][] = []): [string, Value][] {
  if (value === null || typeof value !== 'object') found.push([path, value]);
  else
    for (const key of Object.keys(value))
      leavesOf(value[key], Array.isArray(value) ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`, found);
  return found;
}

/** One more: a cent, a unit, or a day. */
function moved(value: Value): Value {
  if (typeof value === 'number') return value + 1;
  const day = /^(\d{4}-\d\d-\d\d)(.*)$/.exec(value);
  if (!day) return value.replace(/^-?\d+/, (whole: string) => String(Number(whole) + 1));
  const next = new Date(Date.parse(`${day[1]}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);
  return `${next}${day[2]}`;
}

function replaced(answer: Value, path: string, value: Value): Value {
  const copy = structuredClone(answer);
  const keys = path.split(/[.[\]]+/).filter(key => key !== '');
  const last = keys.pop()!;
  keys.reduce((each, key) => each[key], copy)[last] = value;
  return copy;
}
