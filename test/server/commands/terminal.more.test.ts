import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hosts } from '../../../src/server/commands/init/hosts.ts';
import { main } from '../../support/settings.ts';

/** What the program prints on a terminal (a pseudo-terminal of script(1)) up to the mark. */
async function onTerminal(flags: string, until: RegExp, { script = main, columns = 80 } = {}): Promise<string> {
  const command = `stty cols ${columns}; exec ${process.execPath} ${script} ${flags}`;
  const child = spawn('script', ['-qefc', command, '/dev/null'], {
    env: { PATH: process.env.PATH ?? '', SHELL: '/bin/sh', NO_COLOR: '1' },
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
    ['--demo', /It uses the demo account\.$/],
  ])('the server (%s) says what it waits for and what to try', async (flags, account) => {
    const [first = '', ...rest] = (await onTerminal(flags, /Ctrl-C/)).split('\n');
    expect(first).toMatch(/^MCP server, waiting.*on stdin/);
    expect(first).toMatch(account);
    for (const command of ['init cursor', '--http --demo', 'check', '--help'])
      expect(rest.join('\n')).toMatch(new RegExp(`node \\S*main\\.js ${command} `));
  });

  it('--http prints one plain line', async () => {
    const shown = await onTerminal('--http --demo --port 0', /Ctrl-C/);
    expect(shown.split('\n')[0]).toMatch(/^Serving MCP at http:\/\/127\.0\.0\.1:\d+\/mcp/);
  });

  it('the demo breaks its lines at 50 columns, with a hanging indent', async () => {
    const columns = 50;
    const demo = join(dirname(main), 'demo.js');
    const shown = await onTerminal('', /your own account[^\n]*\n/, { script: demo, columns });
    const lines = shown.split('\n');
    const long = lines.filter(line => line.length > columns);
    expect(long.filter(line => line.trim().includes(' '))).toEqual([]);
    expect(lines.filter(line => line.length > columns - 20).length).toBeGreaterThan(10);
    for (const { id } of hosts) expect(shown.slice(shown.indexOf('What to do next'))).toContain(id);
    // A scene begins with its question; the tool, the answer and their further lines are indented.
    const scenes = shown.slice(shown.indexOf('“'), shown.search(/\n8 of/)).split('\n');
    expect(scenes.filter(line => line !== '' && !/^(“| \S| {3}\S| {5,8}\S)/.test(line))).toEqual([]);
  });
});
