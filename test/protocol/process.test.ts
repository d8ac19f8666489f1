import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { version } from '../../src/lib/version.ts';
import { environment, key } from '../support/settings.ts';
import { type Faulty, startFaulty } from '../upstream/faulty.ts';
import { type Ended, run, start } from './program.ts';

describe('the command line', () => {
  for (const flag of ['--version', '-V']) {
    it(`${flag} prints the version alone`, async () => {
      expect(await run([flag])).toEqual({ code: 0, signal: null, stdout: `${version}\n`, stderr: '' });
    });
  }

  for (const args of [['--help'], ['-h'], ['help'], ['--demo', '--help'], ['check', '--help']]) {
    it(`${args.join(' ')} prints help, whatever else is set`, async () => {
      const { code, stdout, stderr } = await run(args, { BILLING_API_KEY: key });
      expect([code, stderr]).toEqual([0, '']);
      expect(stdout).toMatch(/usage: /i);
      expect(stdout).not.toContain(key);
    });
  }

  const refused: [what: string, args: string[], env: Record<string, string>, said: RegExp][] = [
    ['a key without an address', [], { BILLING_API_KEY: key }, /BILLING_API_KEY .*BILLING_BASE_URL/],
    ['an address without a key', [], { BILLING_BASE_URL: 'https://a.example' }, /BILLING_BASE_URL .*BILLING_API_KEY/],
    [
      'an address that is none',
      [],
      { BILLING_BASE_URL: 'billing.example.com', BILLING_API_KEY: key },
      /BILLING_BASE_URL must be/,
    ],
    [
      'a proxy without a scheme',
      [],
      { BILLING_BASE_URL: 'https://a.example', BILLING_API_KEY: key, HTTPS_PROXY: `user:${key}@proxy:3128` },
      /HTTPS_PROXY .*must be the http:\/\/ or https:\/\/ address of a proxy/,
    ],
    [
      'the demo beside an account',
      ['--demo'],
      { BILLING_BASE_URL: 'https://a.example', BILLING_API_KEY: key },
      /exclude each other/,
    ],
    [
      'slips of names, all of them at once',
      ['--demo'],
      { BILLING_READONLY_MODE: 'true', BILLING_WRITES: 'false' },
      /BILLING_READONLY_MODE .*BILLING_READ_ONLY[\s\S]*BILLING_WRITES .*BILLING_READ_ONLY/,
    ],
    [
      'a slip of a name over HTTP',
      ['--http', '--demo'],
      { BILLING_CONFIRMATION: 'x' },
      /_CONFIRMATION .*BILLING_CONFIRM\?/,
    ],
    [
      'a slip of a name for the service',
      ['service', '--demo', '--port', '0'],
      { BILLING_APIKEY: key },
      /BILLING_API_KEY\?/,
    ],
    ['a slip of a name for a host’s configuration', ['init', 'cursor'], { BILLING_APIKEY: key }, /BILLING_API_KEY\?/],
    [
      'a state key over HTTP without Redis',
      ['--http', '--demo'],
      { BILLING_STATE_KEY: key.repeat(4) },
      /needs BILLING_REDIS_URL/,
    ],
    [
      'two tokens of one name',
      ['--http', '--demo', '--http-auth', 'token'],
      { BILLING_HTTP_TOKENS: `desk:${key}-0001,desk:${key}-0002` },
      /tokens 1 and 2 have the same name/,
    ],
    ['a boolean in another word', ['--demo'], { BILLING_READ_ONLY: 'yes' }, /true, false, 1 or 0/],
    ['a tool that does not exist', ['--demo', '--tools', 'get_custmer'], {}, /did you mean get_customer\?/],
    ['an unknown flag', ['--demoo'], {}, /Did you mean --demo\?/],
    ['an unknown command', ['chek'], {}, /Unknown command or argument: chek\. Did you mean check\?/],
    ['a flag without its dashes', ['demo'], {}, /Did you mean --demo\?/],
    ['a command after a flag', ['--demo', 'check'], {}, /A command comes first: usage-billing-mcp check/],
    [
      'an unknown flag of a command',
      ['service', '--prot', '1'],
      {},
      /unknown option '--prot'[\s\S]*Did you mean --port\?/,
    ],
    ['a command without its argument', ['init'], {}, /missing required argument 'host'/],
    [
      'an audit log in a folder that does not exist',
      ['--audit-log', '/no/log'],
      {},
      /no such file or folder \(\/no\/log\)/,
    ],
    ['an audit log that is a folder', ['--http', '--demo'], { BILLING_AUDIT_LOG: '/tmp' }, /it is a folder \(\/tmp\)/],
    [
      'an audit log to print that does not exist',
      ['audit', '/no/log'],
      {},
      /^\/no\/log cannot be read: there is no such/,
    ],
    [
      'a package’s description as an audit log',
      ['audit', 'package.json'],
      {},
      /^package\.json is not an audit log: no line/,
    ],
    ['an account file that does not exist', ['service', '--account', '/no/file'], {}, /\/no\/file cannot be read/],
    ...[[], ['--http', '--port', '0']].map((mode): (typeof refused)[number] => [
      `an account file of the embedded service that is not one${mode.length > 0 ? ', over HTTP' : ''}, before anything is served`,
      [...mode, '--demo', '--account', 'package.json'],
      {},
      /The account file has \d+ problems:\n.*organization: is missing[\s\S]*version: is not known here/,
    ]),
    [
      'a reset of what is kept in memory',
      ['service', '--demo', '--reset'],
      {},
      /--reset needs --data or --database-url/,
    ],
  ];
  for (const [what, args, env, said] of refused) {
    it(`refuses ${what} with exit code 2, on stderr`, async () => {
      const { code, stdout, stderr } = await run(args, env);
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toMatch(said);
      expect(stderr).not.toContain(key);
    });
  }

  it.each([
    ['the server', ['--http', '--demo']],
    ['the embedded service', ['service', '--demo']],
  ])('says that the port of %s is in use, with exit code 2', async (_, args) => {
    const holder = createServer().listen(0, '127.0.0.1');
    await once(holder, 'listening');
    const { port } = holder.address() as AddressInfo;
    const { code, stdout, stderr } = await run([...args, '--port', String(port)]);
    holder.close();
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(
      new RegExp(`Port ${port} on 127\\.0\\.0\\.1 is in use: .* --port \\(0 takes a free one\\)\\.\n$`),
    );
  });

  it('says that an address is not one of this machine', async () => {
    const flags = ['--http', '--host', '192.0.2.1', '--http-auth', 'api-key', '--allowed-hosts', '*'];
    const { code, stderr } = await run([...flags, '--base-url', 'https://billing.example.com']);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/192\.0\.2\.1 is not an address of this machine/)]);
  });

  it('starts without a message although Kubernetes has set its own BILLING_ names', async () => {
    const injected = { BILLING_SERVICE_HOST: '10.0.0.7', BILLING_PORT: 'tcp://10.0.0.7:80', BILLING_PORT_80_TCP: 'x' };
    expect(await run([], injected)).toMatchObject({ code: 0, stdout: '', stderr: '' });
  });
});

