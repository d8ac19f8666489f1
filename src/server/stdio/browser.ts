/** Opens a page in the user's browser, without a shell. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';

/**
 * Best effort: where there is no browser, nothing happens. The address is visible in the list of processes, so it must be one
 * that is void once it was opened.
 */
export function openInBrowser(
  address: string,
  {
    platform = process.platform,
    environment = process.env,
  }: { platform?: string; environment?: NodeJS.ProcessEnv } = {},
): void {
  const [command, ...args] = commandOn(platform, environment);
  const child = spawn(command, [...args, address], {
    shell: false,
    detached: true,
    stdio: 'ignore',
    windowsHide: true,
    // A browser needs no key of the billing account.
    env: Object.fromEntries(Object.entries(environment).filter(([name]) => !/^billing_/i.test(name))),
  });
  child.on('error', () => {});
  child.unref();
}

function commandOn(platform: string, { SystemRoot = 'C:\\Windows' }: NodeJS.ProcessEnv): [string, ...string[]] {
  if (platform === 'darwin') return ['/usr/bin/open'];
  if (platform === 'win32') return [join(SystemRoot, 'System32', 'rundll32.exe'), 'url.dll,FileProtocolHandler'];
  return ['xdg-open'];
}
