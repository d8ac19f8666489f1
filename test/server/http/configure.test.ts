import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { settingsFrom } from '../../../src/server/http/configure.ts';
import { loadConfig } from '../../../src/server/settings/load.ts';
import { ConfigError } from '../../../src/server/settings/settings.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { callOf, send, startTiny, stopTiny } from './support/tiny.ts';

const account = { BILLING_BASE_URL: 'https://billing.example.com', BILLING_API_KEY: 'key' };
const token = 'token-of-the-desk-0001';
const byToken = { BILLING_HTTP_AUTH: 'token', BILLING_HTTP_TOKENS: token };
const file = join(temporaryFolder(), 'tokens');
const issuer = 'https://login.example.com';
const publicUrl = 'https://b.example.com/mcp';
const oauth = { BILLING_HTTP_AUTH: 'oauth', BILLING_OAUTH_ISSUER: issuer, BILLING_HTTP_PUBLIC_URL: publicUrl };
const ofIssuer = (address: string) => ({ ...oauth, BILLING_OAUTH_ISSUER: address });
const settings = (args: string[], env: Record<string, string> = {}) =>
  settingsFrom(loadConfig(['--http', ...args], { ...(!args.includes('--demo') && account), ...env }).config);
const problems = (args: string[], env: Record<string, string> = {}): string => {
  try {
    settings(args, env);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems.join('\n');
    throw error;
  }
  return '';
};

describe('settings that would let strangers in are refused at the start:', () => {
  const tokens = (list: string) => ({ ...byToken, BILLING_HTTP_TOKENS: list });
  const named = (...names: string[]) => tokens(names.map((name, at) => `${name}:${token}-${at}`).join());
  const refused: [string, string[], Record<string, string>, RegExp][] = [
    ['no check of callers off loopback', ['--host', '10.0.0.5'], {}, /BILLING_HTTP_AUTH must be token, api-key/],
    ['pages of any origin without one', ['--allowed-origins', 'a.example,*'], {}, /ORIGINS=\* needs BILLING_HTTP_AUTH/],
    ['"none" off loopback', ['--host', '::', '--http-auth', 'none'], {}, /BILLING_HTTP_AUTH must be/],
    ['the demo off loopback', ['--host', '0.0.0.0', '--demo'], {}, /--demo works only on loopback addresses/],
    ['the demo off loopback, even with tokens', ['--host', '10.0.0.5', '--demo'], byToken, /works only on loopback/],
    ['every interface without the names of the host', ['--host', '0.0.0.0'], byToken, /ALLOWED_HOSTS must name/],
    ['a short token', [], tokens('short'), /must have at least 16/],
    ['two tokens of one name', [], named('desk', 'bob', 'desk'), /^Bearer tokens 1 and 3 .*same name/],
    ['one token of two names', [], tokens(`a:${token},b:${token}`), /^Bearer tokens 1 and 2 .*same/],
    ['an issuer whose keys come unprotected', [], ofIssuer('http://a.example'), /ISSUER must be an https/],
    ['an issuer for tokens of another kind', [], { ...byToken, BILLING_OAUTH_ISSUER: issuer }, /only for .*=oauth/],
    [
      'OAuth without an issuer',
      [],
      { BILLING_HTTP_AUTH: 'oauth' },
      /needs BILLING_OAUTH_ISSUER[\s\S]*needs BILLING_HTTP_PUBLIC_URL/,
    ],
    ['OAuth without a public address', [], { ...oauth, BILLING_HTTP_PUBLIC_URL: '' }, /needs BILLING_HTTP_PUBLIC_URL/],
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
    const { allowedHosts } = settings(['--host', '0.0.0.0', '--public-url', publicUrl], byToken);
    expect(allowedHosts).toEqual(['localhost', '127.0.0.1', '[::1]', 'b.example.com']);
  });

  it('are tokens from a file, with or without names, with comments', () => {
    writeFileSync(file, `# the desk\ndesk:${token}\n\n${token}-2\n`);
    const { tokens } = settings(['--http-auth', 'token', '--http-tokens-file', file]);
    rmSync(file);
    expect(tokens).toEqual([
      { name: 'desk', token },
      { name: '#2', token: `${token}-2` },
    ]);
    expect(problems(['--http-auth', 'token', '--http-tokens-file', file])).toMatch(/cannot be read/);
  });

  it('is a token without a name, even if another token’s name is its number', () => {
    const mixed = `2:${token}-a,${token}-b,1:${token}-c,${token}-d`;
    const { tokens } = settings([], { ...byToken, BILLING_HTTP_TOKENS: mixed });
    const names = tokens.map(({ name }) => name);
    expect(new Set(names).size).toBe(4);
    // An entry cannot choose a name that was invented here.
    for (const name of [names[1], names[3]])
      expect(problems([], { ...byToken, BILLING_HTTP_TOKENS: `${name}:${token}` })).toMatch(/token 1 must have/);
  });

  it('are web pages of any origin where callers prove who they are, and named pages anywhere', () => {
    expect(settings(['--allowed-origins', '*'], byToken).allowedOrigins).toEqual(['*']);
    expect(settings(['--allowed-origins', 'app.example.com']).allowedOrigins).toEqual(['app.example.com']);
  });

  it('are proxies by address and range, and nothing else', () => {
    expect(settings(['--trust-proxy', '10.0.0.0/8,127.0.0.1']).trustProxy).toBe('10.0.0.0/8,127.0.0.1');
    expect(settings(['--trust-proxy', 'true']).trustProxy).toBe(true);
    expect(settings([]).trustProxy).toBe(false);
    expect(problems(['--trust-proxy', 'somewhere'])).toMatch(/addresses and ranges/);
  });
});

describe('with OAuth', () => {
  it.each([
    ['is the public address, in tokens of the issuer', oauth, { issuer, audience: publicUrl }],
    ['can be set', { ...oauth, BILLING_OAUTH_AUDIENCE: 'billing' }, { issuer, audience: 'billing' }],
    ['is none for tokens of another kind', { ...byToken, BILLING_HTTP_PUBLIC_URL: publicUrl }, undefined],
  ])('the audience %s', (_, env, expected) => {
    expect(settings([], env).oauth).toEqual(expected);
  });

  it('a caller without a token is referred to the public address, whatever the audience is', async () => {
    const tiny = await startTiny({ auth: 'oauth', publicUrl, oauth: { issuer, audience: 'billing' } });
    onTestFinished(stopTiny);
    const metadata = 'resource_metadata="https://b.example.com/.well-known/oauth-protected-resource/mcp"';
    for (const headers of [{}, { authorization: 'Bearer not-a-token' }]) {
      const answer = await send(tiny.url, callOf(), headers as Record<string, string>);
      expect(answer.headers.get('www-authenticate')).toContain(metadata);
    }
  });

  it('an issuer on this machine needs no TLS', () => {
    expect(problems([], ofIssuer('http://127.0.0.1:9000'))).toBe('');
  });
});

it.each([
  ['is 600 where callers are told apart', byToken, 600],
  ['is without limit where anyone at this machine may call', {}, 0],
  ['is what was set, in either case', { BILLING_HTTP_RATE_LIMIT: '7' }, 7],
])('the budget of requests a minute %s', (_, env, limit) => {
  expect(settings([], env).rateLimit).toBe(limit);
});
