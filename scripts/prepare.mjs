// Runs after `npm ci`: builds, where the tools for it are installed.
try {
  await import('rolldown');
} catch {
  console.error(
    'usage-billing-mcp: rolldown is not installed, so dist/ is not built (it comes with the development dependencies).',
  );
  process.exit(0);
}
await import('./build.mjs');
