/** How a chat host starts the program that runs now. */
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface Launch {
  command: string;
  args: string[];
}

/** The program that runs now, as far as it matters to a host. */
export interface Program {
  /** The folder with package.json. */
  root: string;
  platform: NodeJS.Platform;
  /** The full path of the Node that runs it: hosts with windows often have no other, or an old one, on their path. */
  node: string;
}

const packageName = 'usage-billing-mcp';

export function runningProgram(): Program {
  return {
    root: packageRoot(dirname(fileURLToPath(import.meta.url))),
    platform: process.platform,
    node: process.execPath,
  };
}

/**
 * `npx` for a package in its cache, which does not stay there; for everything else (an installed package, a clone, an
 * unpacked archive) the file itself. Hosts on Windows start no scripts such as npx.cmd by themselves, so that cmd has to.
 */
export function launchOf({ root, platform, node }: Program): Launch {
  if (!isCached(root)) return { command: node, args: [join(root, 'dist', 'main.js')] };
  const npx = { command: 'npx', args: ['-y', packageName] };
  return platform === 'win32' ? { command: 'cmd', args: ['/c', npx.command, ...npx.args] } : npx;
}

function isCached(root: string): boolean {
  return basename(dirname(root)) === 'node_modules' && root.split(/[\\/]/).includes('_npx');
}

function packageRoot(folder: string): string {
  const manifest = join(folder, 'package.json');
  if (existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).name === packageName) return folder;
  const parent = dirname(folder);
  if (parent === folder) throw new Error(`${packageName} runs outside of its package`);
  return packageRoot(parent);
}
