/** The Node.js of this folder, for clients that need a newer one than the server does. */
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const modules = join(dirname(fileURLToPath(import.meta.url)), 'node_modules');

function installed() {
  try {
    return readdirSync(modules);
  } catch {
    return [];
  }
}

const folder = installed().find(name => /^node-(linux|darwin)-/.test(name));
if (!folder) {
  process.stderr.write('Install the clients first: npm ci --prefix test/clients\n');
  process.exit(1);
}

/** Its program. */
export const node = join(modules, folder, 'bin/node');
