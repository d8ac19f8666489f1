// Bundles src/ into dist/: main.js and the one chunk that it imports hold what a server needs to start; everything
// that is asked for later (tool schemas, HTTP client, HTTP server, embedded service, subcommands) is a chunk of its own.
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { thirdPartyNotices } from './notices.mjs';
import { mergeStart } from './start-chunk.mjs';

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
    await build({ ...common, entryPoints: ['src/call/catalogue.ts'], outfile });
    const { catalogue } = await import(pathToFileURL(outfile).href);
    return `export const catalogue = JSON.parse(${JSON.stringify(JSON.stringify(catalogue))});`;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const validators = /server[/\\]dist[/\\](ajvProvider|cfWorkerProvider)-[^/\\]*\.mjs$/;
const http2 = /undici[/\\]lib[/\\]dispatcher[/\\]client-h2\.js$/;

/** JSON Schema validators that the SDK brings along. Our dispatcher checks arguments itself and never calls them. */
const withoutValidators = {
  name: 'without-validators',
  setup(setup) {
    setup.onLoad({ filter: validators }, () => ({
      contents: `
        export class NoValidator { getValidator() { return () => ({ valid: false, errorMessage: 'not available' }); } }
        export { NoValidator as n, NoValidator as t, NoValidator as AjvJsonSchemaValidator, NoValidator as CfWorkerJsonSchemaValidator };`,
      loader: 'js',
    }));
  },
};

/** undici's HTTP/2, which it loads at once and we never let it speak (see connections.ts): Node's part of it is the larger one. */
const withoutHttp2 = {
  name: 'without-http2',
  setup(setup) {
    setup.onLoad({ filter: http2 }, () => ({
      contents: "module.exports = () => { throw new Error('HTTP/2 is not spoken here'); };",
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

const minified = { outdir: dist, splitting: true, minifySyntax: true, minifyWhitespace: true, legalComments: 'none' };
const started = new Date();
const program = await build({
  ...common,
  ...minified,
  write: false,
  metafile: true,
  entryPoints: { main: 'src/main.ts', demo: 'src/cli/demo.ts' },
  chunkNames: 'chunks/[name]-[hash]',
  plugins: [withoutValidators, withoutHttp2, preparedCatalogue],
});
// For embedders: one file of its own with the SDK left outside, so that its classes exist once in their program.
const library = await build({
  ...common,
  ...minified,
  write: false,
  metafile: true,
  entryPoints: { library: 'src/library.ts' },
  chunkNames: 'library/[name]-[hash]',
  external: [...common.external, '@modelcontextprotocol/server', '@modelcontextprotocol/server/*'],
  plugins: [preparedCatalogue],
});
const files = new Map(library.outputFiles.map(file => [file.path, file.contents]));
const merged = await mergeStart({
  ...{ entry: join(dist, 'main.js'), root, metafile: program.metafile, options: { ...common, ...minified } },
  outputs: new Map(program.outputFiles.map(({ path, text }) => [path, text])),
});
for (const [path, contents] of merged) files.set(path, contents);
const metafiles = [program.metafile, library.metafile];
const isReplaced = path => validators.test(path) || http2.test(path);
files.set(join(dist, 'THIRD-PARTY-NOTICES'), thirdPartyNotices({ root, metafiles, isReplaced }));
const types = libraryTypes();
if (types) files.set(join(dist, 'library.d.ts'), types);
// The parts of the pages are read when a page is first asked for.
for (const name of readdirSync(join(root, 'src/views'))) {
  if (/\.(js|css)$/.test(name)) files.set(join(dist, 'views', name), readFileSync(join(root, 'src/views', name)));
}
write(files);

/** The library's types refer to nothing but the SDK's, so that one file holds them. None where there is no compiler. */
function libraryTypes() {
  let compiler;
  try {
    compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');
  } catch {
    return undefined;
  }
  const folder = mkdtempSync(join(tmpdir(), 'usage-billing-mcp-'));
  const kind = ['--declaration', '--emitDeclarationOnly', '--noEmit', 'false'];
  const project = ['-p', join(root, 'scripts/library.tsconfig.json')];
  try {
    execFileSync(process.execPath, [compiler, ...project, ...kind, '--outDir', folder, '--rootDir', root], {
      stdio: 'inherit',
    });
    return readFileSync(join(folder, 'src/library.d.ts'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Nothing is touched before everything is built: a failed build leaves the last good one, an interrupted one is stale. */
function write(files) {
  const stamp = join(dist, '.built');
  rmSync(stamp, { force: true });
  for (const [path, bytes] of files) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, bytes);
  }
  chmodSync(join(dist, 'main.js'), 0o755);
  for (const entry of readdirSync(dist, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isDirectory() && !files.has(path)) rmSync(path);
  }
  writeFileSync(stamp, '');
  // What was edited while this ran is newer than what was built.
  utimesSync(stamp, started, started);
}
