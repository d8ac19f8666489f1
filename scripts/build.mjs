// Bundles src/ into dist/: main.js and the chunk `base` hold what a server needs to start; everything that is needed only
// later (tool schemas, HTTP client, HTTP server, embedded service, subcommands) is in separate chunks.
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
import { rolldown } from 'rolldown';
import { thirdPartyNotices } from './notices.mjs';
import { replace } from './replace.mjs';
import { viewFiles } from './views.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const dist = join(root, 'dist');
const main = join(root, 'src', 'main.ts');
const programModule = join(root, 'src', 'program.ts');

// Databases hold native code or are optional; they are loaded only when the embedded service starts.
const external = ['libsql', 'pg'];

/** The output files for `input`, as rolldown describes them. The other arguments are settings of the bundle and its output. */
async function bundled(input, { external: outside = external, plugins = [] } = {}, output = {}) {
  const bundle = await rolldown({
    cwd: root,
    input,
    external: outside,
    plugins,
    platform: 'node',
    transform: { target: 'node20' },
    // Its CommonJS build hides the names of its own modules from bundlers.
    resolve: { alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' } },
    preserveEntrySignatures: 'strict',
  });
  const written = await bundle.generate({
    format: 'esm',
    entryFileNames: '[name].js',
    // The names of functions and classes are kept, because people read stack traces.
    minify: {
      compress: true,
      mangle: { toplevel: false, keepNames: { function: true, class: true } },
      codegen: { removeWhitespace: true },
    },
    comments: false,
    ...output,
  });
  await bundle.close();
  return written.output;
}

/** What a module exports, for values that are computed now. */
async function exportsOf(module) {
  const folder = mkdtempSync(join(tmpdir(), 'usage-billing-mcp-'));
  try {
    const [{ code }] = await bundled({ module }, {}, { codeSplitting: false });
    const file = join(folder, 'module.mjs');
    writeFileSync(file, code);
    return await import(pathToFileURL(file).href);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The list of tools, so that a started server need not load its schemas to list them. */
async function toolListSource() {
  const { toolList } = await exportsOf('src/calls/access/tool-list.ts');
  return `export const toolList = JSON.parse(${JSON.stringify(JSON.stringify(toolList))});`;
}

/** The older revisions of the protocol, so that a started server need not load the SDK to know them. */
async function revisionsSource() {
  const { olderRevisions } = await exportsOf('src/server/fast/older-revisions.ts');
  return `export const olderRevisions = new Set(${JSON.stringify([...olderRevisions])});`;
}

/** What a module of the contract computes from the resources, so that calls need not load their schemas to know it. */
async function computedSource(module, name) {
  const { [name]: computed } = await exportsOf(`src/contract/${module}.ts`);
  return `export const ${name} = JSON.parse(${JSON.stringify(JSON.stringify(computed))});`;
}

/** Leaves out the SDK's JSON Schema validator: our dispatcher checks arguments itself and never calls it. */
const withoutValidator = replace(
  'without-validator',
  /server[/\\]dist[/\\]ajvProvider-[^/\\]*\.mjs$/,
  `class NoValidator { getValidator() { return () => ({ valid: false, errorMessage: 'not available' }); } }
  export { NoValidator as n, NoValidator as t };`,
);

/** Leaves out undici's HTTP/2, which it loads at once, Node's large HTTP/2 module too; we never use it (see connections.ts). */
const withoutHttp2 = replace(
  'without-http2',
  /undici[/\\]lib[/\\]dispatcher[/\\]client-h2\.js$/,
  "module.exports = () => { throw new Error('HTTP/2 is not spoken here'); };",
);

/** Leaves out what undici needs to send forms; we send text. */
const withoutForms = replace(
  'without-forms',
  /undici[/\\]lib[/\\]web[/\\]fetch[/\\]body\.js$/,
  "module.exports = { extractBody() { throw new Error('Forms are not sent here'); } };",
);

const contents = await toolListSource();
const preparedToolList = () =>
  replace('prepared-tool-list', /[/\\]src[/\\]calls[/\\]access[/\\]tool-list\.ts$/, contents);
const fieldNames = await computedSource('field-names', 'fieldNames');
const hiddenNames = await computedSource('hidden-names', 'hiddenNames');
const preparedContract = () => [
  replace('prepared-field-names', /[/\\]src[/\\]contract[/\\]field-names\.ts$/, fieldNames),
  replace('prepared-hidden-names', /[/\\]src[/\\]contract[/\\]hidden-names\.ts$/, hiddenNames),
];
const preparedRevisions = replace(
  'prepared-revisions',
  /[/\\]src[/\\]server[/\\]fast[/\\]older-revisions\.ts$/,
  await revisionsSource(),
);

/**
 * Puts what is loaded together into one chunk: finding, reading and linking twenty small files takes as long as compiling
 * them. `base` is what a start imports; `call` is what every call imports besides, and what many tools share. `zod` is shared
 * with the SDK.
 */
function groups() {
  let start;
  let call;
  const nameOf = (id, modules) => {
    start ??= importedBy(programModule, modules).add(programModule);
    call ??= everyCall(modules);
    if (start.has(id)) return 'base';
    return call.has(id) ? 'call' : null;
  };
  return [
    { debugName: 'zod', name: 'zod', test: zod, priority: 1 },
    { debugName: 'loaded together', name: nameOf },
  ];
}

const zod = /[/\\]node_modules[/\\]zod[/\\]/;

/** How many tools share a module that every call loads. */
const manyTools = 6;

function everyCall(modules) {
  const shared = new Set();
  for (const path of ['src/calls/steps.ts', 'src/calls/api/http/client.ts']) {
    const first = join(root, path);
    importedBy(first, modules, shared).add(first);
  }
  const tools = modules.getModuleInfo(join(root, 'tools', 'load.ts')).dynamicallyImportedIds;
  const users = new Map();
  for (const tool of tools) for (const id of importedBy(tool, modules)) users.set(id, (users.get(id) ?? 0) + 1);
  for (const [id, count] of users) if (count >= manyTools) shared.add(id);
  return shared;
}

/** The modules that static imports reach, directly or not; dynamic imports are not followed. */
function importedBy(id, modules, reached = new Set()) {
  for (const imported of modules.getModuleInfo(id).importedIds) {
    if (reached.has(imported)) continue;
    reached.add(imported);
    importedBy(imported, modules, reached);
  }
  return reached;
}

const started = new Date();
const programPlugins = [
  withoutValidator,
  withoutHttp2,
  withoutForms,
  preparedToolList(),
  ...preparedContract(),
  preparedRevisions,
];
const program = await bundled(
  { main, demo: 'src/server/commands/demo.ts' },
  { plugins: programPlugins },
  { chunkFileNames: 'chunks/[name]-[hash].js', codeSplitting: { groups: groups() } },
);
// For embedders: one file of its own with the SDK left outside, so that its classes exist once in their program.
const libraryPlugins = [preparedToolList(), ...preparedContract()];
const library = await bundled(
  { library: 'src/library.ts' },
  { plugins: libraryPlugins, external: [...external, /^@modelcontextprotocol\/server(\/|$)/] },
  { chunkFileNames: 'library/[name]-[hash].js' },
);
const outputs = [...program, ...library];
const files = new Map(outputs.map(({ fileName, code }) => [join(dist, fileName), code]));
const replaced = new Set([...programPlugins, ...libraryPlugins].flatMap(({ hits }) => [...hits]));
files.set(join(dist, 'THIRD-PARTY-NOTICES'), thirdPartyNotices({ root, outputs, replaced }));
const { libraryOptions } = await exportsOf('src/server/settings/help.ts');
const types = libraryTypes();
if (types) files.set(join(dist, 'library.d.ts'), types);
// The files of the pages, and labels, are read when a page is first requested.
for (const [name, text] of await viewFiles(join(root, 'src/words/views'))) files.set(join(dist, 'views', name), text);
for (const name of readdirSync(join(root, 'src/contract/labels')).filter(file => file.endsWith('.json')))
  files.set(join(dist, 'labels', name), readFileSync(join(root, 'src/contract/labels', name)));
// The schemas of a roles file, and of a rehearsal's tasks, for editors.
for (const name of ['roles.schema.json', 'task-file.schema.json'])
  files.set(join(dist, name), readFileSync(join(root, 'docs', name)));
const { publishedSchema } = await exportsOf('src/service/account-file/json-schema.ts');
files.set(join(dist, 'account.schema.json'), JSON.stringify(publishedSchema()));
write(files);

/** The library's types, which refer only to the SDK's, so that one file is enough. undefined without a compiler. */
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
    // Each option is written out with its description, which editors show.
    const types = readFileSync(join(folder, 'src/library.d.ts'), 'utf8')
      .replace(/^import .*settings\.ts';\n/m, '')
      .replace(
        /^export type BillingServerOptions = .*$/m,
        () => `export interface BillingServerOptions {\n${libraryOptions()}}`,
      );
    if (/LibraryOptions|from '\./.test(types)) throw new Error('library.d.ts names a type of another file');
    return types;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Writes only when everything is built: a failed build leaves the last good one, and an interrupted write makes dist/ stale. */
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
  // Sources that were edited during the build must be newer than this stamp.
  utimesSync(stamp, started, started);
}
