/** Runs in front of each test file: the seed of its random cases, and a look behind it when it has ended. */
import fc from 'fast-check';
import { afterAll, expect, inject } from 'vitest';
import { watchForLeftovers } from './left-behind.ts';

fc.configureGlobal({ seed: inject('seed') });

const leftBehind = watchForLeftovers();
afterAll(async () => {
  expect(await leftBehind(), 'left behind by this file').toEqual([]);
});
