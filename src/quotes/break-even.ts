/** From which usage of one metric on another plan is the cheaper one. */
import type { JsonRecord } from '../lib/json.ts';
import { asRecord, asRecords } from '../present/summary.ts';

export interface BreakEven {
  /** The fewest units from which this plan is the cheaper one, up to the next point. */
  units: number;
  plan: 'first' | 'second';
}

/** Usage beyond this is not looked at. */
const mostUnits = 1e12;
/** Between the prices' own bounds, usage is looked at in steps of a fifth. */
const step = 1.2;
/** More changes than this are those of packages, of which only the last lasts. */
const mostPoints = 3;

/**
 * The points at which the cheaper plan changes, fewest units first; at most three, the last of which lasts. `difference`:
 * what the second plan costs more at so many units; null where it is not known, which ends the search.
 */
export function breakEven(difference: (units: number) => number | null, bounds: readonly number[]): BreakEven[] {
  const samples = new Set<number>([0, ...bounds]);
  for (let units = 1; units <= mostUnits; units = Math.ceil(units * step)) samples.add(units);
  const found = changes(difference, samples);
  if (found === null) return [];
  // Packages go up in steps: near a change there may be others.
  for (const { units } of found.slice(-mostPoints))
    for (const bound of bounds) for (const at of around(units, bound)) samples.add(at);
  return (changes(difference, samples) ?? []).slice(-mostPoints);
}

/** The numbers of units at which the price of a metric's charges changes its course. */
export function priceBounds(charges: readonly JsonRecord[]): number[] {
  const found: number[] = [];
  for (const charge of charges) {
    for (const { properties } of [charge, ...asRecords(charge.filters)]) {
      const own = asRecord(properties);
      const ranges = Object.values(own).flatMap(asRecords);
      const named = [own.free_units, own.package_size, ...ranges.flatMap(range => [range.from_value, range.to_value])];
      found.push(...named.map(Number).filter(units => Number.isSafeInteger(units) && units > 0));
    }
  }
  return [...new Set(found)].flatMap(units => [units, units + 1]);
}

function* around(units: number, size: number): Generator<number> {
  for (let times = -5; times <= 20; times += 1) {
    const at = units + times * size;
    if (at > 0 && at < mostUnits) yield* [at, at + 1];
  }
}

function changes(difference: (units: number) => number | null, samples: ReadonlySet<number>): BreakEven[] | null {
  const found: BreakEven[] = [];
  let before = 0;
  let cheaper: BreakEven['plan'] | null = null;
  for (const units of [...samples].sort((a, b) => a - b)) {
    const more = difference(units);
    if (more === null) return null;
    const now: BreakEven['plan'] | null = more === 0 ? cheaper : more < 0 ? 'second' : 'first';
    if (now !== cheaper && cheaper !== null && now !== null) {
      found.push({
        units: firstWhere(before, units, at => Math.sign(difference(at) ?? 0) === Math.sign(more)),
        plan: now,
      });
    }
    cheaper = now;
    before = units;
  }
  return found;
}

/** The first whole number above `low`, up to `high`, from which something holds that holds at `high`. */
function firstWhere(low: number, high: number, holds: (units: number) => boolean): number {
  let [no, yes] = [low, high];
  while (yes - no > 1) {
    const middle = Math.floor((no + yes) / 2);
    if (holds(middle)) yes = middle;
    else no = middle;
  }
  return yes;
}
