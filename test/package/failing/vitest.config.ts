import { defineConfig } from 'vitest/config';
import config from '../../../vitest.config.ts';

/** Runs the files of this folder that are named on the command line, as the suite would. */
export default defineConfig(env => {
  const { test } = config(env);
  return { test: { ...test, include: ['test/package/failing/*.ts'], exclude: ['**/vitest.config.ts'] } };
});
