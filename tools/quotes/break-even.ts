/** From which usage of one metric on another plan is the cheaper one. */

export interface BreakEven {
  /** The fewest units from which this plan is the cheaper one, up to the next point. */
  units: number;
  plan: 'first' | 'second';
}

/** Where prices change their course: after each of `ends`, and at the end of each package. */
export interface Course {
  ends: readonly number[];
  /** Packages end at `from` and every `size` units on. */
  packages: readonly { from: number; size: number }[];
}

/** What the second plan costs more at so many units; null where it is not known, which ends the search. */
type Difference = (units: number) => number | null;

/** Usage beyond this is not looked at. */
const mostUnits = 1e12;
/** With several minimums, prices change course at unknown units: so usage is looked at in steps of a fifth. */
const step = 1.2;
/** More changes than this are those of packages, of which only the last lasts. */
const mostPoints = 3;
/** Rounding may move the difference of two plans by so many cents; so many units back are searched for that. */
const mostRounded = 4;
const mostBack = 400;
/** Packages that end together only after more ends than this are not searched. */
const mostEnds = 400;

/**
 * The last points at which the cheaper plan changes, fewest units first: at most three, with no others between them,
 * and after the last one the same plan stays cheaper. None if the plans take turns for ever, e.g. a package and the
 * same price for a unit.
 */
export function breakEven(read: Difference, { ends: bounds, packages }: Course): BreakEven[] {
  const difference = remembered(read);
  // Packages of one unit are a price for a unit.
  const course = { ends: bounds, packages: packages.filter(({ size }) => size > 1) };
  const cycle = cycleOf(course);
  const samples = [0];
  for (let units = 1; units <= mostUnits && difference(units) !== null; units = Math.ceil(units * step))
    samples.push(units);
  const last = samples.at(-1) ?? 0;
  if (cycle === null || difference(0) === null || !lasts(difference, course, last, cycle)) return [];
  const ends = endsOf(difference, course, samples);
  let lastRuns: Run[] = [];
  // Backwards, because changes before the last three are not answered.
  for (let i = ends.length - 1; i >= 0 && lastRuns.length <= mostPoints; i -= 1) {
    const part = { from: i === 0 ? 0 : (ends[i - 1] ?? 0) + 1, to: ends[i] ?? 0 };
    for (const runs of runsFromBehind(difference, course, part, cycle)) {
      lastRuns = joined(difference, runs, lastRuns);
      if (lastRuns.length > mostPoints) break;
    }
  }
  const changes = lastRuns
    .slice(1)
    .map(({ units, sign }): BreakEven => ({ units, plan: sign < 0 ? 'second' : 'first' }));
  return changes.slice(-mostPoints);
}

/** Up to how many units a plan costs what it costs without any: the end of a minimum, or of what is free. */
export function endOfLeast(cost: (units: number) => number | null): number {
  const least = cost(0);
  return firstWhere(0, mostUnits, at => cost(at) !== least) - 1;
}

function remembered(difference: Difference): Difference {
  const cache = new Map<number, number | null>();
  return units => {
    const knownDifference = cache.get(units);
    if (knownDifference !== undefined) return knownDifference;
    const more = difference(units);
    cache.set(units, more);
    return more;
  };
}

/** Units between which to search: where prices change their course, and samples around a change or a near miss. */
function endsOf(difference: Difference, { ends, packages }: Course, samples: readonly number[]): number[] {
  const last = samples.length - 1;
  const size = (i: number) => Math.abs(difference(samples[i] ?? 0) ?? 0);
  const isNear = (i: number) => i <= 0 || i >= last || (size(i) <= size(i - 1) && size(i) <= size(i + 1));
  const nearSamples = packages.length === 0 ? samples : samples.filter((_, i) => [i - 1, i, i + 1].some(isNear));
  const inside = ends.map(Math.floor).filter(end => end > 0 && end < (samples[last] ?? 0));
  return [...new Set([...nearSamples, ...inside])].sort((a, b) => a - b);
}

/** Numbers of units; both ends included. */
interface Span {
  from: number;
  to: number;
}

/** From `units` on, one plan is the cheaper one: the first where `sign` is 1, the second where it is -1. */
interface Run {
  units: number;
  sign: number;
}

