// npm runs this after `npm ci` in a clone, as the script `dependencies`: builds, if the build tools are installed, and notes the
// time for .ci/run. A script `prepare` would do the same, but npm warns of it where the packed package is installed.
import { appendFileSync } from 'node:fs';

try {
  await import('rolldown');
} catch {
  console.error(
    'usage-billing-mcp: rolldown is not installed, so dist/ is not built (it comes with the development dependencies).',
  );
  process.exit(0);
}
const started = performance.now();
console.error(
  'usage-billing-mcp: building dist/ from src/ and tools/: server, chat pages, demo. It takes ten to thirty seconds.',
);
await import('./build.mjs');
console.error('usage-billing-mcp: dist/ is built. Try `npm run demo`, or `node dist/main.js --help`.');
if (process.env.CI_TIMES) {
  appendFileSync(process.env.CI_TIMES, `${(performance.now() - started) / 1_000}\tbuild (part of install)\n`);
}
