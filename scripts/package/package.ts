/**
 * `npm run package [-- --out DIR] [--bundle-url URL]`: the npm tarball, the `.mcpb` bundles (one for a real account on any
 * platform, one with the demo for this platform) and server.json. With `--bundle-url`, server.json names the bundle there.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { packExtension } from '@anthropic-ai/mcpb';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import manifest from '../../package.json' with { type: 'json' };
import { type BundleKind, bundleManifest, serverJson } from './manifests.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const { values } = parseArgs({
  options: { out: { type: 'string', default: 'packages' }, 'bundle-url': { type: 'string' } },
});
const out = resolve(root, values.out);
mkdirSync(out, { recursive: true });
// The bundler's progress output (coloured, on stdout) is not shown; this program prints what it made.
const say = (text: string) => process.stdout.write(`${text}\n`);

const tarball = packTarball();
await checkPackage(tarball);
say(`npm tarball     ${tarball}`);
const bundle = await packBundle({ demo: false });
say(`bundle          ${bundle}`);
const { platform } = process;
if (platform === 'darwin' || platform === 'linux' || platform === 'win32')
  say(`demo bundle     ${await packBundle({ demo: true, platform })}`);
const url = values['bundle-url'];
const published = url
  ? { url, fileSha256: createHash('sha256').update(readFileSync(bundle)).digest('hex') }
  : undefined;
writeFileSync(join(out, 'server.json'), `${JSON.stringify(serverJson(published), null, 2)}\n`);
say(`registry entry  ${join(out, 'server.json')}`);

/** Stops the packing when publint finds a problem in the package as it would be published. */
async function checkPackage(path: string): Promise<void> {
  const tarball = new Uint8Array(readFileSync(path)).buffer;
  const { messages, pkg } = await publint({ strict: true, pack: { tarball } });
  const wrong = messages.filter(message => message.type !== 'suggestion').map(message => formatMessage(message, pkg));
  if (wrong.length) throw new Error(`The package is not ready to be published:\n${wrong.join('\n')}`);
}

function packTarball(): string {
  const answer = execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', out], {
    cwd: root,
    encoding: 'utf8',
  });
  const [packed] = JSON.parse(answer) as { filename: string }[];
  return join(out, packed?.filename ?? '');
}

async function packBundle(kind: BundleKind): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'bundle-'));
  try {
    cpSync(join(root, 'dist'), join(folder, 'dist'), { recursive: true, filter: path => basename(path) !== '.built' });
    cpSync(join(root, 'skills'), join(folder, 'skills'), { recursive: true });
    for (const name of ['LICENSE', 'README.md']) cpSync(join(root, name), join(folder, name));
    cpSync(join(root, 'docs/icon.png'), join(folder, 'icon.png'));
    writeFileSync(
      join(folder, 'package.json'),
      JSON.stringify({ name: manifest.name, version: manifest.version, type: 'module' }),
    );
    writeFileSync(join(folder, 'manifest.json'), JSON.stringify(bundleManifest(kind), null, 2));
    if (kind.demo) copyDatabase(folder);
    const file = join(out, `${manifest.name}${kind.demo ? `-demo-${kind.platform}-${process.arch}` : ''}.mcpb`);
    if (!(await packExtension({ extensionPath: folder, outputPath: file, silent: true })))
      throw new Error(`${file} could not be packed`);
    return file;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The native database and what it loads, from this installation. */
function copyDatabase(folder: string): void {
  const pending = ['libsql'];
  const from = new Map<string, string>([['libsql', root]]);
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    const source = packageFolder(name, from.get(name) ?? root);
    if (!source) continue;
    const target = join(folder, 'node_modules', name);
    if (existsSync(target)) continue;
    cpSync(source, target, { recursive: true });
    const { dependencies = {}, optionalDependencies = {} } = JSON.parse(
      readFileSync(join(source, 'package.json'), 'utf8'),
    );
    for (const next of Object.keys({ ...dependencies, ...optionalDependencies })) {
      from.set(next, source);
      pending.push(next);
    }
  }
}

/** The folder of a package, or undefined if it is not installed (prebuilt binaries of other platforms). */
function packageFolder(name: string, parent: string): string | undefined {
  for (const folder of createRequire(join(parent, 'package.json')).resolve.paths(name) ?? []) {
    const candidate = join(folder, name);
    if (existsSync(join(candidate, 'package.json'))) return candidate;
    if (dirname(folder) === resolve(root)) break;
  }
  return undefined;
}
