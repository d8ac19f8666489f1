import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { version } from '../../../src/lib/version.ts';
import { type Faulty, startFaulty } from '../../calls/api/faulty.ts';
import { environment, key, startLine } from '../../support/settings.ts';
import { until } from '../../support/until.ts';
import { type Ended, expectHelp, expectRefused, type Refused, run, runHere, start } from './program.ts';

describe('the command line', () => {
  it('--version prints the version alone', async () => {
    expect(await run(['--version'])).toEqual({ code: 0, signal: null, stdout: `${version}\n`, stderr: '' });
  });

  it('--help prints help, whatever else is set', () => expectHelp(['--help']));

  const noAccount = ['--demo', '--account', 'package.json'];
  const problems = /The account file has \d+ problems:\n.*organization: is missing[\s\S]*unknown keys .*"version"/;
  const refused: Refused[] = [
    ['a key without an address', [], { BILLING_API_KEY: key }, /BILLING_API_KEY .*BILLING_BASE_URL/],
    ['a slip of a name over HTTP', ['--http', '--demo'], { BILLING_CONFIRMATION: 'x' }, /ATION .*BILLING_CONFIRM\?/],
    ['an unknown kind of change', ['--demo'], { BILLING_CONFIRM: 'mony=auto' }, /BILLING_CONFIRM: .*mony.*money/],
    [
      'a rule without its limit',
      ['--demo'],
      { BILLING_CONFIRM: 'money<50 USD=auto' },
      /BILLING_CONFIRM .*BILLING_MAX_AMOUNT_PER_DAY/,
    ],
    ['an unknown flag', ['--demoo'], {}, /Did you mean --demo\?/],
    ['an unknown command', ['chek'], {}, /Unknown command or argument: chek\. Did you mean check\?/],
    ['an unknown flag of a command', ['service', '--prot', '1'], {}, /Unknown flag --prot\. Did you mean --port\?/],
    ['an audit log that is a folder', ['--http', '--demo'], { BILLING_AUDIT_LOG: '/tmp' }, /it is a folder \(\/tmp\)/],
    ['an account file that is not one', [...noAccount], {}, problems],
    ['one over HTTP, before anything is served', ['--http', '--port', '0', ...noAccount], {}, problems],
  ];
  it.each(refused)('refuses %s with exit code 2, on stderr', expectRefused);

  it.each<Refused>([...refused.slice(0, 1), ['help', ['--help'], {}, /usage/]])(
    'says of %s as a program what it says in this process',
    async (_, args, env) => expect(await run(args, env)).toEqual(await runHere(args, env)),
  );

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
    expect(stderr).toMatch(new RegExp(`Port ${port} on 127\\.0\\.0\\.1 .*--port 0`));
  });

  it('says that an address is not one of this machine', async () => {
    const flags = ['--http', '--host', '192.0.2.1', '--http-auth', 'api-key', '--allowed-hosts', '*'];
    const { code, stderr } = await run([...flags, '--base-url', 'https://billing.example.com']);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/192\.0\.2\.1 is not an address/)]);
  });

  it.each([
    [{}, /^The user confirms every write, .*: url, form, buttons, link \(BILLING_CONFIRM=always, BILLING_ASK\)\.\n$/],
    [{ container: 'docker' }, /add token to BILLING_ASK\.\n$/],
    [
      { container: 'docker', BILLING_ASK: 'form,link,token' },
      /form, link, token \(BILLING_CONFIRM=always, BILLING_ASK\)\.\n$/,
    ],
    [{ BILLING_ASK: 'form' }, /that the client supports: form \(/],
    [{ BILLING_CONFIRM: 'auto' }, /if the client supports url or form/],
    [{ BILLING_CONFIRM: 'auto', BILLING_ASK: 'token' }, /^The chat host decides/],
    [{ BILLING_CONFIRM: 'never' }, /BILLING_CONFIRM=never/],
    [{ BILLING_CONFIRM: 'metadata=never, money=auto' }, /BILLING_CONFIRM=metadata=never, money=auto/],
    [{ BILLING_READ_ONLY: 'true' }, /^Writes are off \(BILLING_READ_ONLY\)\.\n$/],
  ])('says once at the start how people are asked: %j', async (settings, line) => {
    expect(await run([], settings)).toEqual({ code: 0, signal: null, stdout: '', stderr: expect.stringMatching(line) });
  });

  it('starts without another message although Kubernetes has set its own BILLING_ names', async () => {
    const injected = { BILLING_SERVICE_HOST: '10.0.0.7', BILLING_PORT: 'tcp://10.0.0.7:80', BILLING_PORT_80_TCP: 'x' };
    expect(await run([], injected)).toMatchObject({ code: 0, stdout: '', stderr: startLine() });
  });
});

describe('with running calls', () => {
  const unasked = { BILLING_CONFIRM: 'never' };
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
    const started = start([], environment(faulty.baseUrl, unasked));
    ended = started.ended;
    child = started.child;
    const lines = createInterface({ input: child.stdout! });
    send({ id: 0, method: 'initialize', params: hello });
    await new Promise(resolve => lines.once('line', resolve));
    send({ method: 'notifications/initialized' });
    for (const [id, name, args] of calls) send({ id, method: 'tools/call', params: { name, arguments: args } });
    await until(() => faulty.carriedOut.size === calls.length);
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
  it.each(endings)('ends cleanly when %s, and leaves no request behind', async (_, end) => {
    end();
    const { code, signal, stdout, stderr } = await ended;
    expect([code, signal, stderr]).toEqual([0, null, startLine(unasked)]);
    for (const line of stdout.trim().split('\n')) expect(JSON.parse(line)).toHaveProperty('jsonrpc', '2.0');
    await until(() => faulty.underWay === 0);
  });
});
