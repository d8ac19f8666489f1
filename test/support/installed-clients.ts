/** Clients of others for a run: test/clients has packages and a lockfile of its own. */
import { execFile } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const folder = fileURLToPath(new URL('../clients', import.meta.url));

/** Installs them where they are missing or older than the lockfile. Rejects where no registry answers. */
export async function installClients(): Promise<void> {
  const changed = (name: string) => statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  // npm writes it when everything is installed.
  if (changed('node_modules/.package-lock.json') > changed('package-lock.json')) return;
  // Outside of CI, an install without a registry would wait for minutes.
  const hurry = process.env.CI ? [] : ['--fetch-retries', '0'];
  // Nothing of the npm that runs the tests leaks in.
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^npm_(?!config_(registry|nodedir))/i.test(name)),
  );
  await promisify(execFile)('npm', ['ci', '--no-audit', '--no-fund', ...hurry], { cwd: folder, env });
}
