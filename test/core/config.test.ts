import { describe, expect, it } from 'vitest';
import { configurationTable, helpText } from '../../src/config/help.ts';
import { ConfigError, loadConfig, settings } from '../../src/config.ts';

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
      maxRetries: 3,
      maxWritesPerMinute: 30,
      maxResultTokens: 8000,
      confirm: 'auto',
      demo: false,
      readOnly: false,
    });
  });

  it('prefers a flag to a variable', () => {
    expect(loadConfig(['--timeout-ms', '500'], { BILLING_TIMEOUT_MS: '900' }).config.timeoutMs).toBe(500);
  });

  for (const unset of ['', '  ', '${user_config.base_url}']) {
    it(`treats ${JSON.stringify(unset)} as not set`, () => {
      expect(loadConfig([], { BILLING_BASE_URL: unset, BILLING_READ_ONLY: unset }).config).toMatchObject({
        baseUrl: undefined,
        readOnly: false,
      });
    });
  }

  for (const [text, value] of [
    ['true', true],
    ['1', true],
    ['false', false],
    ['0', false],
  ] as const) {
    it(`reads ${text} as ${value}`, () => {
      expect(loadConfig([], { BILLING_READ_ONLY: text }).config.readOnly).toBe(value);
    });
  }
});

describe('what stops the start', () => {
  const rows: [what: string, argv: string[], env: NodeJS.ProcessEnv, said: RegExp][] = [
    ['a boolean in another word', [], { BILLING_READ_ONLY: 'yes' }, /BILLING_READ_ONLY must be true, false, 1 or 0/],
    ['a slip of a name', [], { BILLING_READONLY: 'true' }, /BILLING_READONLY .*BILLING_READ_ONLY/],
    ['a key without a base URL', [], { BILLING_API_KEY: 'secret-key' }, /BILLING_API_KEY .*BILLING_BASE_URL/],
    ['a base URL without a key', [], { BILLING_BASE_URL: 'https://a.example' }, /BILLING_BASE_URL .*BILLING_API_KEY/],
    [
      'a base URL that is not http',
      [],
      { ...account, BILLING_BASE_URL: 'ftp://a.example' },
      /BILLING_BASE_URL must be/,
    ],
    [
      'a base URL with a password',
      [],
      { ...account, BILLING_BASE_URL: 'https://u:p@a.example' },
      /BILLING_BASE_URL must not/,
    ],
    ['demo together with an account', ['--demo'], account, /BILLING_BASE_URL and --demo/],
    ['the key as a flag', ['--api-key', 'secret-key'], {}, /--api-key is not a flag.*BILLING_API_KEY/],
    ['an unknown flag', ['--read-onyl'], {}, /Did you mean --read-only/],
    ['an unknown command', ['serve'], {}, /Unknown command/],
    ['a number out of range', [], { BILLING_TIMEOUT_MS: '-1' }, /BILLING_TIMEOUT_MS must be a whole number/],
    ['data without demo', ['--data', 'x.db'], {}, /--data .*--demo/],
    ['two databases', ['--demo', '--data', 'x.db', '--database-url', 'postgres://x/y'], {}, /exclude each other/],
    ['a port without HTTP', ['--port', '80'], {}, /--port .*--http/],
    ['a short state key', [], { BILLING_STATE_KEY: 'short' }, /BILLING_STATE_KEY must be at least 32/],
    [
      'a state key over HTTP without the Redis that makes it safe',
      ['--http'],
      { BILLING_STATE_KEY: 'secret-key'.repeat(4) },
      /BILLING_STATE_KEY over HTTP needs BILLING_REDIS_URL/,
    ],
    ['an amount limit without currency', [], { BILLING_MAX_AMOUNT: '1000' }, /BILLING_MAX_AMOUNT must be a list/],
  ];
  for (const [what, argv, env, said] of rows) {
    it(what, () => {
      const found = problems(argv, env);
      expect(found.join('\n')).toMatch(said);
      expect(found.join('\n')).not.toContain('secret-key');
    });
  }
});

it('mentions foreign BILLING_ names once, and goes on', () => {
  const { warnings } = loadConfig([], { BILLING_SERVICE_PORT_TCP: '1', BILLING_SERVICE_HOST_NAME: '2' });
  expect(warnings).toHaveLength(1);
});

it('lists every setting in --help and in the table', () => {
  const help = helpText([]);
  const table = configurationTable();
  for (const { name, flag } of Object.values(settings)) {
    for (const text of [help, table]) {
      if (name) expect(text).toContain(name);
      if (flag) expect(text).toContain(`--${flag}`);
    }
  }
});

it('has no flag for a secret', () => {
  for (const row of Object.values(settings)) {
    if ('secret' in row && row.name !== 'BILLING_DATABASE_URL') expect(row.flag).toBeNull();
  }
});
