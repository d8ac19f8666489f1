import { randomInt } from 'node:crypto';
import { defineConfig } from 'vitest/config';
import LongestFirst from './test/support/order.ts';
import { limitMs } from './test/support/until.ts';

const project = (name: 'test' | 'more', include: string, ...exclude: string[]) => ({
  extends: true as const,
  test: { name, include: [include], exclude: ['**/node_modules/**', ...exclude], provide: { whole: name === 'more' } },
});

/**
 * A file's name says when it runs: `x.test.ts` with `npm test`, `x.more.test.ts` with `npm run test:more`. What takes SQLite
 * alone in the first (`x.databases.test.ts`) runs again in the second, on PostgreSQL. `x.property.test.ts` has a tenth of its
 * random cases, and all with `ALL_CASES=1`. Vitest keeps transformed modules for each mode, so the two are projects of one mode.
 */
export const projects = [
  project('test', 'test/**/*.test.ts', '**/*.more.test.ts'),
  project('more', 'test/**/*.{more,databases}.test.ts'),
];

export default defineConfig({
  test: {
    projects,
    globalSetup: ['test/support/run.ts'],
    setupFiles: ['test/support/setup.ts'],
    reporters: ['default', './test/support/report.ts'],
    // In CI the same random cases every time, so that only a code change can change the result; elsewhere new ones each run.
    sequence: { sequencer: LongestFirst, seed: process.env.CI ? 20_260_315 : randomInt(2 ** 31) },
    // One limit for everything, and far away: it ends a test that hangs, and says nothing about how fast a machine is.
    testTimeout: limitMs,
    hookTimeout: limitMs,
    teardownTimeout: limitMs,
    expect: { poll: { timeout: limitMs, interval: 20 } },
    retry: 0,
    // The machines have two cores, and many tests wait for real processes.
    maxWorkers: 3,
    // Files share their worker's modules: loading them anew for each file took longer than most files' tests.
    isolate: false,
    // Transformed modules are kept in node_modules, for the next run.
    experimental: { fsModuleCache: true },
  },
});
