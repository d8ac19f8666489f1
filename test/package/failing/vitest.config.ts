import { defineConfig } from 'vitest/config';
import config from '../../../vitest.config.ts';

export default defineConfig(env => {
  const { test } = config(env);
  return { test: { ...test, include: ['test/package/failing/failing.ts'] } };
});
