import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createBillingServer } from '../../../src/library.ts';
import { configurationTable, helpText, libraryOptions } from '../../../src/server/settings/help.ts';
import { loadConfig } from '../../../src/server/settings/load.ts';
import { removedSettings } from '../../../src/server/settings/names.ts';
import { ConfigError, type Setting, settings } from '../../../src/server/settings/settings.ts';

const account = { BILLING_BASE_URL: 'https://billing.example.com', BILLING_API_KEY: 'secret-key' };

function problems(argv: string[], env: NodeJS.ProcessEnv): readonly string[] {
  try {
    loadConfig(argv, env);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

describe('values', () => {
  it('takes the documented defaults', () => {
    expect(loadConfig([], {}).config).toMatchObject({
      timeoutMs: 30_000,
      maxWritesPerMinute: 30,
      maxResultTokens: 8000,
      confirm: 'always',
      ask: ['url', 'form', 'buttons', 'link'],
      demo: false,
      readOnly: false,
      lookups: true,
    });
  });

  it('prefers a flag to a variable', () => {
    expect(loadConfig(['--timeout-ms', '500'], { BILLING_TIMEOUT_MS: '900' }).config.timeoutMs).toBe(500);
  });

  it.each(['', '  ', '${user_config.base_url}'])('treats "%s" as not set', unset => {
    const env = { BILLING_BASE_URL: unset, BILLING_READ_ONLY: unset, BILLING_LOOKUPS: unset };
    expect(loadConfig([], env).config).toMatchObject({ baseUrl: undefined, readOnly: false, lookups: true });
  });

  it.each([
    ['true', true],
    ['1', true],
    ['false', false],
    ['0', false],
  ])('reads %s as %s', (text, value) => {
    const { config } = loadConfig([], { BILLING_READ_ONLY: text, BILLING_LOOKUPS: text });
    expect(config).toMatchObject({ readOnly: value, lookups: value });
  });
});

describe('the proxies of the environment', () => {
  it('are read in upper and lower case, and lower case wins', () => {
    const env = { HTTPS_PROXY: 'http://a:1', http_proxy: 'http://b:2', HTTP_PROXY: 'http://c:3', no_proxy: 'd,e' };
    expect(loadConfig([], { ...account, ...env }).config).toMatchObject({
      httpsProxy: 'http://a:1',
      httpProxy: 'http://b:2',
      noProxy: 'd,e',
    });
  });

  it('do not stop the start where nothing leaves the machine', () => {
    expect(loadConfig(['--demo'], { HTTPS_PROXY: 'proxy.example.com:3128' }).config.demo).toBe(true);
  });
});

describe('what stops the start', () => {
  const at = (address: string) => ({ ...account, BILLING_BASE_URL: address });
  const long = 'secret-key'.repeat(4);
  const byToken = { BILLING_HTTP_AUTH: 'token', BILLING_HTTP_TOKENS: 'token-of-the-desk-0001' };
  const rows: [what: string, argv: string[], env: NodeJS.ProcessEnv, said: RegExp][] = [
    ['a boolean in another word', [], { BILLING_READ_ONLY: 'yes' }, /BILLING_READ_ONLY must be true, false, 1 or 0/],
    ['a key without a base URL', [], { BILLING_API_KEY: 'secret-key' }, /BILLING_API_KEY .*BILLING_BASE_URL/],
    ['a base URL without a key', [], { BILLING_BASE_URL: 'https://a.example' }, /BILLING_BASE_URL .*BILLING_API_KEY/],
    ['a base URL that is not http', [], at('ftp://a.example'), /BILLING_BASE_URL must be/],
    ['a base URL with a password', [], at('https://u:p@a.example'), /BILLING_BASE_URL must not/],
    ['demo together with an account', ['--demo'], account, /BILLING_BASE_URL cannot be used with --demo/],
    ['the key as a flag', ['--api-key', 'secret-key'], {}, /--api-key is not a flag.*BILLING_API_KEY/],
    ['an unknown flag', ['--read-onyl'], {}, /Did you mean --read-only/],
    ['an unknown command', ['serve'], {}, /Unknown command/],
    ['personal data that no mask knows', [], { BILLING_MASK: 'phone,emial' }, /tax_id \(did you mean email\?\)/],
    ['a number out of range', [], { BILLING_TIMEOUT_MS: '-1' }, /BILLING_TIMEOUT_MS must be a whole number/],
    ['data without demo', ['--data', 'x.db'], {}, /--data .*--demo/],
    ['another kind of database', ['--demo', '--data', 'mysql://x/secret-key'], {}, /the path of a SQLite file/],
    ['a port without HTTP', ['--port', '80'], {}, /--port .*--http/],
    ['a short state key', [], { BILLING_STATE_KEY: 'short' }, /BILLING_STATE_KEY must be at least 32/],
    ['a state key over HTTP, no Redis', ['--http'], { BILLING_STATE_KEY: long }, /over HTTP needs BILLING_REDIS_URL/],
    ['a requirement that nothing can meet', [], { BILLING_CUSTOMER: 'required' }, /BILLING_CUSTOMER=required needs/],
    ['nor bearer tokens', ['--http'], { BILLING_CUSTOMER: 'required', ...byToken }, /Set BILLING_CUSTOMER_TOKEN_KEY/],
    ['that word beside customers', [], { BILLING_CUSTOMER: 'acme,required' }, /either required or a list/],
    ['a short customer key', [], { BILLING_CUSTOMER_TOKEN_KEY: 'short' }, /must be at least 32 characters\.$/m],
    ['one key for two things', [], { BILLING_CUSTOMER_TOKEN_KEY: long, BILLING_STATE_KEY: long }, /are the same/],
    ...[
      'proxy.example.com:3128',
      'socks5://proxy:1',
      'http://',
      'http://u:secret-key@:1',
      'http://u:%zzsecret-key@p',
      'http://u:secret-key#1@p:3128',
      'http://p:3128/secret-key',
      'http://p:3128?secret-key',
    ].flatMap((address): [string, string[], NodeJS.ProcessEnv, RegExp][] => [
      [`${address} as HTTPS_PROXY`, [], { ...account, HTTPS_PROXY: address }, /^HTTPS_PROXY .*http:\/\/proxy\./],
      [`${address} as http_proxy`, [], { ...account, http_proxy: address }, /^HTTP_PROXY \(or http_proxy\) must be/],
    ]),
    ['a locale that nobody speaks', [], { BILLING_LOCALE: 'xx' }, /"xx" is not a known locale/],
    ['a language by its name', ['--locale', 'deutsch'], {}, /--locale must be a language/],
    ['an amount limit without currency', [], { BILLING_MAX_AMOUNT: '1000' }, /BILLING_MAX_AMOUNT must be a list/],
  ];
  it.each(rows)('%s', (_, argv, env, said) => {
    const found = problems(argv, env).join('\n');
    expect(found).toMatch(said);
    expect(found).not.toContain('secret-key');
  });
});

describe('a BILLING_ name that is no setting', () => {
  const nearest: [slip: string, setting: string][] = [
    ['BILLING_READONLY_MODE', 'BILLING_READ_ONLY'],
    ['BILLING_WRITES', 'BILLING_READ_ONLY'],
    ['BILLING_ALLOW_WRITES', 'BILLING_READ_ONLY'],
    ['BILLING_CONFIRMATION', 'BILLING_CONFIRM'],
    ['BILLING_AUDIT_FILE', 'BILLING_AUDIT_LOG'],
    ['BILLING_ALLOWED_TOOLS', 'BILLING_TOOLS'],
    ['BILLING_DISABLE_TOOLS', 'BILLING_EXCLUDE_TOOLS'],
    ['BILLING_DISABLED_TOOLS', 'BILLING_EXCLUDE_TOOLS'],
    ['BILLING_MAX_WRITES', 'BILLING_MAX_WRITES_PER_MINUTE'],
    ['BILLING_READONLY', 'BILLING_READ_ONLY'],
    ['BILLING_RAED_ONLY', 'BILLING_READ_ONLY'],
    ['billing_read_only', 'BILLING_READ_ONLY'],
    ['BILLING_APIKEY', 'BILLING_API_KEY'],
    ['BILLING_AMOUNT_LIMIT', 'BILLING_MAX_AMOUNT'],
    ['BILLING_HTTP_PORT', '--port'],
    ['BILLING_SERVICE_HOST_NAME', '--host'],
  ];
  it.each(nearest)('stops the start: %s, naming %s', (slip, setting) => {
    const said = [`${slip} is not a setting. Did you mean ${setting}? Rename or remove it.`];
    // A misspelt name is an error even when its value is empty.
    for (const value of ['secret-key', '']) expect(problems([], { [slip]: value })).toEqual(said);
  });

  it.each(removedSettings)(
    'stops the start where it was a setting, and says what to do instead: $name',
    ({ name, flag, instead }) => {
      for (const value of ['1', 'secret-key', ''])
        expect(problems([], { [name]: value })).toEqual([`${name} is no longer a setting: ${instead}`]);
      if (flag !== null)
        for (const argv of [[`--${flag}`], [`--${flag}`, 'secret-key'], [`--${flag}=secret-key`]])
          expect(problems(argv, {})).toEqual([`--${flag} is no longer a setting: ${instead}`]);
      const present = Object.values<Setting>(settings).flatMap(row => [row.name, row.flag]);
      expect([name, flag].filter(one => one !== null && present.includes(one))).toEqual([]);
    },
  );

  it('is reported together with all other wrong names and values', () => {
    const env = { BILLING_WRITES: 'off', BILLING_CONFIRMATION: 'always', BILLING_TIMEOUT_MS: 'soon' };
    const said = problems([], env).join('\n');
    for (const name of Object.keys(env)) expect(said).toContain(name);
  });

  it('is shortened when it is very long, and reported without its value', () => {
    const said = problems([], { [`BILLING_${'X'.repeat(10_000)}`]: 'secret-key' }).join('\n');
    expect(said.length).toBeLessThan(200);
    expect(said).not.toContain('secret-key');
  });

  const injected = (service: string): Record<string, string> => ({
    [`${service}_SERVICE_HOST`]: '10.0.0.7',
    [`${service}_SERVICE_PORT`]: '80',
    [`${service}_SERVICE_PORT_HTTP_ADMIN`]: '81',
    [`${service}_PORT`]: 'tcp://10.0.0.7:80',
    [`${service}_PORT_80_TCP`]: 'tcp://10.0.0.7:80',
    [`${service}_PORT_80_TCP_PROTO`]: 'tcp',
    [`${service}_PORT_80_TCP_PORT`]: '80',
    [`${service}_PORT_80_TCP_ADDR`]: '10.0.0.7',
    [`${service}_PORT_53_UDP`]: 'udp://10.0.0.7:53',
  });
  it.each(['BILLING', 'BILLING_API', 'BILLING_PORT'])('is ignored when Kubernetes set it for a service %s', service => {
    expect(problems([], injected(service))).toEqual([]);
  });

  it('is not ignored when it only looks like one that Kubernetes sets', () => {
    for (const name of ['PORTS', 'PORT_HTTP', 'SERVICE', 'SERVICE_HOSTS', 'API_PORT'])
      expect(problems([], { ...injected('BILLING'), [`BILLING_${name}`]: '1' })).toHaveLength(1);
  });

  it('is allowed in the environment of a program that uses the library', async () => {
    vi.stubEnv('BILLING_READONLY_MODE', 'true');
    onTestFinished(() => void vi.unstubAllEnvs());
    const billing = createBillingServer({ baseUrl: 'https://billing.example.com', apiKey: 'key' });
    await billing.close();
  });
});

it('says of an option of the library that is gone what to do instead', () => {
  expect(() => createBillingServer({ maxRetries: 0 } as object)).toThrow(/^createBillingServer: maxRetries: .*retries/);
  expect(() => createBillingServer({ retries: 0 } as object)).toThrow('there is no option "retries"');
});

it('takes the mask as an option of the library too', async () => {
  const options = { baseUrl: 'https://billing.example.com', apiKey: 'key' };
  const billing = createBillingServer({ ...options, mask: ['email', 'tax_id'] });
  const { _instructions } = billing.createMcpServer() as unknown as { _instructions: string };
  expect(_instructions).toContain('tax and registration numbers are hidden');
  await billing.close();
  const misspelt = { ...options, mask: ['tax_ids'] } as object;
  expect(() => createBillingServer(misspelt)).toThrow('did you mean tax_id?');
});

it('lists every setting in --help and in the table', () => {
  const help = helpText();
  const table = configurationTable();
  expect(help).toMatch(/BILLING_LOOKUPS\n +Offer the tools that find and list records\. .* Default: true\.\n/);
  for (const { name, flag } of Object.values(settings)) {
    for (const text of [help, table]) {
      if (name) expect(text).toContain(name);
      if (flag) expect(text).toContain(`--${flag}`);
    }
  }
});

it('lists every setting but those of HTTP in the published options of the library', () => {
  const types = libraryOptions();
  for (const [key, { group }] of Object.entries(settings)) expect(types.includes(` ${key}?: `)).toBe(group !== 'HTTP');
});

it('has at most 53 settings', () => {
  expect(Object.keys(settings).length).toBeLessThanOrEqual(53);
});

it('has no flag for a secret', () => {
  for (const row of Object.values(settings)) {
    if ('secret' in row && row.name !== 'BILLING_DATA') expect(row.flag).toBeNull();
  }
});
