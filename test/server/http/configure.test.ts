import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { settingsFrom } from '../../../src/server/http/configure.ts';
import { loadConfig } from '../../../src/server/settings/load.ts';
import { ConfigError } from '../../../src/server/settings/settings.ts';

const account = { BILLING_BASE_URL: 'https://billing.example.com', BILLING_API_KEY: 'key' };
const token = 'token-of-the-desk-0001';
const settings = (args: string[], env: Record<string, string> = account) =>
  settingsFrom(loadConfig(['--http', ...args], env).config);
const problems = (args: string[], env: Record<string, string>): string => {
  try {
    settings(args, env);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems.join('\n');
    throw error;
  }
  return '';
};

describe('settings that would let strangers in are refused at the start:', () => {
  const refused: [string, string[], Record<string, string>, RegExp][] = [
    ['no check of callers off loopback', ['--host', '10.0.0.5'], account, /BILLING_HTTP_AUTH must be token, api-key/],
    [
      'web pages of any origin without a check of callers',
      ['--allowed-origins', 'a.example,*'],
      account,
      /BILLING_HTTP_ALLOWED_ORIGINS=\* needs BILLING_HTTP_AUTH/,
    ],
    ['"none" off loopback', ['--host', '::', '--http-auth', 'none'], account, /BILLING_HTTP_AUTH must be/],
    ['the demo off loopback', ['--host', '0.0.0.0', '--demo'], {}, /--demo works only on loopback addresses/],
    [
      'the demo off loopback, even with tokens',
      ['--host', '10.0.0.5', '--demo', '--http-auth', 'token'],
      { BILLING_HTTP_TOKENS: token },
      /--demo works only on loopback/,
    ],
    [
      'every interface without the names of the host',
      ['--host', '0.0.0.0', '--http-auth', 'token'],
      { ...account, BILLING_HTTP_TOKENS: token },
      /BILLING_HTTP_ALLOWED_HOSTS must name/,
    ],
    ['a short token', ['--http-auth', 'token'], { ...account, BILLING_HTTP_TOKENS: 'short' }, /must have at least 16/],
    [
      'two tokens of one name, who would be one caller',
      ['--http-auth', 'token'],
      { ...account, BILLING_HTTP_TOKENS: `desk:${token}-a,bob:${token}-b,desk:${token}-c` },
      /^Bearer tokens 1 and 3 .*same name/,
    ],
    [
      'one token of two names',
      ['--http-auth', 'token'],
      { ...account, BILLING_HTTP_TOKENS: `desk:${token},bob:${token}` },
      /^Bearer tokens 1 and 2 .*same/,
    ],
    ['oauth without an issuer', ['--http-auth', 'oauth'], account, /needs BILLING_OAUTH_ISSUER/],
    [
      'oauth without an audience',
      ['--http-auth', 'oauth', '--oauth-issuer', 'https://login.example.com'],
      account,
      /PUBLIC_URL/,
    ],
    [
      'an issuer whose keys come unprotected',
      [
        '--http-auth',
        'oauth',
        '--oauth-issuer',
        'http://login.example.com',
        '--public-url',
        'https://b.example.com/mcp',
      ],
      account,
      /BILLING_OAUTH_ISSUER must be an https/,
    ],
  ];
  it.each(refused)('%s', (_what, args, env, reason) => {
    const text = problems(args, env);
    expect(text).toMatch(reason);
    expect(text).not.toContain(token);
    expect(text).not.toContain('short');
  });
});

describe('what is accepted', () => {
  it('is anyone on loopback, however the address is written', () => {
    for (const host of ['127.0.0.1', 'localhost', '::1']) expect(settings(['--host', host]).auth).toBe('none');
  });

  it('is the host of the public address and the loopback names', () => {
    const { allowedHosts } = settings(
      ['--host', '0.0.0.0', '--http-auth', 'token', '--public-url', 'https://b.example.com/mcp'],
      { ...account, BILLING_HTTP_TOKENS: token },
    );
    expect(allowedHosts).toEqual(['localhost', '127.0.0.1', '[::1]', 'b.example.com']);
  });

  it('are tokens from a file, with or without names, with comments', () => {
    const folder = mkdtempSync(join(tmpdir(), 'tokens-'));
    const file = join(folder, 'tokens');
    writeFileSync(file, `# the desk\ndesk:${token}\n\n${token}-2\n`);
    const { tokens } = settings(['--http-auth', 'token', '--http-tokens-file', file]);
    rmSync(folder, { recursive: true });
    expect(tokens).toEqual([
      { name: 'desk', token },
      { name: '#2', token: `${token}-2` },
    ]);
    expect(problems(['--http-auth', 'token', '--http-tokens-file', file], account)).toMatch(/cannot be read/);
  });

  it('is a token without a name, even if another token’s name is its number', () => {
    const { tokens } = settings(['--http-auth', 'token'], {
      ...account,
      BILLING_HTTP_TOKENS: `2:${token}-a,${token}-b,1:${token}-c,${token}-d`,
    });
    const names = tokens.map(({ name }) => name);
    expect(new Set(names).size).toBe(4);
    // An entry cannot choose a name that was invented here.
    for (const name of [names[1], names[3]]) {
      expect(problems(['--http-auth', 'token'], { ...account, BILLING_HTTP_TOKENS: `${name}:${token}` })).toMatch(
        /token 1 must have/,
      );
    }
  });

  it('are web pages of any origin where callers prove who they are, and named pages anywhere', () => {
    const desk = { ...account, BILLING_HTTP_AUTH: 'token', BILLING_HTTP_TOKENS: token };
    expect(settings(['--allowed-origins', '*'], desk).allowedOrigins).toEqual(['*']);
    expect(settings(['--allowed-origins', 'app.example.com']).allowedOrigins).toEqual(['app.example.com']);
  });

  it('are proxies by address and range, and nothing else', () => {
    expect(settings(['--trust-proxy', '10.0.0.0/8,127.0.0.1']).trustProxy).toBe('10.0.0.0/8,127.0.0.1');
    expect(settings(['--trust-proxy', 'true']).trustProxy).toBe(true);
    expect(settings([]).trustProxy).toBe(false);
    expect(problems(['--trust-proxy', 'somewhere'], account)).toMatch(/addresses and ranges/);
  });
});

describe('the budget of requests a minute', () => {
  it.each([
    ['is 600 where callers are told apart', { BILLING_HTTP_AUTH: 'token', BILLING_HTTP_TOKENS: token }, 600],
    ['is without limit where anyone at this machine may call', {}, 0],
    ['is what was set, in either case', { BILLING_HTTP_RATE_LIMIT: '7' }, 7],
  ])('%s', (_, env, limit) => {
    expect(settings([], { ...account, ...env }).rateLimit).toBe(limit);
  });
});
