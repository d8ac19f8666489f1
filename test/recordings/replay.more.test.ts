/** The embedded service answers the recorded requests as the real service did. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { differences } from './compare.ts';
import { withFigures } from './figures.ts';
import { type Mutation, mutationsOf } from './mutations.ts';
import { accepted, replay } from './replay.ts';
import { excusedBy, type Judged, judge, openByCause, reportOf } from './results.ts';

let judged: Judged[];
beforeAll(async () => {
  judged = judge(await replay(), accepted);
  process.stderr.write(`\n${reportOf(judged, accepted, 1)}\n`);
});

test('no difference is open', () => {
  const open = [...openByCause(judged)].map(([cause, all]) => [cause, all.length]);
  expect(Object.fromEntries(open)).toEqual({});
});

test('docs/fidelity.md has the figures of this run', async () => {
  const page = new URL('../../docs/fidelity.md', import.meta.url);
  const now = withFigures(readFileSync(page, 'utf8'), judged);
  await expect(now).toMatchFileSnapshot(fileURLToPath(page));
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
      const all = mutationsOf(real, what);
      if (all.length === 0) return [];
      const { path, answer } = all[i % all.length]!;
      return [{ ...result, name: `${result.name}: ${path}`, differences: differences(real, answer()) }];
    });
    expect(changed.length).toBeGreaterThan(200);
    const missed = judge(changed, accepted).filter(({ open }) => open.length === 0);
    expect(missed.map(({ seed, kind, name }) => `${seed}: ${kind} ${name}`)).toEqual([]);
  },
);