/** After how many units all packages end together; null where that takes too many ends. */
function cycleOf({ packages }: Course): number | null {
  const cycle = packages.reduce((all, { size }) => (all * size) / commonFactor(all, size), 1);
  const ends = packages.reduce((sum, { size }) => sum + cycle / size, 0);
  return Number.isSafeInteger(cycle) && ends <= mostEnds ? cycle : null;
}

function commonFactor(a: number, b: number): number {
  return b === 0 ? a : commonFactor(b, a % b);
}

/** Does the plan that is cheaper at the end stay so? Beyond the last known price, packages repeat the last cycle. */
function lasts(difference: Difference, course: Course, last: number, cycle: number): boolean {
  return course.packages.length === 0 || oneSign(difference, course, { from: Math.max(last - cycle, 0), to: last });
}

/**
 * The runs of a span, its last part first. If one plan is cheaper throughout the first and the last cycle of packages,
 * it is cheaper throughout the span.
 */
function* runsFromBehind(difference: Difference, course: Course, span: Span, cycle: number): Generator<Run[]> {
  const length = span.to - span.from;
  if (course.packages.length === 0 || length <= 4 * cycle) {
    yield* partsOf(course, span).map(part => runsOfPart(difference, part));
    return;
  }
  const [first, last] = [
    { ...span, to: span.from + cycle },
    { ...span, from: span.to - cycle },
  ];
  const sign = Math.sign(difference(span.to) ?? 0);
  if (sign !== 0 && oneSign(difference, course, first, sign) && oneSign(difference, course, last, sign)) {
    yield [{ units: span.from, sign }];
    return;
  }
  const middle = span.from + Math.floor(length / 2);
  yield* runsFromBehind(difference, course, { ...span, from: middle + 1 }, cycle);
  yield* runsFromBehind(difference, course, { ...span, to: middle }, cycle);
}

function oneSign(difference: Difference, course: Course, span: Span, sign?: number): boolean {
  const signs = partsOf(course, span).flatMap(({ from, to }) => [from, to].map(at => Math.sign(difference(at) ?? 0)));
  return signs.every(one => one === (sign ?? signs[0]) && one !== 0);
}

/** The parts of a span in which no package ends, the last one first. */
function partsOf({ packages }: Course, { from, to }: Span): Span[] {
  const ends = new Set([to]);
  for (const { from: first, size } of packages) {
    const skipped = Math.max(0, Math.ceil((from - first) / size));
    for (let end = first + skipped * size; end < to; end += size) ends.add(Math.floor(end));
  }
  const sorted = [...ends].filter(end => end >= from).sort((a, b) => a - b);
  return sorted.map((end, i) => ({ from: i === 0 ? from : (sorted[i - 1] ?? 0) + 1, to: end })).reverse();
}

/** Where no package ends, prices are straight lines: their difference changes its sign once at most. */
function runsOfPart(difference: Difference, { from, to }: Span): Run[] {
  const sign = (at: number) => Math.sign(difference(at) ?? 0);
  const [before, after] = [sign(from), sign(to)];
  const runs = before === 0 ? [] : [{ units: from, sign: before }];
  if (after === 0 || after === before) return runs;
  const crossing = firstWhere(from, to, at => sign(at) === after);
  return [...runs, earliest(difference, { units: crossing, sign: after }, { from, to })];
}

/** Each fee is rounded: near a crossing of `span`, the difference goes up and down by a cent, so that the run begins before it. */
function earliest(difference: Difference, { units, sign }: Run, { from, to }: Span): Run {
  const slope = Math.abs((difference(to) ?? 0) - (difference(from) ?? 0)) / (to - from);
  const back = Math.min(mostBack, Math.ceil(mostRounded / slope));
  let first = units;
  for (let at = units - 1; at > from && at >= units - back; at -= 1)
    if (Math.sign(difference(at) ?? 0) === sign) first = at;
  return { units: first, sign };
}

/** Joins the runs of two neighbouring spans: if one plan is cheaper on both sides, it is one run. */
function joined(difference: Difference, runs: readonly Run[], behind: readonly Run[]): Run[] {
  const [last, [next, ...rest]] = [runs.at(-1), behind];
  if (last === undefined || next === undefined) return [...runs, ...behind];
  if (last.sign === next.sign) return [...runs, ...rest];
  // The crossing is where the spans meet.
  const span = { from: Math.max(last.units, next.units - mostBack), to: next.units };
  return [...runs, earliest(difference, next, span), ...rest];
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
