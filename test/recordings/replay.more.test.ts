/** The embedded service answers the recorded requests as the real service did. */
import { readFileSync, writeFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { differences } from './compare.ts';
import { figuresIn, withFigures } from './figures.ts';
import { type Mutation, mutationsOf } from './mutations.ts';
import { accepted, replay } from './replay.ts';
import { excusedBy, type Judged, judge, openByCause, reportOf } from './results.ts';

let judged: Judged[];
beforeAll(async () => {
  judged = judge(await replay(), accepted);
  process.stderr.write(`\n${reportOf(judged, accepted, 1)}\n`);
});

/** Open differences by cause, with their number. `UPDATE_OPEN=1` records them, and the figures of the page. */
const ledger = new URL('open.json', import.meta.url);
const page = new URL('../../docs/fidelity.md', import.meta.url);

test('no difference is open beyond those in open.json', () => {
  const open = Object.fromEntries([...openByCause(judged)].map(([cause, all]) => [cause, all.length]));
  if (process.env.UPDATE_OPEN) writeFileSync(ledger, `${JSON.stringify(open, null, 2)}\n`);
  const known: Record<string, number> = JSON.parse(readFileSync(ledger, 'utf8'));
  const more = Object.entries(open).filter(([cause, count]) => count > (known[cause] ?? 0));
  expect(Object.fromEntries(more)).toEqual({});
});

test('docs/fidelity.md claims no more than this run shows', () => {
  const now = withFigures(readFileSync(page, 'utf8'), judged);
  if (process.env.UPDATE_OPEN) writeFileSync(page, now);
  const claimed = figuresIn(readFileSync(page, 'utf8'));
  const more = Object.entries(figuresIn(now)).filter(([name, counts]) =>
    counts.some((count, i) => count < claimed[name]![i]!),
  );
  expect(more).toEqual([]);
});

test('each accepted difference occurs', () => {
  const unused = excusedBy(judged, accepted).filter(({ answers }) => answers === 0);
  expect(unused.map(({ rule }) => rule)).toEqual([]);
});

test.each<Mutation['what']>(['a fee', 'a credit', 'a tax', 'a unit', 'a day'])(
  'one more in %s is noticed in each answer that has one',
  what => {
    const changed = judged.flatMap((result, i) => {
      const [real] = result.answers ?? [];
      const all = mutationsOf(real).filter(each => each.what === what);
      if (all.length === 0) return [];
      const { path, answer } = all[i % all.length]!;
      return [{ ...result, name: `${result.name}: ${path}`, differences: differences(real, answer) }];
    });
    expect(changed.length).toBeGreaterThan(200);
    const missed = judge(changed, accepted).filter(({ open }) => open.length === 0);
    expect(missed.map(({ seed, kind, name }) => `${seed}: ${kind} ${name}`)).toEqual([]);
  },
);
