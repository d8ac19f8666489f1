/** Compares docs/coverage.md with a run that has passed, if that was all of `npm test`. With `-u` the page is written. */
import { readdirSync } from 'node:fs';
import type { TestModule, Vitest } from 'vitest/node';
import type { Case } from './coverage.ts';

export async function compareCoverage(modules: readonly TestModule[], vitest: Vitest): Promise<void> {
  if (!isWhole(modules, vitest)) return;
  const { checkCoverage } = await import('./coverage.ts');
  const problems = checkCoverage(modules.flatMap(heldBy), vitest.snapshot.options.updateSnapshot === 'all');
  if (problems.length === 0) return;
  process.exitCode = 1;
  // After what the default reporter prints at its end.
  process.once('exit', () => process.stdout.write(`\nWhat npm test covers:\n${problems.join('\n')}\n`));
}

function isWhole(modules: readonly TestModule[], { config }: Vitest): boolean {
  const ran = new Set(modules.map(module => module.relativeModuleId));
  const files = readdirSync('test', { recursive: true, encoding: 'utf8' }).map(name => `test/${name}`);
  const all = files.filter(name => /(?<!\.more)\.test\.ts$/.test(name) && !name.includes('/node_modules/'));
  return !config.provide.whole && config.testNamePattern === undefined && all.every(file => ran.has(file));
}

/** The cases that hold something: those that passed. Where a program is missing here, skipped ones count, but not in CI. */
function heldBy(module: TestModule): Case[] {
  return [...module.children.allTests()]
    .filter(test => test.result().state === 'passed' || (test.result().state === 'skipped' && !process.env.CI))
    .map(test => ({ name: test.fullName, file: module.relativeModuleId }));
}
