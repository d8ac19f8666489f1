// Builds when dist/ is missing or older than its sources.
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const built = modified(join(root, 'dist', '.built'));
const newest = Math.max(
  ...['src', 'tools', 'scripts', 'package.json', 'package-lock.json'].map(path => newestIn(join(root, path))),
);
if (newest >= built) {
  try {
    import.meta.resolve('rolldown');
  } catch {
    console.error(
      'usage-billing-mcp: dist/ must be built, and rolldown is not installed: run `npm ci` without --omit=dev.',
    );
    process.exit(1);
  }
  await import('./build.mjs');
}

function modified(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function newestIn(path) {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return modified(path);
  return Math.max(modified(path), ...readdirSync(path).map(name => newestIn(join(path, name))));
}
