import { spawn } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { main } from '../support/settings.ts';

/** What the program prints on a terminal (a pseudo-terminal of script(1)) up to the mark. */
async function onTerminal(flags: string, until: RegExp): Promise<string> {
  const child = spawn('script', ['-qefc', `exec ${process.execPath} ${main} ${flags}`, '/dev/null'], {
    env: { PATH: process.env.PATH ?? '', SHELL: '/bin/sh' },
  });
  let shown = '';
  const gone = new Promise(resolve => child.once('close', resolve));
  await new Promise<void>(resolve => {
    child.stdout.setEncoding('utf8').on('data', text => {
      shown += text;
      if (until.test(shown)) resolve();
    });
    void gone.then(() => resolve());
  });
  child.stdin.write('\u0003');
  await gone;
  return shown.replaceAll('\r\n', '\n');
}

describe('on a terminal', () => {
  it.each([
    ['', /set BILLING_BASE_URL and BILLING_API_KEY, or add --demo\.$/],
    ['--demo', /It has the demo account\.$/],
  ])('the server (%s) says what it waits for and what to try', async (flags, account) => {
    const [first = '', ...rest] = (await onTerminal(flags, /Ctrl-C/)).split('\n');
    expect(first).toMatch(/^An MCP server, waiting for a client on stdin: a chat host starts it by itself\./);
    expect(first).toMatch(account);
    for (const command of ['init cursor', '--http --demo', 'check', '--help'])
      expect(rest.join('\n')).toMatch(new RegExp(`node \\S*main\\.js ${command} `));
  });

  it('--http prints one plain line', async () => {
    const shown = await onTerminal('--http --demo --port 0', /Ctrl-C/);
    expect(shown.split('\n')[0]).toMatch(
      /^Serving MCP at http:\/\/127\.0\.0\.1:\d+\/mcp for anyone on this machine, with the demo account\. Stop with Ctrl-C\.$/,
    );
  });
});