describe('with running calls', () => {
  let faulty: Faulty;
  let child: ChildProcess;
  let ended: Promise<Ended>;

  beforeAll(async () => {
    faulty = await startFaulty();
    faulty.choose = () => 'stalled';
  });
  afterAll(() => faulty.close());
  beforeEach(async () => {
    faulty.carriedOut.clear();
    const started = start([], environment(faulty.baseUrl));
    ended = started.ended;
    child = started.child;
    const lines = createInterface({ input: child.stdout! });
    send({ id: 0, method: 'initialize', params: hello });
    await new Promise(resolve => lines.once('line', resolve));
    send({ method: 'notifications/initialized' });
    for (const [id, name, args] of calls) send({ id, method: 'tools/call', params: { name, arguments: args } });
    await expect.poll(() => faulty.carriedOut.size).toBe(calls.length);
  });
  afterEach(() => {
    child.kill('SIGKILL');
  });

  const hello = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } };
  const calls = [
    [1, 'get_customer', { external_customer_id: 'a' }],
    [2, 'update_add_on', { code: 'setup', name: 'x' }],
  ] as const;
  const send = (message: object) => child.stdin!.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

  const endings: [what: string, end: () => void][] = [
    ['the client closes stdin', () => child.stdin!.end()],
    ['SIGTERM arrives', () => child.kill('SIGTERM')],
    ['SIGINT arrives', () => child.kill('SIGINT')],
  ];
  for (const [what, end] of endings) {
    it(`ends cleanly when ${what}, and leaves no request behind`, async () => {
      end();
      const { code, signal, stdout, stderr } = await ended;
      expect([code, signal, stderr]).toEqual([0, null, '']);
      for (const line of stdout.trim().split('\n')) expect(JSON.parse(line)).toHaveProperty('jsonrpc', '2.0');
      await expect.poll(() => faulty.underWay).toBe(0);
    });
  }
});
