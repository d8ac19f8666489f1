// Bundles src/ into dist/: main.js holds what a stdio server needs before its first answer and nothing else; everything
// that is asked for later (tool schemas, HTTP client, HTTP server, embedded service, subcommands) is a chunk of its own.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
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
// For embedders: one file of its own with the SDK left outside, so that its classes exist once in their program.
await build({
  ...common,
  entryPoints: { library: 'src/library.ts' },
  outdir: dist,
  splitting: true,
  chunkNames: 'library/[name]-[hash]',
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none',
  external: [...common.external, '@modelcontextprotocol/server', '@modelcontextprotocol/server/*'],
  plugins: [preparedCatalogue],
});
writeTypes();
// The parts of the pages are read when a page is first asked for.
for (const name of readdirSync(join(root, 'src/views'))) {
  if (/\.(js|css)$/.test(name)) cpSync(join(root, 'src/views', name), join(dist, 'views', name));
}

/** The library's types refer to nothing but the SDK's, so that one file holds them. Left out where there is no compiler. */
function writeTypes() {
  let compiler;
  try {
    compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');
  } catch {
    return;
  }
  const folder = join(dist, 'types.tmp');
  const options = [
    '--declaration',
    '--emitDeclarationOnly',
    '--noEmit',
    'false',
    '--outDir',
    folder,
    '--rootDir',
    root,
  ];
  execFileSync(process.execPath, [compiler, '-p', join(root, 'scripts/library.tsconfig.json'), ...options], {
    stdio: 'inherit',
  });
  cpSync(join(folder, 'src/library.d.ts'), join(dist, 'library.d.ts'));
  rmSync(folder, { recursive: true });
}
// Written last: a build that was interrupted counts as stale.
writeFileSync(join(dist, '.built'), '');
