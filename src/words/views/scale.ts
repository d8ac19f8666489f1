/** Where the shapes of charts stand: across in percent of the width, down in pixels. Sizes are for drawing, never money. */

type Scale = (size: number) => number;
/** A time in milliseconds, and a size. */
type Point = readonly [time: number, size: number];
type Span = readonly [from: number, to: number];

const percent = (share: number) => `${(share * 100).toFixed(2)}%`;

/** A scale from the least to the greatest of the sizes, zero in it: gives the pixels below the top. */
export function scaleOf(sizes: readonly number[], height: number): Scale {
  const [most, least] = [Math.max(0, ...sizes), Math.min(0, ...sizes)];
  const span = most - least || 1;
  return size => ((most - size) / span) * height;
}

/** Columns side by side, each from zero to its size. */
export function columnsOf(sizes: readonly number[], down: Scale) {
  return sizes.map((size, index) => ({
    x: percent((index + 0.12) / sizes.length),
    width: percent(0.76 / sizes.length),
    y: Math.min(down(size), down(0)),
    height: Math.abs(down(size) - down(0)),
  }));
}

/** Parts of one bar, one after the other, which fill it. */
export function partsOf(sizes: readonly number[]) {
  const all = sizes.reduce((sum, size) => sum + size, 0) || 1;
  let before = 0;
  return sizes.map(size => {
    const part = { x: percent(before / all), width: percent(size / all), middle: percent((before + size / 2) / all) };
    before += size;
    return part;
  });
}

/** The corners of what stays as it is until the next point, across in shares of the width; the points are in the order of time. */
export function stepsOf(points: readonly Point[], [from, to]: Span, down: Scale): [number, number][] {
  return points.flatMap(([time, size], index) => {
    const across = (time - from) / (to - from || 1);
    const [, held] = points[index - 1] ?? [time, size];
    return [
      [across, down(held)],
      [across, down(size)],
    ];
  });
}

/** The line from one point to another. */
export function lineOf(one: Point, other: Point, [from, to]: Span, down: Scale) {
  const across = ([time]: Point) => percent((time - from) / (to - from || 1));
  return { x1: across(one), x2: across(other), y1: down(one[1]), y2: down(other[1]) };
}

/** By how many percent whole cents differ from those before, with one decimal; null where nothing can be said. */
export function rateOf(from: number, to: number): string | null {
  if (![from, to].every(Number.isSafeInteger) || from <= 0 || to < 0 || from === to) return null;
  const [before, moved] = [BigInt(from), BigInt(Math.abs(to - from))];
  const tenths = (2000n * moved + before) / (2n * before);
  return tenths === 0n ? '<0.1' : `${tenths / 10n}.${tenths % 10n}`;
}
