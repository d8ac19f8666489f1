import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

interface Locked {
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

const packages = JSON.parse(readFileSync('package-lock.json', 'utf8')).packages as Record<string, Locked>;

test('locks every package that a locked one names, also for other platforms: otherwise npm 11 installs nothing', () => {
  const locked = new Set(Object.keys(packages).map(path => path.slice(path.lastIndexOf('node_modules/') + 13)));
  const named = Object.values(packages).flatMap(({ dependencies, optionalDependencies }) =>
    Object.keys({ ...dependencies, ...optionalDependencies }),
  );

  expect(named.length).toBeGreaterThan(100);
  expect([...new Set(named)].filter(name => !locked.has(name))).toEqual([]);
});

test('every dependency is pinned exactly', () => {
  const { dependencies, devDependencies, optionalDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
  const versions = Object.values<string>({ ...dependencies, ...optionalDependencies, ...devDependencies });
  expect(versions.filter(version => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([]);
});

test('records no download addresses', () => {
  expect(Object.values(packages).filter(entry => 'resolved' in entry)).toEqual([]);
});
