// Bundles src/ into dist/: main.js holds what a stdio server needs before its first answer and nothing else; everything
// that is asked for later (tool schemas, HTTP client, HTTP server, embedded service, subcommands) is a chunk of its own.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const dist = join(root, 'dist');

const common = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  // Databases hold native code or are optional; they are loaded only when the embedded service starts.
  external: ['libsql', 'pg', 'pg-native'],
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
  logLevel: 'warning',
  logOverride: { 'empty-import-meta': 'silent' },
};

/** The catalogue's list entries, computed now, so that a started server need not load its schemas to list them. */
async function catalogueSource() {
  const folder = mkdtempSync(join(tmpdir(), 'usage-billing-mcp-'));
  try {
    const outfile = join(folder, 'catalogue.mjs');
    await build({ ...common, entryPoints: ['src/catalogue.ts'], outfile });
    const { catalogue } = await import(pathToFileURL(outfile).href);
    return `export const catalogue = JSON.parse(${JSON.stringify(JSON.stringify(catalogue))});`;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** JSON Schema validators that the SDK brings along. Our dispatcher checks arguments itself and never calls them. */
const withoutValidators = {
  name: 'without-validators',
  setup(setup) {
    setup.onLoad({ filter: /server[/\\]dist[/\\](ajvProvider|cfWorkerProvider)-[^/\\]*\.mjs$/ }, () => ({
      contents: `
        export class NoValidator { getValidator() { return () => ({ valid: false, errorMessage: 'not available' }); } }
        export { NoValidator as n, NoValidator as t, NoValidator as AjvJsonSchemaValidator, NoValidator as CfWorkerJsonSchemaValidator };`,
      loader: 'js',
    }));
  },
};

const contents = await catalogueSource();
const preparedCatalogue = {
  name: 'prepared-catalogue',
  setup(setup) {
    setup.onLoad({ filter: /[/\\]src[/\\]catalogue\.ts$/ }, () => ({ contents, loader: 'js' }));
  },
};

const { outputFiles } = await build({
  ...common,
  write: false,
  entryPoints: { main: 'src/main.ts', demo: 'src/demo.ts' },
  outdir: dist,
  splitting: true,
  chunkNames: 'chunks/[name]-[hash]',
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none',
  plugins: [withoutValidators, preparedCatalogue],
});
// Nothing is touched before everything is built: a failed build leaves the last good one.
rmSync(dist, { recursive: true, force: true });
for (const { path, contents: bytes } of outputFiles) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, bytes, { mode: path === join(dist, 'main.js') ? 0o755 : 0o644 });
}
// Written last: a build that was interrupted counts as stale.
writeFileSync(join(dist, '.built'), '');
