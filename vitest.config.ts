import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['**/node_modules/**'],
    globalSetup: ['test/support/run.ts'],
    setupFiles: ['test/support/setup.ts'],
    // Where the time goes, for the end of .ci/run.
    ...(process.env.CI_TIMES && { reporters: ['default', './test/support/times.ts'] }),
    // Generous: machines of CI are at times many times slower than a developer's, and many tests start real processes.
    testTimeout: 180_000,
    hookTimeout: 300_000,
    retry: process.env.CI ? 1 : 0,
    // The machines have two cores, and many tests start real processes.
    maxWorkers: 2,
    // Files share their worker's modules: loading them anew for each file took longer than most files' tests.
    isolate: false,
    expect: { poll: { timeout: 30_000 } },
  },
});
